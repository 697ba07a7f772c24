"""What spreads the tables over the nodes of a distributed PostgreSQL by their tenant, and the rules
of such a cluster, which the schema has to keep. Derived from the schema; nothing is run."""

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Any

from psycopg import ProgrammingError, connect, conninfo
from sqlglot import exp, parse_one

from engraphy.errors import InvalidInputError
from engraphy.stores.postgres.access import role_of
from engraphy.stores.postgres.dialect import TENANT, translated
from engraphy.stores.postgres.migrations import steps
from engraphy.stores.postgres.shape import Shape, sequences, shapes, triggers
from engraphy.stores.postgres.store import PostgresStore
from engraphy.stores.relational.sql import query

BY_ID = frozenset({"grant_of"})
"""Statements that are asked without a tenant all the time, by a key alone: a token says no tenant.
Their tables stand on every node."""
OF_ALL = frozenset({"tenants"})
"""Statements about all tenants, for whoever runs the store: they ask every node."""
CLUSTERS = ("citus", "yugabyte")
_DATABASE = "memory"
_PARTITIONS = "SELECT value FROM meta WHERE key = 'partitions'"
Breach = Callable[[Shape, Mapping[str, Shape], frozenset[str]], Iterator[str]]


def plan(cluster: str, place: str | None = None) -> dict[str, Any]:
    """What to run, in order, and what it rests on; `place`: of the database, which is not asked.
    Raises InvalidInputError."""
    if cluster not in CLUSTERS:
        raise InvalidInputError(field="cluster", got=repr(cluster), allowed=", ".join(CLUSTERS))
    known = _clusters()[cluster]
    name = _database(place)
    bound = {"database": f'"{name}"', "role": f'"{role_of(name)}"'}
    everywhere = on_every_node()
    spread = ordered(shapes(), everywhere)
    told = {key: [one.format(**bound) for one in known[key]] for key in ("before", "rests", "open")}
    settings = [one.format(**bound) for one in known["statements"]]
    return {
        "cluster": cluster,
        "title": known["title"],
        "least": known["least"],
        "run_here": False,
        "schema": steps()[-1].number,
        "database": name,
        "role": role_of(name),
        "spread": [one.name for one in spread],
        "on_every_node": sorted(everywhere),
        "without_key": [one.name for one in spread if not one.primary],
        "sequences": list(sequences()),
        "triggers": list(triggers()),
        "statements": [*settings, *_spreading(spread, sorted(everywhere))] if settings else [],
        "rules": [
            {"rule": rule, "broken": found} for rule, found in broken(shapes(), everywhere).items()
        ],
        **told,
    }


def make(place: str) -> str:
    """Make the tables in an empty database without partitions; the place, without its password.
    Raises InvalidInputError where a store with partitions is there, and the errors of the store."""
    store = PostgresStore(place, partitions=0)
    store.close()
    with connect(place) as raw:
        (told,) = raw.execute(_PARTITIONS).fetchone() or ("0",)
    if told != "0":
        got = f"a store with {told} partitions"
        raise InvalidInputError(field="database", got=got, allowed="an empty one")
    return store.path


def on_every_node() -> frozenset[str]:
    """Tables of no tenant, and those that are asked by a key alone."""
    asked = [parse_one(_said(name), read="postgres") for name in BY_ID]
    named = {table.name for tree in asked for table in tree.find_all(exp.Table)}
    return frozenset(named | {one.name for one in shapes() if not one.tenanted})


def ordered(tables: Sequence[Shape], everywhere: frozenset[str]) -> list[Shape]:
    """The tables to spread, each behind those that its foreign keys point to."""
    by_name = {one.name: one for one in tables if one.name not in everywhere}
    sorter: TopologicalSorter[str] = TopologicalSorter()
    for one in by_name.values():
        needed = {key.table for key in one.foreign} & by_name.keys() - {one.name}
        sorter.add(one.name, *sorted(needed))
    return [by_name[name] for name in sorter.static_order()]


def broken(tables: Sequence[Shape], everywhere: frozenset[str]) -> dict[str, list[str]]:
    """Each rule of a cluster with what breaks it."""
    known = {one.name: one for one in tables}
    return {
        rule: [told for one in tables for told in check(one, known, everywhere)]
        for rule, check in _RULES.items()
    }


def _spreading(spread: Sequence[Shape], everywhere: Sequence[str]) -> Iterator[str]:
    for name in everywhere:
        yield f"SELECT create_reference_table('{name}')"
    first = spread[0].name
    for one in spread:
        if not one.primary:
            # Without a key a shard could not be moved while it is written to.
            yield f"ALTER TABLE {one.name} REPLICA IDENTITY FULL"
        beside = "none" if one.name == first else first
        told = f"'{one.name}', '{TENANT}', colocate_with => '{beside}'"
        yield f"SELECT create_distributed_table({told})"


def _said(name: str) -> str:
    """A named query as it is asked without a tenant, its values left out."""
    return str(translated(query(name), walled=False)).replace("%(id)s", "NULL")


def _database(place: str | None) -> str:
    """The name of a database by its place."""
    if place is None:
        return _DATABASE
    try:
        told = conninfo.conninfo_to_dict(place)
    except ProgrammingError as error:
        allowed = "postgresql://user@host/name"
        raise InvalidInputError(field="database", got="no such place", allowed=allowed) from error
    return str(told.get("dbname") or told.get("user") or _DATABASE)


@cache
def _clusters() -> dict[str, Any]:
    text = Path(__file__).with_name("clusters.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _keys(one: Shape, _: Mapping[str, Shape], everywhere: frozenset[str]) -> Iterator[str]:
    if one.name in everywhere:
        return
    for key in (*([one.primary] if one.primary else []), *one.unique):
        if TENANT not in key:
            yield f"{one.name} ({', '.join(key)})"


def _same_place(one: Shape, _: Mapping[str, Shape], everywhere: frozenset[str]) -> Iterator[str]:
    for key in one.foreign if one.name not in everywhere else ():
        if key.table in everywhere:
            continue
        if (TENANT, TENANT) not in zip(key.columns, key.referred, strict=True):
            yield f"{one.name} -> {key.table}"


def _known(one: Shape, known: Mapping[str, Shape], everywhere: frozenset[str]) -> Iterator[str]:
    for key in one.foreign:
        there = known.get(key.table)
        if there is None or not (there.tenanted or key.table in everywhere):
            yield f"{one.name} -> {key.table}"


def _outward(one: Shape, _: Mapping[str, Shape], everywhere: frozenset[str]) -> Iterator[str]:
    for key in one.foreign if one.name in everywhere else ():
        if key.table not in everywhere:
            yield f"{one.name} -> {key.table}"


def _still(one: Shape, _: Mapping[str, Shape], everywhere: frozenset[str]) -> Iterator[str]:  # noqa: ARG001 - the rules have one form
    yield from (f"{one.name} -> {key.table} {key.action}" for key in one.foreign if key.action)


_RULES: dict[str, Breach] = {
    "every primary and unique key has the tenant": _keys,
    "a foreign key has the tenant on both sides, at the same place": _same_place,
    "a foreign key points to a table beside it, or to one on every node": _known,
    "no table on every node points to one that is spread": _outward,
    "no foreign key changes other rows": _still,
}
