"""Who writes German, Spanish, French, Portuguese, Russian, Japanese, Chinese or Arabic: what tells
nothing is no memory, and what is taken back or not to be kept is not (`data/languages.toml`)."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Shared
from tests.engine.making import texts

FILE = tomllib.loads((Path(__file__).parent / "data/languages.toml").read_text("utf-8"))
HELD = [(one["told"], said) for one in FILE["held"] for said in one["hostile"]]


def listed(name: str) -> list[str]:
    """The sentences of a list in every language."""
    return [said for each in FILE[name].values() for said in each]


@pytest.mark.parametrize("text", listed("noise"))
def test_what_tells_nothing_is_no_memory(shared: Shared, user: str, text: str) -> None:
    """Small talk, a bare question, a request, a text to work on: the outcome says which."""
    memory = shared()
    [outcome] = memory.observe(text, user=user)
    assert outcome.action == "skipped"
    assert memory.list(user=user) == []


@pytest.mark.parametrize("text", listed("kept"))
def test_what_tells_something_is_kept(shared: Shared, user: str, text: str) -> None:
    """Whatever polite word, mark or request is around it, and however it is asked for."""
    memory = shared()
    memory.observe(text, user=user)
    assert texts(memory.list(user=user)) == [text]


@pytest.mark.parametrize("text", listed("unkept"))
def test_what_is_not_to_be_kept_is_not(shared: Shared, user: str, text: str) -> None:
    """Nothing of the message is kept, and the outcome says why."""
    memory = shared()
    [outcome] = memory.observe(text, user=user)
    assert outcome.reason == "unkept: it asks not to be kept"
    assert memory.list(user=user) == []


@pytest.mark.parametrize("case", FILE["taken"], ids=lambda case: case["ask"])
def test_what_is_taken_back_is_found_no_longer(
    shared: Shared, user: str, case: dict[str, str]
) -> None:
    """What was told is history, the wish is no memory, and what else was told stays."""
    memory = shared()
    memory.observe(case["told"], user=user, session="one")
    memory.observe("The staging area has nine lamps", user=user, session="one")
    [outcome] = memory.observe(case["ask"], user=user, session="two")
    assert outcome.action == "superseded"
    assert texts(memory.list(user=user)) == ["The staging area has nine lamps"]


@pytest.mark.parametrize(("told", "said"), HELD)
def test_what_only_looks_so_takes_nothing_back(
    shared: Shared, user: str, told: str, said: str
) -> None:
    """ "Don't forget ...", somebody else's wish, a condition, a file: what was told stays."""
    memory = shared()
    memory.observe(told, user=user, session="one")
    memory.observe(said, user=user, session="two")
    assert told in texts(memory.list(user=user))


@pytest.mark.parametrize("case", FILE["changed"], ids=lambda case: case["now"])
def test_a_change_ends_what_it_changes(shared: Shared, user: str, case: dict[str, str]) -> None:
    """Of home, of tools, and in Portuguese of employers and drinks: the new statement stands."""
    memory = shared()
    memory.observe(case["told"], user=user, session="one")
    memory.observe(case["now"], user=user, session="two")
    assert texts(memory.list(user=user)) == [case["now"]]


@pytest.mark.parametrize("case", FILE["stays"], ids=lambda case: case["said"])
def test_what_is_no_change_ends_nothing(shared: Shared, user: str, case: dict[str, str]) -> None:
    """Other people, plans, wishes, conditions, former times, things that are no place."""
    memory = shared()
    memory.observe(case["told"], user=user, session="one")
    memory.observe(case["said"], user=user, session="two")
    assert case["told"] in texts(memory.list(user=user))


@pytest.mark.long
@pytest.mark.parametrize("life", FILE["life"], ids=lambda life: life["told"][0])
def test_what_was_told_is_the_first_hit(shared: Shared, user: str, life: dict[str, Any]) -> None:
    """Small words of a question count nothing, and a new home is found by the words of home, in
    English too."""
    memory = shared()
    for text in life["told"]:
        memory.observe(text, user=user)
    first = {ask: memory.recall(ask, user=user, limit=1) for ask, _ in life["asked"]}
    missed = [
        ask for ask, word in life["asked"] if not any(word in text for text in texts(first[ask]))
    ]
    assert missed == []
