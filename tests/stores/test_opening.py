"""Opening: strange files stay untouched, strange places are refused, and the errors say why."""

import os
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest
from tests.stores.making import TENANT, insert, made, opened, seen, write

from engraphy.errors import (
    ForeignFileError,
    InvalidInputError,
    NewerSchemaError,
    StoreBusyError,
    StoreReadOnlyError,
    UnreadableFileError,
)
from engraphy.model.change import Forget, Insert
from engraphy.model.query import Listing
from engraphy.stores.locks import SideLock
from engraphy.stores.sqlite import open_store
from engraphy.stores.sqlite.mounts import network_filesystem


@pytest.mark.parametrize(
    "content",
    [
        b"just a text file that happens to lie here",
        b"x",
        b"SQLite format 3",
        b"\x00" * 99 + b"\x01",
    ],
)
def test_file_that_is_no_database_stays_untouched(tmp_path: Path, content: bytes) -> None:
    """A file of another kind is named and left exactly as it is, with nothing beside it."""
    file = tmp_path / "store.db"
    file.write_bytes(content)
    with pytest.raises(ForeignFileError, match="not touched"):
        opened(tmp_path)
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


def test_database_of_another_program_stays_untouched(tmp_path: Path) -> None:
    """A foreign SQLite database is recognised by its mark."""
    file = tmp_path / "store.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE memories (x)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(ForeignFileError):
        opened(tmp_path)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]


def test_newer_schema_stays_untouched(tmp_path: Path) -> None:
    """A store of a later version is refused with both numbers."""
    opened(tmp_path).close()
    file = tmp_path / "store.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("PRAGMA user_version = 9999")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(NewerSchemaError, match="9999"):
        opened(tmp_path)
    assert file.read_bytes() == before


def test_empty_file_becomes_a_store(tmp_path: Path) -> None:
    """An empty file is where a store may be made; missing folders are made too."""
    (tmp_path / "store.db").touch()
    store = opened(tmp_path)
    insert(store, made("a"))
    store.close()
    deep = open_store(str(tmp_path / "new" / "folder" / "store.db"))
    assert deep.page(seen(), Listing()) == []
    deep.close()


def test_folder_is_no_file(tmp_path: Path) -> None:
    """A folder in the place of the file is said to be one."""
    (tmp_path / "store.db").mkdir()
    with pytest.raises(UnreadableFileError, match="folder"):
        opened(tmp_path)


def test_reading_only(tmp_path: Path) -> None:
    """Opened for reading, a store answers and refuses to write."""
    with pytest.raises(UnreadableFileError):
        opened(tmp_path, read_only=True)
    writer = opened(tmp_path)
    insert(writer, made("a"))
    reader = opened(tmp_path, read_only=True)
    assert reader.read_only
    assert [m.id for m in reader.page(seen(), Listing())] == ["a"]
    for call in (lambda: write(reader, Forget(id="a")), reader.optimise):
        with pytest.raises(StoreReadOnlyError):
            call()
    insert(writer, made("b"))
    assert reader.count(seen(), Listing()) == 2
    assert all(check.ok for check in reader.check(deep=True))
    reader.close()
    writer.close()


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write anywhere")
def test_folder_that_cannot_be_written(tmp_path: Path) -> None:
    """In a read-only folder an existing store is read, and a new one refused."""
    store = opened(tmp_path)
    insert(store, made("a"))
    store.close()
    tmp_path.chmod(0o500)
    try:
        reader = opened(tmp_path)
        assert reader.read_only
        assert reader.count(seen(), Listing()) == 1
        reader.close()
        with pytest.raises(StoreReadOnlyError):
            open_store(str(tmp_path / "other.db"))
    finally:
        tmp_path.chmod(0o700)


def test_immutable_reading_needs_no_shared_memory(tmp_path: Path) -> None:
    """A closed store without sidecars is read where SQLite cannot make them."""
    store = opened(tmp_path)
    insert(store, made("a"))
    store.optimise()
    store.close()
    assert not (tmp_path / "store.db-wal").exists()
    reader = opened(tmp_path, read_only=True)
    assert [m.id for m in reader.page(seen(), Listing())] == ["a"]
    reader.close()


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be moved there")
@pytest.mark.parametrize("where", ["moved", "deleted", "replaced"])
def test_a_file_that_lost_its_name_takes_nothing(tmp_path: Path, where: str) -> None:
    """Where the file is moved, deleted or replaced while it is open nothing is acknowledged that
    would be lost with it, nor read out of it; back in its place it goes on."""
    store = opened(tmp_path)
    insert(store, made("m1", "the door opens at nine"))
    path, away = Path(store.path), tmp_path / "away.db"
    path.rename(away)
    if where == "replaced":
        path.write_bytes(away.read_bytes())
    with pytest.raises(UnreadableFileError, match="nothing was written"):
        insert(store, made("m2", "the door opens at ten"))
    with pytest.raises(UnreadableFileError):
        store.count(seen(), Listing())
    if where == "deleted":
        away.unlink()
    else:
        away.replace(path)
        insert(store, made("m2", "the door opens at ten"))
        assert store.count(seen(), Listing()) == 2
    store.close()


def test_no_file_is_made_where_one_was_moved_away(tmp_path: Path) -> None:
    """A thread that first comes once the file is gone is told so, and makes no empty one there."""
    store = opened(tmp_path)
    insert(store, made("m1", "the door opens at nine"))
    path, away = Path(store.path), tmp_path / "away.db"
    with ThreadPoolExecutor(1) as other:
        path.rename(away)
        with pytest.raises(UnreadableFileError, match="it was moved"):
            other.submit(store.count, seen(), Listing()).result()
        assert not path.exists()
        away.rename(path)
        assert other.submit(store.count, seen(), Listing()).result() == 1
    store.close()


def test_lock_that_is_never_free(tmp_path: Path) -> None:
    """A writer gives up after the time it was given and says so; afterwards it works again."""
    store = opened(tmp_path, busy_seconds=0.05)
    with (
        SideLock(f"{store.path}.lock", store.path).held(1.0),
        pytest.raises(StoreBusyError, match=r"0\.05"),
    ):
        insert(store, made("a"))
    insert(store, made("b"))
    assert [m.id for m in store.page(seen(), Listing())] == ["b"]
    store.close()


def test_lock_is_handed_on(tmp_path: Path) -> None:
    """A lock that nobody waits for any longer does not stay taken."""
    path = str(tmp_path / "x.lock")
    first, second = SideLock(path, "x"), SideLock(path, "x")
    with first.held(1.0), pytest.raises(StoreBusyError), second.held(0.01):
        pass
    for _ in range(3):
        with second.held(5.0), pytest.raises(StoreBusyError), first.held(0.01):
            pass


def test_network_file_systems_are_named(tmp_path: Path) -> None:
    """The mount that a folder is on decides, the nearest one first."""
    mounts = tmp_path / "mounts"
    mounts.write_text(
        "dev / ext4 rw 0 0\n"
        "server:/x /net nfs4 rw 0 0\n"
        "dev /net/local ext4 rw 0 0\n"
        "share /with\\040space cifs rw 0 0\n"
    )
    told = {
        "/": None,
        "/net": "nfs4",
        "/net/deep/er": "nfs4",
        "/net/local/x": None,
        "/netto": None,
        "/with space/x": "cifs",
    }
    for folder, kind in told.items():
        assert network_filesystem(Path(folder), mounts) == kind, folder
    assert network_filesystem(Path("/net"), tmp_path / "missing") is None


def test_surrogates_and_large_numbers_are_input_errors(tmp_path: Path) -> None:
    """What SQLite cannot hold is an error of the input, and nothing is written."""
    store = opened(tmp_path)
    for bad in (
        made("a", "lone \ud800 surrogate"),
        made("a", valid_from=2**70),
        made("a", importance=1.5),
        made("a", stability=float("nan")),
    ):
        with pytest.raises(InvalidInputError):
            write(store, Insert(memory=bad))
    assert store.count(seen(), Listing()) == 0
    assert store.journal(TENANT) == []
    store.close()


@pytest.mark.long
def test_without_vectors_numpy_stays_out(tmp_path: Path) -> None:
    """A store without an embedder never loads numpy."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from tests.stores.making import *\n"
        "from engraphy.model.query import Term\n"
        f"store = opened(Path({str(tmp_path)!r}))\n"
        "insert(store, made('a', 'zebra words'))\n"
        "assert store.search_text(seen(), [Term(term='zebra', surface='zebra')], 5).matches\n"
        "assert store.candidates(seen(), ['a'], neighbours=1)\n"
        "assert all(check.ok for check in store.check(deep=True))\n"
        "assert 'numpy' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_stock_shell_reads_the_file(tmp_path: Path) -> None:
    """The database is read with Python's own SQLite: rows, counts, and the words of the index."""
    store = opened(tmp_path)
    insert(store, made("a", "zebra words"), made("b", "other words"))
    store.close()
    connection = sqlite3.connect(tmp_path / "store.db")
    assert connection.execute("SELECT count(*) FROM memories").fetchone() == (2,)
    found = connection.execute(
        "SELECT m.id FROM memories_fts AS f JOIN memories AS m ON m.seq = f.rowid"
        " WHERE memories_fts MATCH 'zebra'"
    ).fetchall()
    assert found == [("a",)]
    connection.execute("INSERT INTO memories_fts (memories_fts) VALUES ('integrity-check')")
    connection.close()
