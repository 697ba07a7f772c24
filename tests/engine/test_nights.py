"""Nights, whatever they find: nothing twice, nothing out of range, nothing of an anchor, no pile-up
(R-11, D-42)."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, Ticks, opened
from tests.engine.nights import steps
from tests.engine.test_clocks import RANGES
from tests.examples import few

from engraphy import Memory
from engraphy.dream.strength import retention
from engraphy.model import Insert, Kind, SETTLED, Scope, State, TemporalType, Tier
from engraphy.model import Memory as Row
from engraphy.stores.sqlite import open_store

ROWWISE = {
    "cognitive": (
        "decay", "emotions", "replay", "tiers", "foresight", "rehearse", "useless", "drift",
        "expire",
    ),
    "letsgo": ("expire", "promote", "consolidate"),
    "layered": ("expire", "archive"),
    "titans": ("expire", "lessen"),
}  # fmt: skip
SPARED = ("pinned", "immutable")
ANY = [state.value for state in State if state is not State.ACTIVE]
AGES = st.integers(0, 4_000)


@st.composite
def lives(draw: st.DrawFn, number: int) -> Row:
    """Any memory after any life, recorded at most eleven years before."""
    age = draw(AGES) * DAY
    then = START - age

    def later() -> int | None:
        return draw(st.none() | st.integers(then, START + 40 * DAY))

    return Row(
        id=f"m{number:025d}",
        scope=Scope(tenant="default"),  # type: ignore[arg-type]
        content=f"The heron number {number} always nests by the lake",
        kind=draw(st.sampled_from(Kind)),
        tier=draw(st.sampled_from(Tier)),
        state=draw(st.sampled_from(State)),
        temporal_type=draw(st.sampled_from(TemporalType)),
        pinned=draw(st.booleans()),
        immutable=draw(st.booleans()),
        flashbulb=draw(st.booleans()),
        importance=draw(st.floats(0.0, 1.0)),
        utility=draw(st.floats(0.0, 1.0)),
        stability=draw(st.floats(0.001, 36_500.0)),
        difficulty=draw(st.floats(1.0, 10.0)),
        storage_strength=draw(st.floats(1.0, 10.0)),
        retrieval_loss=draw(st.floats(0.0, 1.0)),
        access_count=draw(st.integers(0, 2**40)),
        settled_access_count=draw(st.integers(0, 2**40)),
        reinforcement_count=draw(st.integers(0, 2**40)),
        valid_from=then,
        recorded_at=then,
        updated_at=then,
        valid_until=later(),
        expires_at=later(),
        last_accessed_at=later(),
        last_decayed_at=later(),
        last_reinforced_at=later(),
        last_rehearsed_at=later(),
        last_drifted_at=later(),
        last_strengthened_at=later(),
    )


def filled(memory: Memory, rows: list[Row]) -> None:
    """Put rows into the store as they are."""
    with closing(open_store(memory.path)) as store:
        store.apply(memory.tenant, [Insert(memory=row) for row in rows], now=START, actor="test")


def held(memory: Memory) -> dict[str, Row]:
    """Every row, in any state."""
    return {row.id: row for row in memory.list(include=ANY, limit=10_000)}


def in_range(rows: Iterator[Row]) -> None:
    """Every number is finite and inside its range."""
    for row in rows:
        for name, (least, most) in RANGES.items():
            assert least <= getattr(row, name) <= most, name


@pytest.mark.spec("R-11")
@pytest.mark.spec("D-44")
@pytest.mark.spec("D-46")
@pytest.mark.parametrize("profile", ROWWISE)
def test_any_life_any_clock(tmp_path: Path, profile: str) -> None:
    """Whatever a memory went through and however the clock jumps: numbers stay in range, a cycle
    repeated at once changes nothing, an immutable memory is never touched, a pinned one never
    retired, and no clock of a reader moves."""

    @settings(max_examples=few(10))
    @given(
        rows=st.tuples(*(lives(number) for number in range(5))),
        jumps=st.lists(st.floats(-3_000.0, 3_000.0), min_size=1, max_size=3),
    )
    def run(rows: tuple[Row, ...], jumps: list[float]) -> None:
        path = tmp_path / f"{len(list(tmp_path.glob('*.db')))}.db"
        clock = Ticks(START)
        overrides = steps(*ROWWISE[profile])
        with opened(path, clock, profile=profile, overrides=overrides) as memory:
            filled(memory, list(rows))
            for jump in jumps:
                clock.pass_days(jump)
                before = held(memory)
                memory.dream()
                after = held(memory)
                in_range(iter(after.values()))
                for one in before.keys() & after.keys():
                    spared(before[one], after[one])
                assert memory.dream().changed == 0
                assert held(memory) == after

    run()


def spared(before: Row, after: Row) -> None:
    """What a night may not move."""
    if before.immutable:
        assert after == before
    if before.pinned:
        assert after.state is before.state
    unmoved = (
        "updated_at", "recorded_at", "last_accessed_at", "last_reinforced_at", "access_count",
        "reinforcement_count", "storage_strength", "content", "version", "pinned", "immutable",
    )  # fmt: skip
    for name in unmoved:
        assert getattr(after, name) == getattr(before, name), name


@pytest.mark.slow
@pytest.mark.spec("R-11")
def test_a_year_of_nights_leaves_numbers_spread(opening: Opening, clock: Ticks) -> None:
    """A hundred memories, some used daily, some now and then, most never, some reported on: after
    a year neither importance nor utility nor stability has piled up at an end of its range, and
    less than half are as good as new."""
    memory = opening(profile="cognitive", overrides=steps(*ROWWISE["cognitive"]))
    random = Random(7)
    kinds = [Kind.FACT, Kind.DECISION, Kind.PREFERENCE, Kind.PLAN, Kind.ENTITY]
    rows = [
        replace(
            Row(id=f"m{n:025d}", scope=Scope(tenant=memory.tenant), content=f"Heron {n} nests"),
            kind=kinds[n % 5], importance=random.random(), stability=7.0,
            valid_from=clock.now, recorded_at=clock.now, updated_at=clock.now,
        )
        for n in range(100)
    ]  # fmt: skip
    filled(memory, rows)
    for _ in range(73):
        clock.pass_days(5)
        for number, row in enumerate(rows):
            if number < 5 or (number < 40 and random.random() < 0.1):
                memory.get(row.id)
                memory.report(row.id, random.random() < 0.6)
        memory.dream()
    last = list(held(memory).values())
    in_range(iter(last))
    for name, most in (("importance", 1.0), ("utility", 1.0), ("stability", 36_500.0)):
        shares = [getattr(row, name) / most for row in last]
        assert sum(share > 0.99 for share in shares) < 5, name
        assert name == "stability" or sum(share < 0.01 for share in shares) < 5, name
    assert len({row.utility for row in last}) > 30
    fresh = [row for row in last if retention(row, "document", clock.now) >= 0.95]
    assert len(fresh) < 50


@pytest.mark.spec("R-07")
def test_a_night_is_journaled(opening: Opening, clock: Ticks) -> None:
    """Old and new of every number that moved, by the actor `dream`, and replay gives the same."""
    memory = opening(profile="cognitive")
    memory.remember("The heron nests by the lake", kind="decision")
    clock.pass_days(3)
    memory.dream()
    with closing(open_store(memory.path)) as store:
        line = store.journal(memory.tenant, limit=100)[-1]
    assert (line.op, line.actor, line.reason) == ("maintenance", "dream", "days without use")
    assert '"retrieval_loss":0.0' in (line.payload or "")
    assert '"retrieval_loss":0.18' in (line.payload or "")
    assert "retrieval_loss" in SETTLED
