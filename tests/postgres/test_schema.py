"""The schema is that of SQLite in PostgreSQL's words, and its keys begin with the tenant."""

import re
from collections.abc import Iterator
from typing import Any

import apsw
import psycopg
import pytest
from tests.postgres.server import Server

from engraphy.stores.sqlite.migrations import steps

APART = {"meta", "migrations"}
"""Tables of no tenant."""
ANYWHERE = {"grants_by_id", "facts_by_subject", "memory_terms_by_term"}
"""Indexes that do not begin with the tenant: of a token alone, whoever's it is (for who runs the
store), of a subject's hash, and of words, which takes no other column."""
SQLITE_ONLY = {"memories_fts"}
"""The full-text index of SQLite; what stands for it here is `memory_terms`."""
HERE_ONLY = {"memory_terms", "journal_ends"}
"""Words by memory, and where each tenant's journal ends (SQLite counts by itself)."""
COLUMNS_HERE = {("facts", "rowid"), ("scopes", "place")}
"""What SQLite has without a name, and what an index stands on there."""
TYPES = {"INTEGER": "bigint", "TEXT": "text", "BLOB": "bytea", "REAL": "double precision"}
COLUMNS = """
    SELECT table_name, column_name, data_type, is_nullable = 'NO', column_default IS NOT NULL
    FROM information_schema.columns WHERE table_schema = 'public'
"""
KEYS = """
    SELECT i.indrelid::regclass::text, c.relname, coalesce(a.attname, '')
    FROM pg_index AS i
    INNER JOIN pg_class AS c ON c.oid = i.indexrelid AND c.relnamespace = 'public'::regnamespace
    LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
"""
FOREIGN = """
    SELECT k.conname, a.attname, b.attname
    FROM pg_constraint AS k
    INNER JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = k.conkey[1]
    INNER JOIN pg_attribute AS b ON b.attrelid = k.confrelid AND b.attnum = k.confkey[1]
    WHERE k.contype = 'f'
"""


@pytest.fixture(scope="module")
def raw(server: Server) -> Iterator[psycopg.Connection[Any]]:
    """A new store, without partitions."""
    with psycopg.connect(server.fresh(0), autocommit=True) as connection:
        yield connection


def _of_sqlite() -> dict[str, dict[str, tuple[str, bool]]]:
    """Tables of SQLite: columns with type and whether they are never empty."""
    file = apsw.Connection(":memory:")
    for step in steps():
        file.execute(step.sql)
    names = [
        name
        for _, name, kind, *_ in file.execute("PRAGMA table_list")
        if kind in ("table", "virtual") and not re.match("sqlite_|memories_fts_", name)
    ]
    found = {}
    for name in names:
        rows = file.execute(f"PRAGMA table_xinfo({name})").fetchall()
        found[name] = {
            column: (TYPES.get(kind, kind), bool(full or key))
            for _, column, kind, full, _, key, *_ in rows
        }
    return found


def test_tables_and_columns_are_those_of_sqlite(raw: psycopg.Connection[Any]) -> None:
    """The same tables with the same columns, types mapped, emptiness alike; each difference is
    named above. Where SQLite reaches the tenant by the scope or the row, it stands here."""
    here: dict[str, dict[str, tuple[str, bool]]] = {}
    for table, column, kind, full, _ in raw.execute(COLUMNS).fetchall():
        here.setdefault(table, {})[column] = (kind, full)
    there = _of_sqlite()
    assert {*here} - {*there} == HERE_ONLY
    assert {*there} - {*here} == SQLITE_ONLY
    more = {(t, c) for t in {*here} & {*there} for c in {*here[t]} - {*there[t]}}
    assert {(t, c) for t, c in more if c != "tenant"} == COLUMNS_HERE
    assert {(t, c) for t in {*here} & {*there} for c in {*there[t]} - {*here[t]}} == set()
    unlike = {
        f"{t}.{c}": (here[t][c], told)
        for t in {*here} & {*there}
        for c, told in there[t].items()
        if here[t][c] != told
    }
    assert unlike == {}


def test_every_key_begins_with_the_tenant(raw: psycopg.Connection[Any]) -> None:
    """Primary, unique and foreign keys, and every index but those named above."""
    odd = {
        index
        for table, index, column in raw.execute(KEYS).fetchall()
        if table not in APART and column != "tenant"
    }
    assert odd == ANYWHERE
    assert {row[1:] for row in raw.execute(FOREIGN).fetchall()} == {("tenant", "tenant")}


def test_every_table_of_tenants_is_behind_a_wall(raw: psycopg.Connection[Any]) -> None:
    """Row-level security is forced on every table with a tenant; the words stand behind functions,
    and no role of the store has a right to them."""
    text = """
        SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace
        AND relkind IN ('r', 'p') AND NOT (relrowsecurity AND relforcerowsecurity)
    """
    assert {name for (name,) in raw.execute(text).fetchall()} == APART | {"memory_terms"}
    may = "SELECT has_table_privilege(value, 'memory_terms', 'SELECT') FROM meta WHERE key = 'role'"
    assert raw.execute(may).fetchone() == (False,)
