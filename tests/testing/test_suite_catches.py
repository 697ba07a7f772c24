"""A suite is worth what it catches: engines with one defect each, and the rule that finds it."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.testing.dict_store import DictStore

from engraphy.model.calls import CallLimits, CallOutcome, ModelCall
from engraphy.model.change import Change, Reinforce, Touch
from engraphy.model.memory import Memory
from engraphy.model.query import Listing, Term, TextResult, VectorMatch, View
from engraphy.model.records import JournalEntry
from engraphy.model.scope import Tenant
from engraphy.ports import Store
from engraphy.testing import StoreConformance


class IgnoresCase(DictStore):
    def _seen(self, view: View) -> list[Memory]:
        names = {row.scope.user for row in self.held.rows.values()}
        twins = [n for n in names if n and view.scope.user and n.lower() == view.scope.user.lower()]
        views = [replace(view, scope=replace(view.scope, user=n)) for n in twins] or [view]
        return list(
            {row.id: row for one in views for row in super(IgnoresCase, self)._seen(one)}.values()
        )


class TakesEmptyForNobody(DictStore):
    def _seen(self, view: View) -> list[Memory]:
        rows = {row.id: row for row in super()._seen(view)}
        as_empty = replace(view, scope=replace(view.scope, user=view.scope.user or ""))
        return list((rows | {row.id: row for row in super()._seen(as_empty)}).values())


class CountsEverything(DictStore):
    def count(self, view: View, listing: Listing) -> int:
        return len(self.held.rows)


class ForgetsExpiry(DictStore):
    def _seen(self, view: View) -> list[Memory]:
        return super()._seen(replace(view, now=0))


class WritesHalf(DictStore):
    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, now: int, actor: str
    ) -> tuple[int, ...]:
        told: tuple[int, ...] = ()
        for change in changes:
            told += super().apply(tenant, [change], now=now, actor=actor)
        return told


class NeverConflicts(DictStore):
    def _unique(self, memory: Memory) -> None:
        """Lets two writers store the same text."""


class LosesCounts(DictStore):
    def _counted(self, change: Reinforce | Touch, now: int) -> None:
        if isinstance(change, Touch):
            super()._counted(change, now)


class KeepsPayloads(DictStore):
    def _forget(self, name: str) -> None:
        kept = list(self.held.journal)
        super()._forget(name)
        self.held.journal = kept


class BreaksTheChain(DictStore):
    def journal(self, tenant: Tenant, *, after: int = 0, limit: int = 100) -> list[JournalEntry]:
        found = super().journal(tenant, after=after, limit=limit)
        return [replace(entry, previous_hash="") for entry in found]


class RanksBackwards(DictStore):
    def search_text(self, view: View, terms: Sequence[Term], limit: int) -> TextResult:
        found = super().search_text(view, terms, limit)
        return replace(found, matches=found.matches[::-1])


class TakesTheFirstPart(DictStore):
    def search_vector(
        self, view: View, model_id: str, vector: Sequence[float], limit: int
    ) -> list[VectorMatch]:
        kept = self.held.vectors
        self.held.vectors = {  # type: ignore[assignment]
            name: {model: replace(row, parts=row.parts[:1]) for model, row in models.items()}
            for name, models in kept.items()
        }
        found = super().search_vector(view, model_id, vector, limit)
        self.held.vectors = kept
        return found


class SharesSessionState(DictStore):
    def session_state(self, view: View, name: str) -> Any:
        for (scope, key), state in self.held.states.items():
            if key == name and scope.session == view.scope.session:
                return state
        return None


class RaisesOrigin(DictStore):
    def _update(self, tenant: Tenant, change: Any, now: int) -> str:
        old = self._row(tenant, change.memory.id)
        self.held.rows[old.id] = replace(old, origin=change.memory.origin)
        return super()._update(tenant, change, now)


class LeavesOneOfAPage(DictStore):
    def page(self, view: View, listing: Listing) -> list[Memory]:
        found = super().page(view, listing)
        return found[1:] if listing.after else found


class SpendsWithoutLimit(DictStore):
    def begin_call(
        self, tenant: Tenant, call: ModelCall, limits: CallLimits, *, now: int
    ) -> int | CallOutcome:
        return super().begin_call(tenant, call, CallLimits(since=now), now=now)


class CountsACallTwice(DictStore):
    def finish_call(self, tenant: Tenant, number: int, call: ModelCall) -> None:
        self.held.ledger.lines.append((tenant, 0, call))


CAUGHT: list[tuple[type[DictStore], str, dict[str, Any]]] = [
    (IgnoresCase, "test_hostile_names_are_just_names", {"wall": "user"}),
    (TakesEmptyForNobody, "test_hostile_names_are_just_names", {"wall": "user"}),
    (TakesEmptyForNobody, "test_any_scope_sees_what_scope_sees_says", {}),
    (CountsEverything, "test_tenants_share_nothing", {}),
    (ForgetsExpiry, "test_time_decides_validity", {}),
    (WritesHalf, "test_a_list_is_written_whole_or_not_at_all", {}),
    (NeverConflicts, "test_same_text_in_the_same_scope_is_a_conflict", {}),
    (LosesCounts, "test_any_sequence_matches_a_dictionary", {}),
    (KeepsPayloads, "test_forgetting_empties_payloads_and_keeps_the_chain", {}),
    (BreaksTheChain, "test_entries_form_a_chain", {}),
    (RanksBackwards, "test_better_text_never_scores_lower", {}),
    (TakesTheFirstPart, "test_vectors_match_brute_force", {}),
    (SharesSessionState, "test_session_state_is_of_exactly_its_scope", {}),
    (RaisesOrigin, "test_origin_stays", {"origin": "import"}),
    (LeavesOneOfAPage, "test_pages_show_each_row_once", {"order": "newest"}),
    (SpendsWithoutLimit, "test_callers_at_once_share_one_budget", {}),
    (SpendsWithoutLimit, "test_a_failing_model_is_left_alone", {}),
    (CountsACallTwice, "test_a_call_costs_what_it_cost", {}),
]


@pytest.mark.parametrize(("engine", "rule", "given"), CAUGHT, ids=lambda value: str(value)[:40])
def test_the_suite_catches(
    engine: type[DictStore], rule: str, given: dict[str, Any], tmp_path: Path
) -> None:
    """The sound engine passes the rule (test_suite_on_another_engine.py); the one with the defect
    fails it."""

    class Suite(StoreConformance):
        def open_store(self, place: Path) -> Store:
            return engine()

    with pytest.raises((AssertionError, pytest.fail.Exception)):
        getattr(Suite(), rule)(store=engine(), **given)
