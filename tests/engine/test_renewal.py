"""What a newer statement says of a hit, where a question asks how things are now."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, kept, texts

from engraphy import Memory
from engraphy.model import Hit

THEN = START - 60 * DAY
PATEL = "Dr Patel is our GP, the dentist is Dr Quinn at Bright Smiles"
LOWE = "Dr Patel has retired. We're with Dr Lowe now."
STAFF = "my colleagues: Ravi does features, Ana does deployment, Liam is the PM"
MOVED = "Ravi moves to the fraud team, Xin does the features from now on"
SALTED = "The tiles in the hall are slate and the door is oak"


def told(memory: Memory, *said: str) -> list[str]:
    """Ids of statements, a week apart."""
    ids = []
    for week, text in enumerate(said):
        ids.append(kept(memory.remember(text, user="ada", at=THEN + 7 * week * DAY)).id)
    return ids


def found(memory: Memory, question: str, **more: object) -> list[Hit]:
    """The hits of a question."""
    return memory.recall(question, user="ada", touch=False, **more)


def off(opening: Opening, name: str = "off") -> Memory:
    """A memory that looks for nothing newer."""
    nothing = {"newer_linked": 0.0, "newer_likely": 1.0, "newer_named": 1.0}
    return opening(name, overrides={"aim": nothing})


def test_what_names_the_same_and_tells_a_change_comes_along(memory: Memory) -> None:
    """The answer of before names somebody; who says that this changed names them too, and no word
    of the question."""
    told(memory, PATEL, SALTED, LOWE)
    hits = found(memory, "Who is our GP?")
    assert {PATEL, LOWE} <= set(texts(hits)[:2])


@pytest.mark.parametrize(
    ("old", "new", "along"),
    [
        ("our accountant is Luc Maes in Gent", "luc retired, ines does our books now", True),
        ("our accountant is Will Maes in Gent", "the fair will do our books now", False),
    ],
)
def test_a_name_is_found_as_people_type_it(memory: Memory, old: str, new: str, along: bool) -> None:
    """In lower case too, unless it is an everyday word then."""
    told(memory, old, SALTED, new)
    assert (new in texts(found(memory, "Who is our accountant?"))) is along


def test_without_it_only_the_older_one_answers(opening: Opening) -> None:
    """Both knobs at 1, and that for what is linked at 0, look for nothing."""
    memory = off(opening)
    told(memory, PATEL, SALTED, LOWE)
    assert LOWE not in texts(found(memory, "Who is our GP?"))[:2]


def test_the_likely_newer_answer_comes_first_and_the_older_is_marked(memory: Memory) -> None:
    """Of two that speak of what is asked the newer stands before what it probably overtakes."""
    first, second = told(memory, STAFF, MOVED)
    hits = found(memory, "Who does the features?")
    assert [hit.memory.id for hit in hits[:2]] == [second, first]
    assert second in hits[1].newer
    assert not hits[0].newer


def test_what_is_newer_and_speaks_of_something_else_stays_behind(memory: Memory) -> None:
    """A later statement on the same thing that does not speak of all that is asked, and tells no
    change, neither comes first nor marks the answer."""
    told(memory, "The kayak is kept in the boathouse", "The kayak was polished")
    hits = found(memory, "Where is the kayak kept?")
    assert hits[0].memory.content == "The kayak is kept in the boathouse"
    assert not hits[0].newer


def test_nothing_is_dropped(opening: Opening, memory: Memory) -> None:
    """What is older is delivered as before."""
    without = off(opening)
    for one in (memory, without):
        told(one, STAFF, MOVED)
    question = "Who does the features?"
    assert set(texts(found(memory, question))) == set(texts(found(without, question)))


@pytest.mark.parametrize(
    "question",
    ["Who did the features before?", "Who did features originally, and for how long?"],
)
def test_a_question_after_what_was_keeps_the_older_first(memory: Memory, question: str) -> None:
    """Only how things are now is overtaken."""
    first, second = told(memory, STAFF, MOVED)
    for hit in found(memory, question):
        assert not (hit.memory.id == first and second in hit.newer)


def test_at_an_earlier_moment_nothing_is_newer(memory: Memory) -> None:
    """A reading as of a day before the change knows nothing of it."""
    told(memory, STAFF, MOVED)
    hits = found(memory, "Who does the features?", as_of=THEN + DAY)
    assert texts(hits) == [STAFF]
    assert not hits[0].newer


def test_the_agents_word_overtakes_nothing(memory: Memory) -> None:
    """What the agent said is no newer statement of the user's."""
    first = kept(memory.remember(STAFF, user="ada", at=THEN)).id
    said = [{"role": "assistant", "content": MOVED}]
    memory.observe(said, user="ada", at=THEN + 9 * DAY)
    hits = {hit.memory.id: hit for hit in found(memory, "Who does the features?")}
    assert not hits[first].newer


@pytest.mark.parametrize("profile", ["layered", "letsgo", "titans", "cognitive"])
def test_the_documents_profiles_look_for_nothing_newer(opening: Opening, profile: str) -> None:
    """Elsewhere than in `default` no hit is marked for it."""
    memory = opening(profile=profile)
    told(memory, STAFF, MOVED)
    assert all(not hit.newer for hit in found(memory, "Who does the features?"))


def test_what_the_question_names_must_be_named_by_the_newer_one_too(memory: Memory) -> None:
    """ "Which SLA for Free?" is not answered by what changed for Pro."""
    first, second = told(
        memory, "The Free plan has an SLA of 99%, Pro has 99.9%", "Pro SLA: 99.95%"
    )
    hits = {hit.memory.id: hit for hit in found(memory, "which SLA does Free have?")}
    assert second not in hits[first].newer
