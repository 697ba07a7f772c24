"""What of a damaged store can still be read, brought into a new one: row by row, checked by what
the tables demand and by what a content's hash says. What is made from rows is made anew."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import apsw
import numpy as np

from engraphy.model.kinds import RelationType
from engraphy.stores.relational import segments
from engraphy.stores.relational.sql import every, first
from engraphy.stores.sqlite import migrations
from engraphy.stores.sqlite.mending import mended, walls
from engraphy.stores.sqlite.pages import (
    BadCellError,
    INDEX_INTERIOR,
    INDEX_LEAF,
    Image,
    Row,
    TABLE_LEAF,
)

MADE = frozenset(
    {"walls", "memory_imprints", "vector_signs", "vector_counts", "memory_labels", "migrations"}
)
"""Tables that are made from the others."""
_FIRST = ("meta", "scopes", "memories", "embedding_models", "memory_journal")
_ALLOWED: Mapping[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "REAL": (int, float),
    "TEXT": (str,),
    "BLOB": (bytes,),
}
_SCHEMA_COLUMNS, _ROOT_COLUMN = 5, 3
_ANALYSER = "analyser"
"""What of the table `meta` tells of the index, which is made anew."""
_WALLS = """
INSERT OR IGNORE INTO scopes (id, tenant, user, agent, project, conversation)
VALUES (?, ?, ?, ?, ?, ?)
"""
_NOWHERE = (
    "DELETE FROM memories WHERE scope_id NOT IN (SELECT id FROM scopes)",
    *(
        f"DELETE FROM {table} WHERE {column} NOT IN (SELECT id FROM memories)"
        for table, column in (
            ("versions", "memory_id"),
            ("relations", "source_id"),
            ("relations", "target_id"),
            ("coactivations", "first_id"),
            ("coactivations", "second_id"),
            ("episodes", "memory_id"),
            ("procedures", "memory_id"),
            ("facts", "source_id"),
        )
    ),
    *(
        f"DELETE FROM {table} WHERE seq NOT IN (SELECT seq FROM memories)"
        " OR model_id NOT IN (SELECT id FROM embedding_models)"
        for table in ("vectors", "late_codes")
    ),
    *(
        f"DELETE FROM {table} WHERE scope_id NOT IN (SELECT id FROM scopes)"
        for table in ("facts", "session_state", "removed")
    ),
    "DELETE FROM relations WHERE scope_id NOT IN (SELECT id FROM scopes)",
    "DELETE FROM journal_texts WHERE journal_seq NOT IN (SELECT seq FROM memory_journal)",
    "DELETE FROM removed WHERE journal_seq NOT IN (SELECT journal_seq FROM journal_texts)",
    """DELETE FROM vectors
    WHERE length(codes) <> (SELECT dim FROM embedding_models AS e WHERE e.id = model_id)""",
    """DELETE FROM vectors WHERE (seq, model_id) IN (
        SELECT seq, model_id FROM vectors GROUP BY seq, model_id HAVING count(*) <> max(part) + 1
    )""",
)
"""What points at something that is lost goes with it, as it would if that were forgotten."""
_LABELS = """
INSERT OR IGNORE INTO memory_labels (scope_id, label, value, seq)
SELECT m.scope_id, :label, j.value, m.seq FROM memories AS m, json_each(m.{column}) AS j
"""
_LABELLED = (
    ("tag", "tags"),
    ("concept", "concepts"),
    ("entity", "entities"),
    ("file", "files_read"),
    ("file", "files_modified"),
)
_SPEAKERS = """
INSERT OR IGNORE INTO memory_labels (scope_id, label, value, seq)
SELECT scope_id, 'speaker', speaker, seq FROM memories WHERE speaker <> ''
"""
_COUNTS = """
INSERT INTO vector_counts (scope_id, model_id, memories, removed)
SELECT m.scope_id, v.model_id, count(DISTINCT v.seq), 0
FROM vectors AS v INNER JOIN memories AS m ON m.seq = v.seq GROUP BY m.scope_id, v.model_id
"""


class Column(NamedTuple):
    """A column: its name, what it may hold, whether it must, whether it is the row's number."""

    name: str
    type: str
    filled: bool
    number: bool


@dataclass(slots=True)
class Table:
    """A table as this version writes it."""

    name: str
    columns: tuple[Column, ...]
    keyed: bool
    """Whether its rows have no number of their own."""

    def fits(self, row: Row, *, whole: bool = False) -> bool:
        """Whether a record can be a row of it; one that was written before a column came has fewer,
        unless it has to be `whole`."""
        if self.keyed != (row.rowid is None) or len(row.values) > len(self.columns):
            return False
        if whole and len(row.values) != len(self.columns):
            return False
        return all(map(_holds, self.columns, row.values))


@dataclass(slots=True)
class Salvaged:
    """How many rows of each table were kept; how many records of each were seen and are lost; how
    many pages of tables and indexes cannot be read at all."""

    kept: dict[str, int] = field(default_factory=dict)
    lost: Counter[str] = field(default_factory=Counter)
    unreadable: int = 0


def salvage(image: Image, fresh: apsw.Connection) -> Salvaged:
    """Bring what can be read into a new store, which has every table and no rows."""
    tables = _tables(fresh)
    found = Salvaged()
    fresh.execute("PRAGMA foreign_keys = OFF")
    fresh.execute("BEGIN IMMEDIATE")
    for pages in _owned(image, tables, found):
        for table, row in pages:
            found.lost[table.name] += not _written(fresh, table, row)
    for place in walls(image):
        fresh.execute(_WALLS, place)
    for statement in _NOWHERE:
        fresh.execute(statement)
    _make(fresh)
    fresh.execute("COMMIT")
    fresh.execute("PRAGMA foreign_keys = ON")
    migrations.reindex(fresh)
    found.lost = +found.lost
    for name in tables:
        (found.kept[name],) = first(fresh, f"SELECT count(*) FROM {name}")
    return found


def _tables(fresh: apsw.Connection) -> dict[str, Table]:
    listed = "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE '%STRICT%'"
    held = {name: sql for name, sql in every(fresh, listed) if name not in MADE}
    return {name: _table(fresh, name, held[name]) for name in sorted(held, key=_order)}


def _order(name: str) -> tuple[int, str]:
    return (_FIRST.index(name) if name in _FIRST else len(_FIRST)), name


def _table(fresh: apsw.Connection, name: str, sql: str) -> Table:
    keyed = "WITHOUT ROWID" in sql
    told = every(fresh, f"PRAGMA table_info({name})")
    alone = sum(1 for one in told if one[5]) == 1
    columns = tuple(
        Column(column, kind, bool(filled), bool(key) and alone and kind == "INTEGER" and not keyed)
        for _, column, kind, filled, _, key in told
    )
    return Table(name, columns, keyed)


def _holds(column: Column, value: object) -> bool:
    if column.number:
        return value is None
    if value is None:
        return not column.filled
    return isinstance(value, _ALLOWED[column.type])


def _owned(
    image: Image, tables: Mapping[str, Table], found: Salvaged
) -> Iterator[list[tuple[Table, Row]]]:
    """The records of each table: first of the pages that its tree leads to, or the pointer map
    says belong to it; then of those that nothing says anything of, by their shape."""
    roots = _roots(image, tables)
    owner = {page: name for name, root in roots.items() for page in image.tree(root)}
    named = {root: name for name, root in roots.items()}
    stray = list[int]()
    for number in range(1, image.count + 1):
        kind = image.kind(number)
        found.unreadable += not kind and image.is_tree(number)
        if number in owner or kind not in {TABLE_LEAF, INDEX_LEAF, INDEX_INTERIOR}:
            continue
        root = image.mapped_root(number)
        if root in named:
            owner[number] = named[root]
        elif root <= 0 or len(named) < len(tables):
            # What was freed holds zeros: a page that is called free and holds rows is none.
            stray.append(number)
    for name in tables:
        pages = sorted(number for number, whose in owner.items() if whose == name)
        yield list(_read(image, pages, tables, name, found))
    yield [pair for number in stray for pair in _guessed(image, number, tables)]


def _roots(image: Image, tables: Mapping[str, Table]) -> dict[str, int]:
    """Where the trees of the tables begin, as far as the schema tells."""
    found: dict[str, int] = {}
    for number in image.tree(1):
        for row in image.rows(number):
            if isinstance(row, BadCellError) or len(row.values) != _SCHEMA_COLUMNS:
                continue
            kind, name, root = row.values[0], row.values[1], row.values[_ROOT_COLUMN]
            if kind == "table" and isinstance(root, int) and name in tables:
                found[str(name)] = root
    return found


def _read(
    image: Image,
    pages: Sequence[int],
    tables: Mapping[str, Table],
    name: str,
    found: Salvaged,
) -> Iterator[tuple[Table, Row]]:
    """The records of pages of a table; those that cannot be its own are another's, or lost."""
    for number in pages:
        for row in image.rows(number):
            if isinstance(row, BadCellError):
                found.lost[name] += 1
                continue
            table = tables[name] if tables[name].fits(row) else _fitting(row, tables)
            if table is None:
                found.lost[name] += 1
            else:
                yield table, row


def _guessed(image: Image, number: int, tables: Mapping[str, Table]) -> Iterator[tuple[Table, Row]]:
    """The records of a page whose table nobody tells."""
    for row in image.rows(number):
        if not isinstance(row, BadCellError) and (table := _fitting(row, tables)) is not None:
            yield table, row


def _fitting(row: Row, tables: Mapping[str, Table]) -> Table | None:
    """The one table that a record can be a row of."""
    fitting = [one for one in tables.values() if one.fits(row, whole=True)]
    return fitting[0] if len(fitting) == 1 else None


def _written(fresh: apsw.Connection, table: Table, row: Row) -> bool:
    names = [column.name for column in table.columns[: len(row.values)]]
    values = [
        row.rowid if column.number else value
        for column, value in zip(table.columns, row.values, strict=False)
    ]
    told = dict(zip(names, values, strict=True))
    if table.name == "memories" and not mended(told):
        return False
    if table.name == "relations" and told.get("type") not in set(RelationType):
        return False
    if table.name == "meta" and told.get("key") == _ANALYSER:
        return True
    marks, way = ", ".join("?" * len(names)), "OR REPLACE " * (table.name == "meta")
    into = f"{table.name} ({', '.join(names)})"
    try:
        fresh.execute(f"INSERT {way}INTO {into} VALUES ({marks})", list(told.values()))
    except apsw.ConstraintError:
        return False
    return True


def _make(fresh: apsw.Connection) -> None:
    """What is made from the rows: labels, signs, counts."""
    for label, column in _LABELLED:
        fresh.execute(_LABELS.format(column=column), {"label": label})
    fresh.execute(_SPEAKERS)
    told = every(
        fresh,
        "SELECT m.scope_id, v.model_id, v.id, v.codes FROM vectors AS v"
        " INNER JOIN memories AS m ON m.seq = v.seq",
    )
    for scope, model, number, codes in told:
        numbers = np.frombuffer(codes, dtype=np.int8).astype(np.float32)
        [signs] = segments.signs_of(numbers[None, :])
        bound = (scope, model, number, signs.tobytes())
        fresh.execute("INSERT INTO vector_signs VALUES (?, ?, ?, ?)", bound)
    fresh.execute(_COUNTS)
