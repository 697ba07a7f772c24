"""Compacting: what says the same becomes one memory, the indexes are put in order."""

import sqlite3
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from tests.cli.test_commands import Run, run, told
from tests.dream.conftest import Beside, KilledError, course, everything, killed_after
from tests.engine.conftest import Opening
from tests.engine.making import Ticks

from engraphy import Memory
from engraphy.errors import AlreadyDreamingError
from engraphy.stores.sqlite.store import open_store

__all__ = ["run"]

TWICE = (
    "The tide table of the harbour hangs beside the door of the office",
    "The tide table of the harbour hangs beside the door of the office!",
)


@pytest.fixture
def twice(opening: Opening, beside: Beside) -> Memory:
    """A memory of the profile `default` that holds one thing twice, behind three sets of walls."""
    memory = opening()
    for user in (None, "ada", "bob"):
        beside(memory, *TWICE, **({} if user is None else {"user": user}))
    return memory


def held(memory: Memory) -> list[int]:
    """How many current memories each of the three sees as their own."""
    shared = len(memory.list())
    return [shared, *(len(memory.list(user=user)) - shared for user in ("ada", "bob"))]


@pytest.mark.spec("D-52")
def test_what_says_the_same_becomes_one(twice: Memory) -> None:
    """Over every scope of the tenant, with links and reasons in the report; a second time finds
    nothing, and what it left of the store passes every check."""
    done = twice.compact()
    assert (done.merged, done.finished, done.dry_run) == (3, True, False)
    assert [(step.name, step.changed) for step in done.steps] == [("dedup", 3)]
    assert done.steps[0].why[0][1] == 3
    assert held(twice) == [1, 1, 1]
    assert done.bytes_before > 0
    assert done.bytes_after > 0
    again = twice.compact()
    assert (again.merged, again.run) == (0, "")
    assert [check for check in twice.doctor(deep=True) if not check.ok] == []


def test_a_scope_is_compacted_alone(twice: Memory) -> None:
    """Named walls are the only ones that are looked at."""
    assert twice.compact(user="ada").merged == 1
    assert held(twice) == [2, 1, 2]


def test_it_is_undone_like_a_dream(twice: Memory) -> None:
    """The last one by its name, any by its run; what was there stands there again, and a dream
    beside it is another matter."""
    before = course(twice)
    done = twice.compact()
    twice.dream()
    twice.undo(last="compact")
    assert held(twice) == [2, 2, 2]
    assert {row[:2] for row in course(twice)} == {row[:2] for row in before}
    second = twice.compact()
    assert done.run != second.run
    assert len(twice.undo(run=second.run).changed) == 6
    assert held(twice) == [2, 2, 2]


def test_a_dry_run_shows_the_same_and_changes_nothing(twice: Memory) -> None:
    """The report is that of the real one; not a row, nor a line of the journal, differs."""
    before, lines = course(twice), twice.stats().journal_entries
    shown = twice.compact(dry_run=True)
    assert course(twice) == before
    assert twice.stats().journal_entries == lines
    done = twice.compact()
    assert shown.dry_run
    assert shown.run == ""
    assert (shown.merged, [s.why for s in shown.steps]) == (
        done.merged,
        [s.why for s in done.steps],
    )


@pytest.mark.long
@pytest.mark.spec("D-52")
def test_space_is_given_back_and_the_indexes_are_whole(opening: Opening, tmp_path: Path) -> None:
    """After much was forgotten the file shrinks to what is left, the full-text index is merged,
    and what plans are made by is counted: numbers, and no word of a memory."""
    memory = opening()
    for number in range(12):
        memory.remember(f"Harbour {number}: " + f"the pier number {number} has a crane, " * 40)
    for row in memory.list(limit=10):
        memory.forget(row.id)
    memory.remember("The zephyranthes of the window box blooms")
    done = memory.compact()
    file = tmp_path / "store.db"
    assert done.bytes_after == file.stat().st_size
    assert done.bytes_after <= done.bytes_before
    with closing(sqlite3.connect(file)) as other:
        assert other.execute("PRAGMA freelist_count").fetchone() == (0,)
        assert other.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        counted = other.execute("SELECT tbl, idx, stat FROM sqlite_stat1").fetchall()
    with closing(apsw.Connection(str(file))) as other:
        samples = other.execute("SELECT count(*) FROM sqlite_stat4").get
    assert "memories_by_hash" in {idx for _, idx, _ in counted}
    assert not samples
    assert not any("zephyranthes" in str(line) for line in counted)
    assert [hit.memory.content for hit in memory.recall("zephyranthes")] != []


def test_it_leaves_the_nights_as_they_were(opening: Opening, beside: Beside, clock: Ticks) -> None:
    """It is no cycle: when the next dream is due does not move."""
    memory = opening()
    first = memory.dream()
    clock.pass_days(0.9)
    beside(memory, *TWICE)
    assert memory.compact().merged == 1
    later = memory.dream(due=True)
    assert not later.due
    assert later.next_due_at == first.next_due_at


def test_nobody_compacts_beside_a_dream(twice: Memory, opening: Opening) -> None:
    """Whoever comes second is told so, and nothing happens."""
    other = opening()
    with (
        closing(open_store(twice.path)) as store,
        store.alone(twice.tenant),
        pytest.raises(AlreadyDreamingError),
    ):
        other.compact()
    assert held(twice) == [2, 2, 2]


def test_whoever_kills_it_finds_whole_merges(twice: Memory) -> None:
    """Killed between two batches it leaves what it wrote, each merge whole; the next one does the
    rest, and each can be undone."""
    with killed_after(1), pytest.raises(KilledError):
        twice.compact()
    states = [row.state for user in (None, "ada", "bob") for row in everything(twice, user=user)]
    assert "superseded" in states or held(twice) == [2, 2, 2]
    twice.compact()
    assert held(twice) == [1, 1, 1]
    for row in everything(twice, user="ada"):
        assert row.state == "active" or row.superseded_by is not None


def test_what_is_protected_or_differs_stays(opening: Opening, beside: Beside) -> None:
    """A number, a level, an origin or a pin keeps two apart; a profile may list no step at all."""
    memory = opening()
    beside(memory, TWICE[0])
    beside(memory, TWICE[1], sensitivity="secret")
    beside(memory, f"{TWICE[0]} of 20 feet", f"{TWICE[0]} of 30 feet")
    assert memory.compact().merged == 0
    none = opening("none", overrides={"dream": {"to_compact": []}})
    beside(none, *TWICE)
    done = none.compact()
    assert (done.steps, done.merged, done.finished) == ((), 0, True)


def test_on_the_command_line(run: Run) -> None:
    """`engraphy compact` tells the bytes and what was merged; `--dry-run` and `--json` as
    everywhere."""
    told(run, TWICE[0])
    assert "kB" in run("compact").output
    assert "would be" in run("compact", "--dry-run").output
    shown = run("compact", "--json")
    assert shown["merged"] == 0
    assert shown["bytes_after"] > 0
    assert [step["name"] for step in shown["steps"]] == ["dedup"]
