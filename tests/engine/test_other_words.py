"""A change that is told in other words than what it changes, as people type them: what it is of
ends, and where it only looks like one nothing does (`data/other_words.toml`)."""

import re
import tomllib
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Shared
from tests.engine.making import DAY, START

from engraphy import Memory

MINUTE, THEN = 60_000_000, START - DAY
FILE = tomllib.loads((Path(__file__).parent / "data/other_words.toml").read_text("utf-8"))
CASES = [one for part in ("built", "blind", "later") for one in FILE[part]]
CHANGES = [pytest.param(one, id=one["id"]) for one in CASES if "over" in one]
NONE = [pytest.param(one, id=one["id"]) for one in CASES if "over" not in one]
CROWD = (
    "Tom's guitar lesson costs 22 euros",
    "our build server has 16 cores",
    "I go to the sauna every friday",
    "the mail server is on port 2525",
)
"""What the same user has said in another conversation."""


def told(memory: Memory, user: str, say: list[str]) -> tuple[list[str], list[str]]:
    """What is active after a conversation behind the crowd, and what ended."""
    for text, minute in zip(CROWD, count(-200), strict=False):
        memory.observe(text, user=user, session="before", at=THEN + minute * MINUTE)
    for text, minute in zip(say, count(), strict=False):
        role = "assistant" if text.startswith("a:") else "user"
        said = [{"role": role, "content": text.removeprefix("a:")}]
        memory.observe(said, user=user, session="one", at=THEN + minute * MINUTE)
    active = [one.content for one in memory.list(user=user, limit=100)]
    every = memory.list(user=user, include=["superseded"], limit=100)
    return active, [one.content for one in every if one.content not in active]


def found(pattern: str, texts: list[str]) -> bool:
    """Whether a text holds what is looked for."""
    return any(re.search(pattern, text) for text in texts)


@pytest.mark.parametrize("case", CHANGES)
def test_what_a_change_is_of_ends(shared: Shared, user: str, case: dict[str, Any]) -> None:
    """The older value is gone and the new one stands; nothing else has ended, and where it is not
    seen what the change is of, nothing at all."""
    active, gone = told(shared(), user, case["say"])
    may = [*case["over"], *case.get("may", ())]
    assert not [one for one in gone if not found("|".join(may), [one])]
    if "missed" not in case:
        assert not [one for one in case["over"] if found(one, _old(case, active))]
        assert all(found(one, active) for one in case["holds"])


def _old(case: dict[str, Any], active: list[str]) -> list[str]:
    return [one for one in active if one in case["say"][:-1]]


@pytest.mark.parametrize("case", NONE)
def test_what_only_looks_like_a_change_ends_nothing(
    shared: Shared, user: str, case: dict[str, Any]
) -> None:
    """Questions, suppositions, plans, quotes, what was once, and what is others' or of another
    thing."""
    active, gone = told(shared(), user, case["say"])
    assert not gone
    assert set(CROWD) <= set(active)
    assert all(found(one, active) for one in case["holds"])


def test_it_is_what_was_told_a_moment_ago(shared: Shared, user: str) -> None:
    """ "It" reaches back a quarter of an hour, and into no other conversation."""
    for minutes, session, ends in ((5, "one", True), (20, "one", False), (5, "two", False)):
        memory, who = shared(), f"{user}-{minutes}-{session}"
        memory.observe("the api timeout is 5s", user=who, session="one", at=THEN)
        at = THEN + minutes * MINUTE
        memory.observe("bump it to 8", user=who, session=session, at=at)
        held = {one.content for one in memory.list(user=who)}
        assert ("the api timeout is 5s" not in held) is ends


def test_an_order_that_leans_on_nothing_is_an_errand(shared: Shared, user: str) -> None:
    """ "Make it 300" is kept where it changes what was told, else it only asks for something."""
    memory = shared()
    memory.observe("the deploy key is in the vault", user=user, session="one", at=THEN)
    (said,) = memory.observe("make it 300", user=user, session="one", at=THEN + MINUTE)
    assert said.action == "skipped"


def test_what_takes_the_place_is_found_by_what_it_is_of(shared: Shared, user: str) -> None:
    """The new value says nothing of its own; it is asked for as the old one was."""
    memory = shared()
    memory.observe("the api timeout is 5s", user=user, session="one", at=THEN)
    memory.observe("bump it to 8", user=user, session="one", at=THEN + MINUTE)
    (first, *_) = memory.recall("what is the api timeout?", user=user)
    assert first.memory.content == "bump it to 8"


@pytest.mark.parametrize(
    ("held", "told"),
    [
        ("the api answers on port 8080", "three api pods now, kafka 3, port 9092"),
        ("the api runs on port 8080", "two api instances behind haproxy now, redis 7, port 6379"),
        ("the web app listens on port 3000", "two web app boxes now, postgres 15, port 5432"),
    ],
)
def test_a_value_that_hangs_on_another_thing(
    shared: Shared, user: str, held: str, told: str
) -> None:
    """In a list a port belongs to what is named right before it."""
    memory = shared()
    for text in (held, told):
        memory.observe(text, user=user, session="one")
    assert held in {one.content for one in memory.list(user=user)}


def test_what_is_left_is_not_cut_before_a_time(shared: Shared, user: str) -> None:
    """A fragment that only says something with its time stays or goes with it."""
    memory = shared()
    for text in (
        "supplier for tyres is Vredestein via Kruitbosch, order before tuesday noon",
        "kruitbosch moved the deadline, it's monday noon now",
    ):
        memory.observe(text, user=user, session="one")
    assert not [one.content for one in memory.list(user=user) if one.content.endswith("order.")]
