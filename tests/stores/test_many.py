"""Many threads and processes on one file: nothing is lost, nobody is refused (P-04)."""

import os
import shutil
import subprocess
import threading
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from tests.processes import started
from tests.stores.making import HERE, MODEL, TENANT, insert, made, opened, seen, with_vector, write

from engraphy.errors import ConflictError, InvalidInputError, StoreClosedError
from engraphy.model.change import Forget, Insert, Touch, Update, VectorRow
from engraphy.model.query import Listing, Term
from engraphy.model.scope import Tenant
from engraphy.stores.sqlite import SqliteStore, open_store

ZEBRA = [Term(term="zebra", surface="zebra")]


WRITER = """
import sys
from tests.stores.making import made, with_vector, write
from engraphy.model.change import Touch
from engraphy.stores.sqlite import open_store

path, number, count = sys.argv[1:]
store = open_store(path)
for step in range(int(count)):
    row = made(f"p{number}-{step}", f"zebra p{number} s{step}")
    write(store, with_vector(row, 1.0, step + 1.0), Touch(ids=("shared",)))
store.close()
"""

WRITES_ON = """
import sys
import time
from pathlib import Path
from tests.stores.making import made, with_vector, write
from engraphy.model.change import Touch
from engraphy.stores.sqlite import open_store

path, number, seconds = sys.argv[1:]
resting, over = (Path(path).with_name(name) for name in ("resting", "over"))
store, step, end = open_store(path), 0, time.monotonic() + float(seconds)
while not over.exists() and time.monotonic() < end:
    if resting.exists():
        time.sleep(0.005)
        continue
    row = made(f"p{number}-{step}", f"zebra p{number} s{step}")
    write(store, with_vector(row, 1.0, step + 1.0), Touch(ids=("shared",)))
    step += 1
store.close()
"""


def _many(folder: Path, processes: int, count: int) -> None:
    store = opened(folder)
    insert(store, made("shared"))
    running = started(WRITER, *((store.path, number, count) for number in range(processes)))
    while running.poll() is None:
        assert store.count(seen(), Listing()) >= 1
        time.sleep(0.02)
    assert (running.returncode, running.communicate()[1]) == (0, b"")
    total = processes * count
    assert store.count(seen(), Listing()) == total + 1
    assert store.get(seen(), ["shared"])[0].access_count == total
    assert len(store.journal(TENANT, limit=10**6)) == 2 * total + 1
    assert len(store.search_vector(seen(), MODEL, (1.0, 1.0), total)) == total
    assert store.search_text(seen(), ZEBRA, 9).documents == total + 1
    assert [check.detail for check in store.check(deep=True) if not check.ok] == []
    store.close()


@pytest.mark.long
@pytest.mark.parametrize("count", [8, pytest.param(30, marks=pytest.mark.slow)])
def test_eight_processes_write_at_once(tmp_path: Path, count: int) -> None:
    """Eight writers lose nothing and are never refused; readers go on. How long they wait at most
    is measured by `engraphy-prove processes`."""
    _many(tmp_path, 8, count)


@pytest.mark.slow
def test_eight_processes_write_for_long(tmp_path: Path) -> None:
    """The same with 500 writes each, as the issue states it."""
    _many(tmp_path, 8, 500)


@pytest.mark.long
def test_threads_share_a_store(tmp_path: Path) -> None:
    """Each thread has a connection of its own; what one writes the others read."""
    store = opened(tmp_path)
    failures: list[BaseException] = []

    def work(number: int) -> None:
        try:
            for step in range(25):
                write(store, with_vector(made(f"t{number}-{step}", f"zebra {number} {step}"), 1.0))
                assert store.search_text(seen(), ZEBRA, 200).matches
                assert store.search_vector(seen(), MODEL, (1.0,), 200)
        except BaseException as failure:  # noqa: BLE001 - told by the main thread
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []
    assert store.count(seen(), Listing()) == 150
    store.close()
    with pytest.raises(StoreClosedError):
        store.count(seen(), Listing())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_fork_carries_no_connection_over(tmp_path: Path) -> None:
    """A forked child and its parent both go on writing, each with connections of its own."""
    store = opened(tmp_path)
    insert(store, made("before"))
    child = os.fork()
    if child == 0:
        code = 1
        try:
            for step in range(50):
                insert(store, made(f"child{step}"))
            store.close()
            code = 0
        finally:
            os._exit(code)
    for step in range(50):
        insert(store, made(f"parent{step}"))
    _, status = os.waitpid(child, 0)
    assert status == 0
    assert store.count(seen(), Listing()) == 101
    assert [check.detail for check in store.check(deep=True) if not check.ok] == []
    store.close()


def test_one_of_two_deciders_wins(tmp_path: Path) -> None:
    """Two updates decided on the same row: the second is a conflict and reads again."""
    store, other = opened(tmp_path), opened(tmp_path)
    row = made("m")
    insert(store, row)
    first = replace(row, content="first", version=2, updated_at=row.updated_at + 1)
    write(store, Update(memory=first, expected=row))
    second = replace(row, content="second", version=2, updated_at=row.updated_at + 2)
    with pytest.raises(ConflictError):
        write(other, Update(memory=second, expected=row))
    assert other.get(seen(), ["m"]) == [first]
    store.close()
    other.close()


def test_counters_that_moved_meanwhile_are_kept(tmp_path: Path) -> None:
    """An update writes what it changed, not what it happened to have read."""
    store = opened(tmp_path)
    row = made("m")
    insert(store, row)
    write(store, Touch(ids=("m",)), Touch(ids=("m",)))
    write(store, Update(memory=replace(row, pinned=True), expected=row))
    (held,) = store.get(seen(), ["m"])
    assert (held.access_count, held.pinned) == (2, True)
    store.close()


def test_failed_write_leaves_the_store_usable(tmp_path: Path) -> None:
    """After a refused transaction the same store writes and reads on."""
    store = opened(tmp_path)
    for _ in range(3):
        with pytest.raises(InvalidInputError):
            write(store, Insert(memory=made("a")), Insert(memory=made("b", difficulty=99.0)))
        foreign = made("c", scope=replace(HERE, tenant=Tenant("other")))
        with pytest.raises(InvalidInputError):
            write(store, Insert(memory=foreign))
    insert(store, made("a"))
    write(store, Forget(id="a"))
    assert store.count(seen(), Listing()) == 0
    store.close()


@pytest.mark.long
def test_backup_while_others_write(tmp_path: Path) -> None:
    """A backup taken under load is whole and consistent; restoring it brings back its moment."""
    store, writer = opened(tmp_path), opened(tmp_path)
    insert(store, *(made(f"m{number}", f"{'filler ' * 200} {number}") for number in range(200)))
    stop = threading.Event()

    def work() -> None:
        step = 0
        while not stop.is_set():
            write(writer, with_vector(made(f"late{step}"), 1.0))
            step += 1

    thread = threading.Thread(target=work)
    thread.start()
    copies = []
    for number in range(4):
        target = tmp_path / f"copy{number}.db"
        store.backup(str(target))
        copies.append(target)
    stop.set()
    thread.join()
    counts = Counter[str]()
    for target in copies:
        copy = open_store(str(target), read_only=True)
        counts[target.name] = copy.count(seen(), Listing())
        assert [check.detail for check in copy.check(deep=True) if not check.ok] == []
        copy.close()
    assert min(counts.values()) >= 200
    store.restore(str(copies[0]))
    assert store.count(seen(), Listing()) == counts[copies[0].name]
    assert writer.count(seen(), Listing()) == counts[copies[0].name]
    write(writer, with_vector(made("afterwards"), 1.0))
    assert "afterwards" in {m.id for m in store.search_vector(seen(), MODEL, (1.0,), 10**4)}
    assert [check.detail for check in store.check(deep=True) if not check.ok] == []
    store.close()
    writer.close()


@pytest.mark.spec("P-07")
@pytest.mark.parametrize(
    ("stores", "backups"),
    [pytest.param(1, 2, marks=pytest.mark.long), pytest.param(8, 25, marks=pytest.mark.slow)],
)
def test_backups_while_processes_write(tmp_path: Path, stores: int, backups: int) -> None:
    """A backup of a store that processes never stop writing ends, holds one moment of it, all that
    was acknowledged before, and restores."""
    for number in range(stores):
        folder = tmp_path / str(number)
        folder.mkdir()
        _backed_up(folder, backups)
        shutil.rmtree(folder)


def _backed_up(folder: Path, backups: int) -> None:
    store, resting = opened(folder), folder / "resting"
    wide = VectorRow(model_id="wide", parts=((1.0,) * 4_096,))
    rows = (made(f"m{number}") for number in range(2_000))
    write(store, Insert(memory=made("shared")), *(Insert(memory=row, vector=wide) for row in rows))
    running = started(WRITES_ON, *((store.path, number, 20 + 5 * backups) for number in range(2)))
    for number in range(backups):
        resting.unlink(missing_ok=True)
        written = _grown(store, running, 20)
        copy = folder / f"copy{number}.db"
        assert store.backup(str(copy)) > 10_000_000
        _grown(store, running, 1)
        resting.touch()
        assert written <= _restored(copy, folder / f"restored{number}")
        copy.unlink()
    (folder / "over").touch()
    assert (running.wait(), running.communicate()[1]) == (0, b"")
    store.close()


def _grown(store: SqliteStore, running: "subprocess.Popen[bytes]", more: int) -> int:
    """How many memories there are, once others wrote so many more."""
    least = store.count(seen(), Listing()) + more
    while (count := store.count(seen(), Listing())) < least:
        assert running.poll() is None
        time.sleep(0.005)
    return count


def _restored(copy: Path, folder: Path) -> int:
    """How many memories a backup restores, all of the same moment."""
    folder.mkdir()
    store = opened(folder)
    store.restore(str(copy))
    rows = store.page(seen(), Listing(limit=10**6))
    steps: dict[str, set[int]] = {"p0": set(), "p1": set()}
    for row in rows:
        if row.id.startswith("p"):
            process, step = row.id.split("-")
            steps[process].add(int(step))
    written = sum(map(len, steps.values()))
    assert all(found == set(range(len(found))) for found in steps.values())
    assert store.get(seen(), ["shared"])[0].access_count == written
    assert len(store.journal(TENANT, limit=10**6)) == 2_001 + 2 * written
    assert [check.detail for check in store.check(deep=True) if not check.ok] == []
    store.close()
    shutil.rmtree(folder)
    return len(rows)
