"""A file as one end of a move from store to store."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import apsw

from engraphy.stores.carrying.ends import (
    Chain,
    Place,
    Reader,
    Row,
    Shift,
    Writing,
    without_model_number,
)
from engraphy.stores.carrying.statements import Wanted, reading
from engraphy.stores.carrying.tables import MODELS, TABLES, Table
from engraphy.stores.relational import checksums
from engraphy.stores.relational.indexing import Entry
from engraphy.stores.relational.rows import NEVER_CHECKED
from engraphy.stores.relational.sql import every, first, query
from engraphy.stores.sqlite.access import Access

MOVING = "moving"
"""Under which key `meta` keeps how far a move into this store has come."""
_OF_MEMORY = (
    "(SELECT s.tenant FROM memories AS m INNER JOIN scopes AS s ON s.id = m.scope_id"
    " WHERE m.{column} = {value})"
)
_OF_SCOPE = "(SELECT s.tenant FROM scopes AS s WHERE s.id = t.scope_id)"
_OF_REMOVED = (
    "(SELECT s.tenant FROM removed AS d INNER JOIN scopes AS s ON s.id = d.scope_id"
    " WHERE d.id = {value})"
)
_OWNERS = {
    "": "t.tenant",
    "models": "t.tenant",
    "scope_id": _OF_SCOPE,
    "seq": _OF_MEMORY.format(column="seq", value="t.seq"),
    "journal_seq": "(SELECT j.tenant FROM memory_journal AS j WHERE j.seq = t.journal_seq)",
    "ends": "coalesce("
    + ", ".join(
        part.format(column="id", value=f"t.{end}")
        for end in ("source_id", "target_id")
        for part in (_OF_MEMORY, _OF_REMOVED)
    )
    + ")",
}
_MODELS = (
    "SELECT DISTINCT s.tenant, e.dim, e.name, e.id FROM vector_counts AS c"
    " INNER JOIN scopes AS s ON s.id = c.scope_id"
    " INNER JOIN embedding_models AS e ON e.id = c.model_id"
    " WHERE e.id >= ? AND (? IS NULL OR s.tenant = ?) ORDER BY e.id, s.tenant"
)
_CHAINS = (
    "SELECT tenant, count(*), min(seq), max(seq) FROM memory_journal"
    " WHERE (?1 IS NULL OR tenant = ?1) GROUP BY tenant ORDER BY tenant"
)
_SIZE = (
    "SELECT count(*) FROM memories AS m INNER JOIN scopes AS s ON s.id = m.scope_id"
    " WHERE (?1 IS NULL OR s.tenant = ?1)"
)


class FileSource(Reader):
    """A file as it is at one moment."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        shifts = every(connection, "SELECT tenant, first, last, shift FROM carried_lines")
        super().__init__(
            {tenant: Shift(*told) for tenant, *told in shifts},
            dict(every(connection, "SELECT id, name FROM embedding_models")),
        )

    def columns(self, table: Table) -> tuple[str, ...]:
        """The columns of a table but its tenant, sorted."""
        told = every(self._connection, "SELECT name FROM pragma_table_info(?)", (table.name,))
        hidden = ["rowid"] if table.number == "rowid" else []
        return without_model_number(table, [*hidden, *(name for (name,) in told)])

    def rows(
        self, table: Table, columns: Sequence[str], tenant: str | None, after: Place
    ) -> Iterator[tuple[Place, Row]]:
        """The rows behind a place, in the order of their keys."""
        if table.name == MODELS:
            found = self._connection.execute(_MODELS, ((after or (0,))[0], tenant, tenant))
            return self.travelling(table, columns, found)
        wanted = Wanted(_owner(table), tenant is not None, bool(after), "?")
        text = reading(table, columns, table.key, wanted)
        bound = (*after, *(() if tenant is None else (tenant,)))
        return self.travelling(table, columns, self._connection.execute(text, bound))

    def chains(self, tenant: str | None) -> list[Chain]:
        """The journals, by tenant, under the numbers that their lines were written with."""
        return [self._chain(*told) for told in every(self._connection, _CHAINS, (tenant,))]

    def _chain(self, tenant: str, lines: int, begin: int, end: int) -> Chain:
        (own,) = first(self._connection, query("line_of_number"), (end,))
        shift = self._shifts.get(tenant, Shift(0, 0, 0))
        return Chain(tenant, lines, shift.told(begin), shift.told(end), own)

    def numbers(self) -> dict[str, int]:
        """The highest number ever given, by table."""
        counted = dict(every(self._connection, "SELECT name, seq FROM sqlite_sequence"))
        for table in TABLES:
            if table.number:
                text = f'SELECT coalesce(max({table.number}), 0) FROM "{table.name}"'
                (highest,) = first(self._connection, text)
                counted[table.name] = max(counted.get(table.name, 0), highest)
        return {table.name: counted.get(table.name, 0) for table in TABLES if table.number}

    def twice(self) -> str:
        """Nothing: an id stands once in a file."""
        return ""

    def size(self, tenant: str | None) -> int:
        """How many memories there are."""
        (count,) = first(self._connection, _SIZE, (tenant,))
        return int(count)


def _owner(table: Table) -> str:
    known = _OWNERS.get(table.owner)
    return known or _OF_MEMORY.format(column="id", value=f"t.{table.owner}")


class FileSink:
    """A file to be filled."""

    is_numbered_at_large = True

    def __init__(self, access: Access) -> None:
        self._access = access

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """One transaction."""
        with self._access.alone() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield _Writing(connection)
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def number_on(self, numbers: Mapping[str, int]) -> None:
        """Give no number that was given already."""
        with self._access.alone() as connection:
            for name, number in numbers.items():
                # Of these tables SQLite keeps the highest number only where one was inserted.
                text = "UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?"
                connection.execute(text, (number, name))
                if not connection.changes() and number and _counts(connection, name):
                    connection.execute("INSERT INTO sqlite_sequence VALUES (?, ?)", (name, number))

    def settle(self) -> None:
        """Give checksums to rows that another engine had without; count what plans are made by."""
        with self.writing(), self._access.plain() as connection:
            checksums.fill(connection, without=NEVER_CHECKED)
        with self._access.alone() as connection:
            connection.execute("ANALYZE")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _counts(connection: apsw.Connection, name: str) -> bool:
    text = "SELECT sql LIKE '%AUTOINCREMENT%' FROM sqlite_schema WHERE name = ?"
    return bool(first(connection, text, (name,))[0])


class _Writing:
    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection

    def note(self, told: str) -> None:
        self._connection.execute(query("write_meta"), {"key": MOVING, "value": told})

    def noted(self) -> str:
        found = first(self._connection, query("read_meta"), {"key": MOVING})
        return str(found[0]) if found else ""

    def is_empty(self) -> bool:
        return not any(
            every(self._connection, f'SELECT 1 FROM "{table.name}" LIMIT 1') for table in TABLES
        )

    def models(self, rows: Iterable[Row]) -> None:
        text = "INSERT OR IGNORE INTO embedding_models (dim, name) VALUES (?, ?)"
        self._connection.executemany(text, [row[1:] for row in rows])

    def put(self, table: Table, columns: Sequence[str], rows: Sequence[Row]) -> None:
        own = not table.owner
        if "model_id" in columns:
            rows = self._numbered(columns.index("model_id") + 1, rows)
        names = [*(["tenant"] if own else []), *columns]
        told = ", ".join(f'"{name}"' for name in names)
        text = f'INSERT INTO "{table.name}" ({told}) VALUES ({", ".join("?" * len(names))})'
        self._connection.executemany(text, rows if own else [row[1:] for row in rows])

    def _numbered(self, place: int, rows: Sequence[Row]) -> list[Row]:
        known = dict(every(self._connection, "SELECT name, id FROM embedding_models"))
        return [(*row[:place], known[row[place]], *row[place + 1 :]) for row in rows]

    def index(self, entries: Sequence[tuple[str, int, Entry]]) -> None:
        connection = self._connection
        texts = [{"seq": seq, **made._asdict()} for _, seq, made in entries]
        kept = ("seq", "content", "title", "subtitle", "context", "tags", "wall")
        connection.executemany(
            query("insert_text"), [{name: one[name] for name in kept} for one in texts]
        )
        connection.executemany(
            query("insert_imprint"), [(seq, *made.imprint) for _, seq, made in entries]
        )
        connection.executemany(
            query("count_text_in"), [(made.wall, made.tokens) for _, _, made in entries]
        )

    def carried(self, chain: Chain, shift: int) -> None:
        self._connection.execute(
            "INSERT OR REPLACE INTO carried_lines (tenant, first, last, shift, lines, hash)"
            " VALUES (?, ?, ?, ?, ?, ?)",
            (chain.tenant, chain.first + shift, chain.last + shift, shift, chain.lines, chain.hash),
        )
