"""The verbs that look at everything at once."""

from engraphy.engine import surveying
from engraphy.model.survey import Survey
from engraphy.verbs.base import Verbs


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
