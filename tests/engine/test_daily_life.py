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
    ("Passports are in the blue drawer", "I moved the passports to the safe in the bedroom."),
    ("I keep the insurance papers in the desk", "I put the insurance papers in the cellar"),
    ("We're planning a trip to Lisbon from April 2", "So we've pushed Lisbon to May 14"),
    ("So we've pushed Lisbon to May 14", "We cancelled the Lisbon trip, Defne is ill."),
    ("The neighbour, Trevor, has got our trimmer", "Trevor dropped the trimmer back today"),
    ("I owe Trevor a tenner from the quiz", "paid Trevor his tenner"),
    ("Doctor's put me on ramipril 2.5", "She's taken me off ramipril and onto losartan."),
    ("I've put the deeds in the biscuit tin", "moved the deeds to the safe at the bank"),
    ("Emre got an offer from a studio in Berlin", "Emre turned down the Berlin job."),
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
    ("My passport is in the safe", "I put the laundry in the dryer"),
    ("We're planning a trip to Lisbon in April", "We pushed the meeting to Thursday"),
    ("I take aspirin every morning", "She's taken me off amlodipine"),
    ("Trevor has our ladder", "Katja brought her ladder back to the shop"),
    ("I got an offer from Siemens", "Emre turned down the Siemens job"),
    ("We're planning a trip to Lisbon in April", "We pushed the Porto trip to May"),
    ("We're planning a trip to Lisbon in April", "We cancelled the Porto trip"),
    ("The meeting with Acme is on Mondays", "We pushed the meeting with Globex to Friday"),
    ("Mara works at Bosch", "Mara turned down the Siemens offer"),
    ("I lent my drill to Jonas", "The spare key is not with Jonas any more, Katja has it now"),
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
    ("2026-05-05T09:00", "This weekend I'm helping Mara with her move."),
    ("2026-05-06T08:00", "On Thursday I have the parent evening at school."),
    ("2026-05-06T08:30", "Tomorrow the plumber comes between 8 and 10."),
]
DAYS = [
    ("do I have anything on Thursday?", {"Ana's", "I get", "On Thursday", "Tomorrow"}),
    ("what's on tomorrow?", {"Ana's", "I get", "On Thursday", "Tomorrow"}),
    ("yarın ne var?", {"Ana's", "I get", "On Thursday", "Tomorrow"}),
    ("am I free on Saturday?", {"My brother", "This weekend"}),
    ("anything planned for the weekend?", {"My brother", "This weekend"}),
    ("hafta sonu planım var mı?", {"My brother", "This weekend"}),
    ("what did we do over the weekend?", {"We met"}),
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


LIFE = (
    "I'm allergic to hazelnuts, and penicillin gives me a rash.",
    "Tom is allergic to bees, by the way, he carries an epipen.",
    "I ran 12 km along the river, it felt easy",
    "For mum's birthday I bought a silk scarf, green.",
    "Emre borrowed 200 euros from me for a microphone.",
    "Bought a train set for Defne, it's on top of the wardrobe.",
    "The team's next offsite is in Ghent",
    "Selin is seeing someone new, his name is Marc.",
)
ASKED = [
    ("what am I allergic to?", "I'm allergic to hazelnuts"),
    ("how far did I run?", "I ran 12 km"),
    ("what did I buy for my mother's birthday?", "For mum's birthday"),
    ("who still owes me money?", "Emre borrowed"),
    ("where did I hide the train set?", "Bought a train set"),
]


@pytest.mark.parametrize(("question", "first"), ASKED)
def test_life_is_asked_for_in_other_forms_of_the_words(
    opening: Opening, question: str, first: str
) -> None:
    """What was told of oneself comes before the same of somebody else, a verb is found in its other
    forms, a relative under other words, and what is of the kind that is asked for."""
    with opening() as memory:
        for text in LIFE:
            memory.remember(text, user="u", at=DAY)
        found = memory.recall(question, user="u")
        assert found[0].memory.content.startswith(first)
        assert first in memory.context(question, user="u", touch=False).text


RECKONED = [
    "what's 17 times 23?",
    "what is 18% of 640?",
    "what time is it in Tokyo?",
    "convert 5 miles to km",
    "17 çarpı 23 kaç eder?",
    "Tokyo'da saat kaç?",
]


@pytest.mark.parametrize("prompt", RECKONED)
def test_sums_and_the_clock_bring_nothing(opening: Opening, prompt: str) -> None:
    """Who only wants something reckoned or the clock read gets no memory with numbers or times."""
    with opening() as memory:
        for text in (*LIFE, "The meeting moved to 17:23", "I ran 23 times around the lake"):
            memory.remember(text, user="u", at=DAY)
        assert memory.context(prompt, user="u", touch=False).text == ""
        assert memory.context("what time is the meeting?", user="u", touch=False).text


KEPT = ["First run after the ankle, 4 km, easy.", "Nice walk with Ben, 12 km"]
DROPPED = ["Recommend a podcast about history?", "Suggest a good film for tonight?"]


@pytest.mark.parametrize("told", [*KEPT, *DROPPED])
def test_a_run_of_some_distance_is_no_errand(opening: Opening, told: str) -> None:
    """A run told with its distance is kept though its words may ask for a run of something; what
    wants something recommended is not."""
    with opening() as memory:
        memory.observe([{"role": "user", "content": told}], user="u", at=DAY)
        assert [row.content for row in memory.list(user="u")] == ([told] if told in KEPT else [])


KIN = [
    "It's me and my wife Bridget, we're in Leeds.",
    "Tom, my brother, lives in Ghent with his cat",
    "Eşim Ayşe öğretmen",
    "Bridget's sister lives in York",
    "Tom is allergic to bees",
    "I'm allergic to nothing",
    "Bridget drinks oat milk only",
    "Ayşe fıstık yiyemez",
    "I drink black tea",
]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("what is my brother allergic to?", "Tom is allergic to bees"),
        ("what does my wife drink?", "Bridget drinks oat milk only"),
        ("eşim ne yiyemez?", "Ayşe fıstık yiyemez"),
    ],
)
def test_a_relative_is_found_by_name(opening: Opening, question: str, first: str) -> None:
    """Who asks for what is with "my brother" gets what was told of him by the name that a memory
    gives him."""
    with opening() as memory:
        for text in KIN:
            memory.remember(text, user="u", at=DAY)
        assert memory.recall(question, user="u")[0].memory.content == first
        assert first in memory.context(question, user="u", touch=False).text
