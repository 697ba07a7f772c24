"""Every statement of the store is about one tenant, and is the business of one partition: what a
cluster that spreads tenants over nodes asks for."""

import json
import re
from collections.abc import Iterator
from typing import Any

import psycopg
import pytest
from tests.postgres.server import Server

from engraphy.stores.postgres.dialect import own, translated
from engraphy.stores.relational.sql import filled, Query, QUERIES

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
OF_ONE = {
    "among": {"columns": ""},
    "stored_part": {"columns": ""},
    "facts": {"columns": "f.id"},
    "lines": {"order": "ASC"},
    **{name: {"columns": "m.id"} for name in ("find_hash", "get_memories", "least_used")},
}
FRAGMENTS = frozenset({"light_row"})
"""No statements, but parts of some."""
OF_ALL = frozenset({"all_grants"})
"""Statements over all tenants, for who runs the store."""
NONE = frozenset({"generation"})
"""Statements that read no table of tenants."""


def _told(name: str) -> str:
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


@pytest.mark.parametrize("name", sorted({*QUERIES} - FRAGMENTS - NONE))
def test_every_statement_touches_one_partition(raw: psycopg.Connection[Any], name: str) -> None:
    """The plan of each named query, its tenant known, reads and writes the partitions of one
    remainder, and no other."""
    text = _told(name)
    values: dict[str, Any] = {one: TENANT for one in NAMED.findall(text)}
    print(text)
    (plan,) = raw.execute(f"EXPLAIN (FORMAT JSON) {text}".encode(), values).fetchone() or ("",)
    assert len({*PART.findall(json.dumps(plan))}) == 1
