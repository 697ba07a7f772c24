"""The two ends of a move, as each engine has them, and what travels between them.

A row travels as (tenant, *columns), the same on every engine: lines of the journal under the
numbers they were written with, models by their names.
"""

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple, Protocol, TypeVar

from engraphy.stores.carrying.tables import MODELS, Table
from engraphy.stores.relational.indexing import Entry

Opened = TypeVar("Opened", bound="Store")
Row = tuple[Any, ...]
Place = tuple[Any, ...]
"""Where in a table a reader stands: the key of the row that was read last."""


class Chain(NamedTuple):
    """The journal of a tenant: how many lines, the numbers of the first and the last, its end."""

    tenant: str
    lines: int
    first: int
    last: int
    hash: bytes


class Shift(NamedTuple):
    """Lines `first` to `last` of a journal were written under numbers less by `by`."""

    first: int
    last: int
    by: int

    def told(self, number: int) -> int:
        """The number a line was written under."""
        return number - self.by if self.first <= number <= self.last else number

    def marked(self, number: int) -> int:
        """How far the journal had come, by the numbers its lines were written under: also before
        its first line, where only other tenants had any."""
        return number - self.by if self.by < number <= self.last else number


class Source(Protocol):
    """A store as it is at one moment, to be read; `None` for tenant: of all."""

    def columns(self, table: Table) -> tuple[str, ...]:
        """The columns of a table but its tenant, sorted."""

    def rows(
        self, table: Table, columns: Sequence[str], tenant: str | None, after: Place
    ) -> Iterator[tuple[Place, Row]]:
        """The rows behind a place, in the order of their keys, each with its own."""

    def chains(self, tenant: str | None) -> list[Chain]:
        """The journals, by tenant."""

    def numbers(self) -> dict[str, int]:
        """The highest number ever given, by table."""

    def twice(self) -> str:
        """An id that two tenants have; '' where there is none."""

    def size(self, tenant: str | None) -> int:
        """How many memories there are."""


class Writing(Protocol):
    """One transaction on the target."""

    def note(self, told: str) -> None:
        """Keep how far the move has come."""

    def noted(self) -> str:
        """How far it has come; '' where nobody began one."""

    def is_empty(self) -> bool:
        """Whether there is nothing in any table."""

    def models(self, rows: Iterable[Row]) -> None:
        """Embedding models of tenants by name, where they are not there yet."""

    def put(self, table: Table, columns: Sequence[str], rows: Sequence[Row]) -> None:
        """Rows in the form they travel in, but with the numbers that lines have here."""

    def index(self, entries: Sequence[tuple[str, int, Entry]]) -> None:
        """Of (tenant, row, entry) the full text."""

    def carried(self, chain: Chain, shift: int) -> None:
        """That these lines were brought here."""


class Store(Protocol):
    """What a store needs to be moved, or to be moved into."""

    def source(self) -> AbstractContextManager[Source]:
        """All of it as it is at this moment."""

    def sink(self) -> "Sink":
        """What fills it."""

    def check_whole(self) -> None:
        """Raises UnfinishedMoveError while a move fills it."""

    def broken_line(self) -> int | None:
        """The first line of the journal that does not fit."""

    def close(self) -> None:
        """Close every connection."""

    @property
    def path(self) -> str:
        """Where the store is, for messages."""


class Sink(Protocol):
    """A store to be filled."""

    is_numbered_at_large: bool
    """Whether the lines of all tenants share one row of numbers."""

    def writing(self) -> AbstractContextManager[Writing]:
        """One transaction over all tenants; no other one of a move is under way meanwhile."""

    def number_on(self, numbers: Mapping[str, int]) -> None:
        """Give no number that was given already."""

    def settle(self) -> None:
        """What is done once when all rows are there."""


class Reader(ABC):
    """What the readers of all engines share: the form in which rows travel."""

    def __init__(self, shifts: Mapping[str, Shift], models: Mapping[Any, str]) -> None:
        self._shifts = shifts
        self._models = models

    @abstractmethod
    def chains(self, tenant: str | None) -> list[Chain]:
        """The journals, by tenant."""

    def travelling(
        self, table: Table, columns: Sequence[str], found: Iterable[Sequence[Any]]
    ) -> Iterator[tuple[Place, Row]]:
        """Rows of (tenant, columns, key) as they travel."""
        end = 1 + len(columns)
        lines = [1 + place for place, name in enumerate(columns) if name in table.lines]
        marks = [1 + place for place, name in enumerate(columns) if name in table.marks]
        # A mark may be the line of another tenant; behind the own last one all mean the same.
        ends = {one.tenant: one.last for one in self.chains(None)} if marks else {}
        named = 1 + columns.index("model_id") if "model_id" in columns else 0
        for one in found:
            row = list(one[:end])
            shift = self._shifts.get(row[0])
            if shift is not None:
                for place in lines:
                    row[place] = shift.told(row[place])
            for place in marks:
                number = row[place] if shift is None else shift.marked(row[place])
                row[place] = min(number, ends.get(row[0], number))
            if named:
                row[named] = self._models[row[named]]
            yield tuple(one[end:]), tuple(row)


def digest(row: Row) -> int:
    """A number of 256 bits that stands for a row; their sum stands for a table, in any order."""
    return int.from_bytes(hashlib.sha256(repr(row).encode()).digest())


def without_model_number(table: Table, columns: Iterable[str]) -> tuple[str, ...]:
    """The columns of a table that travel: a model is known by its name."""
    left_out = {"tenant", *(("id",) if table.name == MODELS else ())}
    return tuple(sorted(name for name in columns if name not in left_out))


def whole(store: Opened) -> Opened:
    """A store that no move has to finish; closed again where one has."""
    try:
        store.check_whole()
    except Exception:
        store.close()
        raise
    return store
