"""The schema: what it enforces by itself, and that it is what the migrations say."""

from dataclasses import fields
from pathlib import Path

import apsw
import pytest

from engraphy.model.change import Insert
from engraphy.model.kinds import Origin, Sensitivity, State
from engraphy.model.memory import Channels, Memory
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.relational.rows import COLUMNS, DEFAULTS
from engraphy.stores.sqlite import open_store
from engraphy.stores.sqlite.migrations import APPLICATION_ID, newest, steps

TENANT = Tenant("t")


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A store with one memory, closed."""
    path = str(tmp_path / "store.db")
    store = open_store(path)
    memory = Memory(id="m", scope=Scope(tenant=TENANT), content="some words", origin=Origin.WEB)
    store.apply(TENANT, [Insert(memory=memory)], now=1, actor="test")
    store.close()
    return path


def test_columns_are_the_fields_of_a_memory(file: str) -> None:
    """Every field of Memory has its column and no column is without a field."""
    apart = {"scope": ["scope_id", "session"], "channels": list(Channels._fields)}
    wanted = [name for f in fields(Memory) for name in apart.get(f.name, [f.name])]
    with apsw.Connection(file) as connection:
        found = [row[1] for row in connection.execute("PRAGMA table_info(memories)")]
    assert sorted(found) == sorted([*wanted, "content_hash", "checksum", "seq"])
    assert sorted(COLUMNS) == sorted([*wanted, "content_hash", "checksum"])


def test_defaults_of_the_schema_are_what_the_journal_leaves_out(file: str) -> None:
    """Old journal entries keep their meaning: what they leave out is the DEFAULT of the schema."""
    with apsw.Connection(file) as connection:
        info = {row[1]: row[4] for row in connection.execute("PRAGMA table_info(memories)")}
        stated = {
            name: connection.execute(f"SELECT {text}").get if text is not None else None
            for name, text in info.items()
        }
    assert {name: stated[name] for name in DEFAULTS} == DEFAULTS


def test_schema_equals_its_migrations(file: str) -> None:
    """A store's schema is what its recorded migrations make, and nothing else."""
    fresh = apsw.Connection(":memory:")
    for step in steps():
        fresh.execute(step.sql)
    text = "SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite_%' ORDER BY name"
    with apsw.Connection(file) as connection:
        assert connection.execute(text).fetchall() == fresh.execute(text).fetchall()
        done = connection.execute("SELECT number, name FROM migrations").fetchall()
        assert done == [(step.number, step.name) for step in steps()]
        assert connection.execute("PRAGMA user_version").get == newest()
        assert connection.execute("PRAGMA application_id").get == APPLICATION_ID


def test_every_table_is_strict(file: str) -> None:
    """No table but those of the full-text index takes a value of the wrong type."""
    with apsw.Connection(file) as connection:
        loose = [
            name
            for _, name, kind, _, _, strict in connection.execute("PRAGMA table_list")
            if kind == "table" and not strict and not name.startswith("sqlite_")
        ]
    assert [name for name in loose if not name.startswith("memories_fts")] == []


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE memory_journal SET actor = 'x'",
        "DELETE FROM memory_journal",
        "INSERT OR REPLACE INTO memory_journal SELECT * FROM memory_journal",
        "UPDATE journal_texts SET payload = x'00'",
        "UPDATE memories SET origin = 'user'",
        (
            "INSERT OR REPLACE INTO memories (id, scope_id, content, content_hash, origin)"
            " VALUES ('m', 1, 'c', zeroblob(32), 'user')"
        ),
    ],
)
def test_database_refuses(file: str, statement: str) -> None:
    """Journal lines stay and origins stay, whoever writes (R-07, P-10)."""
    with apsw.Connection(file) as connection:
        before = connection.execute("SELECT * FROM memory_journal").fetchall()
        with pytest.raises(apsw.ConstraintError):
            connection.execute(statement)
        assert connection.execute("SELECT * FROM memory_journal").fetchall() == before
        assert connection.execute("SELECT origin FROM memories").get == "web"


def test_checks_know_the_vocabularies(file: str) -> None:
    """The closed vocabularies that guard access are checked by the database, value by value."""
    with apsw.Connection(file) as connection:
        for column, values in (("state", State), ("sensitivity", Sensitivity)):
            for value in values:
                connection.execute(f"UPDATE memories SET {column} = ?", (str(value),))
            with pytest.raises(apsw.ConstraintError):
                connection.execute(f"UPDATE memories SET {column} = 'other'")


def test_stock_tokenizer_and_options_only(file: str) -> None:
    """The index can be read by an older stock shell: built-in tokenizer, no newer FTS5 options."""
    with apsw.Connection(file) as connection:
        sql = str(connection.execute("SELECT sql FROM sqlite_schema WHERE name='memories_fts'").get)
        options = connection.execute("SELECT k FROM memories_fts_config").fetchall()
    assert "unicode61" in sql
    assert "contentless_delete" not in sql
    assert options == [("version",)]
