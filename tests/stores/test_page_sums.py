"""Each page of a store has a checksum, and what is damaged in any table is told (P-05)."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest
from apsw import sqlite_extra
from tests.raw import PAGE, raw
from tests.stores.making import HERE, NOW, TENANT, insert, made, opened, seen, write

from engraphy import Memory
from engraphy.errors import SettingsError, StoreCorruptError, UnreadableFileError
from engraphy.model.change import PutEpisode, PutFact, Touch
from engraphy.model.query import FactFilter
from engraphy.model.records import Episode, Fact
from engraphy.stores import ciphering, summing
from engraphy.stores.glance import Place, glance, words
from engraphy.stores.sqlite import SqliteStore, open_store
from engraphy.stores.sqlite.migrations import newest
from engraphy.stores.sqlite.pages import Image
from engraphy.stores.sqlite.recoding import recode
from engraphy.stores.sqlite.repairing import repair
from engraphy.stores.sqlite.sums import is_flipped, wrong_pages

COUNT = 60
ALL = FactFilter(current=False, limit=999)


def told(number: int) -> Fact:
    """A fact of a memory."""
    return Fact(
        id=f"f{number}", scope=HERE, subject=f"door {number}", predicate="opens",
        object=f"at nine {number}", source_id=f"m{number}", valid_from=NOW, recorded_at=NOW,
        updated_at=NOW,
    )  # fmt: skip


def filled(folder: Path) -> SqliteStore:
    """A store with memories, facts and episodes, of which some were delivered."""
    store = opened(folder, sums=True)
    for number in range(COUNT):
        insert(store, made(f"m{number}", f"the door number {number} opens at nine " * 9))
        episode = Episode(memory_id=f"m{number}", lesson=f"knock {number} times")
        write(store, PutFact(fact=told(number)), PutEpisode(episode=episode))
    write(store, Touch(ids=tuple(f"m{number}" for number in range(0, COUNT, 2))))
    return store


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """The file of such a store, closed."""
    store = filled(tmp_path)
    store.close()
    return Path(store.path)


def is_summed(file: Path) -> bool:
    """Whether each page has its checksum."""
    data = file.read_bytes()
    return bool(data) and summing.has_sums(data[:100]) and not wrong_pages(data, PAGE)


def flip(file: Path, text: bytes, *, all_of_them: bool = False) -> None:
    """Flip a bit in the first, or each, place of a file where a text stands."""
    data, at = bytearray(file.read_bytes()), 0
    while (at := data.find(text, at)) >= 0:
        data[at + len(text) - 1] ^= 1
        at += 1
        if not all_of_them:
            break
    file.write_bytes(data)


def test_the_layer_is_where_apsw_says() -> None:
    """It is loaded from where APSW itself would load it, and what else this process opens is opened
    as ever."""
    usual = apsw.vfs_names()[0]
    assert summing.layer() == summing.LAYER
    assert usual == apsw.vfs_names()[0] != summing.LAYER
    assert sqlite_extra.has("cksumvfs") == "extension"
    assert summing._place() == sqlite_extra.path("cksumvfs")  # noqa: SLF001


def test_every_copy_of_a_file_has_its_checksums(tmp_path: Path) -> None:
    """A new store that is to have them, a backup of one with a log, a copy to try things on, a
    restored one; what was encrypted keeps the room of its codes, and has none, also repaired."""
    store = filled(tmp_path)
    assert Path(f"{store.path}-wal").stat().st_size
    store.backup(str(tmp_path / "backup.db"))
    assert is_summed(tmp_path / "backup.db")
    with store.scratch() as copy:
        insert(copy, made("more"))
        copy.optimise()
        assert all(check.ok for check in copy.check(deep=True))
    store.restore(str(tmp_path / "backup.db"))
    store.close()
    assert is_summed(Path(store.path))
    key = ciphering.checked("a long passphrase")
    recode(store.path, None, key)
    recode(store.path, key, None)
    assert not summing.has_sums(Path(store.path).read_bytes()[:100])
    flip(Path(store.path), b"door number 7")
    assert repair(store.path).needed
    assert not summing.has_sums(Path(store.path).read_bytes()[:100])


@pytest.mark.parametrize("text", [b"at nine 7", b"knock 7 times"])
def test_damage_beside_memories_is_told(file: Path, text: bytes) -> None:
    """A flipped bit in a table without checksums of its rows is a typed error, not another fact."""
    flip(file, text, all_of_them=True)
    with closing(opened(file.parent)) as store:
        read = store.facts if b"nine" in text else store.episode
        with pytest.raises(StoreCorruptError, match="checksum"):
            read(seen(), ALL if b"nine" in text else "m7")  # type: ignore[operator]
        assert not all(check.ok for check in store.check(deep=True))


def test_a_repair_asks_the_journal_what_stood_beside_memories(file: Path) -> None:
    """Of a page that is not what was written each fact and episode comes back as the journal tells
    it, and memories with the counts that it tells."""
    with closing(opened(file.parent)) as store:
        facts, rows = store.facts(seen(), ALL), list(store.dump(seen()))
    table = ("memories", "facts", "episodes")
    with closing(raw(file)) as connection:
        listed = f"SELECT pageno FROM dbstat WHERE name IN {table} AND pagetype = 'leaf'"
        pages = [number for (number,) in connection.execute(listed)]
    data = bytearray(file.read_bytes())
    for number in pages:
        # Of the checksum itself: what stands on the page is as it was.
        data[number * PAGE - 4] ^= 1
    file.write_bytes(data)
    done = repair(str(file))
    assert done.needed
    assert not done.lost
    with closing(opened(file.parent)) as store:
        assert store.facts(seen(), ALL) == facts
        assert list(store.dump(seen())) == rows
        assert store.episode(seen(), "m9") == Episode(memory_id="m9", lesson="knock 9 times")


def test_what_no_journal_tells_is_lost_and_counted(file: Path) -> None:
    """A row on such a page that the journal does not know is not taken over as it stands."""
    with closing(raw(file)) as connection:
        connection.execute("INSERT INTO facts SELECT 'x', scope_id, session, 'a', predicate,"
                           " object, confidence, NULL, sensitivity, valid_from, valid_until,"
                           " recorded_at, updated_at FROM facts WHERE id = 'f1'")  # fmt: skip
        (page,) = connection.execute(
            "SELECT max(pageno) FROM dbstat WHERE name = 'facts'"
        ).fetchone()
    data = bytearray(file.read_bytes())
    data[page * PAGE - 1] ^= 1
    file.write_bytes(data)
    assert repair(str(file)).lost == {"facts": 1}
    with closing(opened(file.parent)) as store:
        assert {one.id for one in store.facts(seen(), ALL)} == {f"f{n}" for n in range(COUNT)}


def test_without_the_layer_nothing_is_written(file: Path) -> None:
    """Where the layer is not installed a file with checksums is read, and not written."""
    before, usual = file.read_bytes(), apsw.vfs_names()[0]
    with pytest.raises(UnreadableFileError, match="cksumvfs"):
        open_store(str(file), vfs=usual)
    with closing(open_store(str(file), vfs=usual, read_only=True)) as store:
        assert len(list(store.dump(seen()))) == COUNT
    assert file.read_bytes() == before


def test_an_older_file_stays_without_and_is_given_a_backup(tmp_path: Path) -> None:
    """A file without checksums is used as ever, also once a backup was restored into it; a store
    with them keeps them where the backup has none."""
    (tmp_path / "old").mkdir()
    usual = apsw.vfs_names()[0]
    old = open_store(str(tmp_path / "old" / "store.db"), vfs=usual)
    insert(old, made("m1"))
    old.backup(str(tmp_path / "old.db"))
    old.close()
    with closing(opened(tmp_path / "old")) as store:
        assert [one.detail for one in store.check() if one.name == "checksums"] == ["none of pages"]
        insert(store, made("m2"))
        assert len(list(store.dump(seen()))) == 2
    store = filled(tmp_path)
    store.restore(str(tmp_path / "old.db"))
    assert [row.id for row in store.dump(seen())] == ["m1"]
    store.close()
    assert is_summed(Path(store.path))


def test_a_log_that_is_left_over_is_brought_in_with_checksums(tmp_path: Path) -> None:
    """Pages of the log have the log's checksum; whoever moves them into the file, also the glance
    of a hook, gives them theirs, and a repair takes them for what was written."""
    store = filled(tmp_path)
    data, log = Path(store.path).read_bytes(), Path(f"{store.path}-wal").read_bytes()
    store.close()
    image = Image(data, log)
    assert not image.doubtful
    assert not wrong_pages(image.whole(), PAGE)
    left = tmp_path / "left"
    left.mkdir()
    (left / "store.db").write_bytes(data)
    (left / "store.db-wal").write_bytes(log)
    opened(left).close()
    assert is_summed(left / "store.db")


def test_a_hook_that_closes_last_leaves_right_checksums(tmp_path: Path) -> None:
    """Its glance moves the pages of a log that was left over into the file, as the store would."""
    store = filled(tmp_path)
    data, log = Path(store.path).read_bytes(), Path(f"{store.path}-wal").read_bytes()
    store.close()
    left = tmp_path / "left"
    left.mkdir()
    (left / "store.db").write_bytes(data)
    (left / "store.db-wal").write_bytes(log)
    place = Place(str(left / "store.db"), newest(), str(TENANT), None, NOW + 1)
    assert glance(place, words("which door opens", frozenset()), "") is not None
    assert not (left / "store.db-wal").exists()
    assert is_summed(left / "store.db")


def test_a_switch_says_on_or_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Anything else is refused before a file is made."""
    monkeypatch.setenv("ENGRAPHY_PAGE_SUMS", "perhaps")
    with pytest.raises(SettingsError, match="on, off"):
        Memory(tmp_path / "other.db")


def test_one_or_two_flipped_bits_are_known_as_such(file: Path) -> None:
    """What tells damage from what another program wrote."""
    page = file.read_bytes()[PAGE : 2 * PAGE]
    for places in ((5,), (4090,), (31, 32_767), (17, 18)):
        spoiled = bytearray(page)
        for place in places:
            spoiled[place // 8] ^= 1 << place % 8
        assert wrong_pages(spoiled, PAGE) == [1]
        assert is_flipped(spoiled)
    assert not is_flipped(page[:-8] + b"writers!")


def test_memory_tells_it_and_repairs(tmp_path: Path) -> None:
    """Through the public surface: an error that says what to do, and all of it back."""
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        for number in range(20):
            memory.remember(f"The harbour gate {number} closes at {number}", user="ada")
    flip(tmp_path / "m.db", b"gate 7 closes", all_of_them=True)
    with (
        Memory(tmp_path / "m.db", embedder="none") as memory,
        pytest.raises(StoreCorruptError, match="doctor --repair"),
    ):
        memory.list(user="ada", limit=99)
    repair(str(tmp_path / "m.db"))
    with Memory(tmp_path / "m.db", embedder="none") as memory:
        assert len(memory.list(user="ada", limit=99)) == 20
