"""The verbs about memories that are held already: look, change, pin, forget, list."""

from collections.abc import Iterable, Sequence
from typing import Unpack

from engraphy.engine import keeping, manage, scoping
from engraphy.engine import recall as recalls
from engraphy.engine.ceiling import changeable
from engraphy.engine.editing import edited
from engraphy.engine.placing import placed
from engraphy.model import Forgotten, Version
from engraphy.model import Memory as Row
from engraphy.read.about import about
from engraphy.verbs.base import Reading, Verbs
from engraphy.write.given import given

_MOST_ROWS = 10_000


class Curating(Verbs):
    """What a user does with single memories."""

    def get(
        self,
        id: str,
        *,
        touch: bool = True,
        include: Iterable[str] = (),
        **scope: Unpack[Reading],
    ) -> Row:
        """One memory by its id, in any state but expired; with `include=["expired"]` in that as
        well, which counts as no access. As everywhere, a beginning of the id will do, of at least
        six characters, where only one memory has it. Raises NotFoundError."""
        counted = scoping.flag("touch", touch)
        view = self._view(scope, include=include)
        return manage.get(self._engine, self._id(id, view), view, touch=counted)

    def history(self, id: str, **scope: Unpack[Reading]) -> list[Version]:
        """The earlier texts of a memory, oldest first."""
        view = manage.everything(self._view(scope))
        held = manage.get(self._engine, self._id(id, view), view, touch=False)
        return self._engine.store.versions(view, held.id)

    def timeline(
        self,
        *,
        limit: int = 50,
        include: Iterable[str] = ("superseded",),
        as_of: object = None,
        known_at: object = None,
        **filters: object,
    ) -> Sequence[Row]:
        """What happened, in order of when it became true, newest first; what was superseded since
        stays in it. `as_of`: only what held at that moment; `known_at`: only what was known then
        to hold. Filters, `limit` and `after` as for `list`."""
        scope, wanted = keeping.split_filters(filters)
        count = scoping.positive("limit", limit, _MOST_ROWS)
        listing = keeping.listing(wanted, count, "happened")
        view = self._view(scope, include=include, as_of=as_of, known_at=known_at)
        return manage.page(self._engine, view, listing)

    def update(self, id: str, content: str | None = None, **fields: object) -> Row:
        """Change a memory's text or fields (title, tags, importance ...), in the scope given by
        user, agent, project, session; the earlier text stays as a version. The text of a procedure
        is its name and its numbered steps, as `get` shows them: the steps follow it.

        Raises NotFoundError, ProtectedError (immutable rows; the origin), InvalidInputError.
        """
        scope, wanted = keeping.split_scope(fields)
        view = self._view(scope)
        fields_given = placed(self._engine, view.scope, given(wanted))
        return edited(self._engine, self._id(id, view), view, content, fields_given)

    def pin(self, id: str, *, pinned: bool = True, **scope: Unpack[Reading]) -> Row:
        """Exempt a memory from all forgetting, its time to live included (or, with pinned=False, no
        longer)."""
        view, wanted = self._view(scope), scoping.flag("pinned", pinned)
        return manage.pin(self._engine, self._id(id, view), view, wanted)

    def protect(self, id: str, *, immutable: bool = True, **scope: Unpack[Reading]) -> Row:
        """Keep a memory from being edited, merged, superseded or forgotten (or no longer)."""
        view, wanted = self._view(scope), scoping.flag("immutable", immutable)
        return manage.protect(self._engine, self._id(id, view), view, wanted)

    def forget(
        self,
        target: str,
        *,
        confirm: str | bool | None = None,
        limit: int = 20,
        **scope: Unpack[Reading],
    ) -> Forgotten:
        """Erase the memory with the id `target`, or, where it is a query, what it matches.

        With it go the checkpoints and summaries of sessions that tell it; `ids` names all that go.

        A query only previews: it returns what holds its words, or is a sure hit, and a `confirm`
        token bound to exactly these; call again with the token to erase them. Raises
        ConfirmationRequiredError when other memories match by then (the new preview stands in its
        details: token, ids, previews, and not in its message, which ends in logs), NotFoundError
        for an id nobody holds in this scope.
        """
        view = self._view(scope)
        text = self._id(target, view, "target")
        if manage.is_id(self._engine, text, view):
            return manage.forget_one(self._engine, text, view)
        count = scoping.positive("limit", limit, manage.MOST_FORGOTTEN)
        hits = recalls.recall(self._engine, text, view, count, touch=False)
        found = [one.memory for one in about(hits, text) if changeable(self._engine, one.memory)]
        return manage.forget_matching(self._engine, found, view, confirm)

    def count(self, *, include: Iterable[str] = (), **filters: object) -> int:
        """How many memories `list` would show, with the same filters."""
        scope, wanted = keeping.split_filters(filters)
        view = self._view(scope, include=include)
        return manage.count(self._engine, view, keeping.listing(wanted, 1, "newest"))

    def list(self, *, include: Iterable[str] = (), limit: int = 50, **filters: object) -> list[Row]:
        """Memories by filter, newest first, no more than `limit`; listing is not access. `count`
        tells how many there are, and `after`, the id of the last one, brings the next.

        Filters: kind, category, tag, concept, file, entity, speaker, pinned, since, until, order,
        after, and the scope keys.
        """
        scope, wanted = keeping.split_filters(filters)
        count = scoping.positive("limit", limit, _MOST_ROWS)
        listing = keeping.listing(wanted, count, "newest")
        return manage.page(self._engine, self._view(scope, include=include), listing)
