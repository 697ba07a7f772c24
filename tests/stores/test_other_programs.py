"""Programs that know no checksums of pages look into a store, copy it, write it: what is confirmed
goes on without a word to whoever opens it next, what is not is refused (P-05)."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from tests.raw import PAGE, raw
from tests.stores.making import HERE, NOW, TENANT, insert, made, opened, seen, write
from tests.stores.test_page_sums import ALL, filled, flip, is_summed

from engraphy import Memory
from engraphy.errors import StoreCorruptError
from engraphy.model.change import Change, Forget, PutSessionState
from engraphy.model.records import SessionState
from engraphy.stores import ciphering, summing
from engraphy.stores.glance import Place, glance, words
from engraphy.stores.sqlite import SqliteStore
from engraphy.stores.sqlite.logs import KEPT, LOG
from engraphy.stores.sqlite.migrations import newest
from engraphy.stores.sqlite.recoding import recode
from engraphy.stores.sqlite.repairing import repair
from engraphy.stores.sqlite.sums import wrong_pages

_KILLED = """
import os, sys
from tests.stores.making import insert, made, opened
from pathlib import Path
store = opened(Path(sys.argv[1]))
for number in range(5):
    insert(store, made(f"late{number}", f"the gate number {number} closes at ten"))
os.kill(os.getpid(), 9)
"""
_LOOKS = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1])
print(held.execute("SELECT count(*) FROM memories").fetchone(), flush=True)
sys.stdin.readline()
held.close()
"""
_COPIES = """
import sqlite3, sys
held, copy = map(sqlite3.connect, sys.argv[1:3])
held.backup(copy)
copy.close()
held.close()
"""
STATE = SessionState(scope=HERE, name="window", value='"of doors"', updated_at=NOW)


def run(code: str, *given: object) -> subprocess.CompletedProcess[bytes]:
    """A program of another process."""
    return subprocess.run([sys.executable, "-c", code, *map(str, given)], check=False, timeout=60)


@contextmanager
def looking(file: Path) -> Iterator[None]:
    """Another program that has a store open, and closes it at the end."""
    with subprocess.Popen(
        [sys.executable, "-c", _LOOKS, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdin is not None
        assert other.stdout is not None
        assert other.stdout.readline()
        yield
        other.stdin.write(b"\n")


def held(store: SqliteStore) -> tuple[object, ...]:
    """What a store shows."""
    return list(store.dump(seen())), store.facts(seen(), ALL), store.session_state(seen(), "window")


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A store whose process was killed, and into which somebody looked with another program."""
    filled(tmp_path).close()
    assert run(_KILLED, tmp_path).returncode
    file = tmp_path / "store.db"
    with closing(sqlite3.connect(file)) as other:
        other.execute("SELECT count(*) FROM memories").fetchone()
    assert not Path(f"{file}{LOG}").exists()
    assert wrong_pages(file.read_bytes(), PAGE)
    return file


def test_a_look_after_a_crash_is_no_damage(left: Path, caplog: pytest.LogCaptureFixture) -> None:
    """The log's second name tells that what was moved out of it is what was written: it is told
    once, and all is there."""
    with closing(opened(left.parent)) as store:
        assert len(list(store.dump(seen()))) == 65
        assert all(check.ok for check in store.check(deep=True))
    assert is_summed(left)
    opened(left.parent).close()
    assert sum("another program" in line for line in caplog.messages) == 1
    assert not Path(f"{left}{KEPT}").exists()


def test_a_hook_leaves_it_to_who_opens_the_store(left: Path) -> None:
    """A glance says nothing of such a store, and leaves what tells whose work that is."""
    place = Place(str(left), newest(), str(TENANT), None, NOW + 1)
    question = words("which gate closes", frozenset())
    assert glance(place, question, "") is None
    opened(left.parent).close()
    seen_now = glance(place, question, "")
    assert seen_now is not None
    assert seen_now.found


def test_damage_beside_what_another_program_moved_is_told(left: Path) -> None:
    """A page that is not what the log says gets no checksum."""
    flip(left, b"number 4 closes")
    with (
        closing(opened(left.parent)) as store,
        pytest.raises(StoreCorruptError, match="doctor --repair"),
    ):
        list(store.dump(seen()))
    assert repair(str(left)).needed
    with closing(opened(left.parent)) as store:
        assert len(list(store.dump(seen()))) == 65


@pytest.mark.long
def test_another_program_may_close_last(tmp_path: Path) -> None:
    """It moves the log's pages after the store was closed."""
    store = filled(tmp_path)
    with looking(Path(store.path)):
        insert(store, made("late"))
        shown = held(store)
        store.close()
        assert Path(f"{store.path}{KEPT}").exists()
    assert wrong_pages(Path(store.path).read_bytes(), PAGE)
    with closing(opened(tmp_path)) as store:
        assert held(store) == shown
        assert all(check.ok for check in store.check(deep=True))
    assert is_summed(Path(store.path))


def test_a_copy_that_another_program_made_of_a_store_in_use(tmp_path: Path) -> None:
    """Pages of the log come into it with the checksums of before: all that they hold is confirmed,
    also what nothing tells twice, and nothing of it is kept elsewhere."""
    store = filled(tmp_path)
    store.close()
    store, folder = opened(tmp_path), tmp_path / "copy"
    folder.mkdir()
    insert(store, made("late"))
    write(store, PutSessionState(state=STATE))
    assert not run(_COPIES, store.path, folder / "store.db").returncode
    assert len(wrong_pages((folder / "store.db").read_bytes(), PAGE)) > 5
    with closing(opened(folder)) as copy:
        assert held(copy) == held(store)
        assert copy.session_state(seen(), "window") == STATE
        assert all(check.ok for check in copy.check(deep=True))
    store.close()
    assert is_summed(folder / "store.db")
    assert {one.name for one in folder.iterdir()} == {"store.db", "store.db.lock"}


@pytest.mark.long
@pytest.mark.parametrize("statements", [
    [], ["VACUUM"], ["ANALYZE"], ["CREATE TABLE theirs (a)", "INSERT INTO theirs VALUES (1)"],
])  # fmt: skip
def test_what_another_program_wrote(tmp_path: Path, statements: list[str]) -> None:
    """A copy of a store at rest, or one that was written anew, opens as ever; where others have
    tables in it nothing is taken from them without being asked, and a repair keeps every row."""
    store = filled(tmp_path)
    shown, file = held(store), Path(store.path)
    store.close()
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        if not statements:
            with closing(sqlite3.connect(tmp_path / "copy.db")) as copy:
                other.backup(copy)
        for statement in statements:
            other.execute(statement)
    if not statements:
        (tmp_path / "copy.db").replace(file)
    if len(statements) > 1:
        before = file.read_bytes()
        with pytest.raises(StoreCorruptError, match="another program"):
            opened(tmp_path)
        assert file.read_bytes() == before
        done = repair(str(file))
        assert not done.lost
        assert not done.checks
    with closing(opened(tmp_path)) as store:
        assert held(store) == shown
    assert is_summed(file)


def test_what_is_reconstructed_at_once_is_kept_as_it_was(tmp_path: Path) -> None:
    """Damage that hinders the opening, and of which a repair loses nothing, hinders nobody; the
    bytes stay as after any repair."""
    store = filled(tmp_path)
    shown, file = held(store), Path(store.path)
    store.close()
    with closing(raw(file)) as connection:
        listed = "SELECT pageno FROM dbstat WHERE name = 'facts' AND pagetype = 'leaf'"
        pages = [number for (number,) in connection.execute(listed)]
    data = bytearray(file.read_bytes())
    for number in (1, *pages):
        data[number * PAGE - 4] ^= 1
    file.write_bytes(data)
    with closing(opened(tmp_path)) as store:
        assert held(store) == shown
    assert Path(f"{file}.damaged").read_bytes() == data


@pytest.mark.long
def test_what_nothing_confirms_is_refused(tmp_path: Path) -> None:
    """Where a repair would lose something it is left to who asks for it, and nothing is touched."""
    store = filled(tmp_path)
    write(store, PutSessionState(state=STATE))
    store.close()
    file = Path(store.path)
    with closing(raw(file)) as connection:
        listed = "SELECT pageno FROM dbstat WHERE name = 'session_state' AND pagetype = 'leaf'"
        pages = [number for (number,) in connection.execute(listed)]
    data = bytearray(file.read_bytes())
    for number in (1, *pages):
        for place in (number * PAGE - 4, number * PAGE - 7, number * PAGE - 1):
            data[place] ^= 1
    file.write_bytes(data)
    for _ in range(2):
        with pytest.raises(StoreCorruptError, match="doctor --repair"):
            opened(tmp_path)
        assert file.read_bytes() == data
    assert repair(str(file)).lost == {"session_state": 1}


def test_what_is_forgotten_stands_in_no_second_log(tmp_path: Path) -> None:
    """Emptying the log empties what has its second name; that of another log goes as well, and
    with a key there is none."""
    store = filled(tmp_path)
    file, secret = Path(store.path), b"peculiar"
    insert(store, made("m", "a peculiar gate"))
    kept = Path(f"{file}{KEPT}")
    assert secret in kept.read_bytes()
    change: Change = Forget(id="m", reason="test")
    write(store, change)
    assert secret not in kept.read_bytes()
    kept.unlink()
    kept.write_bytes(secret)
    insert(store, made("n", "another peculiar gate"))
    write(store, Forget(id="n", reason="test"))
    assert not kept.exists() or secret not in kept.read_bytes()
    store.close()
    assert not kept.exists()
    kept.write_bytes(secret)
    key = ciphering.checked("a long passphrase")
    recode(str(file), None, key)
    assert not kept.exists()
    with closing(opened(tmp_path, key=key)) as store:
        insert(store, made("o"))
        assert not kept.exists()


def test_a_new_store_has_checksums_unless_told_otherwise(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each new file in the clear has them; who shares one with a program that must write it says
    so before it is made."""
    with Memory(tmp_path / "summed.db") as memory:
        memory.remember("The staging server listens on port 8047.")
    assert is_summed(tmp_path / "summed.db")
    monkeypatch.setenv("ENGRAPHY_PAGE_SUMS", "off")
    with Memory(tmp_path / "plain.db") as memory:
        memory.remember("The staging server listens on port 8047.")
    assert not summing.has_sums((tmp_path / "plain.db").read_bytes()[:100])
