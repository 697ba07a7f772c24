"""The verb that tells what a language model did, and what it cost."""

from engraphy.model import MICROSECONDS_PER_DAY
from engraphy.model.calls import CallOutcome, Costs, UNASKED
from engraphy.text.moments import microseconds
from engraphy.verbs.base import Verbs

_SHOWN_DAYS = 30


class Spending(Verbs):
    """What the ledger of the language model says."""

    @property
    def model_id(self) -> str:
        """The language model's id, or "none"."""
        model = self._engine.model
        return "none" if model is None else model.model_id

    def costs(self, *, since: object = None, until: object = None) -> Costs:
        """What the language model was asked for this tenant, how it ended, and what it cost.

        From `since` (30 days ago where it is left out) up to `until` (now), both datetime, ISO 8601
        text or integer microseconds UTC. Calls to embedders are not among them.
        """
        now = self._engine.clock()
        end = now + 1 if until is None else microseconds(until, field="until")
        begin = now - _SHOWN_DAYS * MICROSECONDS_PER_DAY
        if since is not None:
            begin = microseconds(since, field="since")
        uses = tuple(self._engine.store.model_use(self.tenant, begin, end))
        known = [one.cost for one in uses if one.cost is not None]
        return Costs(
            since=begin,
            until=end,
            calls=sum(one.calls for one in uses if one.outcome not in UNASKED),
            fallbacks=sum(one.calls for one in uses if one.outcome is not CallOutcome.OK),
            prompt_tokens=sum(one.prompt_tokens for one in uses),
            completion_tokens=sum(one.completion_tokens for one in uses),
            cost=sum(known) if known else None,
            uses=uses,
        )
