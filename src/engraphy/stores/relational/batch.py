"""One transaction's surroundings, given to every function that writes a change."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any, NamedTuple

from msgspec import field
from msgspec.structs import replace

from engraphy.errors import ConflictError, InvalidInputError, NotFoundError
from engraphy.model.memory import Memory
from engraphy.model.scope import Scope, Tenant
from engraphy.record import Record
from engraphy.stores.relational import rows
from engraphy.stores.relational.embedding import Codes, Quantise
from engraphy.stores.relational.erasing import Erasing
from engraphy.stores.relational.indexing import Entry
from engraphy.stores.relational.journal import Journal, Line
from engraphy.stores.relational.sql import Connection, every, first, query

FEDERATION = "federation"
"""Who writes in the journal of a tenant what another one did."""


@cache
def _writing(name: str, columns: tuple[str, ...]) -> str:
    places = ", ".join(f":{column}" for column in columns)
    return query(name, columns=", ".join(columns), values=places)


class Refusals(NamedTuple):
    """How an engine says that a row breaks a rule of the schema."""

    errors: tuple[type[Exception], ...]
    is_taken: Callable[[Exception], bool]
    """Whether it is that a key is taken already."""


class Stored(NamedTuple):
    """A row of `memories` as it stands, with its key and the memory it holds."""

    seq: int
    row: rows.Row
    memory: Memory


class RowLine(NamedTuple):
    """The result line `SELECTED` of a row as it stands, with its key."""

    seq: int
    line: Sequence[Any]


class Made(NamedTuple):
    """What is written of a new memory, made before anybody waits for the lock: its row but for the
    number of its scope, its entry in the index but for its wall, and its vectors."""

    row: rows.Row
    entry: Entry
    codes: Sequence[Codes]


class Take(NamedTuple):
    """What is to be erased as another tenant: one copy, or all that a subscription brought."""

    tenant: Tenant
    subscription: str
    copy: str | None
    reason: str


def _nothing(tenant: Tenant) -> None:
    """For an engine whose transactions see the rows of every tenant."""


class Batch(Record, frozen=True, kw_only=True):
    """The open transaction, who writes in it and when, and the journal it keeps."""

    connection: Connection
    tenant: Tenant
    now: int
    journal: Journal
    quantise: Quantise
    path: str
    traces: Erasing
    refusals: Refusals
    made: Mapping[str, Made] = field(default_factory=dict)
    """By the id of the memory."""
    become: Callable[[Tenant], None] = _nothing
    """Has the transaction see the rows of another tenant from now on."""
    changed: list[str] = field(default_factory=list)
    """Memories that ended or say something else, of which others may hold copies."""
    takes: list[Take] = field(default_factory=list)
    told: list[tuple[Tenant, Line]] = field(default_factory=list)
    """Lines for the journals of other tenants, written when this one's are."""

    @contextmanager
    def seeing(self, tenant: Tenant) -> Iterator[None]:
        """As another tenant inside: for what a decision of this one rests on there."""
        if tenant == self.tenant:
            yield
            return
        self.become(tenant)
        yield
        self.become(self.tenant)

    @contextmanager
    def beside(self, tenant: Tenant) -> Iterator["Batch"]:
        """The same transaction as another tenant, with that tenant's journal."""
        if tenant == self.tenant:
            yield self
            return
        with self.seeing(tenant):
            journal = Journal(self.connection, tenant, now=self.now, actor=FEDERATION)
            yield replace(self, tenant=tenant, journal=journal)

    def run(self, name: str, bound: dict[str, Any]) -> int:
        """Execute a named query; returns how many rows it changed."""
        self.connection.execute(query(name), bound)
        return self.connection.changes()

    def put(self, name: str, bound: dict[str, Any]) -> None:
        """Execute a named query whose rows nobody counts."""
        self.connection.execute(query(name), bound)

    def stored(self, id: str) -> Stored:
        """The row with this id; NotFoundError where this tenant has none."""
        text = query("stored_memory", columns=rows.SELECTED, walls=rows.WALLS_SELECTED)
        bound = {"id": id, "tenant": self.tenant}
        found = first(self.connection, text, bound)
        if found is None:
            raise NotFoundError(id=id)
        seq, *values = found
        row = dict(zip(rows.COLUMNS, values, strict=False))
        return Stored(seq, row, rows.from_tuple(values))

    def lines(self, ids: Sequence[str]) -> dict[str, RowLine]:
        """The rows of those of these memories that this tenant has, by id."""
        if not ids:
            return {}
        text = query("stored_memories", columns=rows.SELECTED)
        bound = {"ids": json.dumps(list(ids)), "tenant": self.tenant}
        found = every(self.connection, text, bound)
        return {rows.id_of(line): RowLine(seq, line) for seq, *line in found}

    def require(self, id: str) -> str:
        """The sensitivity of the memory with this id; NotFoundError where there is none."""
        bound = {"id": id, "tenant": self.tenant}
        found = first(self.connection, query("known_memory"), bound)
        if found is None:
            raise NotFoundError(id=id)
        return str(found[0])

    def store(
        self, name: str, row: dict[str, Any], id: str, columns: tuple[str, ...] = rows.COLUMNS
    ) -> None:
        """Write these columns of a row of `memories` by a named query; ConflictError where its id
        or its text is taken, InvalidInputError where a value is out of range."""
        text = _writing(name, columns)
        try:
            self.connection.execute(text, row)
            # An engine that lets statements wait says now whether it took this one.
            self.connection.changes()
        except self.refusals.errors as problem:
            if self.refusals.is_taken(problem):
                raise ConflictError(path=self.path, id=id) from problem
            raise InvalidInputError(
                field="memory", got=str(problem), allowed="the model's ranges"
            ) from problem

    def own(self, scope: Scope) -> None:
        """Refuse a scope of another tenant."""
        if scope.tenant != self.tenant:
            raise InvalidInputError(
                field="scope.tenant", got=repr(scope.tenant), allowed=repr(self.tenant)
            )
