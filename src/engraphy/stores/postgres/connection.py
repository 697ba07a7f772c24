"""A connection to PostgreSQL as the engine-neutral half uses it."""

import json
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

import psycopg
from psycopg import ClientCursor, sql
from psycopg.adapt import Dumper, Loader
from psycopg.rows import TupleRow

from engraphy.model.scope import Tenant
from engraphy.stores.postgres.dialect import translated
from engraphy.stores.relational.sql import Cursor

Raw = psycopg.Connection[TupleRow]
"""A connection of the pool."""


class _Numeric(Loader):
    """Sums of whole numbers are whole numbers, whatever PostgreSQL adds them up in."""

    def load(self, data: Any) -> int | float:
        told = Decimal(bytes(data).decode("ascii"))
        return int(told) if told == told.to_integral_value() else float(told)


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
    """Settings of a new connection: values are written into the statement by the client, so that
    plans know them (one partition of many) and no statement is prepared, which poolers that change
    the server between transactions could not bear."""
    raw.adapters.register_loader("numeric", _Numeric)
    raw.adapters.register_dumper(bool, _Flag)
    raw.adapters.register_dumper(float, _Real)
    raw.prepare_threshold = None


_SAME = frozenset({"visible_scopes", "find_scope", "find_model", "generation"})
"""Small questions that are asked again and again within one snapshot, where their answer stays."""


def _without_nul(value: Any) -> Any:
    """PostgreSQL holds no text with U+0000 in it: as at every border, another sign stands there."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) and "\0" in value else value


def _held(told: Any) -> Any:
    """A list that is told as JSON, as an array of PostgreSQL, each text as PostgreSQL can hold it.
    Both quote alike, but for what JSON has a backslash for."""
    if not isinstance(told, str):
        return told
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
    everything is read as it stood at its beginning."""

    def __init__(self, raw: Raw, tenant: Tenant | None, *, snapshot: bool = False) -> None:
        self._raw = raw
        self._tenant = tenant
        self._read: dict[tuple[Any, ...], list[TupleRow]] | None = {} if snapshot else None
        self._changed = 0
        self._number = 0

    def execute(self, statements: str, bindings: Any = None, /) -> Cursor:
        """Run one statement, with its values by name or by place."""
        if self._read is None or getattr(statements, "name", "") not in _SAME:
            return self._run(statements, bindings)
        key = (str(statements), *sorted((bindings or {}).items()))
        if key not in self._read:
            self._read[key] = self._run(statements, bindings).fetchall()
        return _Rows(self._read[key])

    def _run(self, statements: str, bindings: Any) -> "ClientCursor[TupleRow]":
        told = translated(statements, walled=self._tenant is not None)
        cursor = ClientCursor(self._raw)
        cursor.execute(told.encode(), self._bound(bindings, told.lists))
        self._changed = max(0, cursor.rowcount)
        if told.numbered:
            row = cursor.fetchone()
            self._number = int(row[0]) if row else 0
        return cursor

    def become(self, tenant: Tenant, lock: int) -> None:
        """Go on as another tenant, once nobody else writes for it; `lock`: the number of that
        lock. Two who wait for each other so are told apart by the server, which ends one."""
        told = sql.SQL("SET LOCAL engraphy.tenant = {}; SELECT pg_advisory_xact_lock({})")
        self._raw.execute(told.format(sql.Literal(str(tenant)), sql.Literal(lock)))
        self._tenant = tenant

    def _bound(
        self, bindings: Mapping[str, Any] | Sequence[Any] | None, lists: frozenset[str]
    ) -> dict[str, Any]:
        values: dict[str, Any] = {"own_": self._tenant}
        if isinstance(bindings, Mapping):
            values.update(bindings)
        elif bindings is not None:
            values.update((f"p{place}", value) for place, value in enumerate(bindings))
        for name in lists & values.keys():
            values[name] = _held(values[name])
        return {name: _without_nul(value) for name, value in values.items()}

    def changes(self) -> int:
        """How many rows the last statement changed."""
        return self._changed

    def last_insert_rowid(self) -> int:
        """The number that the last row was given."""
        return self._number
