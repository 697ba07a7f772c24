"""Why a message would be kept or not: every stage tells its verdict, and nothing is written."""

import pytest
from tests.engine.conftest import Opening, Shared
from tests.engine.making import TOKEN, everything_said

from engraphy import Memory
from engraphy.model import Action, Outcome


def stages(outcome: Outcome) -> dict[str, str]:
    """The details of an outcome by stage; the last of a name counts."""
    return {step.stage: step.detail for step in outcome.trace}


@pytest.mark.parametrize("profile", ["default", "letsgo", "titans", "cognitive", "layered"])
@pytest.mark.parametrize(
    "text",
    [
        "I always use pytest for tests, never unittest, since May 2024",
        "ok thanks",
        "What should I do?",
        "The API moved from port 3000 to port 3001",
        f"my key is {TOKEN} and I prefer Go",
    ],
)
def test_it_says_what_observe_then_does(shared: Shared, user: str, profile: str, text: str) -> None:
    """The verdicts told beforehand are those of the write that follows, number by number."""
    memory = shared(profile)
    told = memory.why_not(text, user=user)
    done = memory.observe(text, user=user)
    assert [(one.action, one.reason, one.trace) for one in told] == [
        (one.action, one.reason, one.trace) for one in done
    ]


def test_nothing_is_written(opening: Opening) -> None:
    """Neither a row nor an entry of the journal comes of asking why."""
    memory = opening()
    before = memory.stats().journal_entries
    [told] = memory.why_not("My dentist is Dr. Meier in Bern", user="ada")
    assert told.action is Action.CREATED
    assert told.memory is None
    assert everything_said(memory, user="ada") == set()
    assert memory.stats().journal_entries == before


def test_a_refusal_names_its_stage_and_numbers(shared: Shared, user: str) -> None:
    """The stage that refuses comes last and has not passed; the ones before it have."""
    [told] = shared("cognitive").why_not("the weather is rather mild over there", user=user)
    *before, last = told.trace
    assert all(step.passed for step in before)
    assert (last.stage, last.passed) == ("density", False)
    assert "things < 2 (0 entities" in last.detail
    assert told.reason == f"density: {last.detail}"


def test_a_blend_shows_each_part(shared: Shared, user: str) -> None:
    """The score of a gate stands beside its threshold and the features it is blended from."""
    [told] = shared("letsgo").why_not(
        "Decided to pin numpy below 2 because the wheel breaks", user=user
    )
    gate = stages(told)["gate"]
    assert ">= 0.30" in gate
    for name in ("substance", "salience", "distinctiveness", "type_weight"):
        assert f"{name} 0." in gate or f"{name} 1." in gate


def test_what_is_held_already_is_named(memory: Memory) -> None:
    """A repetition names the row that holds it; a change names the value that it ends."""
    [first] = memory.observe("Our API listens on port 3000", user="ada")
    [again] = memory.why_not("Our API listens on port 3000", user="ada")
    assert first.memory is not None
    assert again.memory is not None
    assert (again.action, again.memory.id) == (Action.REINFORCED, first.memory.id)
    [changed] = memory.why_not("Our API listens on port 3001 now", user="ada")
    assert changed.action is Action.SUPERSEDED
    assert "3000" in stages(changed)["contradiction"]
    assert memory.recall("which port does the API use", user="ada")[0].memory.state == "active"


def test_no_secret_is_told(memory: Memory) -> None:
    """A redacted secret stands in no step, no reason and no content."""
    [told] = memory.why_not(f"my key is {TOKEN} and I prefer Go", user="ada")
    assert TOKEN not in repr(told)
