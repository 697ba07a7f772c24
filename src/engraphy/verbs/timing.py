"""The verbs about time."""

from typing import Unpack

from engraphy.engine import scoping
from engraphy.engine.course import course
from engraphy.model import Timeline
from engraphy.verbs.base import Reading, Verbs

_MOST_ROWS = 1_000


class Timing(Verbs):
    """What is known of one thing through time."""

    def timeline_of(self, subject: str, *, limit: int = 100, **scope: Unpack[Reading]) -> Timeline:
        """Everything that was told of a subject, oldest first: each text with when it was true,
        when it was known, and which memory took whose place.

        `subject`: words ("the gateway port"), a name, an entity's address, or the id of a memory;
        of more than `limit` memories the latest. Looking is not access.
        """
        view = self._view(scope)
        count = scoping.positive("limit", limit, _MOST_ROWS)
        return course(self._engine, self._id(subject, view, "subject"), view, count)
