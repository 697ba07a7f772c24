"""The verbs that hand a conversation over and wait for nothing (C-01)."""

from typing import Unpack

from engraphy.engine import pending, scoping
from engraphy.engine.later import Later
from engraphy.engine.parts import Engine
from engraphy.engine.queues import Queues
from engraphy.errors import UnknownJobError
from engraphy.model import Job
from engraphy.text.moments import microseconds
from engraphy.verbs.base import Bound, Reading, Verbs
from engraphy.write.messages import messages as as_messages

_CLOSING_SECONDS = 10.0
_MOST_SECONDS = 3_600.0


class Background(Verbs):
    """Extraction after the answer, in a thread of its own."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine)
        self._queues = Queues(engine)

    @property
    def _later(self) -> Later:
        return self._queues.of(self.tenant)

    def observe_later(
        self,
        messages: object,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
        at: object = None,
    ) -> None:
        """Hand messages over to be observed in the background; returns at once.

        A store that is busy, full or broken never reaches the caller: what goes wrong is logged
        by the logger `engraphy`, without a word of the messages. Within moments they stand in the
        store, secrets redacted, and wait there until they are extracted, across a crash as well.
        Raises InvalidInputError for what are no messages, StoreClosedError after `close`.
        """
        scope = self._scope(user, agent, project, session)
        moment = None if at is None else microseconds(at)
        self._later.hand_over(as_messages(messages, at), scope, moment, self._engine.grant)

    def enqueue(
        self,
        messages: object,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
        at: object = None,
    ) -> Job:
        """Hand messages over as `observe_later` does, and return once they stand in the store: they
        are extracted whatever happens from here on, and `job` tells for seven days what came of
        them. Raises InvalidInputError, StoreError."""
        scope = self._scope(user, agent, project, session)
        moment = None if at is None else microseconds(at)
        told = as_messages(messages, at)
        return pending.shown(self._later.enqueue(told, scope, moment, self._engine.grant))

    def job(self, id: str, **bound: Unpack[Bound]) -> Job:
        """What became of what `enqueue` was given: it waits, it was set aside, or it is done. One
        behind others than the named walls does not exist for who asks. Raises UnknownJobError."""
        known, walls = scoping.text("id", id), scoping.walls(self._bound(bound))
        found = pending.queued(self._engine, known) if known else []
        for one in found:
            if scoping.stands(one.scope, walls):
                return one
        message = f"No job {known} was handed over in this scope, or it is too long ago."
        raise UnknownJobError(message, id=known)

    def queue(self, **bound: Unpack[Bound]) -> list[Job]:
        """Everything of the tenant that waits, was set aside or was done lately, behind these walls
        where they are named, oldest first: for its operator, and for who is bound to some walls."""
        walls = scoping.walls(self._bound(bound))
        return [one for one in pending.queued(self._engine) if scoping.stands(one.scope, walls)]

    def flush(self, seconds: float = 30.0) -> bool:
        """Wait until everything handed over here was tried, and what a process left that ended;
        False where that takes longer than `seconds` (0 to 3,600). What failed is tried again later,
        and what another process began within `write.background_lease_seconds` is left to it:
        `jobs` lists both."""
        return self._later.flush(scoping.number("seconds", seconds, _MOST_SECONDS))

    def jobs(self, **scope: Unpack[Reading]) -> list[Job]:
        """What was handed over in this scope and is not extracted yet, oldest first: what waits,
        and what was set aside because it failed, or ended its process, too often."""
        return pending.listed(self._engine, self._view(scope))

    def retry_job(self, id: str, **scope: Unpack[Reading]) -> Job:
        """Hand over anew what was set aside; its attempts begin at none. Raises NotFoundError."""
        again = self._later.try_again(scoping.text("id", id), self._view(scope))
        return pending.shown(again)

    def drop_job(self, id: str, **scope: Unpack[Reading]) -> Job:
        """Give up what was set aside, with its messages. Raises NotFoundError."""
        return pending.dropped(self._engine, scoping.text("id", id), self._view(scope))

    def close(self) -> None:
        """Extract what waits (for at most ten seconds; the rest stays in the store and is taken up
        later), then close the store; safe to call twice."""
        self._queues.stop(_CLOSING_SECONDS)
        super().close()
