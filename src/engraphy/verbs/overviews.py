"""The verbs that show what is there: sessions, cycles of maintenance, what is related to what."""

from collections.abc import Iterable
from typing import Unpack

from engraphy.engine import overviews, scoping
from engraphy.model import DreamReport
from engraphy.model.overview import Graph, Owner, SessionLine
from engraphy.text.moments import microseconds
from engraphy.verbs.base import Reading, Verbs

_MOST_SESSIONS = 1_000
_MOST_CYCLES = 1_000
_MOST_NODES = 500


class Overviews(Verbs):
    """Lists and a picture for people who look; looking is not access."""

    def sessions(
        self,
        *,
        limit: int = 50,
        before: object = None,
        include: Iterable[str] = (),
        **scope: Unpack[Reading],
    ) -> list[SessionLine]:
        """The sessions that memories come from, the last active first.

        `before`: only those in which nothing was recorded at or after this moment, for the next
        page; `include`: further states of memories that count, beside active. Looking is not
        access.
        """
        count = scoping.positive("limit", limit, _MOST_SESSIONS)
        end = None if before is None else microseconds(before, field="before")
        view = self._view(scope, include=include)
        return overviews.session_lines(self._engine, view, count, end)

    def owners(self) -> list[Owner]:
        """Whose memories there are: every combination of user, agent, project and conversation
        that any belongs to, with how many, the most first. For the tenant's operator."""
        return overviews.owners(self._engine)

    def dreams(self, *, limit: int = 20) -> list[DreamReport]:
        """What the last cycles of maintenance did over the whole tenant, the newest first. For the
        tenant's operator."""
        return overviews.cycles(self._engine, scoping.positive("limit", limit, _MOST_CYCLES))

    def graph(self, *, limit: int = 80, **scope: Unpack[Reading]) -> Graph:
        """What ties memories together, as nodes and edges: the most named entities, the memories
        that name them, and how memories are related. At most `limit` nodes (2 to 500), those with
        the most lines; `more` tells how many were left out. Looking is not access."""
        count = max(2, scoping.positive("limit", limit, _MOST_NODES))
        return overviews.graph(self._engine, self._view(scope), count)
