"""What a step reads of a memory is all it looks at: parts of rows are as good as whole ones."""

from collections.abc import Iterator
from itertools import pairwise, product
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.dream.stories import BACKUPS

from engraphy.dream.ripe import category_of, oldest_first
from engraphy.dream.stages import STAGES, guarded
from engraphy.model import (
    Census,
    CoActivation,
    Kind,
    Memory,
    Relation,
    RelationType,
    Snapshot,
    State,
    Update,
    differing,
    moved,
)
from engraphy.model.memory import filled, part_of
from engraphy.profile import load, names
from engraphy.testing.contract.making import T0, memories

ALWAYS = frozenset({"id", "state", "version", "updated_at"})
READING = sorted(name for name, stage in STAGES.items() if stage.reads)
MOVING = [name for name in READING if not STAGES[name].whole]
CHOOSING = [name for name in READING if STAGES[name].whole]
YEARS = 900 * 86_400_000_000


def part(memory: Memory, fields: frozenset[str]) -> Memory:
    """The memory as a store gives it that was asked for these fields."""
    kind = part_of(fields | ALWAYS)
    held = (name for name in Memory.__dataclass_fields__ if name in fields | ALWAYS)
    return filled(kind, (getattr(memory, name) for name in held))


@st.composite
def lives(draw: st.DrawFn) -> list[Memory]:
    """A few memories as years may have left them, most of them awake."""
    rows = []
    for number in range(draw(st.integers(1, 4))):
        row = draw(memories(f"m{number}"))
        state = draw(st.sampled_from([State.ACTIVE, State.ACTIVE, row.state]))
        rows.append(moved(row, state=state, utility=draw(st.floats(0, 1))))
    return rows


def planned(name: str, profile: Any, rows: list[Memory], now: int) -> Iterator[tuple[Any, ...]]:
    """What a step proposes, as far as it is written."""
    ids = [row.id for row in rows]
    snapshot = Snapshot(
        memories=tuple(row for row in rows if row.state in STAGES[name].states),
        census=Census(active=len(rows), mean_accesses=1.5),
        coactivations=tuple(
            CoActivation(first_id=one, second_id=two, count=9, last_at=now)
            for one, two in pairwise(ids)
        ),
        contradictions=tuple(
            Relation(source_id=two, target_id=one, type=RelationType.CONTRADICTS, created_at=T0)
            for one, two in pairwise(ids)
        ),
    )
    for one in guarded(STAGES[name].plan(snapshot, now, profile)):
        assert isinstance(one, Update)
        fields = differing(one.expected, one.memory)
        values = [(getattr(one.expected, field), getattr(one.memory, field)) for field in fields]
        yield one.memory.id, fields, values, one.reason, one.op


@pytest.mark.long
@settings(max_examples=15)
@given(rows=lives(), days=st.integers(0, 900), profile=st.sampled_from(names()))
def test_a_step_needs_nothing_that_it_does_not_read(
    rows: list[Memory], days: int, profile: str
) -> None:
    """Each proposes the same of parts as of whole memories, under every profile; a field that was
    not read would be an error and not a default value."""
    knobs, now = load(profile), T0 + days * YEARS // 900
    for name in MOVING:
        parts = [part(row, STAGES[name].reads) for row in rows]
        assert list(planned(name, knobs, parts, now)) == list(planned(name, knobs, rows, now))


@pytest.mark.long
@settings(max_examples=15)
@given(rows=lives(), profile=st.sampled_from(names()))
def test_a_step_chooses_by_what_it_reads(rows: list[Memory], profile: str) -> None:
    """Each chooses the same of parts as of whole memories, and groups them alike."""
    knobs, now = load(profile), T0 + YEARS
    for stage, row in product((STAGES[name] for name in CHOOSING), rows):
        some = part(row, stage.reads)
        if stage.concerns is not None:
            assert stage.concerns(some, now, knobs) == stage.concerns(row, now, knobs)
        if stage.grouped:
            assert (category_of(some), some.sensitivity) == (category_of(row), row.sensitivity)
            assert (oldest_first(some), some.importance) == (oldest_first(row), row.importance)


@pytest.mark.long
@settings(max_examples=30)
@given(
    rows=lives(),
    days=st.integers(0, 900),
    like=st.booleans(),
    total=st.sampled_from([1, 1_000]),
    told=st.booleans(),
)
def test_a_step_is_due_by_what_it_reads(
    rows: list[Memory], days: int, like: bool, total: int, told: bool
) -> None:
    """Parts of memories say as well as whole ones whether it is, and one that is not due would
    propose nothing."""
    knobs, now = load("cognitive"), T0 + YEARS
    if like:
        first = rows[0]
        same = {"sensitivity": first.sensitivity, "origin": first.origin, "kind": Kind.DECISION}
        rows = [moved(row, content=text, **same) for row, text in zip(rows, BACKUPS, strict=False)]
    made = (moved(rows[0], id="made", content="Told.", updated_at=now - days),) if told else ()
    for name in CHOOSING:
        stage = STAGES[name]
        seen = [row for row in rows if not stage.concerns or stage.concerns(row, now, knobs)]
        beside = {"made": made, "total": total, "since": T0 + days * YEARS // 900}
        if seen:
            parts = Snapshot(memories=tuple(part(row, stage.reads) for row in seen), **beside)
            whole = Snapshot(memories=tuple(seen), **beside)
            assert stage.due(parts, now, knobs) == stage.due(whole, now, knobs)
            assert stage.due(parts, now, knobs) or not list(stage.plan(whole, now, knobs))


def test_what_was_not_read_is_an_error() -> None:
    """Neither asked for nor moved, and never taken for a default value."""
    some = part_of(frozenset({"id", "utility"}))
    memory = filled(some, ["a", 0.5])
    assert (moved(memory, utility=0.25).utility, differing(memory, memory)) == (0.25, ())
    with pytest.raises(AttributeError):
        _ = memory.content
    with pytest.raises(ValueError, match="content"):
        moved(memory, content="new")
