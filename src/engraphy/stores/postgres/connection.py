"""A connection to PostgreSQL as the engine-neutral half uses it."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import psycopg
from psycopg import ClientCursor, sql
from psycopg.adapt import Dumper, Loader
from psycopg.rows import TupleRow
from psycopg.types.numeric import NumericBinaryLoader

from engraphy.model.scope import Tenant
from engraphy.stores.postgres.dialect import each, own, translated
from engraphy.stores.postgres.prepared import Given, Prepared
from engraphy.stores.postgres.statement import NUMBER, OWN, Statement
from engraphy.stores.postgres.waiting import Waiting
from engraphy.stores.postgres.walls import placed
from engraphy.stores.relational.sql import Ahead, Cursor

_Getter = Callable[[str], Any]


class Raw(psycopg.Connection[TupleRow]):
    """A connection of the pool; `prepared`: what the server keeps for it, where nobody stands
    between who would give the next transaction to another server process."""

    prepared: Prepared | None = None


def _whole(told: Decimal) -> int | float:
    """Sums of whole numbers are whole numbers, whatever PostgreSQL adds them up in."""
    return int(told) if told == told.to_integral_value() else float(told)


class _Numeric(Loader):
    def load(self, data: Any) -> int | float:
        return _whole(Decimal(bytes(data).decode("ascii")))


class _BinaryNumeric(NumericBinaryLoader):
    def load(self, data: Any) -> Any:
        return _whole(super().load(data))


class _Flag(Dumper):
    """Truth is a number in every column."""

    def dump(self, obj: Any) -> bytes:
        return b"1" if obj else b"0"

    def quote(self, obj: Any) -> bytes:
        return self.dump(obj)


class _Real(Dumper):
    """A number of double precision, never a decimal."""

    def dump(self, obj: Any) -> bytes:
        return repr(float(obj)).encode("ascii")

    def quote(self, obj: Any) -> bytes:
        return b"'" + self.dump(obj) + b"'::float8"


def prepare(raw: Raw) -> None:
    """Settings of a new connection. A pooler that changes the server between transactions tells a
    number of its own as the server's; behind one nothing is prepared, and values are written into
    the statement by the client, so that plans know them (one partition of many)."""
    raw.adapters.register_loader("numeric", _Numeric)
    raw.adapters.register_loader("numeric", _BinaryNumeric)
    raw.adapters.register_dumper(bool, _Flag)
    raw.adapters.register_dumper(float, _Real)
    raw.prepare_threshold = None
    (number,) = raw.execute("SELECT pg_backend_pid()").fetchone() or (None,)
    if number == raw.info.backend_pid:
        raw.prepared = Prepared(raw)


_SAME = frozenset(
    {"find_model", "find_scope", "generation", "packed_signs", "removed_vectors", "visible_scopes"}
)
"""Small questions that are asked again and again within one snapshot, where their answer stays."""


def _getter(bindings: Mapping[str, Any] | Sequence[Any] | None) -> _Getter:
    """Finds a value by its name, or by its place: `p0` ..."""
    if isinstance(bindings, Mapping):
        return bindings.__getitem__
    given = bindings or ()
    return lambda name: given[int(name[1:])]


def _without_nul(value: Any) -> Any:
    """PostgreSQL holds no text with U+0000 in it: as at every border, another sign stands there."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value


def _held(told: str) -> str:
    """A list that is told as JSON, as an array of PostgreSQL, each text as PostgreSQL can hold it.
    Both quote alike, but for what JSON has a backslash for."""
    if "\\" not in told and "null" not in told:
        return f"{{{told[1:-1]}}}"
    parts = (
        "NULL" if one is None else _quoted(one) if isinstance(one, str) else str(one)
        for one in json.loads(told)
    )
    return f"{{{','.join(parts)}}}"


def _quoted(text: str) -> str:
    held: str = _without_nul(text)
    clean = held.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return '"' + clean.replace("\\", "\\\\").replace('"', '\\"') + '"'


class _Rows:
    """Rows that were read before."""

    def __init__(self, rows: list[TupleRow]) -> None:
        self._rows = rows
        self._left = iter(rows)

    def fetchone(self) -> TupleRow | None:
        """The next row; None where there is none."""
        return next(self._left, None)

    def fetchall(self) -> list[TupleRow]:
        """All rows that are left."""
        return list(self._left)

    def __iter__(self) -> Iterator[TupleRow]:
        return self._left


class Connection:
    """One transaction's statements, in the tenant's words; None: over all tenants. `snapshot`:
    everything is read as it stood at its beginning. `together`: what is written waits, until an
    answer is asked for or `commit` is called."""

    def __init__(
        self, raw: Raw, tenant: Tenant | None, *, snapshot: bool = False, together: bool = False
    ) -> None:
        self._raw = raw
        self._tenant = tenant
        self._read: dict[tuple[Any, ...], list[TupleRow]] | None = {} if snapshot else None
        self._asked: dict[tuple[str, str], Cursor] = {}
        self._drawn: Cursor | None = None
        self._changed = 0
        self._number = 0
        kept = raw.prepared
        self._waiting = Waiting(kept) if together and kept and not kept.lost else None

    def ask(self, ahead: Ahead) -> None:
        """Have the server asked now what is asked later, all at once."""
        if self._waiting is None:
            return
        for statement, given in ahead.asked:
            bindings = placed(statement.name, given)
            self._asked[statement.name, repr(bindings)] = self._run(statement, bindings)
        if ahead.vectors:
            self._drawn = self._draw(ahead.vectors)
        self._waiting.send()

    def execute(self, statements: str, bindings: Any = None, /) -> Cursor:
        """Run one statement, with its values by name or by place."""
        name = getattr(statements, "name", "")
        bindings = placed(name, bindings)
        if self._asked:
            # Once: afterwards something else may have been written.
            known = self._asked.pop((name, repr(bindings)), None)
            if known is not None:
                return known
        if self._read is None or name not in _SAME:
            return self._run(statements, bindings)
        key = (name, repr(bindings))
        if key not in self._read:
            self._read[key] = self._run(statements, bindings).fetchall()
        return _Rows(self._read[key])

    def executemany(self, statements: str, bindings: Sequence[Mapping[str, Any]], /) -> object:
        """Run one statement for each of these values, all of them for other rows; in one go where
        there are words for it."""
        together = each(statements)
        if together is not None and bindings:
            names = bindings[0].keys()
            return self._run(together, {name: [one[name] for one in bindings] for name in names})
        for one in bindings:
            self.execute(statements, one)
        return None

    def _run(self, statements: str, bindings: Any) -> Cursor:
        told = translated(statements, walled=self._tenant is not None)
        values = self._values(told, bindings)
        kept = self._raw.prepared
        if kept is None or kept.lost:
            cursor = self._told(told, values)
        else:
            cursor = self._kept(kept, told, values)
        if told.numbered:
            row = cursor.fetchone()
            self._number = int(row[0]) if row else 0
        elif NUMBER in told.names:
            self._number = values[told.names.index(NUMBER)]
        return cursor

    def _draw(self, many: int) -> Cursor:
        return self._run(own("draw_vectors"), {"many": many})

    def _next_number(self) -> int:
        """A number of a vector that nobody has: as no one else writes for the tenant meanwhile,
        later ones are higher, by which readers know what is new."""
        row = None if self._drawn is None else self._drawn.fetchone()
        if row is None:
            row = self._draw(1).fetchone()
        return int(row[0]) if row else 0

    def _told(self, told: Statement, values: list[Any]) -> Cursor:
        """With its values in the text."""
        cursor = ClientCursor(self._raw)
        bound = {OWN: self._tenant, **dict(zip(told.names, values, strict=True))}
        cursor.execute(told.encode(), bound)
        self._changed = max(0, cursor.rowcount)
        return cursor

    def _kept(self, kept: Prepared, told: Statement, values: list[Any]) -> Cursor:
        """By a plan that the server keeps."""
        missing = [name for name, one in zip(told.names, values, strict=True) if one is None]
        shape = told.shape(tuple(missing))
        given = [one for one in values if one is not None] if missing else values
        call = kept.call(shape, given, self._tenant)
        if self._waiting is not None:
            return self._waiting.add(call, self._note)
        rows, self._changed = kept.run(call)
        return _Rows(rows)

    def _note(self, given: Given) -> None:
        self._changed = given[1]

    def commit(self) -> None:
        """Run what waits, and end the transaction with it; one whose statements do not wait is left
        to be ended."""
        if self._waiting is not None:
            self._waiting.send(b"COMMIT")

    def become(self, tenant: Tenant, lock: int) -> None:
        """Go on as another tenant, once nobody else writes for it; `lock`: the number of that
        lock. Two who wait for each other so are told apart by the server, which ends one."""
        self._send()
        self._asked.clear()
        self._drawn = None
        told = sql.SQL("SET LOCAL engraphy.tenant = {}; SELECT pg_advisory_xact_lock({})")
        self._raw.execute(told.format(sql.Literal(str(tenant)), sql.Literal(lock)))
        self._tenant = tenant

    def _values(self, told: Statement, bindings: Any) -> list[Any]:
        get = _getter(bindings)
        values: list[Any] = [
            self._next_number() if name == NUMBER else _without_nul(get(name))
            for name in told.names
        ]
        for name, kind in told.lists.items():
            place = told.names.index(name)
            if isinstance(values[place], str):
                values[place] = kind(_held(values[place]))
        return values

    def changes(self) -> int:
        """How many rows the last statement changed."""
        self._send()
        return self._changed

    def _send(self) -> None:
        if self._waiting is not None:
            self._waiting.send()

    def last_insert_rowid(self) -> int:
        """The number that the last row was given."""
        return self._number
