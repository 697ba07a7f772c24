"""What a delivery does to what came together, and to what is related (D-28, D-50)."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from typing import Any

import pytest
from tests.engine.conftest import Filling, Opening
from tests.engine.making import Ticks, kept

from engraphy import Memory
from engraphy.model import State

PORT = "The billing API listens on port 3000"
KEY = "The billing API key is kept in the vault"
BREAD = "Bread is baked at dawn by the village miller"
ASKED = "billing API"
PROMPT = f"{PORT} and {KEY.lower()}"
HOUR = 1 / 24
CAP = 36_500.0


def _told(memory: Memory) -> None:
    for text in (PORT, KEY, BREAD):
        memory.remember(text)


@pytest.fixture
def cognitive(filling: Filling) -> Memory:
    """A memory of cognitive with two statements that one question finds, and one it does not."""
    return filling(_told, profile="cognitive", overrides={"relate": {"most": 0}})


def ids(memory: Memory) -> dict[str, str]:
    """The ids by their texts, in any state."""
    states = [state.value for state in State if state is not State.ACTIVE]
    return {row.content: row.id for row in memory.list(include=states, limit=1_000)}


def stability(memory: Memory, text: str) -> float:
    """The stability of a text's memory, in days."""
    return memory.get(ids(memory)[text], touch=False).stability


def rows(memory: Memory, text: str) -> list[tuple[Any, ...]]:
    """What a query says of the store's file; for the end of a test, as it shares no locks."""
    with closing(sqlite3.connect(memory.path)) as connection:
        return connection.execute(text).fetchall()


def pairs(memory: Memory) -> dict[frozenset[str], int]:
    """How often each pair of texts was delivered together."""
    named = {one: text for text, one in ids(memory).items()}
    found = rows(memory, "SELECT first_id, second_id, count FROM coactivations")
    return {frozenset({named[one], named[other]}): count for one, other, count in found}


def delivered(memory: Memory, query: str = ASKED) -> set[str]:
    """What a recall delivers, and counts."""
    return {hit.memory.content for hit in memory.recall(query)}


@pytest.mark.spec("D-28")
def test_together_they_grow_stronger(cognitive: Memory) -> None:
    """What is delivered together gains an access and two percent of stability, and is a pair; what
    is not delivered stays as it was."""
    before = {text: stability(cognitive, text) for text in (PORT, KEY, BREAD)}
    assert delivered(cognitive) == {PORT, KEY}
    for text in (PORT, KEY):
        row = cognitive.get(ids(cognitive)[text], touch=False)
        assert row.stability == pytest.approx(1.02 * before[text], rel=1e-9)
        assert row.access_count == 1
    assert stability(cognitive, BREAD) == before[BREAD]
    assert pairs(cognitive) == {frozenset({PORT, KEY}): 1}


@pytest.mark.spec("D-28")
@pytest.mark.parametrize(("waited", "times"), [(0.9 * HOUR, 1), (1.1 * HOUR, 2)])
def test_a_pair_counts_once_an_hour(
    cognitive: Memory, clock: Ticks, waited: float, times: int
) -> None:
    """Asked again within the hour, nothing grows; after it, once more."""
    before = stability(cognitive, PORT)
    delivered(cognitive)
    delivered(cognitive)
    clock.pass_days(waited)
    delivered(cognitive)
    assert stability(cognitive, PORT) == pytest.approx(before * 1.02**times, rel=1e-9)
    assert pairs(cognitive) == {frozenset({PORT, KEY}): times}


@pytest.mark.spec("D-28")
def test_injection_counts_a_pair_too(cognitive: Memory) -> None:
    """`context` delivers as `recall` does, in the one transaction that keeps its receipt."""
    cognitive.context(PROMPT)
    assert pairs(cognitive) == {frozenset({PORT, KEY}): 1}


@pytest.mark.spec("D-28")
def test_looking_learns_nothing(cognitive: Memory) -> None:
    """Without `touch` nothing is a pair and nothing grows (R-03)."""
    before = stability(cognitive, PORT)
    cognitive.recall(ASKED, touch=False)
    assert (pairs(cognitive), stability(cognitive, PORT)) == ({}, before)


@pytest.mark.spec("D-28")
def test_alone_is_no_pair(cognitive: Memory) -> None:
    """One memory that is delivered alone is counted, and grows no stronger by company."""
    before = stability(cognitive, BREAD)
    assert delivered(cognitive, "bread dawn miller") == {BREAD}
    row = cognitive.get(ids(cognitive)[BREAD], touch=False)
    assert (row.access_count, row.stability) == (1, before)


@pytest.mark.spec("D-28")
def test_the_superseded_learn_nothing(cognitive: Memory) -> None:
    """What is superseded is delivered where it is asked for, and neither counted nor paired."""
    old = ids(cognitive)[PORT]
    cognitive.remember("The billing API listens on port 4000 now, no longer on 3000")
    before = cognitive.get(old, touch=False)
    assert before.state is State.SUPERSEDED
    shown = cognitive.recall("API", include=["superseded"])
    assert {PORT, KEY} <= {hit.memory.content for hit in shown}
    assert cognitive.get(old, touch=False) == before
    assert not any(PORT in pair for pair in pairs(cognitive))


@pytest.mark.spec("R-11")
def test_stability_is_capped(cognitive: Memory, clock: Ticks) -> None:
    """However often two are delivered together, stability ends at 36,500 days."""
    strong = {"reinforce": {"together_factor": 100.0, "neighbour_factor": 100.0}}
    with Memory(
        cognitive.path, profile="cognitive", embedder="none", clock=clock, overrides=strong
    ) as memory:
        memory.link(ids(memory)[PORT], ids(memory)[BREAD], "related_to")
        for _ in range(4):
            clock.pass_days(1)
            delivered(memory)
        assert [stability(memory, text) for text in (PORT, KEY, BREAD)] == [CAP] * 3


@pytest.mark.spec("R-07")
def test_a_delivery_is_one_transaction_with_its_lines(cognitive: Memory) -> None:
    """Access, pair and what is near are told in the journal at one moment, without any text."""
    cognitive.link(ids(cognitive)[PORT], ids(cognitive)[BREAD], "related_to")
    delivered(cognitive)
    told = rows(cognitive, "SELECT op, at, reason FROM memory_journal ORDER BY seq")
    new = told[-3:]
    assert [op for op, _, _ in told[-4:]] == ["relation", "access", "coactivation", "strengthen"]
    assert len({at for _, at, _ in new}) == 1
    assert not any("billing" in str(line) for _, _, line in new)


@pytest.mark.spec("D-50")
def test_an_access_strengthens_what_is_related(cognitive: Memory) -> None:
    """What is related to a delivered memory, either way, gains two percent: once, one hop, and
    without being counted as delivered."""
    far = kept(cognitive.remember("The miller sold a grey horse in autumn"))
    bread = ids(cognitive)[BREAD]
    cognitive.link(bread, ids(cognitive)[PORT], "related_to")
    cognitive.link(bread, far.id, "elaborates")
    before = cognitive.get(bread, touch=False)
    delivered(cognitive)
    after = cognitive.get(bread, touch=False)
    assert after.stability == pytest.approx(1.02 * before.stability, rel=1e-9)
    assert (after.access_count, after.last_accessed_at) == (0, None)
    assert cognitive.get(far.id, touch=False).stability == far.stability


@pytest.mark.spec("D-50")
@pytest.mark.parametrize(
    "read",
    [
        lambda memory: memory.get(ids(memory)[PORT]),
        lambda memory: memory.context(PROMPT),
    ],
    ids=["get", "context"],
)
def test_every_access_strengthens_what_is_related(
    cognitive: Memory, read: Callable[[Memory], object]
) -> None:
    """Reading by id and injecting are accesses as a recall is."""
    cognitive.link(ids(cognitive)[PORT], ids(cognitive)[BREAD], "related_to")
    before = stability(cognitive, BREAD)
    read(cognitive)
    assert stability(cognitive, BREAD) == pytest.approx(1.02 * before, rel=1e-9)


@pytest.mark.spec("D-50")
def test_asking_again_strengthens_nothing(cognitive: Memory, clock: Ticks) -> None:
    """What was accessed within the hour passes nothing on; after it, once more."""
    cognitive.link(ids(cognitive)[PORT], ids(cognitive)[BREAD], "related_to")
    before = stability(cognitive, BREAD)
    delivered(cognitive)
    clock.pass_days(0.9 * HOUR)
    delivered(cognitive)
    assert stability(cognitive, BREAD) == pytest.approx(1.02 * before, rel=1e-9)
    clock.pass_days(1.1 * HOUR)
    delivered(cognitive)
    assert stability(cognitive, BREAD) == pytest.approx(1.02**2 * before, rel=1e-9)


@pytest.mark.spec("R-05")
def test_strength_stays_behind_the_walls(cognitive: Memory) -> None:
    """A memory of another user that is linked to what everybody sees is not moved by others."""
    own = kept(cognitive.remember("Ann keeps her notes in a red folder", user="ann"))
    cognitive.link(ids(cognitive)[PORT], own.id, "related_to", user="ann")
    delivered(cognitive)
    assert cognitive.get(own.id, user="ann", touch=False).stability == own.stability
    cognitive.recall(ASKED, user="ann")
    cognitive.get(ids(cognitive)[PORT], user="ann")
    assert cognitive.get(own.id, user="ann", touch=False).stability == own.stability


@pytest.mark.spec("D-50")
def test_elsewhere_nothing_is_passed_on(opening: Opening) -> None:
    """In `default` nothing is paired, and what is related stays as it was."""
    memory = opening()
    for text in (PORT, KEY, BREAD):
        memory.remember(text)
    memory.link(ids(memory)[PORT], ids(memory)[BREAD], "related_to")
    before = stability(memory, BREAD)
    assert delivered(memory) == {PORT, KEY}
    assert (stability(memory, BREAD), pairs(memory)) == (before, {})
