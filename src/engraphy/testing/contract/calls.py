"""The ledger of a language model: what is set aside, spent, refused and told."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from engraphy.model.calls import CallLimits, CallOutcome, ModelCall
from engraphy.model.scope import Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import DAY, T0
from engraphy.testing.contract.suite import Suite

ASKED = ModelCall(
    model="maker/one",
    skill="formation",
    outcome=CallOutcome.STARTED,
    prompt_tokens=100,
    completion_tokens=50,
    cost=0.5,
)
ANSWERED = replace(ASKED, outcome=CallOutcome.OK, completion_tokens=20, cost=0.25, milliseconds=7)
NO_LIMITS = CallLimits(since=T0)


class CallsConformance(Suite):
    """Budgets hold over every writer, and lines tell what was spent."""

    def test_a_call_costs_what_it_cost(self, store: Store) -> None:
        """What was set aside is replaced once by what was spent, under the call's own number."""
        tenant = self.fresh_tenant()
        number = store.begin_call(tenant, ASKED, NO_LIMITS, now=T0)
        assert not isinstance(number, CallOutcome)
        [open_line] = store.model_use(tenant, T0, T0 + 1)
        assert (open_line.outcome, open_line.completion_tokens) == (CallOutcome.STARTED, 50)
        store.finish_call(tenant, number, ANSWERED)
        store.finish_call(tenant, number, replace(ANSWERED, cost=9.0))
        [line] = store.model_use(tenant, T0, T0 + 1)
        assert (line.model, line.skill, line.outcome) == ("maker/one", "formation", CallOutcome.OK)
        assert (line.calls, line.prompt_tokens, line.completion_tokens) == (1, 100, 20)
        assert (line.cost, line.milliseconds) == (0.25, 7)

    def test_calls_are_summed_by_what_they_are(self, store: Store) -> None:
        """Model, skill and outcome are told apart; a cost that is not known stays unknown."""
        tenant = self.fresh_tenant()
        for call in (ANSWERED, ANSWERED, replace(ANSWERED, skill="title", cost=None)):
            self._made(store, tenant, call, now=T0)
        lines = {line.skill: line for line in store.model_use(tenant, T0, T0 + 1)}
        assert (lines["formation"].calls, lines["formation"].cost) == (2, 0.5)
        assert (lines["title"].calls, lines["title"].cost) == (1, None)

    def test_the_ledger_is_read_by_moment(self, store: Store) -> None:
        """A line counts from its own moment on, and no longer at the end that was given."""
        tenant = self.fresh_tenant()
        self._made(store, tenant, ANSWERED, now=T0 + 5)
        assert store.model_use(tenant, T0, T0 + 5) == []
        assert len(store.model_use(tenant, T0 + 5, T0 + 6)) == 1
        assert store.model_use(tenant, T0 + 6, T0 + DAY) == []

    def test_tenants_pay_for_themselves(self, store: Store) -> None:
        """Neither the lines nor the budget of one tenant are seen by another."""
        one, other = self.fresh_tenant(), self.fresh_tenant()
        limits = replace(NO_LIMITS, calls=1)
        number = self._made(store, one, ANSWERED, now=T0, limits=limits)
        assert store.begin_call(one, ASKED, limits, now=T0) is CallOutcome.BUDGET
        assert not isinstance(store.begin_call(other, ASKED, limits, now=T0), CallOutcome)
        store.finish_call(other, number, ANSWERED)
        assert [line.outcome for line in store.model_use(other, T0, T0 + 1)] == [
            CallOutcome.STARTED
        ]

    @pytest.mark.parametrize(
        ("allowed", "refused"),
        [
            ({"calls": 2}, {"calls": 1}),
            ({"tokens": 300}, {"tokens": 299}),
            ({"cost": 1.0}, {"cost": 0.99}),
        ],
    )
    def test_budgets_are_never_exceeded(
        self, store: Store, allowed: dict[str, float], refused: dict[str, float]
    ) -> None:
        """What is set aside counts as spent: a call that would not fit is refused and told."""
        for limits, fits in ((allowed, True), (refused, False)):
            tenant = self.fresh_tenant()
            assert not isinstance(store.begin_call(tenant, ASKED, NO_LIMITS, now=T0), CallOutcome)
            bound = replace(NO_LIMITS, **limits)  # type: ignore[arg-type]
            said = store.begin_call(tenant, ASKED, bound, now=T0 + 1)
            assert isinstance(said, CallOutcome) is not fits
            lines = {line.outcome: line for line in store.model_use(tenant, T0, T0 + 2)}
            if not fits:
                line = lines[CallOutcome.BUDGET]
                assert (line.calls, line.prompt_tokens, line.cost or 0.0) == (1, 0, 0.0)

    def test_a_new_day_has_a_new_budget(self, store: Store) -> None:
        """Only what began at or after `since` is counted, and refusals are not."""
        tenant = self.fresh_tenant()
        limits = replace(NO_LIMITS, calls=1)
        self._made(store, tenant, ANSWERED, now=T0)
        assert store.begin_call(tenant, ASKED, limits, now=T0 + 1) is CallOutcome.BUDGET
        tomorrow = replace(limits, since=T0 + 1)
        assert not isinstance(store.begin_call(tenant, ASKED, tomorrow, now=T0 + 2), CallOutcome)

    def test_a_failing_model_is_left_alone(self, store: Store) -> None:
        """After so many failures in a row nothing is asked until the newest is old enough; an
        answer in between, good or bad, ends the row."""
        tenant = self.fresh_tenant()
        limits = replace(NO_LIMITS, pause_after=2, pause_since=T0 + 1)
        for moment, outcome in ((0, CallOutcome.TIMEOUT), (1, CallOutcome.ERROR)):
            failed = replace(ANSWERED, outcome=outcome)
            self._made(store, tenant, failed, now=T0 + moment, limits=limits)
        assert store.begin_call(tenant, ASKED, limits, now=T0 + 2) is CallOutcome.PAUSED
        later = replace(limits, pause_since=T0 + 2)
        number = store.begin_call(tenant, ASKED, later, now=T0 + 3)
        assert not isinstance(number, CallOutcome)
        store.finish_call(tenant, number, replace(ANSWERED, outcome=CallOutcome.INVALID))
        assert not isinstance(store.begin_call(tenant, ASKED, limits, now=T0 + 4), CallOutcome)

    def test_callers_at_once_share_one_budget(self, store: Store) -> None:
        """However many ask at the same moment, only so many are let through as the budget says."""
        tenant = self.fresh_tenant()
        limits = replace(NO_LIMITS, calls=5)
        with ThreadPoolExecutor(8) as pool:
            said = list(
                pool.map(lambda _: store.begin_call(tenant, ASKED, limits, now=T0), range(20))
            )
        numbers = [one for one in said if not isinstance(one, CallOutcome)]
        assert len(numbers) == len(set(numbers)) == 5

    def _made(
        self,
        store: Store,
        tenant: Tenant,
        call: ModelCall,
        *,
        now: int,
        limits: CallLimits = NO_LIMITS,
    ) -> int:
        number = store.begin_call(tenant, call, limits, now=now)
        assert not isinstance(number, CallOutcome)
        store.finish_call(tenant, number, call)
        return number
