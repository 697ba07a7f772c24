"""The verb that brings in what another memory keeps, or what was said elsewhere."""

from collections.abc import Callable, Iterable

from engraphy.engine import scoping
from engraphy.engine.importing import Landing, bring
from engraphy.errors import InvalidInputError
from engraphy.model.importing import Imported, Item
from engraphy.verbs.base import Verbs

_LONGEST = 64


class Importing(Verbs):
    """What comes from elsewhere comes once."""

    def bring_in(
        self,
        items: Iterable[Item],
        *,
        source: str,
        place: str = "",
        trusted: bool = False,
        forgotten: bool = False,
        dry_run: bool = False,
        progress: Callable[[int], None] | None = None,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
    ) -> Imported:
        """Bring in what `source` keeps: messages of conversations go through the gates of
        `observe`, everything else is kept as `remember` keeps it.

        Each item comes in once, however often and in whatever order it is told, by its source and
        id, into each set of walls. What stands already is neither strengthened nor woken, and no
        language model is asked. What was forgotten after it was said stays out, unless `forgotten`
        lets it in again. Moments stay those of the source. What was kept counts as an
        import's word unless it is `trusted`; a user's message counts as the user's. A wall or
        session that is named takes the place of the item's own. What was cut short goes on with
        the same `place`, and all of it is undone by `undo(last="import")`. `dry_run` does it in a
        copy of the store, which is thrown away. Raises InvalidInputError.
        """
        scoping.told("progress", progress)
        named = {"user": user, "agent": agent, "project": project, "session": session}
        scope = self._scope(user, agent, project, session)
        told = scoping.text("source", source)
        if not told or len(told) > _LONGEST or not told.replace("-", "").isalnum():
            allowed = "1 to 64 letters, digits and hyphens"
            raise InvalidInputError(field="source", got=repr(source)[:60], allowed=allowed)
        landing = Landing(
            source=told,
            place=scoping.text("place", place),
            trusted=scoping.flag("trusted", trusted),
            forgotten=scoping.flag("forgotten", forgotten),
            walls=tuple((key, value) for key in named if (value := getattr(scope, key))),
        )
        only_shown = scoping.flag("dry_run", dry_run)
        return bring(self._engine, items, landing, dry_run=only_shown, progress=progress)
