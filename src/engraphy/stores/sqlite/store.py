"""The store: the port `engraphy.ports.Store` over one SQLite file."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from threading import Lock

from engraphy.errors import StoreError
from engraphy.model.calls import CallLimits, CallOutcome, ModelCall, ModelUse
from engraphy.model.change import Change, Forget, Insert, Restore, Update
from engraphy.model.granting import Grant
from engraphy.model.leaving import ForgetUser
from engraphy.model.memory import Memory
from engraphy.model.query import Check, StoreStats, View
from engraphy.model.records import JournalEntry, JournalOp
from engraphy.model.scope import Scope, Tenant
from engraphy.model.undoing import Mirrored
from engraphy.stores.ciphering import Key
from engraphy.stores.sqlite import (
    apply,
    calls,
    checks,
    embedding,
    granting,
    journal,
    keeping,
    opening,
    read,
    scopes,
)
from engraphy.stores.sqlite.batch import Batch
from engraphy.stores.sqlite.connection import Target
from engraphy.stores.sqlite.history import History
from engraphy.stores.sqlite.mirror import Mirror
from engraphy.stores.sqlite.text import TextSearch
from engraphy.stores.sqlite.traces import Traces

BUSY_SECONDS = 10.0
"""How long a call waits for other processes before it raises StoreBusyError."""

_BRIEFLY = 0.05
"""Seconds that a note waits for other writers which nobody needs."""


class SqliteStore(History):
    """A store in one SQLite file, for any number of threads and processes at once.

    `read_only`: nothing is written, not even an index. `vfs`: the name of a registered SQLite VFS.
    `mirror`: a file that holds the journal once more, without texts. `key`: what the whole file,
    and every copy of it, is encrypted with.
    Errors of opening: ForeignFileError, NewerSchemaError, NetworkFilesystemError,
    StoreReadOnlyError, UnreadableFileError, StoreCorruptError, StoreBusyError, EncryptionError.
    """

    def __init__(
        self,
        path: str,
        *,
        read_only: bool = False,
        vfs: str | None = None,
        busy_seconds: float = BUSY_SECONDS,
        mirror: Path | None = None,
        key: Key | None = None,
    ) -> None:
        target = Target(path=path, vfs=vfs, read_only=read_only, busy_seconds=busy_seconds, key=key)
        left_over = not read_only and _is_left_over(f"{path}-wal")
        text = TextSearch()
        super().__init__(opening.open_file(target, text.prepare), text)
        self._log_is_due = False
        self._traces, self._tracing = Traces(), Lock()
        self._mirror = None if mirror is None or read_only else Mirror(mirror)
        if left_over and not self.read_only:
            # Whoever wrote it may have been killed between a forget and the emptying of the log.
            self._empty_log()

    @property
    def path(self) -> str:
        """The database file."""
        return self._access.target.path

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written."""
        return self._access.target.read_only

    def apply(
        self,
        tenant: Tenant,
        changes: Sequence[Change],
        *,
        now: int,
        actor: str,
        op: JournalOp | None = None,
    ) -> tuple[int, ...]:
        """Write all changes and their journal entries in one transaction, or none of them."""
        if not changes:
            return ()
        if any(
            isinstance(change, Insert | Update | Restore) and change.vector for change in changes
        ):
            # Loading numpy takes longer than a write: not while others wait for the lock.
            _ = self._vectors
        with self._access.writing() as connection:
            batch = Batch(
                connection=connection,
                tenant=tenant,
                now=now,
                journal=journal.Journal(connection, tenant, now=now, actor=actor, op=op),
                quantise=self._quantise,
                path=self.path,
            )
            numbers = apply.apply(batch, changes)
        if self._log_is_due or any(isinstance(change, Forget | ForgetUser) for change in changes):
            self._empty_log()
            self._without_traces(batch.traces)
        if self._mirror is not None:
            with self._access.plain() as connection:
                self._mirror.follow(connection)
        return numbers

    def mirrored(self, *, rebuild: bool = False) -> Mirrored | None:
        """How far the copy of the journal tells it; written anew where wanted."""
        if self._mirror is None:
            return None
        with self._access.plain() as connection:
            run = self._mirror.rebuild if rebuild else self._mirror.examined
            return run(connection)

    def stored_models(self, tenant: Tenant) -> dict[str, int]:
        """How many memories carry vectors of each model."""
        with self._access.reading() as connection:
            return embedding.stored_models(connection, tenant)

    def missing_vectors(self, tenant: Tenant, model_id: str, limit: int) -> list[tuple[str, str]]:
        """(id, content) of memories without a vector of this model, oldest first."""
        with self._access.reading() as connection:
            return embedding.missing(connection, tenant, model_id, limit)

    def put_vectors(self, tenant: Tenant, rows: Sequence[tuple[str, object]]) -> int:
        """Replace the vectors of memories; ids that are gone are left out."""
        with self._access.writing() as connection:
            return embedding.put(connection, tenant, rows, self._quantise)

    def journal(self, tenant: Tenant, *, after: int = 0, limit: int = 100) -> list[JournalEntry]:
        """Journal entries of one tenant in order."""
        with self._access.reading() as connection:
            return journal.entries(connection, tenant, after, limit)

    def begin_call(
        self, tenant: Tenant, call: ModelCall, limits: CallLimits, *, now: int
    ) -> int | CallOutcome:
        """Set aside what a call may cost; its number, or why it may not be made."""
        with self._access.writing() as connection:
            return calls.begin(connection, tenant, call, limits, now)

    def finish_call(self, tenant: Tenant, number: int, call: ModelCall) -> None:
        """Put what a call really cost in place of what was set aside."""
        with self._access.writing() as connection:
            calls.finish(connection, tenant, number, call)

    def model_use(self, tenant: Tenant, since: int, until: int) -> list[ModelUse]:
        """The calls of a tenant that began in [since, until), summed up."""
        with self._access.reading() as connection:
            return calls.use(connection, tenant, since, until)

    def grants(self, tenant: Tenant) -> list[Grant]:
        """Every grant of a tenant, oldest first."""
        with self._access.reading() as connection:
            return granting.of_tenant(connection, tenant)

    def grant_of(self, id: str) -> tuple[Grant, bytes] | None:
        """A grant of whatever tenant, and the SHA-256 of its token."""
        with self._access.reading() as connection:
            return granting.by_id(connection, id)

    def grant_used(self, tenant: Tenant, id: str, *, now: int) -> None:
        """Note when a grant was last used."""
        if not self.read_only:
            with self._access.writing(_BRIEFLY) as connection:
                granting.used(connection, tenant, id, now)

    def stats(self, view: View) -> StoreStats:
        """Counts of what the view's scope may see, in every state."""
        with self._access.reading() as connection:
            return keeping.stats(connection, view, self.path)

    def scopes(self, tenant: Tenant) -> list[tuple[Scope, int]]:
        """The walls in use inside a tenant with their counts of memories."""
        with self._access.reading() as connection:
            return scopes.in_use(connection, tenant)

    def places(self, tenant: Tenant, walls: Mapping[str, str]) -> list[Scope]:
        """The walls in use inside a tenant that are these on the walls they name."""
        with self._access.reading() as connection:
            return scopes.named(connection, tenant, walls)

    def scope_of(self, tenant: Tenant, id: str) -> Scope | None:
        """The walls that a memory of a tenant stands behind, whoever may see it."""
        with self._access.reading() as connection:
            return scopes.of(connection, tenant, id)

    def tenants(self) -> list[Tenant]:
        """Every tenant that has anything."""
        with self._access.reading() as connection:
            return scopes.tenants(connection)

    def dump(self, view: View) -> Iterator[Memory]:
        """Every visible memory, oldest first, a few hundred at a time."""
        after = 0
        while True:
            with self._access.reading() as connection:
                rows = list(read.dump_page(connection, view, after))
            yield from (memory for _, memory in rows)
            if len(rows) < read.DUMPED:
                return
            after = rows[-1][0]

    def check(self, *, deep: bool = False) -> list[Check]:
        """Integrity, settings, agreement of the indexes; `deep` reads everything, the chain of
        the journal included."""
        with self._access.reading() as connection:
            sealed = self._access.target.key is not None
            return checks.examine(connection, deep=deep, encrypted=sealed)

    def backup(self, target: str) -> int:
        """Write a verified copy to a new file while others read and write; returns its bytes."""
        own = self._access.target
        with self._access.plain() as connection:
            return keeping.backup(connection, Target(path=target, vfs=own.vfs, key=own.key))

    def restore(self, source: str) -> None:
        """Replace everything by a backup, at once or not at all, once it has been verified."""
        opening.restore_from(source, self._access)

    def optimise(self) -> None:
        """Put the indexes in order, give free pages back and empty the log, each a little at a
        time."""
        with self._access.alone() as connection:
            keeping.reorder(connection)
        self.tidy(lambda: True)

    def _empty_log(self) -> None:
        """Without this, what was forgotten would still stand in the log; a reader that needs the
        log, or a failing disk, puts it off until the next write: the changes are committed."""
        self._log_is_due = True
        with suppress(StoreError), self._access.alone() as connection:
            self._log_is_due = not keeping.give_back(connection)

    def _without_traces(self, traces: Traces) -> None:
        """What is erased may still stand between the cells of pages: then the file is written
        anew. A failing disk, or a reader that needs the log of a large file, puts it off: the
        changes are committed."""
        with self._tracing:
            self._traces.take(traces)
            with suppress(StoreError):
                self._look_for_traces()

    def _look_for_traces(self) -> None:
        with self._access.plain() as connection:
            found = self._traces.left(connection, emptied=not self._log_is_due)
        if found:
            with self._access.alone() as connection:
                connection.execute("VACUUM")
            self._empty_log()
        if found is not None:
            self._traces = Traces()

    def close(self) -> None:
        """Close every connection, once what was put off has been tried again."""
        if self._traces:
            with suppress(StoreError):
                self._empty_log()
                self._without_traces(Traces())
        super().close()

    def _quantise(self, parts: tuple[tuple[float, ...], ...]) -> list[embedding.Codes]:
        coded: list[embedding.Codes] = self._vectors.quantise(parts)
        return coded


def _is_left_over(log: str) -> bool:
    with suppress(OSError):
        return Path(log).stat().st_size > 0
    return False


def open_store(
    path: str,
    *,
    read_only: bool = False,
    vfs: str | None = None,
    busy_seconds: float = BUSY_SECONDS,
    mirror: Path | None = None,
    key: Key | None = None,
) -> SqliteStore:
    """The store at `path`, made if there is none."""
    return SqliteStore(
        path, read_only=read_only, vfs=vfs, busy_seconds=busy_seconds, mirror=mirror, key=key
    )
