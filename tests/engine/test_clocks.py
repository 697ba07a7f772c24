"""Any clock: far ahead, far back, jumping; scores and strengths stay inside their ranges (R-11)."""

import math
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, kept, opened, texts

from engraphy import Hit, Memory
from engraphy.model import Memory as Row

YEARS = 365 * DAY
JUMPS = st.integers(-25 * 365, 25 * 365)
RANGES = {
    "importance": (0.0, 1.0),
    "trust": (0.0, 1.0),
    "utility": (0.0, 1.0),
    "valence": (-1.0, 1.0),
    "emotional_arousal": (0.0, 1.0),
    "stability": (0.0, 36_500.0),
    "difficulty": (1.0, 10.0),
    "storage_strength": (1.0, 10.0),
    "retrieval_loss": (0.0, 1.0),
}


def check(rows: list[Row], hits: list[Hit]) -> None:
    """Everything that is a number is finite and inside its range."""
    for row in rows:
        for name, (least, most) in RANGES.items():
            assert least <= getattr(row, name) <= most, name
    for hit in hits:
        assert 0.0 <= hit.score <= 1.0
        assert 0.0 <= hit.confidence <= 1.0
        assert all(math.isfinite(share) for share in hit.why.values())


@pytest.mark.spec("R-11")
@pytest.mark.parametrize("profile", ["default", "letsgo", "layered", "titans", "cognitive"])
def test_every_number_stays_in_range(tmp_path: Path, profile: str) -> None:
    """Through any jumps of the clock, restatements and deliveries, in every profile."""

    @settings(max_examples=8)
    @given(jumps=st.lists(JUMPS, min_size=1, max_size=8))
    def run(jumps: list[int]) -> None:
        clock = Ticks(START + len(list(tmp_path.iterdir())))
        with opened(tmp_path / f"{clock.now}.db", clock, profile=profile) as memory:
            for number, jump in enumerate(jumps):
                clock.pass_days(jump)
                memory.remember("The heron nests by the lake!!!", importance=1.0)
                memory.remember(f"Heron {number} AMAZES me, I love it so much!!!")
                hits = memory.recall("where does the heron nest by the lake?")
                memory.context("where does the heron nest by the lake?")
                memory.dream()
                check(memory.list(include=["expired", "superseded"]), hits)

    run()


@pytest.mark.spec("R-11")
def test_strengths_are_capped(memory: Memory, clock: Ticks) -> None:
    """A thousand restatements and deliveries never leave the ranges."""
    row = kept(memory.remember("The heron nests by the lake"))
    for _ in range(300):
        memory.remember("The heron nests by the lake")
        memory.get(row.id)
    last = memory.get(row.id)
    check([last], [])
    assert last.reinforcement_count == 300
    assert last.access_count == 301


def test_a_clock_that_goes_back_loses_nothing(memory: Memory, clock: Ticks) -> None:
    """What was kept before the clock went back is still there, in its order, and not expired."""
    memory.remember("first", ttl_days=30)
    clock.pass_days(-365 * 10)
    memory.remember("second", ttl_days=30)
    assert texts(memory.list()) == ["second", "first"]
    assert set(texts(memory.timeline())) == {"first", "second"}
    memory.dream()
    assert memory.stats().by_state == {"active": 2}
    rows = memory.list()
    assert all(row.updated_at >= 0 for row in rows)
    assert [row.id for row in memory.list(order="oldest")] == [rows[1].id, rows[0].id]


def test_the_earliest_and_the_latest_year(opening: Opening, clock: Ticks) -> None:
    """Years 1 to 9999 are moments like any other."""
    memory = opening()
    memory.remember("long ago", at="0001-01-01")
    memory.remember("far ahead", at="9999-12-31T23:59:59.999999")
    assert set(texts(memory.timeline())) == {"long ago", "far ahead"}
    assert texts(memory.recall("long ago", as_of="0001-01-02")) == ["long ago"]
    memory.export(Path(memory.path).with_suffix(".jsonl"))
    assert opening("other").import_(Path(memory.path).with_suffix(".jsonl")).memories == 2
