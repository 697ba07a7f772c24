"""What ended is over though nobody says that anything changed: a thing stolen, a couple parted, a
job lost; a correction of one word; and nothing that only sounds so."""

import pytest
from tests.engine.conftest import Opening

DAY = "2026-03-02T09:00"
LATER = "2026-03-12T09:00"
BESIDE = ("We use Redis for sessions", "I love hiking in autumn", "My uncle Karl plays chess")


def kept(opening: Opening, told: str, held: str, *, at: str = LATER) -> list[str]:
    """The memories that hold once a message was told after others."""
    with opening() as memory:
        for one in (*BESIDE, held):
            memory.remember(one, user="u", at=DAY)
        memory.observe([{"role": "user", "content": told}], user="u", at=at)
        return [row.content for row in memory.list(user="u", limit=100)]


CORRECTED = [
    ("my sister is called Lina", "No, Lena."),
    ("My brother is called Timo", "no, Tino"),
    ("my sister is called Lina", "no, lena"),
    ("my flight is at 7:40", "oh wait, 8:40"),
    ("Kız kardeşimin adı Lale", "Hayır, Jale."),
]


@pytest.mark.parametrize(("held", "told"), CORRECTED)
def test_one_word_puts_right_what_was_told_just_before(
    opening: Opening, held: str, told: str
) -> None:
    """A name or a value behind "no" or "wait" takes the place of the one told right before."""
    rows = kept(opening, told, held, at="2026-03-02T09:01")
    assert held not in rows
    assert told in rows


@pytest.mark.parametrize("told", ["No, Never", "no, later", "No, Lina.", "wait, I have to go"])
def test_one_word_that_answers_puts_nothing_right(opening: Opening, told: str) -> None:
    """A word that is no other name takes the place of none."""
    held = "my sister is called Lina"
    assert held in kept(opening, told, held, at="2026-03-02T09:01")
