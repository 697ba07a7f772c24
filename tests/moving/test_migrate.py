"""A store that is brought over to another engine is the same store."""

import json
import shutil
import signal
import subprocess
import tempfile
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from textwrap import dedent

import apsw
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from tests.moving.making import EVERYTHING, STEPS, Step, TENANTS, play, told
from tests.postgres.server import Server
from tests.processes import forked

from engraphy import Memory
from engraphy.cli import main
from engraphy.errors import (
    InvalidInputError,
    MoveRefusedError,
    UnfinishedMoveError,
    UnreadableFileError,
)
from engraphy.moving import migrate
from engraphy.stores.carrying.tables import MADE_ANEW, TABLES
from engraphy.stores.sqlite import open_store


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A file of two tenants with a row in every table that is carried over."""
    path = tmp_path_factory.mktemp("played") / "old.db"
    play(path, EVERYTHING)
    assert not Path(f"{path}-wal").exists()
    whole = path.read_bytes()
    with closing(apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)) as connection:
        texts = {table.name: f'SELECT 1 FROM "{table.name}" LIMIT 1' for table in TABLES}
        held = {name for name, text in texts.items() if connection.execute(text).get}
    assert held == {table.name for table in TABLES}
    return whole


@pytest.fixture
def store(played: bytes, tmp_path: Path) -> Path:
    """That file, the test's own."""
    path = tmp_path / "old.db"
    path.write_bytes(played)
    return path


def fingerprint(path: Path) -> str:
    """The bytes of a file."""
    return sha256(path.read_bytes()).hexdigest()


@pytest.mark.long
@pytest.mark.spec("D-72")
def test_there_and_back_is_the_same_store(server: Server, store: Path, tmp_path: Path) -> None:
    """From a file to a database and back: the export is the same byte by byte, the journal line by
    line, recalls and grants too; the source is as it was; each move says what it compared."""
    before, bytes_before = told(store, tmp_path), fingerprint(store)
    place, back = server.fresh_url(), tmp_path / "back.db"
    there = migrate(store, place)
    assert told(place, tmp_path) == before
    again = migrate(place, back)
    assert told(back, tmp_path) == before
    assert fingerprint(store) == bytes_before
    assert (there.tenants, there.recall_overlap, there.behind) == (2, 1.0, 0)
    assert [one.digest for one in there.tables] == [one.digest for one in again.tables]
    assert all(one.copied == one.rows for one in there.tables)


@pytest.mark.slow
def test_a_file_to_a_file_and_a_database_to_a_database(
    server: Server, store: Path, tmp_path: Path
) -> None:
    """Engines may be the same on both sides."""
    before = told(store, tmp_path)
    migrate(store, tmp_path / "copy.db")
    assert told(tmp_path / "copy.db", tmp_path) == before
    first, second = server.fresh_url(), server.fresh_url()
    migrate(store, first)
    migrate(first, second)
    assert told(second, tmp_path) == before


@pytest.mark.long
def test_life_goes_on_after_a_move(server: Server, store: Path, tmp_path: Path) -> None:
    """What was brought over is written to like any store, its journal stays whole behind the lines
    that were brought, and it moves on: numbers are never given twice."""
    place, back, once_more = server.fresh_url(), tmp_path / "back.db", server.fresh_url()
    migrate(store, place)
    later: list[Step] = [
        ("remember", "acme", "bob", ["dog", "tea"]),
        ("remember", "default", "ayse", ["staging", "port"]),
        ("edit", "default", "ayse", ["coffee", "port"]),
        ("dream", "default", None, ["tea", "dog"]),
    ]
    play(place, later)
    grown = told(place, tmp_path)
    migrate(place, back)
    assert told(back, tmp_path) == grown
    play(back, later)
    grown = told(back, tmp_path)
    migrate(back, once_more)
    play(once_more, later[:1])
    migrate(once_more, tmp_path / "last.db")
    assert told(tmp_path / "last.db", tmp_path) == told(once_more, tmp_path)


@pytest.mark.long
def test_a_night_among_the_lines_of_other_tenants(server: Server, tmp_path: Path) -> None:
    """Where the last line of the journal was another tenant's as a night ran, the store moves to a
    file, to a database and back all the same, and is dreamt on there."""
    place = tmp_path / "old.db"
    for tenant in ("quiet", *2 * TENANTS, "late"):
        with Memory(place, tenant=tenant) as memory:
            if tenant != "quiet":
                memory.remember(f"Line of {tenant}: the gateway listens on port 8443.")
            memory.dream()
    with Memory(place, tenant="quiet") as memory:
        memory.remember("A tenant whose first night was before its first line.")
    nights = {one: _nights(place, one) for one in (*TENANTS, "late", "quiet")}
    database, back = server.fresh_url(), tmp_path / "back.db"
    for source, target in ((place, tmp_path / "copy.db"), (place, database), (database, back)):
        moved = migrate(source, target)
        assert (moved.tenants, moved.recall_overlap) == (4, 1.0)
        assert {one: _nights(target, one) for one in nights} == nights
    with Memory(back) as memory:
        assert memory.dream().finished_at is not None
        assert [check for check in memory.doctor(deep=True) if not check.ok] == []


def _nights(place: Path | str, tenant: str) -> list[str]:
    with Memory(place, tenant=tenant) as memory:
        return [one.run for one in memory.dreams()]


@pytest.mark.long
def test_one_tenant_alone(server: Server, store: Path, tmp_path: Path) -> None:
    """`tenant` brings one tenant over and nothing of another; one that is not there is refused."""
    wanted = told(store, tmp_path)["acme"]
    for target in (server.fresh_url(), tmp_path / "acme.db"):
        moved = migrate(store, target, tenant="acme")
        assert moved.tenants == 1
        with Memory(target) as memory:
            assert memory.tenants() == ["acme", "default"]
            assert memory.list() == []
        assert told(target, tmp_path)["acme"] == wanted
    with pytest.raises(MoveRefusedError, match="no tenant nobody; it has acme, default"):
        migrate(store, tmp_path / "none.db", tenant="nobody")


def test_a_target_that_holds_something_is_refused(server: Server, store: Path) -> None:
    """Nothing is mixed: the target is empty, or begun from this very source."""
    place = server.fresh_url()
    with Memory(place) as memory:
        memory.remember("Something was here before.")
    with pytest.raises(MoveRefusedError, match="it is not empty"):
        migrate(store, place)
    with Memory(place) as memory:
        assert [one.content for one in memory.list()] == ["Something was here before."]


def test_what_cannot_be_moved_makes_nothing(store: Path, tmp_path: Path) -> None:
    """A source that is not there, and one that is the target, are errors that make no file."""
    with pytest.raises(UnreadableFileError):
        migrate(tmp_path / "none.db", tmp_path / "new.db")
    with pytest.raises(InvalidInputError, match="another place"):
        migrate(store, store)
    assert not (tmp_path / "new.db").exists()


def test_a_journal_that_does_not_fit_is_not_brought_over(store: Path, tmp_path: Path) -> None:
    """A chain that is broken in the source is said, and nothing is moved."""
    with apsw.Connection(str(store)) as connection:
        connection.execute("DROP TRIGGER memory_journal_refuses_update")
        connection.execute("UPDATE memory_journal SET actor = 'x' WHERE seq = 3")
    with pytest.raises(MoveRefusedError, match="does not fit at line 3"):
        migrate(store, tmp_path / "new.db")


@pytest.mark.parametrize("harm", ["cut", "changed", "taken_out"])
def test_lines_that_were_brought_are_still_proven(store: Path, tmp_path: Path, harm: str) -> None:
    """Behind a move a line of a tenant that was changed, cut off or taken out shows as before."""
    target = tmp_path / "acme.db"
    migrate(store, target, tenant="acme")
    with apsw.Connection(str(target)) as connection:
        last = connection.execute("SELECT max(seq) FROM memory_journal").get
        for name in ("update", "delete"):
            connection.execute(f"DROP TRIGGER memory_journal_refuses_{name}")
        connection.execute("PRAGMA foreign_keys = OFF")
        if harm == "changed":
            connection.execute("UPDATE memory_journal SET actor = 'x' WHERE seq = ?", (last,))
        else:
            which = (
                "seq = ?" if harm == "cut" else "seq = (SELECT min(seq) FROM memory_journal) + ?"
            )
            number = last if harm == "cut" else 1
            connection.execute(f"DELETE FROM memory_journal WHERE {which}", (number,))
    with Memory(target, tenant="acme") as memory:
        broken = {check.name for check in memory.doctor(deep=True) if not check.ok}
    assert "journal" in broken


def test_every_table_is_brought_over_or_made_anew(store: Path) -> None:
    """A table that a later version adds cannot be left out in silence."""
    with apsw.Connection(str(store)) as connection:
        text = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        found = {name for (name,) in connection.execute(text)}
    known = {table.name for table in TABLES} | MADE_ANEW
    assert {name for name in found if not name.startswith("memories_fts")} <= known


KILLED = """
    import os, signal, sys
    from engraphy.moving import migrate
    from engraphy.stores.carrying import carry

    carry.BATCH = 2
    batches = 0

    def told(table, rows):
        global batches
        batches += 1
        if batches == int(sys.argv[3]):
            os.kill(os.getpid(), signal.SIGKILL)

    moved = migrate(sys.argv[1], sys.argv[2], progress=told)
    print(batches, moved.resumed, sum(one.rows for one in moved.tables))
"""


def killed(source: object, target: object, at: int) -> subprocess.CompletedProcess[str]:
    """A move in a process of its own that dies after so many batches (0: never)."""
    return forked(dedent(KILLED), source, target, at)


@pytest.mark.long
@pytest.mark.spec("D-72")
@pytest.mark.parametrize(
    ("engine", "kills"),
    [
        ("sqlite", (4, 9)),
        pytest.param("sqlite", (1, 4, 9, 3), marks=pytest.mark.slow),
        pytest.param("postgres", (1, 4, 9, 3), marks=pytest.mark.slow),
    ],
)
def test_what_was_killed_goes_on_where_it_stood(
    server: Server, store: Path, tmp_path: Path, engine: str, kills: tuple[int, ...]
) -> None:
    """Killed again and again, a move goes on: nothing is doubled, nothing is missing, and until it
    is through its target is not opened, by nobody."""
    before = told(store, tmp_path)
    target = server.fresh_url() if engine == "postgres" else str(tmp_path / "new.db")
    for at in kills:
        assert killed(store, target, at).returncode == -signal.SIGKILL
        with pytest.raises(UnfinishedMoveError):
            Memory(target)
    done = killed(store, target, 0)
    batches, resumed, rows = done.stdout.split()
    assert (done.returncode, resumed) == (0, "True")
    assert 0 < int(batches) * 2 < int(rows)
    assert told(target, tmp_path) == before
    assert [one.copied for one in migrate(store, target).tables] == [0] * len(TABLES)


def test_a_move_that_was_begun_elsewhere_is_refused(store: Path, tmp_path: Path) -> None:
    """A move is gone on with from the source it was begun from, as that was: another one, or the
    same one written to since, is refused."""
    target = tmp_path / "new.db"
    assert killed(store, target, 5).returncode == -signal.SIGKILL
    other = tmp_path / "other.db"
    play(other, EVERYTHING[:3])
    with pytest.raises(MoveRefusedError, match="begun from another source"):
        migrate(other, target)
    play(store, EVERYTHING[:1])
    with pytest.raises(MoveRefusedError, match="written to"):
        migrate(store, target)


@pytest.mark.long
def test_an_id_that_two_tenants_have_is_moved_tenant_by_tenant(
    server: Server, store: Path, tmp_path: Path
) -> None:
    """In a database two tenants may have the same id, in a file nobody: that is said first."""
    place, file = server.fresh_url(), tmp_path / "export.jsonl"
    with Memory(store) as memory:
        memory.export(file, everything=True)
    for tenant in ("default", "acme"):
        with Memory(place, tenant=tenant) as memory:
            memory.import_(file, trusted=True)
    with pytest.raises(MoveRefusedError, match="move them one by one"):
        migrate(place, tmp_path / "both.db")
    for tenant in ("default", "acme"):
        migrate(place, tmp_path / f"{tenant}.db", tenant=tenant)


@pytest.mark.slow
def test_an_encrypted_file_moves_with_its_key(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A key that is told opens the files of a move; of a database it is told that it is none."""
    old, key = tmp_path / "old.db", "correct horse battery"
    with Memory(old, key=key) as memory:
        memory.remember("The port is 3000.")
    place = server.fresh_url()
    migrate(old, place, key=key)
    assert f"{old} is encrypted; the database that it goes into is" in caplog.text
    migrate(place, tmp_path / "new.db", key=key)
    with Memory(tmp_path / "new.db", key=key) as memory:
        assert memory.recall("port")[0].memory.content == "The port is 3000."


@pytest.mark.long
def test_the_command_moves_and_says_so(server: Server, store: Path) -> None:
    """`engraphy migrate FROM TO` tells what was compared, as words and as JSON."""
    place = server.fresh_url()
    run = ["migrate", str(store), place]
    words = CliRunner().invoke(main, run)
    assert words.exit_code == 0
    assert "every row is equal" in words.stdout
    assert "of 2 tenants; " in words.stdout
    assert json.loads(CliRunner().invoke(main, [*run, "--json"]).stdout)["resumed"]
    place = str(store.parent / "held.db")
    play(place, EVERYTHING[:1])
    run[-1] = place
    refused = CliRunner().invoke(main, run)
    assert (refused.exit_code, refused.stderr.splitlines()[-1][:17]) == (1, "MoveRefusedError:")


@pytest.mark.slow
@settings(max_examples=8)
@given(steps=STEPS)
def test_any_store_is_the_same_there_and_back(server: Server, steps: list[Step]) -> None:
    """Whatever was done to a store, there and back it is the same: export, journal, facts, grants,
    what is shared, recalls."""
    folder = Path(tempfile.mkdtemp())
    try:
        store, back, place = folder / "a.db", folder / "b.db", server.fresh_url()
        play(store, steps)
        open_store(str(store)).close()
        before = told(store, folder)
        migrate(store, place)
        assert told(place, folder) == before
        migrate(place, back)
        assert told(back, folder) == before
    finally:
        shutil.rmtree(folder)
