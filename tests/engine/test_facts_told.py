"""What a short statement about oneself is kept as: the fact, its end, its kind."""

import pytest
from tests.engine.conftest import Shared, Standing

FACTS = [
    ("my name is spelled Leena", ("user", "name", "leena")),
    ("My blood type is 0 negative btw", ("user", "blood type", "0 negative")),
    ("My favourite colour is teal", ("user", "favorite:color", "teal")),
    ("I work at the Red Cross as a trainer now", ("user", "employer", "red cross")),
    ("I work at Mercy hospital", ("user", "employer", "mercy hospital")),
    ("I work as a nurse at Mercy hospital", ("user", "employer", "mercy hospital")),
    ("Anna works at the Montessori school", ("anna", "employer", "montessori school")),
    ("I work at the library now", ("user", "employer", "library")),
    ("Please call me May from now on", ("user", "nickname", "may")),
    ("My girlfriend is Anna", ("user", "partner", "anna")),
    ("I'm a data engineer at Nordlicht GmbH", ("user", "employer", "nordlicht gmbh")),
    ("I'm a data engineer at Nordlicht GmbH", ("user", "job", "data engineer")),
    ("I left Acme and am now an architect at Brick AG", ("user", "employer", "brick ag")),
    ("We moved in together in Kortrijk", ("user", "city", "kortrijk")),
    ("I moved in with my sister in Leeds", ("user", "city", "leeds")),
    ("We adopted a dog, her name is Mosca", ("dog", "name", "mosca")),
    ("I have a brother called Karl", ("brother", "name", "karl")),
    ("I started at a dental practice, Smile Bruges.", ("user", "employer", "smile bruges")),
    ("Number of my locker is 118", ("locker", "number", "118")),
    ("My member number is 88123", ("member", "number", "88123")),
    ("My number is 0471 22 33 44", ("user", "phone", "0471 22 33 44")),
]
NO_FACTS = [
    ("I work at the library on Saturdays", "employer"),
    ("I work with the kids", "employer"),
    ("My wife is Italian", "partner"),
    ("My wife is Anna's sister", "partner"),
    ("The bank is closed on Mondays", "bank"),
    ("I'm a teacher at heart", "employer"),
    ("I work at a school, Monday to Friday", "employer"),
    ("Anna got a new cat, he's called Tom", "name"),
    ("I moved in with Anna in March", "city"),
    ("Plate of my car: W-4417K", "vehicle"),
    ("Number of my locker is 118", "phone"),
]
ENDS = [
    ("My favourite colour is teal", "My favorite color is green now"),
    ("I work at Mercy hospital", "I work at the Red Cross as a trainer now"),
    ("Call me Maya", "Please call me May from now on"),
    ("I'm vegetarian", "I eat meat again"),
    ("My girlfriend is Anna", "Anna and I broke up"),
    ("My girlfriend is Anna", "I broke up with Anna"),
    ("I take 50 mg of levothyroxine", "The doctor raised my levothyroxine to 75 mg"),
    ("My rent is 850 euros", "The landlord put the rent up to 910 euros"),
    ("I live in Bruges", "We moved in together in Kortrijk"),
    ("I'm a nurse at Mercy hospital", "I left Mercy hospital and am now a chef at Brick AG"),
    ("Number of my locker is 118", "They changed my locker number to 120"),
]
STAYS = [
    ("My girlfriend is Anna", "Lea and Tom broke up"),
    ("My wife is Anna", "Tom and I broke up the floor"),
    ("I take 50 mg of levothyroxine", "The doctor raised my ramipril to 75 mg"),
    ("I take 50 mg of levothyroxine", "The doctor lowered my sister's levothyroxine to 75 mg"),
    ("My rent is 900 euros", "The landlord raised my sister's rent to 980 euros"),
    ("My doctor is Dr Lind", "The doctor raised my dose"),
    ("My rent is 900 euros", "The landlord put my sister's rent up to 980 euros"),
    ("My number is 0471 22 33 44", "My locker number is 118"),
    ("I live in Bruges", "I moved in with Anna in March"),
    ("My dog is called Rex", "We got a second dog, her name is Luna"),
    ("I have a brother called Karl", "I have a little brother called Tim"),
]


@pytest.mark.parametrize(("text", "fact"), FACTS)
def test_a_statement_is_the_fact_that_it_tells(
    shared: Shared, user: str, text: str, fact: tuple[str, str, str]
) -> None:
    """The value without what only surrounds it, and the place of work whatever it is called."""
    memory = shared()
    memory.observe(text, user=user)
    assert fact in {(one.subject, one.predicate, one.object) for one in memory.facts(user=user)}


@pytest.mark.parametrize(("text", "predicate"), NO_FACTS)
def test_what_tells_no_such_fact_is_none(
    shared: Shared, user: str, text: str, predicate: str
) -> None:
    """A sentence of the same words about something else."""
    memory = shared()
    memory.observe(text, user=user)
    assert predicate not in {one.predicate for one in memory.facts(user=user)}


@pytest.mark.parametrize(("old", "new"), ENDS)
def test_the_new_value_ends_the_older(standing: Standing, old: str, new: str) -> None:
    """However it is told, and by whom it was changed."""
    assert standing(old, new) == [new]


@pytest.mark.parametrize(("old", "new"), STAYS)
def test_a_change_of_something_else_ends_nothing(standing: Standing, old: str, new: str) -> None:
    """Other people, another medicine, another's rent."""
    assert {*standing(old, new)} == {old, new}


@pytest.mark.parametrize(
    "text",
    [
        "I have a flight to Oslo tomorrow at 7:40",
        "I have a meeting with Anna tomorrow at 10",
        "The exam is tomorrow at 9",
    ],
)
def test_an_event_of_tomorrow_is_over_when_it_was(shared: Shared, user: str, text: str) -> None:
    """Also where it says where to, or with whom."""
    (told,) = shared().observe(text, user=user)
    assert told.memory is not None
    assert told.memory.valid_until is not None


@pytest.mark.parametrize(
    ("text", "decided"),
    [
        ("My sister Nora moved to Lisbon", False),
        ("we moved from Graz to Vienna", False),
        ("I moved to Berlin in May", False),
        ("we moved to Postgres", True),
        ("we moved from Jira to Linear", True),
        ("We're moving to Hetzner", True),
    ],
)
def test_who_moves_house_has_decided_nothing(
    shared: Shared, user: str, text: str, decided: bool
) -> None:
    """A place is no choice of a tool."""
    (told,) = shared().observe(text, user=user)
    assert told.memory is not None
    assert (told.memory.kind == "decision") is decided
