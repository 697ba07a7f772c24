"""What shares only words with a prompt that are said of everything stays out of its block."""

import pytest
from tests.engine.conftest import Opening

from engraphy import Memory

OWN = (
    "Make a list of open questions at the end of each report",
    "Use British spelling in the docs",
    "We go to Portugal every summer",
    "Get a second review for database migrations",
    "Name branches after the ticket number",
    "My car is due for inspection in November",
    "Keep pull requests under 300 lines",
    "The build takes about 12 minutes",
)
OFF = (
    "make a list of what materials have been used for spacesuits",
    "how do you get a safe deposit box",
    "what should i take for nausea after a flight",
    "can you use baking soda for cleaning",
)
ON = (
    ("how does a report end?", OWN[0]),
    ("where do we spend the summer?", OWN[2]),
    ("how many reviews does a migration need?", OWN[3]),
    ("how are branches called here?", OWN[4]),
    ("how long does a build run?", OWN[7]),
)


def block(memory: Memory, prompt: str) -> set[str]:
    """What stands in the block of a prompt."""
    return {hit.memory.content for hit in memory.context(prompt).hits}


@pytest.fixture
def told(memory: Memory) -> Memory:
    """A small store of one's own."""
    for one in OWN:
        memory.remember(one)
    return memory


@pytest.mark.parametrize("prompt", OFF)
def test_everyday_words_alone_bring_nothing(told: Memory, prompt: str) -> None:
    """A prompt about something else brings nothing of a small store."""
    assert not block(told, prompt)


@pytest.mark.parametrize(("question", "wanted"), ON)
def test_a_rarer_word_does(told: Memory, question: str, wanted: str) -> None:
    """One word that is not said of everything is enough."""
    assert wanted in block(told, question)


def test_turkish_too(memory: Memory) -> None:
    """Turkish words of everything bring nothing, others do."""
    memory.remember("Her yıl yeni bir liste yap ve panoya as")
    memory.remember("Toplantı notları ortak klasöre konur")
    assert not block(memory, "uzay giysisinde kullanılan malzemelerin listesini yapar mısın")
    assert block(memory, "toplantı notları nereye konuyor?")


def test_the_receipt_says_why(told: Memory) -> None:
    """The receipt names what was left out and for what."""
    skipped = told.context(OFF[0]).receipt.skipped
    assert any("only everyday words" in one.detail for one in skipped)


def test_it_is_a_knob(opening: Opening) -> None:
    """At 0 such a memory answers as any other."""
    memory = opening(overrides={"inject": {"everyday_from": 0.0}})
    for one in OWN:
        memory.remember(one)
    assert block(memory, OFF[0])
