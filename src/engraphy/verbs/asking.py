"""The verbs that tell why: what would be kept of a message, and what decided it."""

from engraphy.engine import remember as remembers
from engraphy.model import Outcome
from engraphy.text.moments import microseconds
from engraphy.verbs.base import Verbs
from engraphy.write.messages import messages as as_messages


class Asking(Verbs):
    """Answers about decisions; nothing is written."""

    def why_not(
        self,
        messages: object,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session: str | None = None,
        at: object = None,
    ) -> list[Outcome]:
        """What `observe` would do to these messages, and why: one outcome per message or part of
        it, whose `trace` tells each stage's verdict with its numbers. Nothing is written.

        Each is judged against what is stored, not against the messages before it in the same call,
        as these are not written. A row that would be made is not there, so its `memory` is None;
        one that is held already stands in it.
        """
        scope = self._scope(user, agent, project, session)
        moment = None if at is None else microseconds(at)
        return list(remembers.imagine(self._engine, as_messages(messages, at), scope, moment))
