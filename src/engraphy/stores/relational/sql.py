"""The named queries of `queries/*.sql`, loaded once, and what they are run with."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import msgspec

from engraphy.model.scope import Tenant

Bound = Mapping[str, Any] | Sequence[Any] | None
"""Values of a statement, by name or by place."""

Kept = dict[tuple[Any, ...], Any]
"""Statements with their values, and what they gave."""

_FOLDER = Path(__file__).parent / "queries"
_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)


class Cursor(Protocol):
    """The rows that a statement gives, each a tuple."""

    def fetchone(self) -> Any:
        """The next row; None where there is none."""

    def fetchall(self) -> list[Any]:
        """All rows that are left."""

    def __iter__(self) -> Iterator[Any]: ...


class Connection(Protocol):
    """What a store over SQL needs of a connection; one thread at a time uses it."""

    def execute(self, statements: str, bindings: Any = None, /) -> Cursor:
        """Run one statement, with its values by name (`:name`) or by place (`?`)."""

    def executemany(self, statements: str, bindings: Sequence[Mapping[str, Any]], /) -> object:
        """Run one statement for each of these values, no two of them for the same row."""

    def changes(self) -> int:
        """How many rows the last statement changed."""

    def last_insert_rowid(self) -> int:
        """The number that the last row was given."""


class Ahead(NamedTuple):
    """What a transaction will ask, so that an engine that is far away is asked all of it at once:
    statements with their values, and how many vectors will need a number."""

    asked: Sequence[tuple["Query", Bound]]
    vectors: int = 0


class Access(Protocol):
    """How a store reaches its rows. Where rows of tenants stand apart, a transaction sees those of
    its tenant; None: those of all, for who runs the store."""

    def reading(self, tenant: Tenant | None) -> AbstractContextManager[Connection]:
        """One snapshot for every statement inside."""

    def writing(
        self,
        tenant: Tenant,
        seconds: float | None = None,
        ahead: Callable[[], Ahead] | None = None,
    ) -> AbstractContextManager[Connection]:
        """One transaction that is written whole when the block ends, or not at all; nobody else
        writes for this tenant. `seconds`: how long to wait for that, at most. `ahead`: what it asks
        before it changes anything."""

    def close(self) -> None:
        """Close every connection."""


class Query(str):
    """A statement that knows which it is, so that another engine can have its own for it."""

    __slots__ = ("name", "slots")
    name: str
    slots: Mapping[str, str]


def load(folder: Path) -> dict[str, str]:
    """The named queries of a folder."""
    found: dict[str, str] = {}
    for file in sorted(folder.glob("*.sql")):
        _, *parts = _NAME.split(file.read_text(encoding="utf-8"))
        found.update(zip(parts[::2], parts[1::2], strict=True))
    return found


_encoded = msgspec.json.Encoder().encode
QUERIES = load(_FOLDER)
"""Query text by name."""


def filled(text: str, slots: Mapping[str, str]) -> str:
    """A query with its `{slots}` filled."""
    text = text.strip().rstrip(";")
    for slot, fragment in slots.items():
        text = text.replace("{" + slot + "}", fragment)
    return text


@cache
def query(name: str, **slots: str) -> Query:
    """The query `name` with its `{slots}` filled; slots hold fragments of our own, never data."""
    return _made(QUERIES, name, slots)


def queries(folder: Path) -> Callable[..., Query]:
    """`query` over an engine's own queries."""
    own = load(folder)

    @cache
    def found(name: str, **slots: str) -> Query:
        return _made(own, name, slots)

    return found


def _made(texts: Mapping[str, str], name: str, slots: Mapping[str, str]) -> Query:
    made = Query(filled(texts[name], slots))
    made.name, made.slots = name, slots
    return made


def first(connection: Connection, text: str, bound: Bound = None) -> Any:
    """The first result row as a tuple; None where there is none."""
    return connection.execute(text, bound).fetchone()


def every(connection: Connection, text: str, bound: Bound = None) -> list[Any]:
    """All result rows, each a tuple."""
    return connection.execute(text, bound).fetchall()


def once(connection: Connection, text: str, bound: Mapping[str, Any]) -> list[Any]:
    """All result rows of what is asked again and again of one snapshot, where the answer stays."""
    kept: Kept | None = getattr(connection, "kept", None)
    if kept is None:
        return every(connection, text, bound)
    key = (text, *bound.values())
    rows: list[Any] | None = kept.get(key)
    if rows is None:
        rows = kept[key] = every(connection, text, bound)
    return rows


def found_before(connection: Connection, text: str, bound: Mapping[str, Any]) -> dict[str, Any]:
    """What this was answered with for single ids of the snapshot, to be added to; nothing outside
    of one."""
    kept: Kept | None = getattr(connection, "kept", None)
    return {} if kept is None else kept.setdefault((text, *bound.values()), {})


def numbers(values: Sequence[int]) -> str:
    """Numbers of rows as JSON text; hundreds at a time, at a tenth of what `json.dumps` takes."""
    return _encoded(values).decode("ascii")
