"""Changed values: what counts as superseded, stale, current and right as of then."""

from typing import Any

from engraphy.benchmarks.run import Opening
from engraphy.benchmarks.slot_shapes import SlotCase, SlotMessage
from engraphy.benchmarks.write_part import Ground
from engraphy.benchmarks.write_slots import measured

GROUND = Ground(opening=Opening(embedder="none"))
OLD = SlotMessage(text="I live in Lyon.")


def case(relation: str, new: str, **changes: Any) -> SlotCase:
    given: dict[str, Any] = {
        "id": f"case-{relation}",
        "language": "en",
        "family": "city",
        "relation": relation,
        "old": (OLD,),
        "new": SlotMessage(text=new),
        "supersedes": (),
        "question": "Where do I live?",
        "current": ("Lyon",),
    }
    return SlotCase(**{**given, **changes})


def groups(*cases: SlotCase) -> dict[str, dict[str, Any]]:
    return {group["group"]: group for group in measured(GROUND, cases).row()["groups"]}


def figures(group: dict[str, Any]) -> dict[str, Any]:
    return {name: one["value"] for name, one in group["figures"].items()}


MOVED = case(
    "change",
    "I moved from Lyon to Nantes.",
    supersedes=(0,),
    current=("Nantes",),
    stale=("Lyon",),
    formerly=("Lyon",),
)
VISIT = case("other_subject", "My sister lives in Nantes.")


def test_a_change_that_is_found_serves_the_new_value_now_and_the_old_one_then() -> None:
    """One pair, superseded; the answer now is the new value, as of the old message the old one."""
    found = groups(MOVED)["en: change"]
    assert found["counts"] == {"cases": 1, "tp": 1, "fp": 0, "fn": 0, "tn": 0}
    served = figures(found)
    assert (served["stale_top5"], served["current_top5"], served["as_of"]) == (0.0, 1.0, 1.0)


def test_a_change_that_is_missed_serves_the_stale_value() -> None:
    """A statement that should be superseded and is not counts as missed and as stale."""
    missed = case(
        "change",
        "The weather was lovely on the beach of Nantes today.",
        supersedes=(0,),
        current=("Nantes",),
        stale=("Lyon",),
        formerly=("Lyon",),
    )
    part = measured(GROUND, [missed]).row()
    found = next(group for group in part["groups"] if group["group"] == "en")
    assert (found["counts"]["tp"], found["counts"]["fn"]) == (0, 1)
    assert figures(found)["stale_top5"] == 1.0
    [row] = part["wrong"]
    assert row["id"] == "case-change"
    assert "missed, stale served" in row["why"]


def test_a_superseded_statement_that_should_stand_is_a_false_one() -> None:
    """What the case says must stand and is superseded counts in precision and false_supersede."""
    false = case("other_time", "I moved from Lyon to Nantes.")
    found = groups(false, VISIT)
    assert found["en"]["counts"] == {"cases": 2, "tp": 0, "fp": 1, "fn": 0, "tn": 1}
    assert figures(found["en"])["false_supersede"] == 0.5
    assert figures(found["en: other_time"])["false_supersede"] == 1.0
    assert figures(found["en: other_subject"])["false_supersede"] == 0.0


def test_each_case_stands_alone() -> None:
    """Cases never see one another's statements, and languages are counted apart."""
    turkish = case(
        "change",
        "Lyon'dan Nantes'a taşındım.",
        id="tr-1",
        language="tr",
        old=(SlotMessage(text="Lyon'da yaşıyorum."),),
        supersedes=(0,),
        current=("Nantes",),
        stale=("Lyon",),
    )
    found = groups(MOVED, VISIT, turkish)
    assert (found["en"]["counts"]["cases"], found["tr"]["counts"]["cases"]) == (2, 1)
    assert figures(found["en"])["current_top5"] == 1.0
