"""PrecisionMemBench's rules against contexts made by hand, and a run on a seed of seven."""

from pathlib import Path
from typing import Any

import pytest
from tests.benchmarks import tiny

from engraphy.benchmarks import precision
from engraphy.benchmarks.precision_data import RetrievalCase
from engraphy.benchmarks.precision_rules import failures, pass_type, share
from engraphy.benchmarks.precision_store import Tiers
from engraphy.benchmarks.run import Opening


def tiers(*relevant: str, pinned: tuple[str, ...] = (), questions: tuple[str, ...] = ()) -> Tiers:
    return Tiers(prelude="direct", pinned=pinned, relevant=relevant, questions=questions)


def case(query: str = "q", budget: int = 20, **expect: Any) -> RetrievalCase:
    return RetrievalCase(
        id="c", category="c", user="u", scopes=("s",), query=query, budget=budget, expect=expect
    )


@pytest.mark.parametrize(
    ("rules", "found", "wrong"),
    [
        ({"shouldOnlyInclude": ["a"]}, tiers("a"), 0),
        ({"shouldOnlyInclude": ["a"]}, tiers("a", "b"), 1),
        ({"shouldOnlyInclude": ["a"]}, tiers("b"), 2),
        ({"shouldOnlyInclude": []}, tiers(pinned=("a",)), 0),
        ({"mustInclude": ["a"]}, tiers(pinned=("a",)), 0),
        ({"shouldInclude": ["a"]}, tiers(), 1),
        ({"mustExclude": ["a"]}, tiers(pinned=("a",)), 1),
        ({"maxCount": 1}, tiers("a", "b"), 1),
        ({"minCount": 2}, tiers("a"), 1),
        ({"orderedBefore": [["a", "b"]]}, tiers("a", "b"), 0),
        ({"orderedBefore": [["b", "a"]]}, tiers("a", "b"), 1),
        ({"orderedBefore": [["a", "c"]]}, tiers("a", "b"), 1),
    ],
)
def test_the_relevant_tier(rules: dict[str, Any], found: Tiers, wrong: int) -> None:
    """Each rule of the relevant tier fails exactly as often as it is broken; what must be there
    or not may also be pinned."""
    assert len(failures({"relevantBeliefs": rules}, found)) == wrong


def test_every_asserted_tier_must_hold() -> None:
    """Pinned facts, open questions and the prelude are judged by their own rules."""
    expect = {
        "pinnedFacts": {"mustInclude": ["p"], "mustExclude": ["x"]},
        "openQuestions": {"mustInclude": ["q"], "mustExclude": ["y"]},
        "personaPrelude": {"nonEmpty": True, "contains": ["direct"], "mustNotContain": ["Haskell"]},
    }
    assert failures(expect, tiers(pinned=("p",), questions=("q",))) == []
    assert len(failures(expect, tiers(pinned=("x",), questions=("y",)))) == 4
    empty = Tiers(prelude="", pinned=(), relevant=(), questions=())
    assert failures({"personaPrelude": {"isNull": True}}, empty) == []
    assert len(failures({"personaPrelude": {"isNull": True}}, tiers())) == 1
    assert len(failures({"personaPrelude": {"nonEmpty": True, "contains": ["a"]}}, empty)) == 2


@pytest.mark.parametrize(
    ("expected", "found", "precision_", "recall"),
    [
        (["a", "b"], tiers("a", "c", "d", "e"), 0.25, 0.5),
        (["a"], tiers(), 0.0, 0.0),
        ([], tiers("a"), 0.0, None),
        ([], tiers(), None, None),
    ],
)
def test_precision_and_recall(
    expected: list[str], found: Tiers, precision_: float | None, recall: float | None
) -> None:
    """Precision is over what came back, 0 where something was due and nothing came, and does not
    apply where neither; recall is over what was due."""
    shares = share({"relevantBeliefs": {"shouldOnlyInclude": expected}}, found)
    assert (shares["case.precision"], shares["case.recall"]) == (precision_, recall)


def test_what_a_pass_counts_for() -> None:
    """Active where a belief is due; trivially empty where nothing could come; else structural."""
    due = {"shouldOnlyInclude": ["a"]}
    assert pass_type(case(relevantBeliefs=due), tiers()) == "active"
    assert pass_type(case(), tiers()) == "structural"
    assert pass_type(case(" "), tiers()) == "trivially_empty"
    assert pass_type(case(budget=1), tiers(pinned=("p",))) == "trivially_empty"
    empty = Tiers(prelude="", pinned=(), relevant=(), questions=())
    assert pass_type(case(), empty) == "trivially_empty"


@pytest.mark.long
def test_a_seed_is_kept_and_asked_through_the_public_face(tmp_path: Path) -> None:
    """Walls, pins, validity and kinds hold: only the named belief of the right user and scope is
    relevant, the superseded one is gone, an open question is no fact."""
    result = precision.run(str(tiny.precision(tmp_path)), Opening(embedder="none"))
    found = {row["id"]: row for row in result["rows"]}
    assert found["alias"]["failures"] == []
    assert found["alias"]["relevant"] == ["b-kubernetes"]
    assert found["stranger"]["pinned"] == found["stranger"]["relevant"] == []
    assert found["elsewhere"]["pinned"] == []
    assert result["ingested"] == {"created": 7}
    assert result["passes"]["all"] == {"passed": 5, "of": 5}
    assert result["passes"]["active"] == {"passed": 1, "of": 1}
    assert result["passes"]["trivially_empty"] == {"passed": 3, "of": 3}
    assert result["metrics"]["case.pass"] == 1.0
