"""What SQLite leaves of a forgotten text between the cells of pages goes, however large the store
is (P-16)."""

from contextlib import closing
from pathlib import Path

import pytest
from tests.engine.making import kept, opened
from tests.raw import raw

from engraphy.stores.sqlite import traces

MEGABYTE = 2**20
PLANTED = "Quetzalcoatlus soared over the lagoon of Xochimilco at dawn"


def planted(path: Path, padding: int, text: str = PLANTED) -> None:
    """Leave a copy of a text where SQLite may leave one: between the cell pointers and the cells of
    a page, in front of so many bytes of padding."""
    with closing(raw(path)) as other:
        other.execute("PRAGMA secure_delete = OFF")
        other.execute("CREATE TABLE planted (id INTEGER PRIMARY KEY, x)")
        other.execute("INSERT INTO planted (x) VALUES ('first'), (?)", (text,))
        other.execute("DELETE FROM planted WHERE id = 2")
        other.execute("CREATE TABLE pad (x)")
        for _ in range(padding // MEGABYTE):
            other.execute("INSERT INTO pad (x) VALUES (zeroblob(?))", (MEGABYTE,))
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@pytest.mark.spec("P-16")
@pytest.mark.parametrize(
    ("limit", "padding"),
    [
        pytest.param(0, 3 * MEGABYTE, id="lowered"),
        pytest.param(traces.AT_ONCE, traces.AT_ONCE + MEGABYTE, id="large", marks=pytest.mark.slow),
    ],
)
@pytest.mark.parametrize("pieces", [1, 40], ids=["few", "many"])
def test_no_byte_is_left_in_a_store_of_any_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, padding: int, pieces: int
) -> None:
    """A store above every limit is looked through piece by piece, within bounded memory: what
    SQLite left of a forgotten text between the cells of a page goes too."""
    for name in ("SMALL", "AT_ONCE"):
        monkeypatch.setattr(traces, name, min(limit, getattr(traces, name)))
    monkeypatch.setattr(traces, "CHUNK", min(traces.CHUNK, max(64 * 1024, padding // 8)))
    text = " ".join([PLANTED, *(f"and {number} egrets waded there" for number in range(pieces))])
    with opened(tmp_path / "m.db") as memory:
        row = kept(memory.remember(text))
        planted(tmp_path / "m.db", padding)
        assert (tmp_path / "m.db").read_bytes().count(PLANTED[8:].encode()) > 1
        memory.forget(row.id)
        for file in tmp_path.iterdir():
            assert PLANTED[8:40].encode() not in file.read_bytes(), file.name


@pytest.mark.spec("P-16")
def test_a_path_is_found_by_what_is_left_of_it(tmp_path: Path) -> None:
    """Where other cells grew over the end of a path, the names in it that are left go too."""
    with opened(tmp_path / "m.db") as memory:
        row = kept(memory.remember("We renamed it", files_read=["src/quetzalcoatlus.py"]))
        planted(tmp_path / "m.db", MEGABYTE, "src/quetzalcoatlus.")
        assert (tmp_path / "m.db").read_bytes().count(b"quetzalcoatlus") > 1
        memory.forget(row.id)
        for file in tmp_path.iterdir():
            assert b"quetzalcoatlus" not in file.read_bytes(), file.name


@pytest.mark.long
@pytest.mark.parametrize("limit", [0, traces.SMALL], ids=["large", "small"])
def test_much_that_is_forgotten_at_once_is_looked_for_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int
) -> None:
    """However many words go with one transaction, none of them is left unsought."""
    monkeypatch.setattr(traces, "SMALL", limit)
    with opened(tmp_path / "m.db") as memory:
        row = kept(memory.remember("Egrets"))
        for turn in range(8):
            words = (f"Aegret{turn}{number:05d}" for number in range(1_300))
            memory.update(row.id, content=" ".join((*words, PLANTED if turn == 3 else "")))
        planted(tmp_path / "m.db", MEGABYTE)
        assert (tmp_path / "m.db").read_bytes().count(PLANTED[8:].encode()) > 1
        memory.forget(row.id)
        assert PLANTED[8:40].encode() not in (tmp_path / "m.db").read_bytes()


def test_a_reader_puts_the_search_of_a_large_store_off(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While a reader needs the log, a store that is too large for one look is searched once the log
    can be emptied: with the next write, or when it is closed."""
    monkeypatch.setattr(traces, "AT_ONCE", 0)
    path = tmp_path / "m.db"
    with opened(path) as memory:
        row = kept(memory.remember(PLANTED))
        planted(path, MEGABYTE)
        assert path.read_bytes().count(PLANTED[8:].encode()) > 1
        with closing(raw(path)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM memories").fetchone()
            memory.forget(row.id)
            assert memory.recall("Quetzalcoatlus") == []
        memory.remember("Herons nest in the reeds of the northern shore")
        assert PLANTED[8:40].encode() not in path.read_bytes()
