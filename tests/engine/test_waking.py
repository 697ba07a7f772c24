"""What sleeps or is archived comes back where nothing else answers, and when it is used (D-45)."""

from collections.abc import Callable

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks, kept, texts
from tests.engine.nights import lived

from engraphy import Memory
from engraphy.model import State

DOG = "The user's dog is called Marlowe and sleeps in the kitchen"
PORT = "The billing API listens on port 3000"
ASKED = "what is the dog of the user called?"
ASLEEP = [State.DORMANT, State.ARCHIVED]


def slept(memory: Memory, state: State, text: str = DOG) -> str:
    """A memory in this state, beside one that is awake and of something else."""
    memory.remember(PORT)
    return lived(memory, kept(memory.remember(text)), state=state).id


@pytest.mark.spec("D-45")
@pytest.mark.spec("B-10")
@pytest.mark.parametrize("profile", ["cognitive", "layered", "default"])
@pytest.mark.parametrize("state", ASLEEP)
def test_what_sleeps_answers_where_nothing_active_does(
    opening: Opening, profile: str, state: State
) -> None:
    """It is found though nobody asked for it, and active again once it was delivered."""
    memory = opening(profile=profile)
    key = slept(memory, state)
    assert texts(memory.list()) == [PORT]
    assert texts(memory.recall(ASKED))[0] == DOG
    assert memory.get(key, touch=False).state is State.ACTIVE
    assert memory.get(key, touch=False).access_count == 1


@pytest.mark.spec("D-45")
@pytest.mark.parametrize("state", ASLEEP)
def test_what_is_awake_is_asked_first(opening: Opening, state: State) -> None:
    """Where an active memory answers, what sleeps is left asleep; asked for, it is found."""
    memory = opening(profile="cognitive")
    key = slept(memory, state)
    memory.remember("The user's dog is called Marlowe")
    found = memory.recall(ASKED, touch=False)
    assert found
    assert DOG not in texts(found)
    assert DOG in texts(memory.recall(ASKED, include=[state.value], touch=False))
    assert memory.get(key, touch=False).state is state


@pytest.mark.spec("D-45")
@pytest.mark.parametrize(
    "use",
    [
        lambda memory, key: memory.get(key),
        lambda memory, key: memory.recall(ASKED, include=["dormant", "archived"]),
        lambda memory, key: memory.remember(DOG),
    ],
    ids=["get", "recall", "remember"],
)
@pytest.mark.parametrize("state", ASLEEP)
def test_use_wakes(opening: Opening, use: Callable[[Memory, str], object], state: State) -> None:
    """Reading by id, a recall that asks for it, and being told again."""
    memory = opening(profile="cognitive")
    key = slept(memory, state)
    use(memory, key)
    assert memory.get(key, touch=False).state is State.ACTIVE


@pytest.mark.spec("D-45")
def test_looking_wakes_nothing(opening: Opening) -> None:
    """Without `touch`, and in a listing, it is seen and sleeps on."""
    memory = opening(profile="cognitive")
    key = slept(memory, State.DORMANT)
    assert DOG in texts(memory.recall(ASKED, touch=False))
    assert DOG in texts(memory.list(include=["dormant"]))
    memory.get(key, touch=False)
    memory.explain(ASKED)
    assert memory.get(key, touch=False).state is State.DORMANT


@pytest.mark.spec("B-10")
@pytest.mark.parametrize("profile", ["cognitive", "layered", "default", "letsgo", "titans"])
def test_the_archived_is_never_injected(opening: Opening, profile: str) -> None:
    """Whatever a prompt says; and it sleeps on."""
    memory = opening(profile=profile)
    key = slept(memory, State.ARCHIVED)
    block = memory.context(f"{ASKED} Remind me of Marlowe in the kitchen")
    assert "Marlowe" not in block.text
    assert memory.get(key, touch=False).state is State.ARCHIVED


@pytest.mark.spec("D-45")
def test_the_dormant_answers_a_prompt(opening: Opening) -> None:
    """Where nothing active does it is injected, and awake from then on."""
    memory = opening(profile="cognitive")
    key = slept(memory, State.DORMANT)
    assert "Marlowe" in memory.context(ASKED).text
    assert memory.get(key, touch=False).state is State.ACTIVE


@pytest.mark.spec("D-45")
@pytest.mark.parametrize("state", [State.SUPERSEDED, State.QUARANTINED])
def test_what_is_over_does_not_come_back(opening: Opening, state: State) -> None:
    """Only what sleeps or is archived: no history, nothing that is held back."""
    memory = opening(profile="cognitive")
    key = slept(memory, state)
    assert DOG not in texts(memory.recall(ASKED))
    assert memory.get(key, touch=False).state is state


@pytest.mark.spec("D-51")
def test_what_has_expired_does_not_come_back(opening: Opening, clock: Ticks) -> None:
    """A plan whose time is over is no answer for want of another."""
    memory = opening(profile="cognitive")
    memory.remember(DOG, ttl_days=1)
    clock.pass_days(2)
    memory.dream()
    assert memory.recall(ASKED) == []
    assert texts(memory.list(include=["expired"])) == [DOG]


def test_a_profile_may_let_sleepers_sleep(opening: Opening) -> None:
    """With `search.awake_from` 0 they are found only where they are asked for."""
    memory = opening(profile="cognitive", overrides={"search": {"awake_from": 0.0}})
    slept(memory, State.DORMANT)
    assert DOG not in texts(memory.recall(ASKED))
    assert DOG in texts(memory.recall(ASKED, include=["dormant"]))


def test_an_explanation_says_that_sleepers_were_looked_through(opening: Opening) -> None:
    """The stage is told as the others are."""
    memory = opening(profile="cognitive")
    slept(memory, State.DORMANT)
    steps = memory.explain(ASKED).steps
    assert any("what sleeps is looked through" in step.detail for step in steps)


@pytest.mark.spec("R-05")
def test_sleepers_of_others_stay_unseen(opening: Opening) -> None:
    """Walls and sensitivity hold for what sleeps too."""
    memory = opening(profile="cognitive")
    for more in ({"user": "ann"}, {"sensitivity": "secret"}):
        row = kept(memory.remember(f"{DOG} of {more}", **more))
        seen = {"user": more.get("user"), "allow_secret": True}
        lived(memory, row, seen=seen, state=State.DORMANT)
    assert memory.recall(ASKED) == []
    assert len(memory.recall(ASKED, user="ann", touch=False)) == 1
    assert len(memory.recall(ASKED, allow_secret=True, touch=False)) == 1
