"""Files that are no store, or cannot be read or written: a typed error, and not a byte changed."""

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import apsw
import pytest
from tests.engine.conftest import Opening
from tests.engine.making import bring, kept, opened, texts

from engraphy import EngraphyError, Memory
from engraphy.errors import (
    ForeignFileError,
    InvalidInputError,
    NewerSchemaError,
    SettingsError,
    StoreCorruptError,
    StoreError,
    UnreadableFileError,
)


def refused(path: Path, error: type[EngraphyError]) -> EngraphyError:
    """The error of opening, which names the file and leaves it as it is."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(error) as caught:
        opened(path)
    assert str(path) in str(caught.value)
    if before is not None:
        assert path.read_bytes() == before
    return caught.value


@pytest.mark.parametrize(
    "content", [b"hello world", b"\x89PNG\r\n\x1a\n" + bytes(900), b"{}" * 5_000, b"\0" * 8_192]
)
def test_a_foreign_file_is_refused(tmp_path: Path, content: bytes) -> None:
    """What is no database is not taken for an empty one, nor overwritten."""
    path = tmp_path / "notes.db"
    path.write_bytes(content)
    refused(path, StoreError)


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    """Another program's SQLite file stays as it is, to the byte."""
    path = tmp_path / "other.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE memories (id INTEGER, text TEXT)")
    connection.execute("INSERT INTO memories VALUES (1, 'theirs')")
    connection.close()
    refused(path, ForeignFileError)
    assert sorted(file.name for file in tmp_path.iterdir() if "lock" not in file.name) == [
        "other.db"
    ]


def test_a_newer_schema_is_refused(opening: Opening) -> None:
    """A file of a later engraphy is not touched, and the error says to upgrade."""
    memory = opening()
    memory.remember("from the future")
    memory.close()
    path = Path(memory.path)
    connection = apsw.Connection(str(path))
    (number,) = next(connection.execute("PRAGMA user_version"))
    connection.execute(f"PRAGMA user_version = {number + 1}")
    connection.execute("INSERT INTO migrations VALUES (999, 'future', 1)")
    connection.close()
    error = refused(path, NewerSchemaError)
    assert "upgrade" in str(error)


def test_an_empty_file_becomes_a_store(tmp_path: Path) -> None:
    """A file of no bytes is a store in the making."""
    path = tmp_path / "new.db"
    path.touch()
    with opened(path) as memory:
        memory.remember("the first")
        assert texts(memory.list()) == ["the first"]


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    """A folder, or a file in the way of a folder, is named with the problem."""
    refused(tmp_path, UnreadableFileError)
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError) as caught:
        opened(tmp_path / "file" / "x.db")
    assert str(tmp_path / "file" / "x.db") in str(caught.value)


@pytest.mark.parametrize("path", [5, b"x.db", ["x"], "", "a\0b", "\ud800.db", "x" * 5_000])
def test_a_bad_path_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: object
) -> None:
    """A path is a text or a Path that the system can open."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises((InvalidInputError, StoreError)):
        Memory(path, embedder="none")  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


NOTES = [f"note number {n} of many in this file" for n in range(200)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a memory of these notes."""
    path = tmp_path_factory.mktemp("whole") / "store.db"
    with opened(path) as memory:
        bring(memory, NOTES)
    return path.read_bytes()


@pytest.mark.parametrize(
    "at",
    [
        0.1,
        pytest.param(0.3, marks=pytest.mark.slow),
        0.5,
        pytest.param(0.7, marks=pytest.mark.slow),
        0.9,
    ],
)
def test_a_damaged_file_is_never_taken_for_whole(tmp_path: Path, whole: bytes, at: float) -> None:
    """Damaged bytes give the right rows or a typed error, and the file is never thrown away."""
    path, rows = tmp_path / "store.db", set(NOTES)
    data = bytearray(whole)
    start = int(len(data) * at) // 4_096 * 4_096
    data[start : start + 4_096] = os.urandom(4_096)
    path.write_bytes(data)
    with suppress(StoreError), opened(path) as again:
        assert set(texts(again.list(limit=1_000))) <= rows
        assert set(texts(again.recall("which note of many?", limit=50))) <= rows
    assert path.stat().st_size >= len(data) - 4_096 * 8


def test_a_truncated_file_says_so(tmp_path: Path, whole: bytes) -> None:
    """Half a file is an error, not a smaller memory."""
    path = tmp_path / "store.db"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(StoreCorruptError):
        _read_whole(path)


def _read_whole(path: Path) -> None:
    with opened(path) as memory:
        assert len(memory.list(limit=1_000)) == 200


READ_ONLY = """
import sys
from engraphy import Memory, EngraphyError
path = sys.argv[1]
with Memory(path, embedder="none") as memory:
    print([hit.memory.content for hit in memory.recall("where does the heron nest?")])
    print([row.access_count for row in memory.list()])
    try:
        memory.remember("a new one")
    except EngraphyError as error:
        print(type(error).__name__, path in str(error))
    for dry in (False, True):
        try:
            memory.dream(dry_run=dry)
        except EngraphyError as error:
            print("dream", type(error).__name__)
try:
    Memory(embedder="none")
except EngraphyError as error:
    print("home", type(error).__name__)
"""


@pytest.mark.long
@pytest.mark.skipif(
    os.geteuid() == 0 and shutil.which("setpriv") is None,
    reason="root may write anywhere, and there is no setpriv to become somebody else",
)
def test_a_read_only_file_can_be_read(opening: Opening, tmp_path: Path) -> None:
    """Without leave to write, questions are answered untouched; a write, a dream or a new store
    is a typed error."""
    memory = opening()
    kept(memory.remember("The heron nests by the lake"))
    memory.close()
    folder = tmp_path / "locked"
    folder.mkdir()
    path = folder / "store.db"
    shutil.copy(memory.path, path)
    for place, mode in ((path, 0o444), (folder, 0o555)):
        place.chmod(mode)
    for parent in folder.parents:
        if parent.owner() == folder.owner() and parent != parent.parent:
            parent.chmod(parent.stat().st_mode | 0o055)
    become = ["setpriv", "--reuid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    run = subprocess.run(
        [*become, sys.executable, "-c", READ_ONLY, str(path)],
        capture_output=True, text=True, check=False, timeout=60,
        env={
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(sys.path),
            "HOME": str(folder),
        },
    )  # fmt: skip
    folder.chmod(0o755)
    if "Permission" in run.stderr and "store.db" not in run.stderr:
        pytest.skip("the other user may not read this interpreter")
    assert run.stdout.splitlines() == [
        "['The heron nests by the lake']",
        "[0]",
        "StoreReadOnlyError True",
        "dream StoreReadOnlyError",
        "dream StoreReadOnlyError",
        "home StoreReadOnlyError",
    ], run.stderr


def test_the_home_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a path the store lies in ENGRAPHY_HOME, which is made; a file there is an error."""
    monkeypatch.setenv("ENGRAPHY_HOME", str(tmp_path / "deep" / "home"))
    with Memory(embedder="none") as memory:
        memory.remember("at home")
        assert Path(memory.path).parent == tmp_path / "deep" / "home"
    (tmp_path / "file").write_text("x")
    monkeypatch.setenv("ENGRAPHY_HOME", str(tmp_path / "file"))
    with pytest.raises(SettingsError, match="ENGRAPHY_HOME"):
        Memory(embedder="none")


def test_the_environment_chooses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Profile, tenant and embedder may come from the environment; arguments win."""
    monkeypatch.setenv("ENGRAPHY_PROFILE", "letsgo")
    monkeypatch.setenv("ENGRAPHY_TENANT", "acme")
    monkeypatch.setenv("ENGRAPHY_EMBEDDER", "none")
    with Memory(tmp_path / "a.db") as memory:
        assert (memory.tenant, memory.embedder_id) == ("acme", "none")
        assert kept(memory.remember("kept for a while")).expires_at is not None
    with Memory(tmp_path / "a.db", profile="default", tenant="other") as memory:
        assert memory.tenant == "other"
        assert memory.list() == []
        assert kept(memory.remember("kept for good")).expires_at is None


@pytest.mark.parametrize("tenant", ["", 5, "a\0", "x" * 513])
def test_a_bad_tenant_is_refused(tmp_path: Path, tenant: object) -> None:
    """The outermost wall has a name of 1 to 512 characters."""
    with pytest.raises(InvalidInputError, match="tenant"):
        Memory(tmp_path / "a.db", tenant=tenant, embedder="none")  # type: ignore[arg-type]
