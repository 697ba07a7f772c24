"""A damaged file never crashes a reader, never shows another text, and is never thrown away."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.raw import raw
from tests.stores.making import MODEL, TENANT, insert, made, opened, seen, with_vector, write

from engraphy.errors import StoreCorruptError, StoreError
from engraphy.model.change import Forget, PutRelation
from engraphy.model.kinds import RelationType
from engraphy.model.query import FactFilter, Listing, Term
from engraphy.model.records import Relation
from engraphy.stores.sqlite import SqliteStore

COUNT = 60
IDS = [f"m{number}" for number in range(COUNT)]
TEXTS = {name: f"zebra words of {name} and more" for name in IDS}
READS: list[Callable[[SqliteStore], object]] = [
    lambda store: store.page(seen(), Listing(limit=COUNT)),
    lambda store: store.get(seen(), IDS),
    lambda store: list(store.dump(seen())),
    lambda store: store.search_text(seen(), [Term(term="zebra", surface="zebra")], COUNT),
    lambda store: store.search_vector(seen(), MODEL, (1.0, 2.0), COUNT),
    lambda store: store.candidates(seen(), IDS, model_id=MODEL, vector=(1.0, 2.0), neighbours=2),
    lambda store: store.journal(TENANT, limit=1000),
    lambda store: store.facts(seen(), FactFilter()),
    lambda store: store.relations(seen(), IDS),
    lambda store: store.stats(seen()),
    lambda store: store.check(deep=True),
    lambda store: insert(store, made("new")),
    lambda store: write(store, Forget(id="m7")),
    lambda store: store.optimise(),
]


@pytest.fixture(scope="module")
def intact(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The bytes of a closed store."""
    folder = tmp_path_factory.mktemp("intact")
    store = opened(folder)
    for number, name in enumerate(IDS):
        write(store, with_vector(made(name, TEXTS[name], tags=("x",)), 1.0, float(number)))
    relation = Relation(source_id="m1", target_id="m2", type=RelationType.CAUSES)
    write(store, PutRelation(relation=relation))
    store.close()
    return (folder / "store.db").read_bytes()


def _damaged(intact: bytes, chance: random.Random) -> bytes:
    spoiled = bytearray(intact)
    way = chance.random()
    if way < 0.8:
        for _ in range(chance.choice([1, 4, 64])):
            spoiled[chance.randrange(len(spoiled))] ^= 1 << chance.randrange(8)
        return bytes(spoiled)
    if way < 0.9:
        return bytes(spoiled[: chance.randrange(1, len(spoiled))])
    start = chance.randrange(len(spoiled) // 4096) * 4096
    spoiled[start : start + 4096] = chance.randbytes(4096)
    return bytes(spoiled)


@pytest.mark.long
@pytest.mark.spec("P-05")
@pytest.mark.parametrize("seed", range(6))
def test_damage_is_a_typed_error(tmp_path: Path, intact: bytes, seed: int) -> None:
    """After flips, truncations and overwritten pages every call answers or raises a StoreError."""
    chance = random.Random(seed)
    for round_ in range(12):
        folder = tmp_path / str(round_)
        folder.mkdir()
        (folder / "store.db").write_bytes(_damaged(intact, chance))
        try:
            store = opened(folder)
        except StoreError:
            assert (folder / "store.db").exists()
            continue
        for read in READS:
            try:
                found = read(store)
            except StoreError:
                continue
            for memory in found if isinstance(found, list) else []:
                if getattr(memory, "content", None) is not None and hasattr(memory, "scope"):
                    assert memory.content in {*TEXTS.values(), "words of new"}
        store.close()
        assert (folder / "store.db").exists()


@pytest.mark.parametrize(
    ("statement", "name"),
    [
        ("UPDATE memories SET content = 'quite other words' WHERE id = 'm3'", "contents"),
        ("UPDATE memories SET scope_id = 99 WHERE id = 'm3'", "references"),
        ("UPDATE memories SET sensitivity = 'secret' WHERE id = 'm3'", "walls of the full text"),
        ("DELETE FROM memories_fts_docsize WHERE id = 3", "full text"),
        ("UPDATE walls SET documents = documents + 1", "full text"),
        ("UPDATE memories_fts_data SET block = X'02640000000001' WHERE id = 1", "full text"),
        ("DELETE FROM vector_signs WHERE vector_id = 5", "vectors"),
        ("UPDATE vector_counts SET memories = 7", "vectors and their scopes"),
        ("UPDATE memories SET id = 'stranger' WHERE id = 'm3'", "journal of memories"),
        ("UPDATE meta SET value = '0' WHERE key = 'analyser'", "schema"),
    ],
)
def test_checks_find_what_disagrees(
    tmp_path: Path, intact: bytes, statement: str, name: str
) -> None:
    """Each check finds the disagreement it is there for, and says what to do."""
    (tmp_path / "store.db").write_bytes(intact)
    connection = raw(tmp_path / "store.db")
    connection.execute("PRAGMA foreign_keys = OFF")
    connection.execute(statement)
    connection.close()
    store = opened(tmp_path, read_only=True)
    wrong = {check.name: check for check in store.check(deep=True) if not check.ok}
    assert name in wrong
    assert wrong[name].detail
    assert wrong[name].advice
    store.close()


def test_a_changed_text_is_not_shown(tmp_path: Path, intact: bytes) -> None:
    """A content that is not what was written is an error; its neighbours are read."""
    (tmp_path / "store.db").write_bytes(intact)
    with raw(tmp_path / "store.db") as connection:
        connection.execute("UPDATE memories SET content = 'forged words' WHERE id = 'm3'")
    store = opened(tmp_path)
    with pytest.raises(StoreCorruptError, match="m3"):
        store.get(seen(), ["m2", "m3"])
    assert store.get(seen(), ["m2"])[0].content == TEXTS["m2"]
    store.close()


def test_another_analyser_is_brought_up_to_date(tmp_path: Path, intact: bytes) -> None:
    """An index made by another version of the analyser is made anew on opening for writing."""
    (tmp_path / "store.db").write_bytes(intact)
    with raw(tmp_path / "store.db") as connection:
        connection.execute("INSERT INTO memories_fts (memories_fts) VALUES ('delete-all')")
        connection.execute("DELETE FROM walls")
        connection.execute("UPDATE meta SET value = '0' WHERE key = 'analyser'")
    store = opened(tmp_path)
    found = store.search_text(seen(), [Term(term="zebra", surface="zebra")], COUNT)
    assert len(found.matches) == COUNT
    assert [check.detail for check in store.check(deep=True) if not check.ok] == []
    store.close()


def test_an_id_of_another_kind_is_damage(tmp_path: Path, intact: bytes) -> None:
    """An id that a flipped bit made bytes is told as damage by what hands on ids alone."""
    row = intact.index(b"m5" + TEXTS["m5"].encode())
    # The record's header: its length, no number of its own, a text of two bytes.
    header = intact.rindex(b"\0\x11", 0, row)
    spoiled = bytearray(intact)
    spoiled[header + 1] ^= 1
    (tmp_path / "store.db").write_bytes(spoiled)
    store = opened(tmp_path)
    for found in (
        lambda: store.search_text(seen(), [Term(term="zebra", surface="zebra")], COUNT),
        lambda: store.search_vector(seen(), MODEL, (1.0, 5.0), COUNT),
    ):
        with pytest.raises(StoreCorruptError):
            found()
    store.close()
