"""The verb that looks at everything at once."""

from engraphy.engine.surveying import survey
from engraphy.model.survey import Survey
from engraphy.verbs.base import Verbs


class Surveying(Verbs):
    """How the whole memory stands."""

    def survey(self) -> Survey:
        """Counts over every memory of the tenant, for its operator: by state, by tier, by how well
        they are held, and a sample of how fast they fade. Looking is not access.

        Reads every row once; `engraphy.dream.report` makes a page and a picture of two of them.
        """
        return survey(self._engine)
