"""The half of a store that is the same on every engine; the rest is an engine's own."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from pathlib import Path
from typing import TypeVar

from engraphy.model.calls import CallLimits, CallOutcome, ModelCall, ModelUse
from engraphy.model.change import Change, Insert, Restore, Update
from engraphy.model.granting import Grant
from engraphy.model.memory import Memory
from engraphy.model.query import View
from engraphy.model.records import JournalEntry, JournalOp
from engraphy.model.scope import Scope, Tenant
from engraphy.model.undoing import Mirrored
from engraphy.model.vectors import ServedModel
from engraphy.stores.relational import (
    ahead,
    apply,
    calls,
    embedding,
    granting,
    journal,
    read,
    scopes,
)
from engraphy.stores.relational.batch import Batch, Refusals
from engraphy.stores.relational.erasing import Erasing
from engraphy.stores.relational.history import History
from engraphy.stores.relational.mirror import Mirror
from engraphy.stores.relational.reads import TextFinder
from engraphy.stores.relational.sql import Access, Connection

Result = TypeVar("Result")
_BRIEFLY = 0.05
"""Seconds that a note waits for other writers which nobody needs."""


class RelationalStore(History):
    """A store over SQL."""

    def __init__(
        self,
        access: Access,
        text: TextFinder,
        refusals: Refusals,
        mirror: Path | None,
    ) -> None:
        super().__init__(access, text)
        self._refusals = refusals
        self._mirror = None if mirror is None else Mirror(mirror)

    @property
    def path(self) -> str:
        """Where the store is, for messages."""
        raise NotImplementedError

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written."""
        raise NotImplementedError

    def apply(
        self,
        tenant: Tenant,
        changes: Sequence[Change],
        *,
        now: int,
        actor: str,
        op: JournalOp | None = None,
        seconds: float | None = None,
    ) -> tuple[int, ...]:
        """Write all changes and their journal entries in one transaction, or none of them."""
        if not changes:
            return ()
        if any(
            isinstance(change, Insert | Update | Restore) and change.vector for change in changes
        ):
            # Loading numpy takes longer than a write: not while others wait for the lock.
            _ = self._vectors
        erasing = self._erasing()
        made = ahead.all_made(changes, self._quantise)
        asked = partial(ahead.asked, tenant, changes)
        with self._access.writing(tenant, seconds, ahead=asked) as connection:
            batch = Batch(
                connection=connection,
                tenant=tenant,
                now=now,
                journal=journal.Journal(connection, tenant, now=now, actor=actor, op=op),
                quantise=self._quantise,
                path=self.path,
                traces=erasing,
                refusals=self._refusals,
                made=made,
                become=partial(self._become, connection),
            )
            numbers = apply.apply(batch, changes)
        self._written(changes, erasing)
        self._follow()
        return numbers

    def _become(self, connection: Connection, tenant: Tenant) -> None:
        """Has an open transaction see the rows of another tenant; for an engine that keeps the
        rows of tenants apart."""

    def _erasing(self) -> Erasing:
        """What erases in one transaction."""
        raise NotImplementedError

    def _written(self, changes: Sequence[Change], erasing: Erasing) -> None:
        """What is to be done once changes are committed."""

    def _follow(self) -> None:
        if self._mirror is not None:
            with self._access.reading(None) as connection:
                self._mirror.follow(connection)

    def on_replica(self, run: Callable[[], Result]) -> Result:
        """Run what only asks; there are no replicas."""
        return run()

    def at_once(self) -> AbstractContextManager[None]:
        """Where a snapshot costs next to nothing, each read has its own."""
        return nullcontext()

    def let_go(self) -> None:
        """There is nothing that is held."""

    def mirrored(self, *, rebuild: bool = False) -> Mirrored | None:
        """How far the copy of the journal tells it; written anew where wanted."""
        if self._mirror is None:
            return None
        with self._access.reading(None) as connection:
            run = self._mirror.rebuild if rebuild else self._mirror.examined
            return run(connection)

    def stored_models(self, tenant: Tenant) -> dict[str, int]:
        """How many memories carry vectors of each model."""
        with self._access.reading(tenant) as connection:
            return embedding.stored_models(connection, tenant)

    def missing_vectors(
        self, tenant: Tenant, model_id: str, limit: int, *, after: str = ""
    ) -> list[tuple[str, str]]:
        """(id, content) of memories without a vector of this model, oldest first."""
        with self._access.reading(tenant) as connection:
            return embedding.missing(connection, tenant, model_id, limit, after)

    def drop_vectors(self, tenant: Tenant, model_id: str, limit: int) -> int:
        """Take out the vectors of a model of at most `limit` memories; of how many it did."""
        with self._access.writing(tenant) as connection:
            return embedding.drop(connection, tenant, model_id, limit)

    def served_model(self, tenant: Tenant) -> ServedModel | None:
        """Whose vectors answer the questions of a tenant."""
        with self._access.reading(tenant) as connection:
            return embedding.served(connection, tenant)

    def serve_model(self, tenant: Tenant, told: ServedModel) -> None:
        """Say whose vectors answer from now on."""
        with self._access.writing(tenant) as connection:
            embedding.serve(connection, tenant, told)

    def put_vectors(self, tenant: Tenant, rows: Sequence[tuple[str, str, object]]) -> int:
        """Replace the vectors of memories; what is gone or says something else by now is left
        out."""
        with self._access.writing(tenant) as connection:
            return embedding.put(connection, tenant, rows, self._quantise)

    def journal(self, tenant: Tenant, *, after: int = 0, limit: int = 100) -> list[JournalEntry]:
        """Journal entries of one tenant in order."""
        with self._access.reading(tenant) as connection:
            return journal.entries(connection, tenant, after, limit)

    def begin_call(
        self, tenant: Tenant, call: ModelCall, limits: CallLimits, *, now: int
    ) -> int | CallOutcome:
        """Set aside what a call may cost; its number, or why it may not be made."""
        with self._access.writing(tenant) as connection:
            return calls.begin(connection, tenant, call, limits, now)

    def finish_call(self, tenant: Tenant, number: int, call: ModelCall) -> None:
        """Put what a call really cost in place of what was set aside."""
        with self._access.writing(tenant) as connection:
            calls.finish(connection, tenant, number, call)

    def model_use(self, tenant: Tenant, since: int, until: int) -> list[ModelUse]:
        """The calls of a tenant that began in [since, until), summed up."""
        with self._access.reading(tenant) as connection:
            return calls.use(connection, tenant, since, until)

    def grants(self, tenant: Tenant) -> list[Grant]:
        """Every grant of a tenant, oldest first."""
        with self._access.reading(tenant) as connection:
            return granting.of_tenant(connection, tenant)

    def grant_of(self, id: str) -> tuple[Grant, bytes] | None:
        """A grant of whatever tenant, and the SHA-256 of its token."""
        with self._access.reading(None) as connection:
            return granting.by_id(connection, id)

    def grant_used(self, tenant: Tenant, id: str, *, now: int) -> None:
        """Note when a grant was last used."""
        if not self.read_only:
            with self._access.writing(tenant, _BRIEFLY) as connection:
                granting.used(connection, tenant, id, now)

    def scopes(self, tenant: Tenant) -> list[tuple[Scope, int]]:
        """The walls in use inside a tenant with their counts of memories."""
        with self._access.reading(tenant) as connection:
            return scopes.in_use(connection, tenant)

    def places(self, tenant: Tenant, walls: Mapping[str, str]) -> list[Scope]:
        """The walls in use inside a tenant that are these on the walls they name."""
        with self._access.reading(tenant) as connection:
            return scopes.named(connection, tenant, walls)

    def scope_of(self, tenant: Tenant, id: str) -> Scope | None:
        """The walls that a memory of a tenant stands behind, whoever may see it."""
        with self._access.reading(tenant) as connection:
            return scopes.of(connection, tenant, id)

    def tenants(self) -> list[Tenant]:
        """Every tenant that has anything."""
        with self._access.reading(None) as connection:
            return scopes.tenants(connection)

    def dump(self, view: View) -> Iterator[Memory]:
        """Every visible memory, oldest first, a few hundred at a time."""
        after = 0
        while True:
            with self._access.reading(view.scope.tenant) as connection:
                rows = list(read.dump_page(connection, view, after))
            yield from (memory for _, memory in rows)
            if len(rows) < read.DUMPED:
                return
            after = rows[-1][0]

    def _quantise(self, parts: tuple[tuple[float, ...], ...]) -> list[embedding.Codes]:
        coded: list[embedding.Codes] = self._vectors.quantise(parts)
        return coded
