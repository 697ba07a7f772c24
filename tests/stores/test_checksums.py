"""A field of a memory that reading does not move is what was written, or a typed error (P-05)."""

import gzip
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import pytest
from tests.raw import raw, summed
from tests.stores.making import NOW, insert, made, opened, seen, write

from engraphy import Memory
from engraphy.errors import StoreCorruptError
from engraphy.model.change import (
    Change,
    Forget,
    Reinforce,
    Restore,
    Settle,
    Tally,
    Touch,
    Update,
)
from engraphy.model.kinds import Kind, Priority, Sensitivity, State
from engraphy.model.outlasting import Remove
from engraphy.model.query import Listing
from engraphy.stores.relational.rows import (
    CHECKED,
    LISTS,
    NEVER_CHECKED,
    UNCHECKED,
    VOCABULARIES,
    checksum,
    to_row,
)
from engraphy.stores.sqlite import SqliteStore
from engraphy.stores.sqlite.repairing import repair

FIRST = Path(__file__).parent / "data" / "version_1.db.gz"
FULL = made(
    "m1", "herons eat fish", title="Herons", kind=Kind.PREFERENCE, tags=("a", "b"), speaker="ada",
    metadata=(("k", "v"),), importance=1, valence=-0.0, trust=0.25, discovery_tokens=12,
    expires_at=NOW + 10**15, valid_until=NOW + 10**15, superseded_by="m9",
)  # fmt: skip
"""With a whole number and a zero with a sign where a column has numbers with a fraction."""
ALL = frozenset(State)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A store with two memories."""
    held = opened(tmp_path)
    insert(held, FULL, made("m2"))
    yield held
    held.close()


def test_a_checksum_means_the_same_in_every_version() -> None:
    """Whoever changes what it covers, or adds a column, makes all of them anew in a step of the
    schema: else every memory of every store would be taken for damaged."""
    assert checksum(to_row(FULL, 1)) == 1_133_600_240
    assert len(CHECKED) == 59


def _raw(store: SqliteStore) -> apsw.Connection:
    """The file, past every rule of the schema."""
    connection = raw(store.path)
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_TRIGGER, 0)
    connection.execute("PRAGMA ignore_check_constraints = ON")
    return connection


def _another(name: str, held: Any) -> Any:
    if name in VOCABULARIES:
        return next(str(one) for one in VOCABULARIES[name] if str(one) != held)
    if name in LISTS:
        return '[["k","w"]]' if name == "metadata" else '["c"]'
    if isinstance(held, bytes):
        return bytes(len(held))
    if isinstance(held, float):
        return held / 2 + 0.001
    return "other" if isinstance(held, str) else (held or 0) ^ 1


@pytest.mark.parametrize("name", CHECKED)
def test_no_field_is_shown_that_nobody_wrote(store: SqliteStore, name: str) -> None:
    """What stands in one field of a row is refused where it is another value, its neighbours are
    shown, and the check of contents finds it; once it is what it was, it is shown."""
    with closing(_raw(store)) as raw:
        held = raw.execute(f"SELECT {name} FROM memories WHERE seq = 1").get
        spoil = f"UPDATE memories SET {name} = ? WHERE seq = 1"
        raw.execute(spoil, (_another(name, held),))
        with pytest.raises(StoreCorruptError, match=r"m1|other"):
            list(store.dump(seen(states=ALL, sensitivities=frozenset(Sensitivity))))
        assert [row.id for row in store.get(seen(), ["m2"])] == ["m2"]
        wrong = {one.name for one in store.check(deep=True) if not one.ok}
        assert "contents" in wrong
        raw.execute(spoil, (held,))
    assert len(list(store.dump(seen(states=ALL)))) == 2


def test_only_what_reading_moves_is_left_out() -> None:
    """Each column is checked, is where a row lives, or is moved by a delivery."""
    assert frozenset({
        "access_count", "last_accessed_at", "retrieval_loss", "stability", "difficulty",
        "storage_strength", "last_strengthened_at",
    }) == UNCHECKED  # fmt: skip


def _writes(store: SqliteStore) -> Iterator[Change]:
    """One of each sort that changes a row that stands, of the row as it then is."""

    def held() -> Any:
        return store.get(seen(states=ALL), ["m1"])[0]

    yield Update(memory=replace(held(), content="herons eat frogs", version=2), expected=held())
    yield Update(memory=replace(held(), importance=0, tags=()), expected=held())
    yield Update(memory=replace(held(), state=State.DORMANT), expected=held())
    yield Touch(ids=("m1", "m2"), revive=True)
    yield Update(memory=replace(held(), valid_until=None), expected=held())
    yield Update(memory=replace(held(), state=State.EXPIRED, expires_at=NOW), expected=held())
    yield Reinforce(id="m1", revive=True)
    yield Tally(id="m1", successes=1, failures=2, utility_rate=0.3)
    yield Settle(rows=((held(), replace(held(), importance=1, last_decayed_at=NOW)),))
    yield Settle(rows=((held(), replace(held(), stability=0.5)),))
    yield Remove(id="m1")
    yield Restore(id="m1")
    yield Forget(id="m2")


def test_every_write_leaves_rows_that_are_right(store: SqliteStore) -> None:
    """After each sort of write every row is shown, and the check of contents passes."""
    for change in _writes(store):
        write(store, change, now=NOW + 1)
        list(store.dump(seen(states=ALL)))
        assert [one.detail for one in store.check(deep=True) if not one.ok] == []


@pytest.mark.parametrize("change", [
    Reinforce(id="m1"),
    Tally(id="m1", successes=1),
    Update(memory=replace(FULL, state=State.ARCHIVED), expected=FULL),
    Update(memory=replace(FULL, tags=()), expected=FULL),
    Settle(rows=((FULL, replace(FULL, importance=0.125)),)),
])  # fmt: skip
def test_no_write_makes_damage_look_right(store: SqliteStore, change: Change) -> None:
    """What is written to a damaged row is refused: its checksum would be of what nobody wrote."""
    with closing(_raw(store)) as raw:
        raw.execute("UPDATE memories SET speaker = 'bob' WHERE id = 'm1'")
        with pytest.raises(StoreCorruptError, match="m1"):
            write(store, change)


def test_a_repair_brings_back_what_was_written(store: SqliteStore) -> None:
    """A row with a damaged field comes back as the journal tells it; so does one whose checksum was
    damaged."""
    write(store, Update(memory=replace(FULL, priority=Priority.HIGH, tags=("c",)), expected=FULL))
    before = store.get(seen(), ["m1", "m2"])
    with closing(_raw(store)) as raw:
        raw.execute("UPDATE memories SET trust = 1.0, content = 'herons eat dogs' WHERE id = 'm1'")
        raw.execute("UPDATE memories SET checksum = 7 WHERE id = 'm2'")
    store.close()
    done = repair(store.path)
    assert (done.needed, done.lost.get("memories", 0)) == (True, 0)
    with closing(opened(Path(store.path).parent)) as again:
        assert again.get(seen(), ["m1", "m2"]) == before


def test_what_nothing_speaks_for_is_lost_and_told(store: SqliteStore) -> None:
    """Without its lines in the journal a damaged row is counted as lost, and shown by nobody."""
    with closing(_raw(store)) as raw:
        raw.execute("UPDATE memories SET trust = 1.0 WHERE id = 'm1'")
        raw.execute("DELETE FROM journal_texts WHERE key = 'm1'")
    store.close()
    done = repair(store.path)
    assert done.lost["memories"] == 1
    with closing(opened(Path(store.path).parent)) as again:
        assert [row.id for row in again.page(seen(), Listing(limit=9))] == ["m2"]


def test_an_older_store_gets_its_checksums(tmp_path: Path) -> None:
    """Once a store of the first schema is opened, another value of a field is told as damage."""
    file = tmp_path / "store.db"
    file.write_bytes(gzip.decompress(FIRST.read_bytes()))
    with Memory(file, embedder="none") as memory:
        rows = memory.list(user="ada", include=["superseded"], allow_secret=True)
        with closing(raw(file)) as other:
            assert other.execute("SELECT count(*) FROM memories WHERE checksum = 0").get == 0
            other.execute("UPDATE memories SET recorded_at = recorded_at + 1")
        assert len(rows) == 4
        with pytest.raises(StoreCorruptError):
            memory.list(user="ada")


def test_a_row_that_moves_stays_right(store: SqliteStore) -> None:
    """A checksum says nothing of where a row lives."""
    home = replace(FULL.scope, user="ada")
    write(store, Update(memory=replace(FULL, scope=home), expected=FULL))
    assert [row.scope for row in store.get(seen(home), ["m1"])] == [home]


def test_a_row_under_another_name_is_no_page(store: SqliteStore) -> None:
    """The index of scopes leads its owner to a row whose scope was damaged: that is told, and the
    row is not shown as if it were another's."""
    other = made("m3", scope=replace(FULL.scope, user="ada"))
    insert(store, other)
    with closing(_raw(store)) as raw:
        data = raw.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'memories'").get
    store.close()
    file, begin = Path(store.path), (data - 1) * 4096
    spoiled = bytearray(file.read_bytes())
    place = spoiled.index(b"m3" + bytes([2]) + other.content.encode(), begin)
    spoiled[place + 2] = 1
    file.write_bytes(summed(spoiled))
    with closing(opened(file.parent)) as again, pytest.raises(StoreCorruptError, match="index"):
        list(again.dump(seen(other.scope)))


def test_rows_from_another_engine_get_theirs(store: SqliteStore) -> None:
    """A row that an engine kept without one, as it sums its own pages, is read as it is, and has
    its own once it was moved into a file."""
    with closing(_raw(store)) as raw:
        raw.execute("UPDATE memories SET checksum = ?", (NEVER_CHECKED,))
        assert len(list(store.dump(seen()))) == 2
        store.sink().settle()
        raw.execute("UPDATE memories SET speaker = 'bob' WHERE id = 'm1'")
        with pytest.raises(StoreCorruptError, match="m1"):
            list(store.dump(seen()))


@pytest.mark.parametrize("deep", [False, True])
def test_doctor_tells_of_a_damaged_row(tmp_path: Path, deep: bool) -> None:
    """`doctor` lists a memory that is not what was written, and what to do, beside all else."""
    with Memory(tmp_path / "store.db", embedder="none") as memory:
        memory.remember("The door opens at nine", user="ada")
        with closing(apsw.Connection(memory.path)) as raw:
            raw.execute("UPDATE memories SET importance = 0.77")
        told = {one.name: one for one in memory.doctor(deep=deep)}
    assert not told["rows"].ok
    assert "doctor --repair" in told["rows"].advice
    assert told["schema"].ok


def test_a_deep_look_reads_every_row(tmp_path: Path) -> None:
    """Damage in a memory that is no longer active, far from the newest, is found by `deep`."""
    with Memory(tmp_path / "store.db", embedder="none") as memory:
        first = memory.remember("I live in Rome", user="ada")
        assert first.memory is not None
        memory.remember("I moved, I live in Oslo now", user="ada")
        with closing(apsw.Connection(memory.path)) as raw:
            raw.execute("UPDATE memories SET importance = 0.77 WHERE id = ?", (first.memory.id,))
        assert not all(one.ok for one in memory.doctor(deep=True))
