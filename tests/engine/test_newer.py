"""An older answer to a question for a value: which newer statements mark it, which come first."""

from collections.abc import Sequence

import pytest
from tests.engine.conftest import Opening, Shared
from tests.engine.making import DAY, START, kept, texts

from engraphy import Memory

THEN = START - 30 * DAY
TAIL = (
    " By the way, grandmother sends her love and asks whether the cat still sleeps in the basket "
    "under the stairs, where it is warm and quiet, and whether somebody brushes it on Sundays. She "
    "would like to hear a song about it over the telephone when the rain is over."
)
"""Makes a statement too long for a change to be settled when it is told."""
OTHERS = ("barn", "gate", "fence", "mill", "well", "shed", "bench", "tower", "boat", "roof")
ALL = {"min_share_of_best": 0.0, "min_confidence": 0.0}
CASES = [
    (
        "What is the opening date of the bakery on the harbour?",
        "We chose a date for the bakery on the harbour: it opens on May 3, come what may.",
        "The invitation is to be printed again, as the new opening date is May 17.",
    ),
    (
        "How much is my yearly budget for seeds and tools?",
        "I spent $80 on tools in March, which is much for a yearly budget of $120.",
        "My increased yearly budget for seeds is $150 now, who sells the rare beans?",
    ),
    (
        "How fast is the pump of the greenhouse?",
        "The pump of the greenhouse fills the tank in 800ms after the valve opens.",
        "After cleaning it the pump of the greenhouse has improved to 250ms, what else can I do?",
    ),
    (
        "Serada kaç saksı var?",
        "Seradaki saksı işini bitirdim, serada 40 saksı var ve hepsi pencerenin önünde duruyor.",
        "Komşum da yardım etti, seradaki saksı sayısı artık 55 oldu, rafı genişletmem gerekiyor.",
    ),
    (
        "Fırının açılış tarihi nedir?",
        "Fırının açılış tarihi 3 Mayıs, bütün sokağı çağırmak istiyorum, bana yardım eder misin.",
        "Davetiyeyi yeniden yazalım, fırının yeni açılış tarihi 17 Mayıs oldu.",
    ),
]


def two(memory: Memory, older: str, newer: str) -> tuple[str, str]:
    """The ids of an older and a newer statement, told a day apart; both are still active."""
    for number, thing in enumerate(OTHERS):
        memory.remember(f"The {thing} is painted and stands by the {OTHERS[-number]}", at=THEN)
    ids = []
    for text, at in ((older, THEN), (newer, THEN + DAY)):
        said = [{"role": "user", "content": text + TAIL}]
        ids.append(kept(memory.observe(said, session=text[:9], at=at)[0]).id)
    assert set(ids) <= {row.id for row in memory.list()}
    return ids[0], ids[1]


def marks(memory: Memory, question: str) -> dict[str, tuple[str, ...]]:
    """By id of a hit, the ids of newer answers."""
    return {hit.memory.id: hit.newer for hit in memory.recall(question)}


@pytest.mark.parametrize(("question", "older", "newer"), CASES)
def test_a_change_of_what_is_asked_comes_first(
    opening: Opening, question: str, older: str, newer: str
) -> None:
    """A newer value of what is asked, said to be new, marks the older one and stands before it,
    though it speaks of little else of the question."""
    memory = opening(overrides={"score": ALL})
    old, new = two(memory, older, newer)
    found = marks(memory, question)
    assert found[old] == (new,)
    assert found[new] == ()
    assert list(found).index(new) < list(found).index(old)


def test_a_weak_hit_that_tells_a_change_marks_alone(opening: Opening) -> None:
    """A newer statement that is found less than half as well as the older one is not raised."""
    older = "I spent $80 on seeds in March, much of my $120 yearly budget for seeds and tools."
    newer = "My increased yearly budget for seeds is $150 now, who sells the rare beans?"
    memory = opening(overrides={"score": ALL})
    old, new = two(memory, older, newer)
    found = marks(memory, CASES[1][0])
    assert found[old] == (new,)
    assert list(found).index(old) < list(found).index(new)


def test_what_tells_a_change_is_a_knob(opening: Opening) -> None:
    """With `aim.newer_told` 1 a change told beside few of the question's words marks nothing."""
    question, older, newer = CASES[0]
    memory = opening(overrides={"score": ALL, "aim": {"newer_told": 1.0, "newer_alike": 1.0}})
    old, _ = two(memory, older, newer)
    assert marks(memory, question)[old] == ()


ALIKE = (
    "How many bakers will I visit in Bergen?",
    "I agreed on visits with 5 bakers in Bergen.",
    "For the visit in Bergen I talk with 7 bakers.",
)


def test_another_count_of_the_same_marks_alone(opening: Opening) -> None:
    """Without a word of change another number of the same thing marks the older one, and raises
    nothing; `aim.newer_alike` 1, it does not mark."""
    memory = opening("on", overrides={"score": ALL})
    old, new = two(memory, *ALIKE[1:])
    assert marks(memory, ALIKE[0])[old] == (new,)
    assert all("x aim" not in hit.why for hit in memory.recall(ALIKE[0]))
    memory = opening("off", overrides={"score": ALL, "aim": {"newer_alike": 1.0}})
    old, _ = two(memory, *ALIKE[1:])
    assert marks(memory, ALIKE[0])[old] == ()


@pytest.mark.parametrize(
    "newer",
    [
        "For the visit in Bergen I pack 7 coats, which will do for all bakers.",
        "In Bergen my cousin talks with bakers every week since the new year.",
    ],
)
def test_other_things_counted_mark_nothing(opening: Opening, newer: str) -> None:
    """A number of other things, or none, is no newer answer."""
    memory = opening(overrides={"score": ALL})
    old, _ = two(memory, ALIKE[1], newer)
    assert marks(memory, ALIKE[0])[old] == ()


NUMBERED = [
    ("which room is locker 1 in?", "Locker 1 is in room 41", "Locker 2 is in room 42", False),
    ("When does bus #7 leave?", "Bus number 7 leaves at 8:15", "Bus 9 leaves at 9:45", False),
    ("How much does ticket 3 cost?", "Ticket 3 costs 40 euros", "Ticket 3 costs 45 euros", True),
    ("When does train 9 leave?", "Train 9 leaves at 8:15", "Train 9 leaves at 9:15", True),
]


@pytest.mark.parametrize(("question", "older", "newer", "marked"), NUMBERED)
def test_another_of_a_row_is_no_newer_answer(
    shared: Shared, user: str, question: str, older: str, newer: str, *, marked: bool
) -> None:
    """Of things that the question tells apart by their number another one marks nothing; another
    value of the same one does."""
    memory = shared()
    for text, at in ((older, THEN), (newer, THEN + DAY)):
        memory.observe([{"role": "user", "content": text + TAIL}], session=text, user=user, at=at)
    found = {hit.memory.content: hit.newer for hit in memory.recall(question, user=user)}
    assert bool(found[older + TAIL]) is marked


def test_what_was_settled_is_marked_and_stays_first(opening: Opening) -> None:
    """A question for what was settled ("did I order") is no question for the present: the older
    answer is marked where the change is told, and the order stays."""
    older = "I ordered 40 chairs for the hall of the choir."
    newer = "The order of chairs for the choir has now increased to 55 chairs in all."
    memory = opening(overrides={"score": ALL})
    old, new = two(memory, older, newer)
    hits = memory.recall("How many chairs did I order for the hall of the choir?")
    assert {hit.memory.id: hit.newer for hit in hits}[old] == (new,)
    assert all("x aim" not in hit.why for hit in hits)


def test_the_agent_marks_nothing_and_is_not_marked(opening: Opening) -> None:
    """What the agent said is no newer answer, and none of its texts is out of date."""
    question, older, newer = CASES[2]
    memory = opening(overrides={"score": ALL})
    for number, text in enumerate((older, newer)):
        said = [{"role": "assistant", "content": text + TAIL}]
        memory.observe(said, session="a", at=THEN + number * DAY)
    assert set(marks(memory, question).values()) == {()}


PARAGRAPH = "The choir sings on the square, and everybody brings a lamp and a song. "
LONG = (
    "The hall of the choir has 40 chairs, which I counted twice. " + PARAGRAPH * 20,
    "Tell me how the chairs of the hall of the choir should stand. " + PARAGRAPH * 20,
)


def test_the_parts_of_a_long_message_are_marked_together(opening: Opening) -> None:
    """Of a message kept in several parts each that speaks of the question is marked."""
    memory = opening(overrides={"score": ALL})
    said = [{"role": "user", "content": "\n\n".join(LONG)}]
    parts = memory.observe(said, session="a", at=THEN)
    assert len(parts) > 1
    newer = [{"role": "user", "content": "The hall of the choir now has a total of 55 chairs"}]
    new = kept(memory.observe(newer, session="b", at=THEN + DAY)[0])
    hits = memory.recall("How many chairs are in the hall of the choir?")
    about = [hit for hit in hits if "chairs" in hit.memory.content and hit.memory.id != new.id]
    assert len(about) == len(LONG)
    assert [hit.newer for hit in about] == [(new.id,)] * len(LONG)
    assert hits[0].memory.id == new.id


def older_and_newer(memory: Memory, said: Sequence[str], question: str) -> list[str]:
    """What is recalled of statements told a day apart."""
    for number, text in enumerate(said):
        memory.remember(text, at=THEN + number * DAY, session=f"s{number}")
    return texts(memory.recall(question))


def test_the_one_that_speaks_of_more_of_the_question_marks(opening: Opening) -> None:
    """Of two newer values the one with clearly less of the question around it does not count."""
    memory = opening(overrides={"score": ALL})
    said = (
        "My stamp album of Norway holds 45 stamps",
        "I added 52 stamps to my album of Norway",
        "I replaced 2 stamps of my cousin by 3 new stamps at the fair",
    )
    order = older_and_newer(memory, said, "How many stamps are in my album of Norway?")
    hits = {
        hit.memory.content: hit
        for hit in memory.recall("How many stamps are in my album of Norway?")
    }
    assert hits[said[0]].newer == (hits[said[1]].memory.id,)
    assert order[0] == said[1]


PLANS = "Our SLA is 99.9% for Pro and 99.5% for Free"
RAISED = "The Pro SLA is 99.95% now"


def test_what_stays_beside_its_successor_stands_behind_it(opening: Opening) -> None:
    """A memory of which a part is over, and which stands beside the newer one since its parts
    cannot be told apart, is marked and comes after it, where both answer alike; for what it still
    tells it comes first, and so it does where the question is after what was, and with 0."""
    memory = opening("on", overrides={"score": ALL})
    old = kept(memory.remember(PLANS, at=THEN)).id
    new = kept(memory.remember(RAISED, at=THEN + DAY)).id
    assert {one.id for one in memory.list()} == {old, new}
    assert list(marks(memory, "which SLA for Pro?").items()) == [(new, ()), (old, (new,))]
    assert list(marks(memory, "which SLA for Free?")) == [old, new]
    assert marks(memory, "which SLA did Pro have last year?")[old] == ()
    alone = {"newer_linked": 0.0, "newer_likely": 1.0, "newer_named": 1.0}
    memory = opening("off", overrides={"score": ALL, "aim": alone})
    old = kept(memory.remember(PLANS, at=THEN)).id
    new = kept(memory.remember(RAISED, at=THEN + DAY)).id
    assert marks(memory, "which SLA for Pro?") == {old: (), new: ()}


NOTES = (
    "From the talk about our infrastructure: the API is deployed on Heroku, the database is a "
    "managed Postgres, static files are on S3, logs go to Papertrail, alerts go to the channel "
    "for operations, on-call rotates weekly between Ada, Bo and Cy, and deploys happen on Tuesdays."
)


def test_a_long_memory_comes_with_what_ends_a_part_of_it(opening: Opening) -> None:
    """A long memory stays whole; where a question has a word of the statement that ends a part of
    it, that comes right behind it and the block says which is older; where not, it does not."""
    memory = opening()
    old = kept(memory.remember(NOTES, at=THEN)).id
    new = kept(memory.remember("We moved the API from Heroku to Fly.io", at=THEN + DAY)).id
    assert marks(memory, "where is the API deployed?") == {old: (new,), new: ()}
    block = memory.context("where is the API deployed?").text
    assert ", older]" in block
    assert "Fly.io" in block
    assert marks(memory, "who is on call?") == {old: ()}


@pytest.mark.parametrize(
    ("question", "asked", "other"),
    [
        (
            "which port is the staging database on?",
            "The staging database is on port 5433",
            "The production database is on port 6000 now",
        ),
        (
            "what time does the backup job run?",
            "The backup job runs at 2 am",
            "The report job runs at 5 am now",
        ),
    ],
)
def test_what_is_called_by_two_words_is_not_another_with_one_of_them(
    memory: Memory, question: str, asked: str, other: str
) -> None:
    """A newer value of another thing of the kind marks nothing, and does not come first."""
    held = kept(memory.remember(asked, at=THEN))
    memory.remember(other, at=THEN + DAY)
    first = memory.recall(question)[0]
    assert (first.memory.id, first.newer) == (held.id, ())
