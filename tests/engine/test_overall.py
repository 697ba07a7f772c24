"""Who asks after all that is known gets what there is, not what shares a word with the question."""

from typing import Any

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


LAST = [
    "where were we?",
    "ok, continue where we left off",
    "What did we do last session?",
    "what's left to do?",
    "Nerede kalmıştık?",
    "kaldığımız yerden devam edelim",
]


@pytest.mark.parametrize("question", LAST)
def test_what_was_done_last_is_that_of_the_last_sessions(
    shared: Shared, user: str, question: str
) -> None:
    """Who asks where they were gets what the last sessions did, newest first, of the own project
    and with what the agent reported, though the question has no word of it."""
    memory = shared()
    for session, said in (("one", "created the billing tables"), ("two", "fixed the login crash")):
        told: dict[str, Any] = {"session": session, "user": user, "project": "shop"}
        memory.start_session(session, user=user, project="shop")
        memory.observe([{"role": "assistant", "content": f"Done. I {said} in app.py."}], **told)
        memory.observe_tool("Bash", "5 passed", input={"command": f"run {session}"}, **told)
        memory.end_session(session, user=user, project="shop")
    memory.remember("Lunch is at noon", user=user, project="shop")
    best = texts([hit.memory for hit in memory.recall(question, user=user, project="shop")])
    assert "I fixed the login crash in app.py" in best[0]
    assert "I created the billing tables in app.py" in best[1]
    assert "fixed the login crash" in memory.context(question, user=user, project="shop").text
    assert "login" not in memory.context(question, user=user, project="other").text


def test_without_a_session_what_was_told_last_answers(memory: Memory) -> None:
    """Where no session was ever ended it is what was told last; who asks what comes next of one
    thing asks of that."""
    for number, one in enumerate(TOLD):
        memory.remember(one, at=f"2026-04-{number + 1:02}")
    found = texts([hit.memory for hit in memory.recall("where were we?")])
    assert set(found) == set(TOLD)
    assert "The staging server listens on port 8080." in memory.context("catch me up").text
    [first, *_] = memory.recall("what is next to port 8080?")
    assert first.memory.content == "The staging server listens on port 8080."
