"""What a personal assistant is told: what is lent and comes back, debts that are paid, what goes up
from some month on, and what is on a day to come."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import Ticks

from engraphy import Memory
from engraphy.text.moments import microseconds

DAY = "2026-03-02T09:00"
LATER = "2026-03-12T09:00"
WEDNESDAY = "2026-05-06T09:00"


def held(memory: Memory, old: str, new: str) -> list[str]:
    """What holds once the new text was told ten days after the old one."""
    memory.observe([{"role": "user", "content": old}], user="u", at=DAY, session="one")
    memory.observe([{"role": "user", "content": new}], user="u", at=LATER, session="two")
    return [row.content for row in memory.list(user="u", limit=50)]


BACK = [
    ("I lent my drill to Jonas from the third floor.", "Jonas gave the drill back."),
    ("I lent Katja my book about sleep", "Katja returned the book."),
    ("I lent Katja my book about sleep", "I got the book back from Katja."),
    ("Emre borrowed my ladder", "Emre brought the ladder back"),
    ("I borrowed a tent from Ana", "I gave the tent back to Ana"),
    ("Jonas owes me 25 euros for the pizza", "Jonas transferred the 25 euros."),
    ("Jonas borrowed 80 euros from me", "Jonas paid me back"),
    ("and I owe Katja 40 euros for the tickets", "I paid Katja back the 40 euros."),
    ("I owe Katja 40 euros", "I sent the money to Katja"),
    ("Matkabımı Jonas'a ödünç verdim", "Jonas matkabı geri verdi"),
    ("Can bana 200 lira borçlu", "Can 200 lirayı geri ödedi"),
    ("Elif'e 300 lira borcum var", "Elif'e borcumu ödedim"),
    ("The rent is 1240 euros", "The rent goes up to 1310"),
]


@pytest.mark.parametrize(("old", "new"), BACK)
def test_what_came_back_or_was_paid_is_over(opening: Opening, old: str, new: str) -> None:
    """A loan that came back, a debt that was paid and a price that goes up end what was told."""
    with opening() as memory:
        found = held(memory, old, new)
    assert old not in found
    assert new in found


APART = [
    ("I lent my drill to Jonas", "Katja gave the book back"),
    ("I lent my drill to Jonas", "I brought the shoes back to the shop"),
    ("Emre borrowed 200 euros from me for a microphone.", "Emre paid me back 150 of the 200."),
    ("Jonas owes me 25 euros", "Emre transferred the 25 euros"),
    ("I owe Katja 40 euros", "Katja transferred the 40 euros to her son"),
    ("Emre gave me a fountain pen, a Lamy", "Emre turned down the Berlin job."),
    ("Ran 10 km for the first time!!", "First day as team lead, I have eight people now."),
    ("and I owe Katja 40 euros for the tickets", "Katja is vegan now, since New Year's."),
    ("Can bana 200 lira borçlu", "Ece 200 lirayı geri ödedi"),
]


@pytest.mark.parametrize(("old", "new"), APART)
def test_other_things_of_the_same_people_still_hold(opening: Opening, old: str, new: str) -> None:
    """Two things that are told of one person, a part of a debt, and what somebody else gives back
    end nothing."""
    with opening() as memory:
        assert old in held(memory, old, new)


TOLD = [
    ("2026-04-20T09:00", "Ana's dinner is on May 7 at 19:30."),
    ("2026-04-22T09:00", "Team meeting is every Tuesday at 8:30"),
    ("2026-04-23T09:00", "I get physio on Mondays and Thursdays"),
    ("2026-04-30T09:00", "We said goodbye to Tom in the office."),
    ("2026-05-02T09:00", "We met Lea on Saturday"),
    ("2026-05-04T09:00", "My brother visits us on Saturday, the 9th of May"),
    ("2026-05-06T08:00", "On Thursday I have the parent evening at school."),
]
DAYS = [
    ("do I have anything on Thursday?", {"Ana's", "I get", "On Thursday"}),
    ("what's on tomorrow?", {"Ana's", "I get", "On Thursday"}),
    ("yarın ne var?", {"Ana's", "I get", "On Thursday"}),
    ("am I free on Saturday?", {"My brother"}),
    ("what do I have on Tuesday?", {"Team meeting"}),
    ("what happened on Thursday?", {"We said"}),
]


@pytest.mark.parametrize(("question", "wanted"), DAYS)
def test_what_is_on_a_day_to_come(
    opening: Opening, clock: Ticks, question: str, wanted: set[str]
) -> None:
    """Who asks what is on a day to come gets what was told of that day or comes on it every week,
    and not what happened on the last such day; who asks what happened, the other way round."""
    with opening() as memory:
        for at, text in TOLD:
            memory.remember(text, user="u", at=at)
        clock.now = microseconds(WEDNESDAY)
        found = [hit.memory.content for hit in memory.recall(question, user="u", limit=5)]
    told = {text for _, text in TOLD if any(text.startswith(one) for one in wanted)}
    assert set(found[: len(told)]) == told
