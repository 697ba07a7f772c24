"""Every statement of the store is about one tenant, and is the business of one partition: what a
cluster that spreads tenants over nodes asks for."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.postgres.server import Server

from engraphy.stores.postgres import dialect
from engraphy.stores.postgres.dialect import translated
from engraphy.stores.relational.sql import QUERIES, Query, filled, load

PARTITIONS = 8
TENANT = "1"
PART = re.compile(r'"Relation Name": "\w+?_(\d)"')
NAMED = re.compile(r"%\((\w+)\)s")
SLOTS = {
    "after": "1 = 1",
    "beside": "",
    "columns": "id",
    "gate": "1 = 1",
    "key": "m.id",
    "light": "m.id",
    "listed": "1 = 1",
    "named": "1 = 1",
    "offset": "1",
    "order": "1",
    "other_gate": "1 = 1",
    "values": ":id",
    "walls": "s.user",
    "wanted": "1 = 1",
}
"""Something that may stand where fragments of our own stand."""
WHOLE = (
    "find_hash",
    "find_over",
    "get_memories",
    "least_used",
    "page",
    "standing",
    "stored_memories",
    "stored_memory",
    "walk_whole",
    "written_first",
)
OF_ONE = {
    "among": {"columns": ""},
    "without_checksum": {"columns": "id"},
    "to_be_checked": {"columns": "id"},
    "facts": {"columns": "f.id"},
    "lines": {"order": "ASC"},
    "walk": {"columns": ""},
    **{name: {"columns": "m.id"} for name in WHOLE},
}
FRAGMENTS = frozenset({"light_row", "row_after", "row_before"})
"""No statements, but parts of some."""
VALUES = {
    **dict.fromkeys(("now", "gap"), 1),
    **dict.fromkeys(("after", "since"), "0"),
    **dict.fromkeys(("v0", "v1", "v2", "from"), "public"),
    "behind": "~",
    "kind": "memory",
    "label": "tag",
    "seen": "{1}",
    "state": "active",
}
"""What stands for a value, where a plan would be that of nothing, or of no type."""
TOGETHER = frozenset({"grow_each"})
"""What says a statement for many rows at once: all its values are lists."""
NONE = frozenset({"generation", "read_meta", "write_meta"})
"""Statements that read no table of tenants."""
FUNCTIONS = {
    "clear_text": "SELECT engraphy_drop_words(NULL)",
    "count_matches": "SELECT * FROM engraphy_count_words(ARRAY['''a''', '''b'''], 9)",
    "delete_text": "SELECT engraphy_drop_words(1)",
    "held_text": "SELECT engraphy_held_words()",
    "insert_text": "SELECT engraphy_put_words(1, 'a', 'b', '', '', '', 'w')",
    "match_rows": "SELECT * FROM engraphy_reach_words('''a''', ARRAY['''a'''], ARRAY[1.0], 9)",
    "term_places": "SELECT * FROM engraphy_place_words(ARRAY[1], ARRAY['a'])",
}
"""What a function of the schema does, for the tenant of the transaction: no plan tells it, so each
is called, and the locks of the transaction tell what it touched."""
LOCKED = """
    SELECT DISTINCT c.relname FROM pg_locks AS l INNER JOIN pg_class AS c ON c.oid = l.relation
    WHERE l.pid = pg_backend_pid() AND c.relispartition AND c.relkind = 'r'
"""


def _told(name: str) -> dialect.Statement:
    if name in TOGETHER:
        return dialect.own(name)
    text = Query(filled(QUERIES[name], SLOTS | OF_ONE.get(name, {})))
    text.name, text.slots = name, {}
    return translated(text)


@pytest.fixture(scope="module")
def raw(server: Server) -> Iterator[psycopg.Connection[Any]]:
    """A connection to a store of eight partitions, by which the client writes values into
    statements, as the store's own connections do."""
    with psycopg.connect(server.fresh(PARTITIONS), autocommit=True) as connection:
        connection.cursor_factory = psycopg.ClientCursor
        yield connection


def _touched(raw: psycopg.Connection[Any], name: str) -> set[str]:
    """The remainders of the partitions that the plan of a statement names."""
    text = _told(name)
    values: dict[str, Any] = {one: VALUES.get(one, TENANT) for one in NAMED.findall(text)}
    values |= dict.fromkeys(text.names if name in TOGETHER else text.lists, "{1}")
    row = raw.execute(f"EXPLAIN (FORMAT JSON) {text}".encode(), values).fetchone()
    assert row is not None
    return {*PART.findall(json.dumps(row[0]))}


def _is_insertion(name: str) -> bool:
    """Whether a row goes in that says whose it is: the partition is that of its tenant."""
    return bool(re.match(r"INSERT INTO \S+ \([^)]*\btenant\b", _told(name).replace('"', "")))


@pytest.mark.long
def test_every_statement_touches_one_partition(raw: psycopg.Connection[Any]) -> None:
    """The plan of each named query, its tenant known, reads and writes the partitions of one
    remainder, and no other; an insertion says the tenant of its row."""
    names = ({*QUERIES} | TOGETHER) - FRAGMENTS - NONE - {*FUNCTIONS}
    found = {name: _touched(raw, name) for name in sorted(names)}
    assert {name: parts for name, parts in found.items() if len(parts) > 1} == {}
    assert [n for n, parts in found.items() if not parts and not _is_insertion(n)] == []


def test_functions_touch_one_partition(raw: psycopg.Connection[Any]) -> None:
    """What a function does with the words is planned with its tenant known: the partition of that
    tenant is locked, and no other. Those named here are all that ask a function of ours for it."""
    own = load(Path(dialect.__file__).parent / "queries")
    asking = {name for name, text in own.items() if re.search(r"engraphy_\w+_words", text)}
    assert asking == {*FUNCTIONS}
    for name, call in FUNCTIONS.items():
        with raw.transaction(force_rollback=True):
            raw.execute("SET LOCAL engraphy.tenant = '1'")
            raw.execute(call.encode())
            locked = {part for (part,) in raw.execute(LOCKED).fetchall()}
        assert len(locked) == 1, name
        assert {part.rpartition("_")[0] for part in locked} == {"memory_terms"}, name


FILLED = """
    INSERT INTO memories (tenant, id, scope_id, content, content_hash)
    SELECT %s, 'm' || n, %s, 'text ' || n, sha256(('text ' || n)::bytea)
    FROM generate_series(%s, %s) AS n
"""
GROUND = """
    INSERT INTO scopes (tenant, "user") VALUES (%s, 'u') RETURNING tableoid::regclass::text, id
"""


def _grown_since(raw: psycopg.Connection[Any]) -> tuple[str, int]:
    """A tenant that had few rows beside another one when the partition was counted, and has many
    by now; and the number of its scope."""
    part, scope = raw.execute(GROUND, ("counted",)).fetchone() or ("", 0)
    raw.execute(FILLED, ("counted", scope, 1, 4_000))
    for number in range(200):
        tenant = f"grown{number}"
        where, scope = raw.execute(GROUND, (tenant,)).fetchone() or ("", 0)
        if where == part:
            raw.execute(FILLED, (tenant, scope, 1, 6))
            raw.execute("ANALYZE memories")
            raw.execute(FILLED, (tenant, scope, 7, 500))
            return tenant, scope
    raise AssertionError("no such tenant")


@pytest.mark.long
@pytest.mark.parametrize("name", ["get_memories", "visible_rows", "candidates", "delivered"])
def test_rows_are_looked_up_by_their_keys(raw: psycopg.Connection[Any], name: str) -> None:
    """Memories that are named are read by their keys, and not with all that their tenant holds,
    also where it has grown since the server counted its rows."""
    with raw.transaction(force_rollback=True):
        tenant, scope = _grown_since(raw)
        gate = f"m.scope_id = {scope} AND m.state = 'active'"
        text = Query(filled(QUERIES[name], SLOTS | OF_ONE.get(name, {}) | {"gate": gate}))
        text.name, text.slots = name, {}
        told = translated(text)
        values: dict[str, Any] = dict.fromkeys(NAMED.findall(told), 1)
        values |= {"own_": tenant, "tenant": tenant, "ids": "{m1,m2}", "seqs": "{1,2}"}
        row = raw.execute(f"EXPLAIN (FORMAT JSON) {told}".encode(), values).fetchone()
        used = set(re.findall(r'"Index Name": "memories_\d_(\w+)"', json.dumps(row)))
        assert used
        assert used <= {"pkey", "tenant_id_key"}


@pytest.mark.parametrize(
    "name", ["find_hash", "find_over", "get_memories", "visible_rows", "candidates"]
)
def test_keys_are_asked_for_before_anything_is_counted(
    raw: psycopg.Connection[Any], name: str
) -> None:
    """A new store's server thinks each tenant has a row or none: that row too is looked up by its
    whole key, as the plan is kept while more come."""
    text = Query(filled(QUERIES[name], SLOTS | OF_ONE.get(name, {})))
    text.name, text.slots = name, {}
    told = translated(text)
    values: dict[str, Any] = dict.fromkeys(NAMED.findall(told), 1)
    values |= {"own_": TENANT, "tenant": TENANT, "ids": "{m1}", "seqs": "{1}"}
    values |= {"content_hash": b"1", "v0": "public", "v1": None, "v2": None}
    with raw.transaction(force_rollback=True):
        raw.execute("SET LOCAL enable_seqscan = off")
        plan = [line for (line,) in raw.execute(f"EXPLAIN {told}".encode(), values)]
    asked = re.findall(r" using memories_.*\n +Index Cond: (.*)", "\n".join(plan))
    assert asked
    assert [one for one in asked if not re.search(r"\b(seq|id|content_hash)\b", one)] == []
