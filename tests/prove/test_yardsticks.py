"""What others measure memories by holds for this one: edits past the store, poisoned memories."""

import pytest
from acceptance.yardsticks import poisoning, tampering
from agent_memory_guard.bench.harness import run_suite
from agent_memory_guard.bench.scenarios import default_corpus
from agent_memory_guard.bench.scoring import score_report
from agmi import check


@pytest.mark.long
@pytest.mark.spec("P-13")
def test_no_edit_past_the_store_and_no_poison_is_served() -> None:
    """`agmi-check`: each of T1 to T9 lands and is reported, nine of nine; `amg-bench`: fifteen of
    fifteen attacks defended, none of six benign texts lost."""
    told = check.run(tampering.EngraphyAdapter())
    assert [row["verdict"] for row in told] == ["REPORTED"] * 9, told
    card = score_report(run_suite(poisoning.EngraphyAdapter))
    assert (card.defended_total, card.malicious_total) == (15, 15)
    assert (card.false_positives, card.benign_total) == (0, 6)


@pytest.mark.long
def test_the_yardsticks_find_what_does_not_hold() -> None:
    """A store whose audit is not asked accepts each edit; one that believes every origin is
    poisoned."""

    class Trusting(tampering.EngraphyAdapter):
        def verify(self) -> bool:
            self._open().list(user=tampering.OURS, limit=100)
            return True

    class Believing(poisoning.EngraphyAdapter):
        def remember(self, key: str, value: object, *, source_class: str = "") -> object:
            return super().remember(key, value, source_class="user_input")

    assert {row["verdict"] for row in check.run(Trusting())} == {"ACCEPTED"}
    attacks = [one for one in default_corpus() if one.malicious]
    assert score_report(run_suite(Believing, attacks)).defended_total < 10
