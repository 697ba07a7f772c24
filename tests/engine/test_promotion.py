"""Temporal scales: what proves durable is promoted, at reading and for good (A-17)."""

from contextlib import closing
from dataclasses import replace
from typing import Any

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import Ticks, kept

from engraphy import Memory
from engraphy.stores.sqlite import open_store

__all__ = ["clock", "opening"]

MINUTE = 60_000_000
PROMPT = "what does the parser read?"


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """An empty memory of letsgo that drops no match, and whose maintenance promotes alone."""
    alone = {"steps": ["expire", "promote"]}
    return opening(profile="letsgo", overrides={"score": {"min_score": 0.0}, "dream": alone})


def delivered(memory: Memory, key: str, times: int) -> None:
    """Deliver a memory so often."""
    for _ in range(times):
        memory.get(key)


def one_place(scale: str, **inject: Any) -> dict[str, Any]:
    """Knobs of a block with one place, for one scale."""
    layer = {
        "name": "relevant", "source": "relevant", "kinds": [], "min_priority": "low", "quota": 1,
        "scales": {scale: 1}, "score": "hit", "min_score": 0.0, "order": "score",
        "shown": "oldest", "repeats": True,
    }  # fmt: skip
    return {"inject": {"layers": [layer], **inject}, "score": {"min_score": 0.0}}


@pytest.mark.spec("A-17")
def test_maintenance_promotes_scale_by_scale(memory: Memory) -> None:
    """Immediate, task, session, project: one scale for every third delivery, kept in the memory;
    beyond project there is nothing."""
    row = kept(memory.remember("The parser reads tokens"))
    found = []
    for _ in range(5):
        memory.dream()
        found.append(memory.get(row.id, touch=False).temporal_scale.value)
        delivered(memory, row.id, 3)
    assert found == ["immediate", "task", "session", "project", "project"]


@pytest.mark.spec("A-17")
def test_two_deliveries_prove_nothing(memory: Memory) -> None:
    """Below three it stays where its age puts it."""
    row = kept(memory.remember("The parser reads tokens"))
    delivered(memory, row.id, 2)
    assert memory.dream().changed == 0
    assert memory.get(row.id, touch=False).temporal_scale == "immediate"


@pytest.mark.spec("A-17")
@pytest.mark.spec("R-03")
def test_a_promotion_moves_no_clock_of_its_reader(memory: Memory, clock: Ticks) -> None:
    """Nothing but its scale moves; and what is promoted is not planned again."""
    row = kept(memory.remember("The parser reads tokens"))
    delivered(memory, row.id, 3)
    before = memory.get(row.id, touch=False)
    clock.pass_days(1)
    assert memory.dream(dry_run=True).changed == 1
    assert memory.get(row.id, touch=False) == before
    assert memory.dream().changed == 1
    after = memory.get(row.id, touch=False)
    assert after == replace(before, temporal_scale=after.temporal_scale)
    assert (after.access_count, after.version) == (3, 1)
    assert memory.dream().changed == 0


@pytest.mark.spec("A-17")
@pytest.mark.spec("R-07")
def test_a_promotion_is_journaled(memory: Memory) -> None:
    """With the old and the new scale, and why."""
    row = kept(memory.remember("The parser reads tokens"))
    delivered(memory, row.id, 6)
    memory.dream()
    with closing(open_store(memory.path)) as store:
        line = store.journal(memory.tenant, limit=100)[-1]
    assert (line.op, line.target_id, line.actor) == ("maintenance", row.id, "dream")
    assert line.reason == "it proved durable: session"
    assert '"temporal_scale":"immediate"' in (line.payload or "")
    assert '"temporal_scale":"session"' in (line.payload or "")


@pytest.mark.spec("A-17")
@pytest.mark.parametrize("every", [3, 0])
def test_a_promoted_memory_takes_a_place_of_its_scale(
    opening: Opening, clock: Ticks, every: int
) -> None:
    """A young one that maintenance promoted to session has the place of that scale and of no
    other: its deliveries are not counted a second time, nor is what is written forgotten where
    deliveries no longer promote."""
    memory = opening(profile="letsgo", overrides={"score": {"min_score": 0.0}})
    own = {}
    for scale, minutes in (("immediate", 0), ("task", 10), ("session", 60), ("project", 900)):
        text = f"A parser of the {scale} kind was seen to read, among many other things"
        own[scale] = kept(memory.remember(text, at=clock.now - minutes * MINUTE)).id
    young = kept(memory.remember("What does the parser read? The parser reads tokens")).id
    delivered(memory, young, 6)
    memory.dream()
    for scale, native in own.items():
        reader = opening(profile="letsgo", overrides=one_place(scale, promote_every=every))
        (hit,) = reader.context(PROMPT).hits
        assert hit.memory.id == (young if scale == "session" else native), scale


@pytest.mark.spec("A-17")
def test_a_promoted_memory_is_never_moved_down(opening: Opening) -> None:
    """Knobs that ask for more deliveries leave what was promoted where it is."""
    memory = opening(profile="letsgo")
    row = kept(memory.remember("The parser reads tokens"))
    delivered(memory, row.id, 9)
    memory.dream()
    stricter = opening(profile="letsgo", overrides={"inject": {"promote_every": 100}})
    assert stricter.dream().changed == 0
    assert stricter.get(row.id, touch=False).temporal_scale == "project"


@pytest.mark.spec("A-17")
def test_what_is_over_is_not_promoted(memory: Memory, clock: Ticks) -> None:
    """An expired memory stays what it was."""
    row = kept(memory.remember("The parser reads tokens", ttl_days=1))
    delivered(memory, row.id, 5)
    clock.pass_days(2)
    memory.dream()
    (gone,) = memory.list(include=["expired"])
    assert (gone.id, gone.state, gone.temporal_scale) == (row.id, "expired", "immediate")


def test_the_other_profiles_promote_nothing(opening: Opening) -> None:
    """Scales are letsgo's: default writes none."""
    memory = opening()
    row = kept(memory.remember("The parser reads tokens"))
    delivered(memory, row.id, 9)
    memory.dream()
    assert memory.get(row.id, touch=False).temporal_scale == "immediate"
