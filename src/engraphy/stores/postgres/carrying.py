"""A database as one end of a move from store to store."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from psycopg import sql

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
from engraphy.stores.carrying.tables import NAMED, TABLES, Table
from engraphy.stores.postgres.access import Access, lock_key, wait
from engraphy.stores.postgres.connection import Raw
from engraphy.stores.relational.indexing import Entry

MOVING = "moving"
"""Under which key `meta` keeps how far a move into this store has come."""
_FETCHED = 2_000
_ONE_PLAN = "SET LOCAL plan_cache_mode = force_generic_plan"
"""Who a row points to is asked over all partitions; planned anew for each row, it takes a
millisecond instead of some ten microseconds."""
_COLUMNS = (
    "SELECT column_name FROM information_schema.columns"
    " WHERE table_schema = current_schema() AND table_name = %s AND is_generated = 'NEVER'"
)
_CHAINS = """
    SELECT g.tenant, g.lines, g.first, g.last, j.hash
    FROM (
        SELECT tenant, count(*) AS lines, min(seq) AS first, max(seq) AS last
        FROM memory_journal WHERE %(tenant)s::text IS NULL OR tenant = %(tenant)s
        GROUP BY tenant
    ) AS g
    INNER JOIN memory_journal AS j ON j.tenant = g.tenant AND j.seq = g.last
    ORDER BY g.tenant
"""
_TEXTS = """
    INSERT INTO memory_terms (tenant, seq, wall, length, terms)
    SELECT
        tenant, seq, wall,
        1 + cardinality(string_to_array(trim(concat_ws(
            ' ', nullif(content, ''), nullif(title, ''), nullif(subtitle, ''),
            nullif(context, ''), nullif(tags, '')
        )), ' ')),
        engraphy_terms(content, title, subtitle, context, tags, wall)
    FROM moved_texts
"""
_WALLS = """
    INSERT INTO walls (tenant, wall, documents, tokens)
    SELECT tenant, wall, count(*), sum(size) FROM moved_texts GROUP BY tenant, wall
    ON CONFLICT (tenant, wall) DO UPDATE SET
        documents = walls.documents + excluded.documents, tokens = walls.tokens + excluded.tokens
"""
_IMPRINTS = """
    INSERT INTO memory_imprints (tenant, seq, codes, tokens, content, asks, timed)
    SELECT tenant, seq, codes, words, telling, asks, timed FROM moved_texts
"""
_MOVED_TEXTS = """
    CREATE TEMPORARY TABLE moved_texts (
        tenant TEXT, seq BIGINT, content TEXT, title TEXT, subtitle TEXT, context TEXT, tags TEXT,
        wall TEXT, size BIGINT, codes BYTEA, words BIGINT, telling BIGINT, asks BIGINT, timed BIGINT
    ) ON COMMIT DROP
"""


class DatabaseSource(Reader):
    """A database as it is at one moment; inside a transaction that sees all tenants."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        shifts = raw.execute("SELECT tenant, first, last, shift FROM carried_lines").fetchall()
        super().__init__(
            {tenant: Shift(*told) for tenant, *told in shifts},
            dict(raw.execute("SELECT id, name FROM embedding_models").fetchall()),
        )

    def columns(self, table: Table) -> tuple[str, ...]:
        """The columns of a table but its tenant, sorted."""
        told = self._raw.execute(_COLUMNS, (table.name,)).fetchall()
        return without_model_number(table, [name for (name,) in told])

    def rows(
        self, table: Table, columns: Sequence[str], tenant: str | None, after: Place
    ) -> Iterator[tuple[Place, Row]]:
        """The rows behind a place, in the order of their keys."""
        key = ("tenant", *(one for one in table.key if one != "tenant"))
        wanted = Wanted("t.tenant", tenant is not None, bool(after), "%s")
        text = reading(table, columns, key, wanted)
        bound = (*after, *(() if tenant is None else (tenant,)))
        return self.travelling(table, columns, self._streamed(text, bound))

    def _streamed(self, text: str, bound: Sequence[Any]) -> Iterator[Sequence[Any]]:
        with self._raw.cursor(name="moved") as cursor:
            cursor.itersize = _FETCHED
            cursor.execute(text.encode(), bound)
            yield from cursor

    def chains(self, tenant: str | None) -> list[Chain]:
        """The journals, by tenant."""
        told = self._raw.execute(_CHAINS, {"tenant": tenant}).fetchall()
        return [Chain(*one) for one in told]

    def numbers(self) -> dict[str, int]:
        """The highest number ever given, by table."""
        found = {}
        for table in TABLES:
            if table.number:
                text = sql.SQL("SELECT last_value FROM {}").format(_sequence(table))
                (number,) = self._raw.execute(text).fetchone() or (0,)
                found[table.name] = int(number)
        return found

    def twice(self) -> str:
        """An id that two tenants have; '' where there is none."""
        for name in sorted(NAMED):
            text = sql.SQL("SELECT id FROM {} GROUP BY id HAVING count(*) > 1 LIMIT 1")
            found = self._raw.execute(text.format(sql.Identifier(name))).fetchone()
            if found is not None:
                return str(found[0])
        return ""

    def size(self, tenant: str | None) -> int:
        """How many memories there are."""
        text = "SELECT count(*) FROM memories WHERE %(one)s::text IS NULL OR tenant = %(one)s"
        (count,) = self._raw.execute(text, {"one": tenant}).fetchone() or (0,)
        return int(count)


def _sequence(table: Table) -> sql.Identifier:
    return sql.Identifier(f"{table.name}_{table.number}")


class DatabaseSink:
    """A database to be filled, with its owner's rights."""

    is_numbered_at_large = False

    def __init__(self, access: Access) -> None:
        self._access = access

    @contextmanager
    def writing(self) -> Iterator[Writing]:
        """One transaction over all tenants; no other one of a move is under way meanwhile."""
        with self._access.connected() as raw, raw.transaction():
            raw.execute("SET LOCAL engraphy.operator = 'on'")
            raw.execute(_ONE_PLAN)
            wait(raw, lock_key(MOVING, None), self._access.busy_seconds)
            yield _Writing(raw)

    def number_on(self, numbers: Mapping[str, int]) -> None:
        """Give no number that was given already."""
        with self._access.connected() as raw:
            for table in TABLES:
                number = numbers.get(table.name, 0)
                if table.number and number:
                    text = sql.SQL(
                        "SELECT setval({name}, greatest(last_value, {number})) FROM {of}"
                    )
                    name = f"{table.name}_{table.number}"
                    raw.execute(
                        text.format(
                            name=sql.Literal(name), number=sql.Literal(number), of=_sequence(table)
                        )
                    )

    def settle(self) -> None:
        """Count what plans are made by."""
        with self._access.connected() as raw:
            raw.execute("ANALYZE")


class _Writing:
    def __init__(self, raw: Raw) -> None:
        self._raw = raw

    def note(self, told: str) -> None:
        self._raw.execute(
            "INSERT INTO meta (key, value) VALUES (%s, %s)"
            " ON CONFLICT (key) DO UPDATE SET value = excluded.value",
            (MOVING, told),
        )

    def noted(self) -> str:
        found = self._raw.execute("SELECT value FROM meta WHERE key = %s", (MOVING,)).fetchone()
        return str(found[0]) if found else ""

    def is_empty(self) -> bool:
        texts = (
            sql.SQL("SELECT 1 FROM {} LIMIT 1").format(sql.Identifier(table.name))
            for table in TABLES
        )
        return not any(self._raw.execute(text).fetchone() for text in texts)

    def models(self, rows: Iterable[Row]) -> None:
        for tenant, dim, name in rows:
            self._raw.execute(
                "INSERT INTO embedding_models (tenant, dim, name) VALUES (%s, %s, %s)"
                " ON CONFLICT (tenant, name) DO NOTHING",
                (tenant, dim, name),
            )

    def put(self, table: Table, columns: Sequence[str], rows: Sequence[Row]) -> None:
        if "model_id" in columns:
            rows = self._numbered(columns.index("model_id") + 1, rows)
        names = [sql.Identifier(name) for name in ("tenant", *columns)]
        # Where row-level security holds, PostgreSQL takes no COPY into the table itself.
        told = {"table": sql.Identifier(table.name), "columns": sql.SQL(", ").join(names)}
        self._raw.execute(
            sql.SQL(
                "CREATE TEMPORARY TABLE moved ON COMMIT DROP AS"
                " SELECT {columns} FROM {table} WITH NO DATA"
            ).format(**told)
        )
        self._copy("moved", names, rows)
        self._raw.execute(
            sql.SQL("INSERT INTO {table} ({columns}) SELECT {columns} FROM moved").format(**told)
        )

    def _copy(self, table: str, names: Sequence[sql.Identifier], rows: Iterable[Row]) -> None:
        text = sql.SQL("COPY {} ({}) FROM STDIN").format(
            sql.Identifier(table), sql.SQL(", ").join(names)
        )
        with self._raw.cursor() as cursor, cursor.copy(text) as copy:
            for row in rows:
                copy.write_row(row)

    def _numbered(self, place: int, rows: Sequence[Row]) -> list[Row]:
        told = self._raw.execute("SELECT tenant, name, id FROM embedding_models").fetchall()
        known = {(tenant, name): number for tenant, name, number in told}
        return [(*row[:place], known[row[0], row[place]], *row[place + 1 :]) for row in rows]

    def index(self, entries: Sequence[tuple[str, int, Entry]]) -> None:
        self._raw.execute(_MOVED_TEXTS)
        names = ["tenant", "seq", "content", "title", "subtitle", "context", "tags", "wall"]
        names += ["size", "codes", "words", "telling", "asks", "timed"]
        rows = ((tenant, seq, *made[:7], *made.imprint) for tenant, seq, made in entries)
        self._copy("moved_texts", [sql.Identifier(name) for name in names], rows)
        for text in (_TEXTS, _IMPRINTS, _WALLS):
            self._raw.execute(text)

    def carried(self, chain: Chain, shift: int) -> None:
        self._raw.execute(
            "INSERT INTO carried_lines (tenant, first, last, shift, lines, hash)"
            " VALUES (%s, %s, %s, %s, %s, %s) ON CONFLICT (tenant) DO NOTHING",
            (chain.tenant, chain.first + shift, chain.last + shift, shift, chain.lines, chain.hash),
        )
