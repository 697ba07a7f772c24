"""Statements that the server keeps prepared for a connection: one plan serves many calls.

Most of what a small statement costs is its plan, and most of the rest its text. Here both are told
once; values travel beside them, as do the rows of an answer, in the server's own bytes.
"""

import os
from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import psycopg
from psycopg import adapt, errors, generators, pq, sql
from psycopg.abc import PQGen, Transformer
from psycopg.rows import TupleRow

from engraphy.stores.postgres.statement import Numbers, Shape, Texts

KEPT = 400
"""Plans that a connection keeps at most; the least used go first."""
_TEXT, _BYTES, _INTEGER, _REAL = 25, 17, 20, 701
_TEXT_LIST, _INTEGER_LIST, _UNSAID = 1009, 1016, 0
"""The types of values by their numbers; some lists are of what type the statement says."""
_AS_TEXT, _AS_BYTES = 0, 1
_Value = tuple[int, bytes, int]
"""A value's type, how it travels, and whether that is as text or as bytes."""
_Key = tuple[Shape, str | None, tuple[int, ...]]
DONE = frozenset({pq.ExecStatus.TUPLES_OK, pq.ExecStatus.COMMAND_OK})
"""How a statement ends that did not fail."""
_GONE = errors.InvalidSqlStatementName
"""What is kept is not there: somebody between here and the server gives each transaction another
connection, or clears it up."""
_STALE = errors.FeatureNotSupported
"""What is kept gives other columns than it did."""


class _Plan(NamedTuple):
    """A statement that is kept under a name, and what makes rows of its answers."""

    name: bytes
    rows: Transformer

    def read(self, result: pq.abc.PGresult) -> list[TupleRow]:
        """The rows of an answer."""
        if not result.ntuples:
            return []
        self.rows.set_pgresult(result)
        found: list[TupleRow] = self.rows.load_rows(0, result.ntuples, tuple)
        self.rows.set_pgresult(None)
        return found


class Call(NamedTuple):
    """A statement that is kept, with its values as they travel."""

    plan: _Plan
    values: list[bytes]
    formats: list[int]


Given = tuple[list[TupleRow], int]
"""The rows of an answer, and how many there are or were changed."""


class Prepared:
    """The statements that are kept for one connection."""

    def __init__(self, raw: "psycopg.Connection[TupleRow]") -> None:
        self._raw = raw
        self.lost = False
        """Whether the server once did not hold what it was told to keep: nothing is kept then."""
        self._plans: OrderedDict[_Key, _Plan] = OrderedDict()
        self._made = 0
        # Nobody else's statement has this name, even where others share the connection.
        self._stem = b"engraphy_" + os.urandom(8).hex().encode()

    def call(self, shape: Shape, values: Sequence[Any], tenant: str | None) -> Call:
        """A statement with these values, none of them None, as it is sent. Raises psycopg's errors,
        UnicodeEncodeError."""
        told = [_maker(one.__class__)(one) for one in values]
        key = shape, tenant, tuple([one[0] for one in told])
        plan = self._plans.get(key)
        if plan is None:
            plan = self._plans[key] = self._prepared(key)
        else:
            self._plans.move_to_end(key)
        return Call(plan, [one[1] for one in told], [one[2] for one in told])

    def run(self, call: Call) -> Given:
        """The rows that a statement gives, and how many rows it gave or changed. Raises psycopg's
        errors."""
        result = self._raw.pgconn.exec_prepared(
            call.plan.name, call.values, call.formats, _AS_BYTES
        )
        self._check(result)
        return call.plan.read(result), result.command_tuples or 0

    def together(self, calls: Sequence[Call], word: bytes | None = None) -> list[Given]:
        """What each of these gives, all sent before the first answer is waited for, and last a
        word that gives nothing. Where one fails, none behind it is run; raises what it raises."""
        server = self._raw.pgconn
        server.enter_pipeline_mode()
        try:
            results = self._raw.wait(_exchange(server, calls, word))
        finally:
            self._leave(server)
        for result in results:
            self._check(result)
        return [
            (call.plan.read(result), result.command_tuples or 0)
            for call, result in zip(calls, results, strict=False)
        ]

    def _leave(self, server: pq.abc.PGconn) -> None:
        try:
            server.exit_pipeline_mode()
        except psycopg.OperationalError:
            # Something is on its way still, to whom nobody knows.
            self._raw.close()

    def _prepared(self, key: _Key) -> _Plan:
        shape, tenant, types = key
        while len(self._plans) >= KEPT:
            _, old = self._plans.popitem(last=False)
            self._check(self._raw.pgconn.exec_(b"DEALLOCATE " + old.name))
        self._made += 1
        name = b"%s_%d" % (self._stem, self._made)
        self._check(self._raw.pgconn.prepare(name, shape.told(_quoted(tenant)), types))
        return _Plan(name, adapt.Transformer(self._raw))

    def _check(self, result: pq.abc.PGresult) -> None:
        if result.status in DONE:
            return
        problem = errors.error_from_result(result)
        if self._raw.closed:
            raise psycopg.OperationalError(str(problem))
        if isinstance(problem, (_GONE, _STALE)):
            self._plans.clear()
        if isinstance(problem, _GONE):
            self.lost = True
        raise problem


def _exchange(
    server: pq.abc.PGconn, calls: Sequence[Call], word: bytes | None
) -> PQGen[list[pq.abc.PGresult]]:
    for call in calls:
        server.send_query_prepared(call.plan.name, call.values, call.formats, _AS_BYTES)
    if word is not None:
        server.send_query_params(word, None)
    server.pipeline_sync()
    yield from generators.send(server)
    found: list[pq.abc.PGresult] = []
    while True:
        [result] = yield from generators.fetch_many(server)
        if result.status == pq.ExecStatus.PIPELINE_SYNC:
            return found
        found.append(result)


@lru_cache(maxsize=1_024)
def _quoted(tenant: str | None) -> bytes:
    return sql.Literal(tenant).as_bytes(None)


def _text(value: str) -> _Value:
    return _TEXT, value.encode(), _AS_TEXT


def _bytes(value: bytes) -> _Value:
    return _BYTES, bytes(value), _AS_BYTES


def _texts(value: Texts) -> _Value:
    return _TEXT_LIST, value.encode(), _AS_TEXT


def _numbers(value: Numbers) -> _Value:
    return _INTEGER_LIST, value.encode(), _AS_TEXT


def _integer(value: int) -> _Value:
    return _INTEGER, b"%d" % value, _AS_TEXT


def _real(value: float) -> _Value:
    return _REAL, repr(float(value)).encode("ascii"), _AS_TEXT


def _list(value: Sequence[Any]) -> _Value:
    return _UNSAID, f"{{{','.join(map(_part, value))}}}".encode(), _AS_TEXT


def _part(value: Any) -> str:
    if not isinstance(value, str):
        return repr(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'


_MAKERS: dict[type, Callable[[Any], _Value]] = {
    Texts: _texts,
    Numbers: _numbers,
    str: _text,
    int: _integer,
    float: _real,
    bytes: _bytes,
    bytearray: _bytes,
    memoryview: _bytes,
    list: _list,
    tuple: _list,
}


@lru_cache(maxsize=256)
def _maker(kind: type[Any]) -> Callable[[Any], _Value]:
    return next(maker for one, maker in _MAKERS.items() if issubclass(kind, one))
