"""What one speaker says message after message, with nobody in between."""

from itertools import count

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START

from engraphy import Memory

THEN = START - 30 * DAY
MINUTE = 60_000_000
ASKED = "Which plates does the harbour museum want?"
ABOUT = "The harbour museum wants twelve plates with herons on them."
ASIDE = "My sister moved her practice to Bergen in May."


def told(memory: Memory, *turns: tuple[str, str], apart: int = MINUTE) -> None:
    """Say the turns of one session, so far apart."""
    for (role, text), number in zip(turns, count(), strict=False):
        said = [{"role": role, "content": text}]
        memory.observe(said, session="s", at=THEN + number * apart)


def lent(memory: Memory) -> float:
    """What the words of the question count for the message that has none of them."""
    found = {hit.memory.content: hit.why for hit in memory.recall(ASKED, touch=False)}
    return found.get(ASIDE, {}).get("relevance.text", 0.0)


EVERYTHING = {"min_share_of_best": 0.0, "min_confidence": 0.0}


def memory_with(opening: Opening, name: str, share: float) -> Memory:
    """A memory whose messages without an answer lend this share."""
    return opening(name, overrides={"score": EVERYTHING, "fuse": {"monologue": share}})


def test_messages_that_nobody_answered_lend_a_share(opening: Opening) -> None:
    """Of what stands in one message the next of the same speaker counts less as its own."""
    alone = (("user", ABOUT), ("user", ASIDE))
    whole, part = memory_with(opening, "whole", 1.0), memory_with(opening, "part", 0.25)
    told(whole, *alone)
    told(part, *alone)
    assert 0.0 < lent(part) < 0.6 * lent(whole)


def test_what_was_told_at_once_is_one_thing(opening: Opening) -> None:
    """Messages of one moment lend in full."""
    alone = (("user", ABOUT), ("user", ASIDE))
    whole, part = memory_with(opening, "whole", 1.0), memory_with(opening, "part", 0.0)
    told(whole, *alone, apart=0)
    told(part, *alone, apart=0)
    assert lent(part) > 0.0
    assert lent(part) == pytest.approx(lent(whole))


def test_an_answer_in_between_makes_it_a_dialogue(opening: Opening) -> None:
    """Turns of two speakers lend as ever."""
    talk = (
        ("user", ABOUT),
        ("assistant", "Twelve plates of 30 by 40 cm take about three weeks to draw and colour."),
        ("user", ASIDE),
    )
    whole, part = memory_with(opening, "whole", 1.0), memory_with(opening, "part", 0.0)
    told(whole, *talk)
    told(part, *talk)
    assert lent(part) > 0.0
    assert lent(part) == pytest.approx(lent(whole))
