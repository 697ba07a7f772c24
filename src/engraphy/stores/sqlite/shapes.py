"""What a record of a table or of an index looks like, and what tells two apart whose records have
one shape."""

import json
from collections.abc import Callable, Mapping
from typing import NamedTuple

import apsw

from engraphy.record import Record
from engraphy.stores.relational.sql import every
from engraphy.stores.sqlite import migrations
from engraphy.stores.sqlite.carrying import MOVING
from engraphy.stores.sqlite.mending import is_wall
from engraphy.stores.sqlite.pages import Row, Value

MADE = frozenset(
    {"walls", "memory_imprints", "vector_signs", "vector_counts", "memory_labels", "migrations"}
)
"""Tables that are made from the others."""
ANALYSER = "analyser"
"""What of the table `meta` tells of the index, which is made anew."""
WALLS_INDEX = "scopes_by_walls"
MOST_DIMENSIONS = 1 << 16
"""No embedder makes vectors of more."""
_FIRST = ("meta", "scopes", "memories", "embedding_models", "memory_journal")
_ANYTHING = (int, float, str, bytes, type(None))
_ALLOWED: Mapping[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
    "": _ANYTHING,
}
_LOOSE = {"segid": "INTEGER", "term": "BLOB", "pgno": "INTEGER", "k": "TEXT", "v": "INTEGER"}
"""What SQLite's own tables hold in columns that they declare without a type."""
_EARLIEST = 1 << 32
"""No moment is earlier, in microseconds, and no number of a row is as large."""
_NUMBER, _EXPRESSION = -1, -2
"""What `PRAGMA index_xinfo` calls the row's number, and what is no column."""


class Column(NamedTuple):
    """A column: its name, what it may hold, whether it must, whether it is the row's number,
    whether it is a wall as the index of walls has it."""

    name: str
    type: str
    filled: bool
    number: bool = False
    wall: bool = False


class Table(Record, frozen=True):
    """A table as this version writes it, or an index: that is `ours` no more than what is made from
    the tables."""

    name: str
    columns: tuple[Column, ...]
    keyed: bool
    """Whether its rows have no number of their own."""
    ours: bool
    of: str = ""
    """Of which table it is an index."""

    def fits(self, row: Row, *, whole: bool = False) -> bool:
        """Whether a record can be a row of it; one that was written before a column came has fewer,
        unless it has to be `whole`."""
        if self.keyed != (row.rowid is None) or len(row.values) > len(self.columns):
            return False
        if whole and len(row.values) != len(self.columns):
            return False
        return all(map(_holds, self.columns, row.values))


class Known(Record, frozen=True):
    """What of the tables has been found: the tenants and the memories by their names."""

    tenants: frozenset[Value]
    memories: frozenset[Value]

    def sane(self, table: Table, row: Row) -> bool:
        """Whether a record can be a whole row of it, and every value is one that its column has, as
        far as that can be told."""
        if not table.fits(row, whole=True):
            return False
        for column, value in zip(table.columns, row.values, strict=True):
            rule = _SANE.get(f"{table.name}.{column.name}") or _SANE.get(column.name)
            if rule is not None and value is not None and not rule(self, value):
                return False
        return True


def _is_moment(_: Known, value: Value) -> bool:
    return isinstance(value, int) and value > _EARLIEST


def _is_json(_: Known, value: Value) -> bool:
    try:
        json.loads(str(value))
    except ValueError:
        return False
    return True


def _is_memory(known: Known, value: Value) -> bool:
    return value in known.memories


_SANE: Mapping[str, Callable[[Known, Value], bool]] = {
    "tenant": lambda known, value: value in known.tenants,
    **dict.fromkeys(("memory_id", "source_id", "first_id", "second_id"), _is_memory),
    **dict.fromkeys(("applied_at", "since"), _is_moment),
    "steps": _is_json,
    "dim": lambda _, value: isinstance(value, int) and 0 < value <= MOST_DIMENSIONS,
    "migrations.name": lambda _, value: value in {step.name for step in migrations.steps()},
    "meta.key": lambda _, value: value in {ANALYSER, MOVING},
    "served_models.model": lambda _, value: not is_wall(value),
}
"""What tells tables and indexes apart whose records have one shape."""


def tables(fresh: apsw.Connection) -> dict[str, Table]:
    """Every table and index of a new store, in the order in which rows are brought in."""
    listed = "SELECT type, name, sql FROM sqlite_schema WHERE rootpage > 0"
    held = {name: (kind, sql) for kind, name, sql in every(fresh, listed)}
    indexed = {
        index: name
        for name, (kind, _) in held.items()
        if kind == "table"
        for _, index, *_ in every(fresh, f"PRAGMA index_list({name})")
    }
    made = {
        name: _table(fresh, name, sql)
        for name, (kind, sql) in sorted(held.items(), key=lambda one: _order(one[0]))
        if kind == "table"
    }
    indexes = {
        name: _index(fresh, name, made[indexed[name]])
        for name, (kind, _) in held.items()
        if kind == "index"
    }
    return made | indexes


def _order(name: str) -> tuple[int, str]:
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST)), name


def _table(fresh: apsw.Connection, name: str, sql: str) -> Table:
    keyed = "WITHOUT ROWID" in sql
    told = every(fresh, f"PRAGMA table_info({name})")
    alone = sum(1 for one in told if one[5]) == 1
    columns = tuple(
        Column(
            column,
            kind or _LOOSE.get(column, ""),
            bool(filled),
            bool(key) and alone and kind == "INTEGER" and not keyed,
        )
        for _, column, kind, filled, _, key in told
    )
    return Table(name, columns, keyed, "STRICT" in sql and name not in MADE)


def _index(fresh: apsw.Connection, name: str, table: Table) -> Table:
    columns = list[Column]()
    for _, place, column, *_ in every(fresh, f"PRAGMA index_xinfo({name})"):
        if place >= 0:
            # In an index even the number of a row stands in its column.
            columns.append(table.columns[place]._replace(number=False))
        else:
            kind = "INTEGER" if place == _NUMBER else "TEXT"
            columns.append(Column(column or "", kind, filled=True, wall=place == _EXPRESSION))
    return Table(name, tuple(columns), keyed=True, ours=False, of=table.name)


def _holds(column: Column, value: Value) -> bool:
    if column.number:
        return value is None
    if value is None:
        return not column.filled
    return isinstance(value, _ALLOWED[column.type]) and (not column.wall or is_wall(value))
