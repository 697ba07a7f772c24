"""What ended a part of a statement comes with it, whatever the question's words."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import START

from engraphy import Memory

CAR = "My car is a blue Skoda Octavia, license plate G-482 KX"
SALE = "I sold the Skoda and bought a Tesla"
OTHERS = [
    "My landlord is Mr. Huber, his number is 0316 552 114",
    "I drive my nephew to school on Mondays",
    "The API key for the maps service lives in 1Password",
    *(f"The {thing} stands behind the {thing} house" for thing in ("barn", "mill", "well", "boat")),
]
LONG = (
    "I live in Graz, drive a Skoda, play the cello in an orchestra, work as a nurse and have a "
    "beagle. My landlord is called Huber. In summer we go to the lake, in winter to the mountains, "
    "and on Sundays my neighbour brings a cake with plums, for which we make coffee in the garden."
)


def told(memory: Memory, *texts: str) -> None:
    """The texts, told by the user in one breath."""
    said = [{"role": "user", "content": one} for one in texts]
    memory.observe(said, user="ada", session="s", at=START)


@pytest.mark.parametrize("question", ["what do I drive?", "which car do I have?"])
def test_what_ended_a_part_stands_beside_it(opening: Opening, question: str) -> None:
    """A sale that shares no word with the question is among the hits and in the block, and the
    statement that it is about names it."""
    memory = opening()
    told(memory, CAR, *OTHERS, SALE)
    hits = {hit.memory.content: hit for hit in memory.recall(question, user="ada")}
    assert hits[CAR].newer == (hits[SALE].memory.id,)
    assert SALE in memory.context(question, user="ada", budget=300).text


def test_without_it_only_the_words_count(opening: Opening) -> None:
    """With `aim.newer_linked` 0, and nothing else looking for what is newer, it stays away."""
    alone = {"newer_linked": 0.0, "newer_likely": 1.0, "newer_named": 1.0}
    memory = opening(overrides={"aim": alone})
    told(memory, CAR, *OTHERS, SALE)
    found = [hit.memory.content for hit in memory.recall("what do I drive?", user="ada")]
    assert CAR in found
    assert SALE not in found


def test_what_may_not_be_seen_does_not_come_along(memory: Memory) -> None:
    """A successor that was forgotten, or is for other eyes, stays away."""
    memory.remember(CAR, user="ada", at=START)
    sale = memory.remember(SALE, user="ada", at=START)
    assert sale.memory is not None
    memory.forget(sale.memory.id, user="ada")
    found = [hit.memory.content for hit in memory.recall("what do I drive?", user="ada")]
    assert SALE not in found


def test_of_a_long_statement_only_what_is_asked_comes(opening: Opening) -> None:
    """A long text tells of many things: what ended one of them comes only with a word of the
    question."""
    memory = opening()
    told(memory, LONG, *OTHERS, SALE)
    found = [hit.memory.content for hit in memory.recall("what do I play?", user="ada")]
    assert SALE not in found
