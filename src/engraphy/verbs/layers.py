"""The verbs of the layers (B-01): episodes, procedures, and what applies to a file."""

from collections.abc import Sequence
from typing import Unpack

from msgspec.structs import replace

from engraphy.engine import layers, scoping
from engraphy.engine.placing import placed
from engraphy.engine.screening import screened
from engraphy.model import Episode, Kind, Outcome, Procedure
from engraphy.model import Memory as Row
from engraphy.text.moments import microseconds
from engraphy.verbs.base import Reading, Verbs
from engraphy.write.given import given
from engraphy.write.intake import Intake, admitted

_MOST_ROWS = 1_000


class Layers(Verbs):
    """What happened, how it is done, and where it applies."""

    def episode(
        self,
        content: str,
        *,
        outcome: str = "unknown",
        lesson: str = "",
        started_at: object = None,
        ended_at: object = None,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
        at: object = None,
        **metadata: object,
    ) -> Outcome:
        """Keep an event: what happened, how it ended (success, failure, partial, unknown), what is
        learnt from it, and any field of `remember` (tags, files_modified ...).

        Raises EmptyContentError, ContentTooLongError, InvalidInputError.
        """
        scope = self._scope(user, agent, project, session)
        text = admitted(content, self._engine.profile.write.max_content_chars)
        times = {"started_at": started_at, "ended_at": ended_at}
        moments = {k: None if v is None else microseconds(v, field=k) for k, v in times.items()}
        part = layers.episode({"outcome": outcome, "lesson": lesson, **moments})
        wanted = placed(self._engine, scope, given({**metadata, "kind": Kind.EPISODE.value}))
        moment = None if at is None else microseconds(at)
        return layers.put_episode(self._engine, text, scope, wanted, moment, part=part)

    def procedure(
        self,
        name: str,
        steps: Sequence[str],
        *,
        trigger: str = "",
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
        at: object = None,
        **metadata: object,
    ) -> Outcome:
        """Keep a workflow: its `name`, its `steps` in order, and the `trigger` that calls for it.

        One of the same name in the same scope becomes its next version; the earlier one stays
        readable by `history`, the counts of success and failure stay. Raises InvalidInputError,
        ContentTooLongError.
        """
        scope = self._scope(user, agent, project, session)
        most = self._engine.profile.write.max_content_chars
        told = layers.workflow(name, steps, trigger, most)
        new = replace(told, called=screened(self._engine, Intake(told.name, ())).text)
        fixed = {"kind": Kind.PROCEDURE.value, "title": new.name, "entities": [new.uri]}
        wanted = placed(self._engine, scope, given({**metadata, **fixed}))
        moment = None if at is None else microseconds(at)
        return layers.put_procedure(self._engine, new, scope, wanted, moment)

    def report(self, id: str, success: bool = True, **scope: Unpack[Reading]) -> Row:
        """Count that using a memory (following a procedure) succeeded, or failed; its utility moves
        that way. Returns it with its counts. Raises NotFoundError."""
        went_well = scoping.flag("success", success)
        view = self._view(scope)
        return layers.report(self._engine, self._id(id, view), view, success=went_well)

    def steps(self, id: str, **scope: Unpack[Reading]) -> Procedure:
        """The name, steps and trigger of a procedure. Raises NotFoundError."""
        view = self._view(scope)
        return layers.steps(self._engine, self._id(id, view), view)

    def outcome(self, id: str, **scope: Unpack[Reading]) -> Episode:
        """How an episode ended, when, and what was learnt. Raises NotFoundError."""
        view = self._view(scope)
        return layers.outcome(self._engine, self._id(id, view), view)

    def scoped(self, path: str, *, limit: int = 10, **scope: Unpack[Reading]) -> list[Row]:
        """The memories whose path globs hold `path`, the narrowest glob first.

        Globs are those of .gitignore: `src/**/*.py`, `docs/`, `*.md`. Listing is not access.
        """
        count = scoping.positive("limit", limit, _MOST_ROWS)
        view = replace(self._view(scope))
        return layers.scoped(self._engine, scoping.text("path", path), view, count)
