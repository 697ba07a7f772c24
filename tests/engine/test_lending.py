"""What sleeps is still of use to what is awake, and heard where it answers better (D-45)."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import kept, texts
from tests.engine.nights import lived

from engraphy import Memory
from engraphy.model import State

ASKED = "Which instrument did you take up last winter?"
ANSWER = "The cello, and it is harder than it looks."
OTHER = "We repainted the garden shed in a dark green."
ADVICE = "For slow dashboards Redis could cache the totals overnight, at 3 am on Mondays."


def said(memory: Memory, *turns: tuple[str, str]) -> list[str]:
    """Ids of the memories of a conversation, in its order."""
    ids = []
    for role, text in turns:
        [outcome] = memory.observe([{"role": role, "content": text}], session="s")
        ids.append(kept(outcome).id)
    return ids


def put_to_sleep(memory: Memory, key: str) -> None:
    """As maintenance would."""
    lived(memory, memory.get(key, touch=False), state=State.DORMANT)


def test_a_sleeping_question_lends_its_words_to_the_answer(opening: Opening) -> None:
    """The answer is found by words that only the question beside it has, and the question stays
    asleep and out of the hits."""
    overrides = {"gate": {"questions": False}, "search": {"awake_from": 0.0, "asleep": 0.0}}
    memory = opening(profile="default", overrides=overrides)
    asked, *_ = said(memory, ("user", ASKED), ("user", ANSWER), ("user", OTHER))
    before = memory.recall("the cello or another instrument, last winter?", touch=False)
    put_to_sleep(memory, asked)
    after = memory.recall("the cello or another instrument, last winter?", touch=False)
    assert ANSWER in texts(after)
    scores = [
        next(hit.score for hit in hits if hit.memory.content == ANSWER) for hits in (before, after)
    ]
    assert scores[1] == pytest.approx(scores[0], rel=0.05)
    assert ASKED not in texts(after)


def test_what_an_agent_said_is_heard_asleep_where_it_is_asked_for(opening: Opening) -> None:
    """Though the user's own words answer, too: "what did you suggest" is after the agent's."""
    memory = opening(profile="default", overrides={"search": {"asleep": 0.0}})
    mine = "My dashboards are slow, the totals take a minute."
    _, advice = said(memory, ("user", mine), ("assistant", ADVICE))
    put_to_sleep(memory, advice)
    assert ADVICE not in texts(memory.recall("slow dashboards", touch=False))
    found = memory.recall("What did you suggest for my slow dashboards?", touch=False)
    assert ADVICE in texts(found)
    steps = memory.explain("What did you suggest for my slow dashboards?").steps
    assert any("it asks for all that was said" in step.detail for step in steps)


@pytest.mark.parametrize(("share", "heard"), [(0.9, True), (0.0, False)])
def test_a_sleeper_competes_at_a_share(opening: Opening, share: float, heard: bool) -> None:
    """Of its score: behind what is awake and answers the same, and heard though that answers."""
    memory = opening(profile="default", overrides={"search": {"asleep": share}})
    asleep, awake = (
        kept(memory.remember(text)).id
        for text in ("Ann bought a red cello.", "Ben bought a red cello.")
    )
    put_to_sleep(memory, asleep)
    found = [hit.memory.id for hit in memory.recall("Who bought a red cello?", touch=False)]
    assert found == ([awake, asleep] if heard else [awake])
