"""The verbs that look at everything at once."""

from typing import Unpack

from engraphy.engine import scoping, surveying
from engraphy.model.survey import Survey
from engraphy.verbs.base import Reading, Verbs

_MOST_DAYS = 3_660


class Surveying(Verbs):
    """How the whole memory stands."""

    def survey(self) -> Survey:
        """Counts over every memory of the tenant, for its operator: by state, by tier, by how well
        they are held, and a sample of how fast they fade. Looking is not access.

        Reads every row once; `engraphy.dream.report` makes a page and a picture of two of them.
        """
        return surveying.survey(self._engine)

    def latest(self) -> int:
        """The number of the last line of the tenant's journal, 0 where there is none: another one
        once anything was written. For its operator."""
        return surveying.latest(self._engine)

    def arrivals(self, *, days: int = 30, **scope: Unpack[Reading]) -> list[tuple[int, int]]:
        """How many of the memories that this scope sees now, of whatever state, were recorded on
        each of the last `days` days (UTC), the oldest first: (its beginning in microseconds UTC,
        count). Looking is not access."""
        count = scoping.positive("days", days, _MOST_DAYS)
        return surveying.arrivals(self._engine, self._view(scope), count)
