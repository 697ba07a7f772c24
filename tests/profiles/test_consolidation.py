"""letsgo's consolidation, and what the end of a session does (A-18)."""

import math
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import START, Ticks, kept, opened
from tests.engine.nights import now, steps
from tests.examples import few

from engraphy import Memory
from engraphy.model import Memory as Row
from engraphy.model import State
from engraphy.stores.sqlite import open_store

__all__ = ["clock", "opening"]

ALONE: dict[str, Any] = steps("consolidate") | {"write": {"default_ttl_days": 0}}


@pytest.fixture
def memory(opening: Opening) -> Memory:
    """A memory of letsgo whose maintenance consolidates alone."""
    return opening(profile="letsgo", overrides=ALONE)


def fix(memory: Memory, kind: str = "bugfix", importance: float = 0.5, number: int = 0) -> Row:
    """A memory of a kind."""
    text = f"Fix {number}: the parser drops the last token of a line"
    return kept(memory.remember(text, kind=kind, importance=importance))


@pytest.mark.spec("A-18")
@pytest.mark.parametrize(("accesses", "importance"), [(1, 0.5), (2, 0.5), (9, 0.5), (50, 0.95)])
def test_what_was_used_gains(memory: Memory, accesses: int, importance: float) -> None:
    """.03 x ln(1 + accesses since the last run), bounded at 1; no day counts against it."""
    row = fix(memory, importance=importance)
    for _ in range(accesses):
        memory.get(row.id)
    memory.dream()
    gain = 0.03 * math.log(1 + accesses)
    assert now(memory, row).importance == pytest.approx(min(1.0, importance + gain), rel=1e-12)


@pytest.mark.spec("A-18")
def test_accesses_count_once(memory: Memory, clock: Ticks) -> None:
    """Those that a run has taken into account count in none after."""
    row = fix(memory)
    for accesses in (3, 1):
        before = now(memory, row).importance
        clock.pass_days(5)
        for _ in range(accesses):
            memory.get(row.id)
        memory.dream()
        gain = 0.03 * math.log(1 + accesses)
        assert now(memory, row).importance == pytest.approx(before + gain, rel=1e-12)
    assert now(memory, row).settled_access_count == 4


@pytest.mark.spec("A-18")
@pytest.mark.parametrize(
    ("kind", "days", "left"),
    [
        ("bugfix", 10, 0.3),
        ("fact", 10, 0.3),
        ("decision", 10, 0.4),
        ("discovery", 10, 0.4),
        ("bugfix", 25, 0.0),
        ("bugfix", 900, 0.0),
        ("decision", 900, 0.0),
    ],
)
def test_what_was_not_used_loses(
    memory: Memory, clock: Ticks, kind: str, days: float, left: float
) -> None:
    """.02 a day, decisions and discoveries at half the rate; never below 0."""
    row = fix(memory, kind)
    clock.pass_days(days)
    memory.dream()
    assert now(memory, row).importance == pytest.approx(left, abs=1e-5)


@pytest.mark.spec("A-18")
def test_days_count_from_the_last_access_or_run(memory: Memory, clock: Ticks) -> None:
    """Whichever is later; ten runs in ten days take what one takes."""
    often, once = fix(memory), fix(memory, number=1)
    for _ in range(9):
        clock.pass_days(1)
        memory.dream()
    clock.pass_days(1)
    memory.dream()
    assert now(memory, often).importance == pytest.approx(0.3, abs=1e-4)
    memory.get(once.id)
    clock.pass_days(4)
    memory.dream()
    gained = now(memory, once).importance
    assert gained == pytest.approx(0.3 + 0.03 * math.log(2), abs=1e-4)
    clock.pass_days(5)
    memory.dream()
    assert now(memory, once).importance == pytest.approx(gained - 0.1, abs=1e-4)


@pytest.mark.spec("A-18")
def test_twice_in_a_row_changes_nothing(memory: Memory, clock: Ticks) -> None:
    """Neither the gain nor the loss is taken a second time."""
    used, unused = fix(memory), fix(memory, number=1)
    clock.pass_days(7)
    memory.get(used.id)
    assert memory.dream().changed == 2
    before = now(memory, used), now(memory, unused)
    assert memory.dream(dry_run=True).changed == 0
    assert memory.dream().changed == 0
    assert (now(memory, used), now(memory, unused)) == before


@pytest.mark.spec("A-18")
def test_the_rate_is_a_knob(opening: Opening, clock: Ticks) -> None:
    """The document's other figure, .05 a day."""
    faster = ALONE | {"dream": {**ALONE["dream"], "consolidate": {"decay": 0.05}}}
    memory = opening(profile="letsgo", overrides=faster)
    row = fix(memory)
    clock.pass_days(4)
    memory.dream()
    assert now(memory, row).importance == pytest.approx(0.3, abs=1e-5)


@pytest.mark.spec("R-11")
def test_importance_stays_in_range(tmp_path: Path) -> None:
    """Through any accesses, any days and a clock that goes back."""

    @settings(max_examples=few(15))
    @given(
        moves=st.lists(
            st.tuples(st.integers(0, 4), st.floats(-900.0, 900.0)), min_size=1, max_size=6
        ),
        importance=st.floats(0.0, 1.0),
    )
    def run(moves: list[tuple[int, float]], importance: float) -> None:
        path = tmp_path / f"{len(list(tmp_path.glob('*.db')))}.db"
        with opened(path, clock := Ticks(START), profile="letsgo", overrides=ALONE) as memory:
            row = fix(memory, importance=importance)
            for accesses, days in moves:
                clock.pass_days(days)
                before = now(memory, row)
                for _ in range(accesses):
                    memory.get(row.id)
                memory.dream()
                after = now(memory, row)
                assert 0.0 <= after.importance <= 1.0
                assert after.settled_access_count == after.access_count
                if accesses:
                    assert after.importance >= before.importance
                else:
                    assert after.importance <= before.importance

    run()


@pytest.fixture
def letsgo(opening: Opening) -> Memory:
    """A memory of letsgo as it ships."""
    return opening(profile="letsgo")


def session_of(memory: Memory, name: str = "s") -> Any:
    """A session with something done in it, ended."""
    memory.start_session(name)
    memory.observe_tool(
        "Edit",
        "Fixed the crash in the parser: the last token of a line was dropped",
        input={"file_path": "src/parser.py"},
        session=name,
    )
    return memory.end_session(name)


@pytest.mark.spec("A-18")
def test_the_end_of_a_session_consolidates(letsgo: Memory, clock: Ticks) -> None:
    """After its summary is written, in the document's order, and told in its report; ending it
    again changes nothing."""
    row = fix(letsgo)
    letsgo.get(row.id)
    report = session_of(letsgo)
    assert [step.name for step in report.rest] == ["consolidate", "prune", "compress"]
    assert report.failed == ()
    assert report.summary is not None
    assert now(letsgo, row).importance == pytest.approx(0.5 + 0.03 * math.log(2))
    settled = now(letsgo, row)
    again = letsgo.end_session("s")
    assert (again.rest, again.summary) == ((), report.summary)
    assert now(letsgo, row) == settled
    clock.pass_days(0.1)
    session_of(letsgo, "another")
    assert now(letsgo, row) == settled


@pytest.mark.spec("A-18")
@pytest.mark.spec("R-05")
def test_a_session_consolidates_its_own_walls(letsgo: Memory) -> None:
    """What others keep is left to their sessions."""
    theirs = kept(letsgo.remember("The lexer is slow", user="ann", kind="discovery"))
    letsgo.get(theirs.id, user="ann")
    before = letsgo.get(theirs.id, user="ann", touch=False)
    session_of(letsgo)
    assert letsgo.get(theirs.id, user="ann", touch=False) == before


def test_one_that_fails_never_stops_the_others(opening: Opening, clock: Ticks) -> None:
    """Compression fails where its summary cannot be embedded: the session's own summary is
    written, consolidation is done after it, and the report says what failed and why."""
    down: list[bool] = []

    def embed(texts: Sequence[str]) -> list[list[float]]:
        if down and any("crate" in text.lower() for text in texts):
            raise TimeoutError("the embedder is down")
        return [[1.0, float(len(text) % 7)] for text in texts]

    order = {"dream": {"after_session": ["compress", "consolidate"]}}
    memory = opening(profile="letsgo", overrides=order, embedder=embed)
    rows = [
        kept(memory.remember(f"The red crate holds steel bolts, washers and nuts: row {number}"))
        for number in range(4)
    ]
    clock.pass_days(8)
    down.append(True)
    report = session_of(memory)
    assert report.summary is not None
    assert [step.name for step in report.rest] == ["consolidate"]
    [failed] = report.failed
    assert failed.startswith("compress: ")
    assert "the embedder is down" in failed
    assert all(now(memory, row).importance < row.importance for row in rows)
    assert {now(memory, row).state for row in rows} == {State.ACTIVE}


def test_where_another_process_dreams_a_session_ends_all_the_same(letsgo: Memory) -> None:
    """What it is at is left to it, and is no failure."""
    row = fix(letsgo)
    letsgo.get(row.id)
    with closing(open_store(letsgo.path)) as store, store.alone(letsgo.tenant):
        report = session_of(letsgo)
    assert report.summary is not None
    assert (report.rest, report.failed) == ((), ())
    assert now(letsgo, row).importance == row.importance


def test_other_profiles_take_no_step_after_a_session(opening: Opening) -> None:
    """It is letsgo's."""
    assert session_of(opening(profile="default")).rest == ()
