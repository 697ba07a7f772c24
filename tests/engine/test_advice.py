"""What somebody prefers bears on what they ask advice about, whatever words it shares."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, texts

from engraphy import Memory

THEN = START - 30 * DAY
VEGAN = "I follow a strict vegan diet"
WOOL = "I can't stand wool on my skin"
FILMS = "I dislike superheroes and anything animated"
HEIGHTS = "I am afraid of heights and avoid cable cars"
TESTS = "I prefer pytest over unittest"
PREFERENCES = (VEGAN, WOOL, FILMS, HEIGHTS, TESTS)
BAKERS = ("Ada", "The miller", "Our neighbour", "A cook from Bergen", "Grandfather", "Somebody")
PLACES = ("harbour", "school in the valley", "market", "old ferry", "choir", "lighthouse")
ASKED = (
    ("Can you recommend a restaurant in Bergen for tonight?", VEGAN),
    ("What are some good places for brunch near the harbour?", VEGAN),
    ("Which coat should I buy for the winter in Bergen?", WOOL),
    ("What should we see at the cinema on Friday?", FILMS),
    ("I'm planning a trip to Norway, what would you suggest?", HEIGHTS),
)


def told(memory: Memory) -> None:
    """Preferences of five topics among what others do."""
    for number in range(len(BAKERS)):
        memory.remember(f"{BAKERS[number]} painted a door at the {PLACES[-number]}", at=THEN)
        memory.remember(f"{BAKERS[number]} walked to the {PLACES[number]} on Friday", at=THEN)
    for one in PREFERENCES:
        memory.remember(one, at=THEN)


@pytest.mark.parametrize("embedder", ["none", "static"])
@pytest.mark.parametrize(("question", "wanted"), ASKED)
def test_a_preference_bears_on_the_advice(
    opening: Opening, embedder: str, question: str, wanted: str
) -> None:
    """What is preferred of that about which advice is asked is among the first, stands in the
    block, and what is preferred of other things does not."""
    memory = opening(embedder=embedder)
    told(memory)
    assert wanted in texts(memory.recall(question, limit=3))
    block = {hit.memory.content for hit in memory.context(question).hits}
    assert block & set(PREFERENCES) == {wanted}


def test_turkish_advice_too(memory: Memory) -> None:
    """A diet told in Turkish stands in the block where a restaurant is asked for in Turkish."""
    memory.remember("Veganım, et ve süt ürünleri yemem", at=THEN)
    memory.remember("Filmlerde altyazı severim", at=THEN)
    block = memory.context("Bana akşam için bir restoran önerir misin?")
    assert [hit.memory.content for hit in block.hits] == ["Veganım, et ve süt ürünleri yemem"]


@pytest.mark.parametrize(
    "question",
    [
        "Which coat did we buy in Bergen?",
        "Where is the wardrobe with the red door?",
        "Can you fix the failing test of the parser?",
    ],
)
def test_no_advice_no_preference(memory: Memory, question: str) -> None:
    """A question of fact, and one for help with something else, brings no taste along."""
    told(memory)
    assert WOOL not in {hit.memory.content for hit in memory.context(question).hits}


def test_the_taste_of_others_is_not_the_askers(memory: Memory) -> None:
    """What another speaker of a conversation prefers bears on nobody else's advice."""
    memory.observe(
        [{"role": "user", "name": "Caroline", "content": "I follow a strict vegan diet."}],
        session="s",
    )
    question = "Can you recommend a restaurant in Bergen?"
    assert memory.context(question).hits == ()


def test_it_is_a_knob(opening: Opening) -> None:
    """Without shares nothing is lifted."""
    memory = opening(overrides={"aim": {"topical": []}})
    told(memory)
    question = "Which coat should I buy for the winter in Bergen?"
    assert WOOL not in {hit.memory.content for hit in memory.context(question).hits}
