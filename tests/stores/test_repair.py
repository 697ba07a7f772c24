"""`engraphy doctor --repair`: what can be read of a damaged store, and its bytes as they were."""

import json
import random
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from click.testing import CliRunner
from tests.raw import raw

from engraphy import Memory
from engraphy.cli.app import main
from engraphy.errors import ForeignFileError, StoreBusyError, UnreadableFileError
from engraphy.stores import ciphering
from engraphy.stores.sqlite.repairing import repair
from engraphy.stores.sqlite.shapes import MADE

COUNT, FEW = 60, 30
PAGE = 4096
HERON = "The heron number {n} nests by lake {n}, and " + "eats fish of that lake; " * 20


def seldom(*values: int) -> list[Any]:
    """Values that are tried with the slow tests."""
    return [pytest.param(one, marks=pytest.mark.slow) for one in values]


def filled(path: Path) -> Path:
    """A store with memories, their vectors, a fact, a link, an edited text and a session."""
    with Memory(path, embedder="static") as memory:
        for number in range(COUNT):
            memory.remember(HERON.format(n=number), tags=[f"t{number}"], user="ada")
        rows = memory.list(user="ada", limit=COUNT)
        memory.update(rows[0].id, "The heron moved to the river", user="ada")
        memory.link(rows[1].id, rows[2].id, user="ada")
        memory.fact("heron", "eats", "fish", user="ada")
        memory.start_session("s", user="ada")
    return path


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store that was closed."""
    return filled(tmp_path_factory.mktemp("whole") / "store.db").read_bytes()


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store of a few memories: of most tables it holds one page, or an empty one."""
    file = tmp_path_factory.mktemp("small") / "store.db"
    with Memory(file) as memory:
        for number in range(FEW):
            memory.remember(HERON.format(n=number), tags=[f"t{number}"], user="ada")
    return file.read_bytes()


def run(*words: str) -> tuple[int, dict[str, Any], str]:
    """Exit code, JSON and messages of `engraphy doctor`."""
    done = CliRunner().invoke(main, ["doctor", *words, "--json"])
    return done.exit_code, json.loads(done.stdout or "{}"), done.stderr


def spoiled(data: bytes, *pages: int, seed: int = 1) -> bytes:
    """The bytes with pages of noise in them."""
    made, chance = bytearray(data), random.Random(seed)
    for page in pages:
        made[page * PAGE : (page + 1) * PAGE] = chance.randbytes(PAGE)
    return bytes(made)


def shown(path: Path) -> set[str]:
    """What ada's memory holds."""
    with Memory(path, embedder="none") as memory:
        return {row.content for row in memory.list(user="ada", limit=1000)}


def test_a_sound_store_is_left_alone(tmp_path: Path, whole: bytes) -> None:
    """Where every check passes, nothing is changed and nothing stands beside it afterwards."""
    file = tmp_path / "store.db"
    file.write_bytes(whole)
    code, told, _ = run("--repair", "--db", str(file))
    assert (code, told["needed"], told["original"]) == (0, False, "")
    assert file.read_bytes() == whole
    assert {one.name for one in tmp_path.iterdir()} <= {"store.db", "store.db.lock"}


def test_a_dry_run_only_tells(tmp_path: Path, whole: bytes) -> None:
    """`--dry-run` says what a repair would keep, and changes nothing."""
    file, damaged = tmp_path / "store.db", spoiled(whole, 0, 12)
    file.write_bytes(damaged)
    code, told, _ = run("--repair", "--dry-run", "--db", str(file))
    assert told["needed"]
    assert told["kept"]["memories"] >= COUNT - 20
    assert file.read_bytes() == damaged
    assert {one.name for one in tmp_path.iterdir()} <= {"store.db", "store.db.lock"}
    assert code == 0


@pytest.mark.long
@pytest.mark.spec("D-72", "P-05")
@pytest.mark.parametrize("seed", [0, 1, *seldom(2, 3, 4, 5, 6, 7)])
def test_what_is_whole_is_kept(tmp_path: Path, whole: bytes, seed: int) -> None:
    """Pages of noise, the first among them, cost what stood on them; all else is there, found by
    its words and by nearness, and the old bytes are kept as they were, however often it happens."""
    chance = random.Random(seed)
    pages = [0, *chance.sample(range(1, len(whole) // PAGE), 3)]
    damaged, file = spoiled(whole, *pages, seed=seed), tmp_path / "store.db"
    file.write_bytes(damaged)
    file.chmod(0o600)
    _, told, _ = run("--repair", "--db", str(file))
    assert told["original"] == f"{file}.damaged"
    assert Path(told["original"]).read_bytes() == damaged
    assert Path(told["original"]).stat().st_mode & 0o777 == 0o600
    held = shown(file)
    written = {HERON.format(n=n) for n in range(COUNT)} | {"The heron moved to the river"}
    assert held <= written
    assert len(held) >= COUNT - 20
    with Memory(file, embedder="static", reembed=True) as memory:
        assert len(memory.recall("which heron eats fish?", user="ada", limit=5)) == 5
        memory.remember("The store is written again", user="ada")
        assert [one for one in memory.doctor() if not one.ok] == []
    file.write_bytes(damaged)
    _, told, _ = run("--repair", "--db", str(file))
    assert told["original"] == f"{file}.damaged.2"


def rows_of(file: Path) -> dict[str, set[tuple[Any, ...]]]:
    """The rows of every table that is not made from others."""
    with closing(raw(file)) as connection:
        listed = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'"
        names = [name for (name,) in connection.execute(listed) if name not in MADE]
        return {name: set(connection.execute(f"SELECT * FROM {name}")) for name in names}


def opens_as_ever(file: Path, whole: bytes, damaged: bytes) -> None:
    """A repaired store opens for who asks for nothing, holds no row that was not written, is
    written again, and no more is lost than what one page can hold."""
    file.write_bytes(whole)
    before = rows_of(file)
    file.write_bytes(damaged)
    repair(str(file))
    after = rows_of(file)
    assert {name: rows - before[name] for name, rows in after.items() if rows - before[name]} == {}
    with Memory(file) as memory:
        assert len(memory.list(user="ada", limit=1000)) >= FEW - 8
        assert memory.recall("which heron eats fish?", user="ada", limit=3)
        memory.remember("The store is written again", user="ada")


SPOILED = [1, 2, 3, 5, 8, 21, 22, 44, 50, 71, 72, 75, 77, 79, 83]
"""Pages by their numbers: of the schema, of the map of pages, roots of tables and of indexes."""


@pytest.mark.parametrize("page", [*SPOILED[::2], *seldom(*SPOILED[1::2])])
def test_a_store_opens_after_its_repair(tmp_path: Path, small: bytes, page: int) -> None:
    """Whichever page was spoiled, the store opens as it did before, with nothing made up."""
    opens_as_ever(tmp_path / "store.db", small, spoiled(small, page - 1))


@pytest.mark.slow
@pytest.mark.parametrize("noise", [True, False])
def test_a_store_opens_whichever_page_was_spoiled(
    tmp_path: Path, small: bytes, *, noise: bool
) -> None:
    """The same of every single page, with noise in it and with zeros."""
    for page in range(len(small) // PAGE):
        zeros = small[: page * PAGE] + bytes(PAGE) + small[(page + 1) * PAGE :]
        damaged = spoiled(small, page, seed=page) if noise else zeros
        opens_as_ever(tmp_path / f"{page}.db", small, damaged)


def served(whole: bytes, file: Path, *values: object) -> bytes:
    """The store with a row that says whose vectors answer."""
    file.write_bytes(whole)
    with closing(raw(file)) as connection:
        [(name,)] = connection.execute("SELECT name FROM embedding_models")
        row = ("default", *(name if value is ... else value for value in values))
        connection.execute("INSERT INTO served_models VALUES (?, ?, ?, ?, ?, ?)", row)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.read_bytes()


@pytest.mark.parametrize("pages", [[1], [2], [72], [79], [1, 2, *range(72, 80)]])
def test_what_answers_is_told_from_walls(tmp_path: Path, small: bytes, pages: list[int]) -> None:
    """A row that says whose vectors answer has the shape of an entry of the index of walls, and one
    of a model that of a step of the schema: each is found again where no page tells whose it is."""
    whole = served(small, tmp_path / "made.db", ..., "static", None, "", 1_795_930_190_054_000)
    file = tmp_path / "store.db"
    opens_as_ever(file, whole, spoiled(whole, *(page - 1 for page in pages)))
    with closing(raw(file)) as connection:
        assert len(list(connection.execute("SELECT * FROM served_models"))) == 1
        assert len(list(connection.execute("SELECT * FROM embedding_models"))) == 1


def test_a_model_that_nobody_has_does_not_answer(tmp_path: Path, small: bytes) -> None:
    """Where the model that is said to answer is none of the store's, the word of it is dropped."""
    lost = served(small, tmp_path / "made.db", "gone-1", "", None, "", 1_795_930_190_054_000)
    opens_as_ever(tmp_path / "store.db", lost, spoiled(lost, 2))


def test_a_name_in_doubt_shuts_nobody_out(tmp_path: Path, small: bytes) -> None:
    """Where a model's name and its index disagree, its vectors go and the store opens."""
    made, page = bytearray(small), 20 * PAGE
    place = small.index(b"static-minilm", page, page + PAGE)
    made[place] ^= 1
    opens_as_ever(tmp_path / "store.db", small, bytes(made))


@pytest.mark.long
@pytest.mark.spec("D-72")
def test_an_index_is_made_anew(tmp_path: Path, whole: bytes) -> None:
    """Where only what is made from rows is damaged, every row is kept."""
    file = tmp_path / "store.db"
    file.write_bytes(whole)
    connection = raw(file)
    connection.execute("DELETE FROM memories_fts_docsize; DELETE FROM vector_signs")
    connection.close()
    assert run("--db", str(file))[0] == 1
    code, told, _ = run("--repair", "--db", str(file))
    assert (code, told["lost"], told["checks"]) == (0, {}, [])
    assert told["kept"]["memories"] == COUNT
    assert run("--deep", "--db", str(file))[0] == 0


def test_the_log_is_read_as_well(tmp_path: Path) -> None:
    """What stands in the log alone is kept, and the log's bytes with the file's."""
    file, live = tmp_path / "store.db", tmp_path / "live"
    live.mkdir()
    with (
        Memory(live / "store.db", embedder="none") as memory,
        closing(apsw.Connection(str(live / "store.db"))) as reader,
    ):
        # While somebody reads, the log stays.
        reader.execute("BEGIN; SELECT count(*) FROM memories").fetchall()
        memory.remember("The otter swims at night", user="ada")
        data = bytearray((live / "store.db").read_bytes())
        log = (live / "store.db-wal").read_bytes()
    data[:PAGE] = bytes(PAGE)
    file.write_bytes(data)
    Path(f"{file}-wal").write_bytes(log)
    done = repair(str(file))
    assert shown(file) == {"The otter swims at night"}
    assert Path(f"{done.original}-wal").read_bytes() == log


def test_what_cannot_be_repaired_is_refused(tmp_path: Path, whole: bytes) -> None:
    """An encrypted store, another program's file, one that somebody has open, none at all: a typed
    error, and not a byte is changed."""
    foreign = tmp_path / "foreign.db"
    foreign.write_bytes(random.Random(3).randbytes(9 * PAGE))
    with pytest.raises(ForeignFileError):
        repair(str(foreign))
    assert foreign.read_bytes() == random.Random(3).randbytes(9 * PAGE)
    with pytest.raises(UnreadableFileError):
        repair(str(tmp_path / "nothing.db"))
    used = tmp_path / "used.db"
    used.write_bytes(whole)
    with Memory(used, embedder="none") as memory:
        memory.list(user="ada")
        data = bytearray(used.read_bytes())
        data[40 * PAGE : 41 * PAGE] = bytes(PAGE)
        used.write_bytes(data)
        with pytest.raises(StoreBusyError):
            repair(str(used), seconds=0.2)
    code, _, said = run("--repair", "--db", str(tmp_path / "nothing.db"))
    assert (code, "no store" in said) == (1, True)


def test_a_database_of_a_server_is_refused() -> None:
    """What stands in no file cannot be repaired here, and its password is not repeated."""
    code, _, said = run("--repair", "--db", "postgresql://ada:tell-nobody@db.invalid/engraphy")
    assert (code, "PostgreSQL" in said, "tell-nobody" in said) == (2, True, False)


def test_an_encrypted_store_is_refused(tmp_path: Path) -> None:
    """What is damaged of an encrypted store is not salvaged: it says so, and changes nothing."""
    file = tmp_path / "store.db"
    Memory(file, embedder="none", key="correct horse battery").close()
    before = file.read_bytes()
    with pytest.raises(UnreadableFileError, match="encrypted"):
        repair(str(file))
    assert file.read_bytes() == before


def test_a_store_whose_encryption_never_came_is_repaired(tmp_path: Path, whole: bytes) -> None:
    """What an encryption that was killed left beside a file in the clear keeps nobody from
    repairing it; a file whose first page tells nothing may be encrypted, and is left alone."""
    file = tmp_path / "store.db"
    ciphering.mark(str(file))
    data = bytearray(whole)
    data[40 * PAGE : 41 * PAGE] = bytes(PAGE)
    file.write_bytes(data)
    assert repair(str(file), dry_run=True).needed
    data[:PAGE] = bytes(PAGE)
    file.write_bytes(data)
    with pytest.raises(UnreadableFileError, match="encrypted"):
        repair(str(file))


@pytest.mark.parametrize("words", [["--dry-run"], ["--repair", "--deep"]])
def test_options_that_do_not_fit(tmp_path: Path, whole: bytes, words: list[str]) -> None:
    """Options that go with something else are refused."""
    (tmp_path / "store.db").write_bytes(whole)
    assert run(*words, "--db", str(tmp_path / "store.db"))[0] == 2
