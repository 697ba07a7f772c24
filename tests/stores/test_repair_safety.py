"""`engraphy doctor --repair`: who opens the store meanwhile, other schemas, walls, and kills."""

import gzip
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import FrameType

import pytest
from tests.raw import raw, summed
from tests.stores.test_killed_upgrade import held
from tests.stores.test_repair import PAGE, run, spoiled
from tests.stores.test_upgrading import FIRST

from engraphy import Memory
from engraphy.errors import InvalidInputError, NewerSchemaError, NotFoundError
from engraphy.stores.sqlite.connection import Target, connect
from engraphy.stores.sqlite.migrations import newest
from engraphy.stores.sqlite.owners import roots
from engraphy.stores.sqlite.pages import Image
from engraphy.stores.sqlite.repairing import repair

USERS = ("ada", "adb", "adc")
EACH = 12
REPAIR = "import sys; from engraphy.stores.sqlite.repairing import repair; repair(sys.argv[1])"
DESCRIPTORS = Path("/proc/self/fd")


def text(user: str, number: int) -> str:
    """What a user wrote."""
    return f"The heron number {number} of {user} nests by lake {number}, " + "and eats fish; " * 9


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a store of three users whose names, as their numbers, are a bit apart."""
    file = tmp_path_factory.mktemp("shared") / "store.db"
    with Memory(file, embedder="none") as memory:
        for user in USERS:
            for number in range(EACH):
                memory.remember(text(user, number), user=user)
    return file.read_bytes()


def shown(file: Path) -> dict[str, set[str]]:
    """What each user's memory holds."""
    with Memory(file, embedder="none") as memory:
        return {user: {row.content for row in memory.list(user=user, limit=99)} for user in USERS}


def written() -> dict[str, set[str]]:
    """What each user wrote."""
    return {user: {text(user, number) for number in range(EACH)} for user in USERS}


def until(happens: Callable[[], object]) -> None:
    """Wait for something that must happen."""
    while not happens():
        time.sleep(0.002)


@pytest.mark.long
@pytest.mark.skipif(not DESCRIPTORS.exists(), reason="needs /proc and signals that stop")
def test_who_waits_opens_what_was_repaired(tmp_path: Path, shared: bytes) -> None:
    """Whoever opens the store during its repair waits, then reads and writes the repaired file;
    also who had opened the damaged one before: nothing that is written goes with that."""
    file = tmp_path / "store.db"
    file.write_bytes(spoiled(shared, 1))
    done = list[str]()

    def by_connection() -> None:
        with closing(connect(Target(path=str(file), busy_seconds=60))) as connection:
            connection.execute("INSERT INTO meta VALUES ('waited', 'yes')")
            done.append("connection")

    def by_memory() -> None:
        with Memory(file, embedder="none") as memory:
            memory.remember("The otter waited", user="ada")
            done.append("memory")

    with subprocess.Popen([sys.executable, "-c", REPAIR, str(file)]) as child:
        until(lambda: list(tmp_path.glob(".engraphy-repair-*/store.db")) or child.poll() == 0)
        child.send_signal(signal.SIGSTOP)
        assert not list(tmp_path.glob("*.damaged"))
        waiting = [threading.Thread(target=one) for one in (by_connection, by_memory)]
        waiting[0].start()
        until(lambda: any(os.path.realpath(one) == str(file) for one in DESCRIPTORS.iterdir()))
        waiting[1].start()
        child.send_signal(signal.SIGCONT)
        assert child.wait() == 0
        for one in waiting:
            one.join()
    assert sorted(done) == ["connection", "memory"]
    assert "The otter waited" in shown(file)["ada"]
    with closing(raw(file)) as connection:
        assert list(connection.execute("SELECT value FROM meta WHERE key = 'waited'"))


def later(shared: bytes, file: Path) -> bytes:
    """The store as a later version would have written it."""
    file.write_bytes(shared)
    with closing(raw(file)) as connection:
        number = newest() + 1
        connection.execute(f"PRAGMA user_version = {number}")
        connection.execute("INSERT INTO migrations VALUES (?, 'later', 1)", (number,))
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return file.read_bytes()


@pytest.mark.parametrize("pages", [[], [11], [0], [0, 1, 11]])
def test_a_newer_store_is_refused(tmp_path: Path, shared: bytes, pages: list[int]) -> None:
    """A store of a newer schema, damaged or not, is told so and not touched, also where its header
    is lost: the rows of its steps tell it as well."""
    file = tmp_path / "store.db"
    damaged = spoiled(later(shared, file), *pages)
    file.write_bytes(damaged)
    with pytest.raises(NewerSchemaError, match=f"schema {newest() + 1}"):
        repair(str(file))
    assert file.read_bytes() == damaged
    assert {one.name for one in tmp_path.iterdir()} <= {"store.db", "store.db.lock"}


def test_a_damaged_number_makes_no_newer_store(tmp_path: Path, shared: bytes) -> None:
    """Where the header alone tells of a newer schema, the header is what is damaged."""
    file, made = tmp_path / "store.db", bytearray(shared)
    made[60] ^= 4
    file.write_bytes(made)
    repair(str(file))
    assert shown(file) == written()


@pytest.mark.parametrize("pages", [None, [0], [0, 1], [1]])
def test_an_older_store_is_repaired_as_what_it_is(tmp_path: Path, pages: list[int] | None) -> None:
    """A store of the first schema: a sound one is left alone; where the first page and the map of
    pages are lost, all that it holds comes back, and is upgraded as ever."""
    file, sound = tmp_path / "store.db", tmp_path / "sound.db"
    first = gzip.decompress(FIRST.read_bytes())
    sound.write_bytes(first)
    damaged = first if pages is None else spoiled(first, *pages)
    file.write_bytes(damaged)
    done = repair(str(file))
    assert done.needed is (pages is not None)
    if pages is None:
        assert file.read_bytes() == first
    assert done.lost == {}
    assert held(file) == held(sound)


def place(data: bytes, user: str, number: int) -> int:
    """Where the number of the scope stands in the row of a memory: behind its id, and before its
    text."""
    return data.index(text(user, number).encode()) - 1


def test_a_memory_in_anothers_scope_comes_back(tmp_path: Path, shared: bytes) -> None:
    """Where the number of a scope in a row was damaged, its indexes and the journal say whose it
    is: its owner has it, and nobody else."""
    file, made = tmp_path / "store.db", bytearray(shared)
    made[place(shared, "adb", 3)] ^= 1
    file.write_bytes(made)
    done = repair(str(file))
    assert (done.needed, done.lost, done.checks) == (True, {}, ())
    assert shown(file) == written()


SPEAKING = [
    ["memories_by_scope"],
    ["memories_by_hash", "memories_by_weight", "memories_by_use"],
    ["memory_journal", "journal_texts", "memory_journal_by_tenant"],
    ["memories_by_scope", "memories_by_hash", "memories_by_weight", "memories_by_use"],
]


def without(data: bytes, *names: str) -> bytes:
    """The bytes with zeros in place of these tables and indexes."""
    made, image = bytearray(data), Image(data)
    for name, root in roots(image).items():
        for page in image.tree(root) if name in names else ():
            made[(page - 1) * PAGE : page * PAGE] = bytes(PAGE)
    return bytes(made)


@pytest.mark.parametrize("names", SPEAKING)
def test_one_witness_is_enough(tmp_path: Path, shared: bytes, names: list[str]) -> None:
    """Where some of what tells whose a row is was lost, what is left is enough to keep every row
    with its owner, and to give a damaged one to nobody else."""
    file, made = tmp_path / "store.db", bytearray(without(shared, *names))
    made[place(shared, "adb", 3)] ^= 1
    file.write_bytes(made)
    repair(str(file))
    due = written()
    found = shown(file)
    assert found["adb"] | {text("adb", 3)} == due.pop("adb")
    assert {user: found[user] for user in due} == due


def test_what_nobody_speaks_for_is_lost(tmp_path: Path, shared: bytes) -> None:
    """Where neither an index nor the journal says whose a row is, it is counted as lost, and shown
    to nobody."""
    file = tmp_path / "store.db"
    made = bytearray(without(shared, *(name for names in SPEAKING for name in names)))
    made[place(shared, "adb", 3)] ^= 1
    file.write_bytes(made)
    done = repair(str(file))
    assert done.lost["memories"] == EACH * len(USERS)
    assert not any(shown(file).values())


def test_a_damaged_name_shows_nothing_to_its_neighbour(tmp_path: Path, shared: bytes) -> None:
    """Where a letter of a user's name was damaged in the table of walls or in its index, the other
    one and the journal say what it was: all of it stays the user's."""
    image, file = Image(shared), tmp_path / "store.db"
    for name, marks in (("scopes", b"adb"), ("scopes_by_walls", b"=adb")):
        made = bytearray(shared)
        page = (roots(image)[name] - 1) * PAGE
        made[shared.index(marks, page, page + PAGE) + len(marks) - 1] ^= 1
        file.write_bytes(made)
        done = repair(str(file))
        assert done.needed
        assert shown(file) == written()


def test_a_token_comes_back_as_the_journal_tells_it(tmp_path: Path) -> None:
    """Tokens, publications and subscriptions come back; a token that was damaged to be another
    user's does not: it opens nothing any more."""
    file, kept = tmp_path / "store.db", tmp_path / "kept.db"
    with Memory(kept, embedder="none") as memory:
        tokens = [memory.grant("of " + user, user=user).token for user in USERS]
        made = memory.publish("herons", to_user="adc", user="adb")
        memory.subscribe(made.id, user="adc")
    data = kept.read_bytes()
    at = data.index(b"writeadb") + len(b"writead")
    for damaged in (data, data[:at] + b"c" + data[at + 1 :]):
        file.write_bytes(spoiled(damaged, 1))
        done = repair(str(file))
        with Memory(file, embedder="none") as memory:
            assert [one.id for one in memory.publications()] == [made.id]
            assert len(memory.subscriptions(user="adc")) == 1
            users = [one.user for one in memory.grants()]
            assert users == [user for user in USERS if "grants" not in done.lost or user != "adb"]
            assert memory.identify(tokens[0]).user == "ada"
    assert done.lost == {"grants": 1}


def numbered(data: bytes, number: int, told: int) -> bytes:
    """The bytes with another number of the row of a memory: it stands before the record, which
    begins with the length of its header, and that ends before the id."""
    made, at = bytearray(data), data.index(text("ada", number).encode()) - 26
    header = next(size for size in range(60, 90) if data[at - size] == size)
    made[at - header - 1] = told
    return bytes(made)


@pytest.mark.long
def test_a_row_takes_no_place_of_another(tmp_path: Path) -> None:
    """Where the id of a row was damaged to that of another one, or its number, in the row or in the
    index of ids, both come back."""
    file, kept = tmp_path / "store.db", tmp_path / "kept.db"
    with Memory(kept, embedder="none") as memory:
        ids = [memory.remember(text("ada", n), user="ada").memory.id for n in range(2)]
    data = kept.read_bytes()
    rows = [ids[number] + text("ada", number) for number in range(2)]
    other = data.replace(rows[0].encode(), (ids[1] + text("ada", 0)).encode())
    entry = ids[1].encode()
    indexed = [data.replace(entry + b"\2", entry + number) for number in (b"\1", b"\3")]
    for damaged in (other, numbered(data, 0, 2), numbered(data, 1, 1), *indexed):
        assert damaged != data
        file.write_bytes(damaged)
        assert repair(str(file)).needed
        with Memory(file, embedder="none") as memory:
            found = {row.id + row.content for row in memory.list(user="ada", limit=9)}
        assert found == set(rows)


def test_a_damaged_row_is_not_shown_to_another(tmp_path: Path, shared: bytes) -> None:
    """Also before any repair: by its id a row is not shown to whom its scope was damaged to."""
    file = tmp_path / "store.db"
    file.write_bytes(shared)
    with Memory(file, embedder="none") as memory:
        ids = {row.content: row.id for row in memory.list(user="adb", limit=99)}
    own = ids[text("adb", 3)]
    data = bytearray(file.read_bytes())
    data[place(bytes(data), "adb", 3)] ^= 1
    file.write_bytes(summed(data))
    with Memory(file, embedder="none") as memory, pytest.raises(NotFoundError):
        memory.get(own, user="adc")


def logged(folder: Path) -> tuple[bytes, bytes]:
    """A damaged file, and its log, in which all of its rows stand."""
    file = folder / "live.db"
    with Memory(file, embedder="none") as memory, closing(raw(file)) as reader:
        # While somebody reads, the log stays.
        reader.execute("BEGIN; SELECT count(*) FROM memories").fetchall()
        for number in range(3):
            memory.remember(text("ada", number), user="ada")
        data = bytearray(file.read_bytes())
        log = Path(f"{file}-wal").read_bytes()
    data[:PAGE] = bytes(PAGE)
    return bytes(data), log


def killed(store: Path, moment: int) -> bool:
    """Repair a store in a process of its own that is killed at its call of this number; whether it
    came to that."""
    child = os.fork()
    if child:
        _, status = os.waitpid(child, 0)
        return os.WIFSIGNALED(status)
    calls = 0

    def called(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        file = frame.f_code.co_filename
        if event.endswith("call") and file.endswith(("repairing.py", "places.py")):
            calls += 1
            if calls == moment:
                os.kill(os.getpid(), signal.SIGKILL)

    try:
        sys.setprofile(called)
        repair(str(store))
    finally:
        os._exit(0)


def survives(folder: Path, data: bytes, log: bytes, moment: int) -> bool:
    """Kill a repair, repair again, and look for everything; whether it was killed."""
    folder.mkdir()
    file = folder / "store.db"
    for name, held_ in (("", data), ("-wal", log)):
        Path(f"{file}{name}").touch(mode=0o600)
        Path(f"{file}{name}").write_bytes(held_)
    was_killed = killed(file, moment)
    assert repair(str(file)).lost == {}
    assert shown(file)["ada"] == {text("ada", number) for number in range(3)}
    copies = [Path(f"{file}.damaged{number}") for number in ("", ".2")]
    logs = [Path(f"{one}-wal") for one in copies]
    assert (data, log) in [
        (one.read_bytes(), other.read_bytes())
        for one, other in zip(copies, logs, strict=True)
        if one.exists() and other.exists()
    ]
    assert {one.name for one in folder.iterdir() if one.name.startswith(".")} == set()
    assert {one.stat().st_mode & 0o777 for one in folder.iterdir()} == {0o600}
    return was_killed


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process of its own")
@pytest.mark.parametrize("begin", [1, 12])
def test_a_killed_repair_loses_nothing(tmp_path: Path, begin: int) -> None:
    """Killed at any of these moments a repair leaves every row, and the next one finds it; the old
    bytes and their log are kept, for their owner alone, and nothing else is left."""
    data, log = logged(tmp_path)
    for number, moment in enumerate(range(begin, begin + 200, 23)):
        if not survives(tmp_path / f"{number}", data, log, moment):
            break


@pytest.mark.spec("D-72")
@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a process of its own")
def test_a_repair_killed_anywhere_loses_nothing(tmp_path: Path) -> None:
    """The same at each of its moments."""
    data, log = logged(tmp_path)
    moment = 1
    while survives(tmp_path / f"{moment}", data, log, moment):
        moment += 1
    assert moment > 40


def test_what_a_killed_repair_left_goes_when_the_store_opens(tmp_path: Path, shared: bytes) -> None:
    """A room that a killed repair left holds memories: it goes when the store is opened."""
    file, room = tmp_path / "store.db", tmp_path / ".engraphy-repair-store.db"
    file.write_bytes(shared)
    room.mkdir()
    (room / "store.db").write_bytes(shared)
    Memory(file, embedder="none").close()
    assert not room.exists()


@pytest.mark.long
def test_doctor_names_what_was_kept(tmp_path: Path, shared: bytes) -> None:
    """What a repair kept beside the store is told by `doctor`, with what to do about it."""
    file = tmp_path / "store.db"
    file.write_bytes(spoiled(shared, 1))
    repair(str(file))
    _, told, _ = run("--db", str(file))
    [kept] = [one for one in told["checks"] if one["name"] == "damaged file"]
    assert "store.db.damaged" in kept["detail"]
    assert kept["ok"]
    assert "delete it" in kept["advice"]


def test_the_place_of_a_server_is_not_repeated() -> None:
    """A place that is no file is refused without a word of it: a password may stand in it."""
    with pytest.raises(InvalidInputError) as refused:
        repair("postgresql://ada:tell-nobody@db.invalid/engraphy")
    assert "tell-nobody" not in str(refused.value)


def test_a_link_is_followed(tmp_path: Path) -> None:
    """Of a store behind a link the file is repaired that the link leads to, with its log."""
    (tmp_path / "there").mkdir()
    file, link = tmp_path / "there" / "store.db", tmp_path / "link.db"
    data, log = logged(tmp_path)
    file.write_bytes(data)
    Path(f"{file}-wal").write_bytes(log)
    link.symlink_to(file)
    repair(str(link))
    assert link.is_symlink()
    assert len(shown(file)["ada"]) == 3
