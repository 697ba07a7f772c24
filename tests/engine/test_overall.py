"""Who asks after all that is known gets what there is, not what shares a word with the question."""

import pytest
from tests.engine.conftest import Shared
from tests.engine.making import texts

from engraphy import Memory

TOLD = [
    "My name is Deniz.",
    "We decided to use PostgreSQL for billing.",
    "I prefer tabs over spaces.",
    "I love hiking.",
    "Never deploy on Fridays.",
    "I'm planning to move to Izmir in spring.",
    "The staging server listens on port 8080.",
]
ANSWERS = [
    ("What do you know about me?", TOLD),
    ("tell me everything you know about me so far", TOLD),
    ("Benim hakkımda ne biliyorsun?", TOLD),
    ("what are my preferences?", ["I prefer tabs over spaces.", "I love hiking."]),
    ("What do I like?", ["I prefer tabs over spaces.", "I love hiking."]),
    ("Tercihlerim neler?", ["I prefer tabs over spaces.", "I love hiking."]),
    ("what did we decide?", ["We decided to use PostgreSQL for billing."]),
    ("what are my plans?", ["I'm planning to move to Izmir in spring."]),
    ("Which rules did I give you?", ["Never deploy on Fridays."]),
]


@pytest.mark.parametrize(("question", "wanted"), ANSWERS)
def test_all_of_a_kind_answers(shared: Shared, user: str, question: str, wanted: list[str]) -> None:
    """Everything of the kind comes before anything else, in English and Turkish."""
    memory = shared()
    memory.observe([{"role": "user", "content": one} for one in TOLD], user=user)
    found = texts([hit.memory for hit in memory.recall(question, user=user)])
    assert set(found[: len(wanted)]) == set(wanted)
    block = memory.context(question, user=user).text
    assert [one for one in wanted if one not in block] == []


def test_a_question_of_its_own_is_searched(shared: Shared, user: str) -> None:
    """ "What did we decide about the port?" is after one thing."""
    memory = shared()
    memory.observe([{"role": "user", "content": one} for one in TOLD], user=user)
    [first, *_] = memory.recall("what did we decide about billing?", user=user)
    assert first.memory.content == "We decided to use PostgreSQL for billing."
    hits = memory.recall("what do you know about the staging server?", user=user)
    assert hits[0].memory.content == "The staging server listens on port 8080."


def test_walls_and_origins_hold(memory: Memory) -> None:
    """Of another user nothing comes, and no output of tools tells of anybody."""
    memory.remember("I live in Oslo", user="ada")
    memory.remember("I live in Rome", user="bob")
    memory.remember("The tests ran for nine minutes", user="ada", origin="tool")
    found = texts([hit.memory for hit in memory.recall("who am I?", user="ada")])
    assert found[0] == "I live in Oslo"
    assert "I live in Rome" not in found
