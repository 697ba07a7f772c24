"""The store: the port `engraphy.ports.Store` over one SQLite file."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path
from threading import Lock
from typing import Self

import apsw

from engraphy.errors import (
    AlreadyDreamingError,
    StoreBusyError,
    StoreError,
    UnreadableFileError,
)
from engraphy.model.change import Change, Forget
from engraphy.model.leaving import ForgetUser
from engraphy.model.query import Check, StoreStats, View
from engraphy.model.scope import Tenant
from engraphy.model.vectors import ServedModel
from engraphy.stores.carrying.ends import whole
from engraphy.stores.ciphering import Key
from engraphy.stores.locks import SideLock, followed
from engraphy.stores.relational import stats
from engraphy.stores.relational.batch import Refusals
from engraphy.stores.relational.erasing import Erasing
from engraphy.stores.relational.sql import first
from engraphy.stores.relational.store import RelationalStore
from engraphy.stores.sqlite import carrying, checks, keeping, logs, migrations, opening
from engraphy.stores.sqlite.connection import Target
from engraphy.stores.sqlite.failures import translated
from engraphy.stores.sqlite.rooms import room as a_room
from engraphy.stores.sqlite.text import TextSearch
from engraphy.stores.sqlite.traces import Traces

DREAM_SUFFIX = ".dream"
BUSY_SECONDS = 10.0
"""How long a call waits for other processes before it raises StoreBusyError."""

_TAKEN = (apsw.SQLITE_CONSTRAINT_UNIQUE, apsw.SQLITE_CONSTRAINT_PRIMARYKEY)
REFUSALS = Refusals(
    (apsw.ConstraintError,), lambda problem: getattr(problem, "extendedresult", None) in _TAKEN
)


class SqliteStore(RelationalStore):
    """A store in one SQLite file, for any number of threads and processes at once.

    `read_only`: nothing is written, not even an index. `vfs`: the name of a registered SQLite VFS.
    `mirror`: a file that holds the journal once more, without texts. `key`: what the whole file,
    and every copy of it, is encrypted with. `sums`: whether the pages of a new file have checksums.
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
        sums: bool = True,
    ) -> None:
        path = followed(path)
        target = Target(
            path=path,
            vfs=vfs,
            read_only=read_only,
            busy_seconds=busy_seconds,
            key=key,
            sums=sums,
        )
        left_over = not read_only and _is_left_over(f"{path}-wal")
        text = TextSearch()
        self._file = opening.open_file(target, text.prepare)
        told = None if read_only else mirror
        super().__init__(self._file, text, REFUSALS, told)
        self._log_is_due = False
        self._traces, self._tracing = Traces(), Lock()
        if left_over and not self.read_only:
            # Whoever wrote it may have been killed between a forget and the emptying of the log.
            self._empty_log()

    @property
    def path(self) -> str:
        """The database file."""
        return self._file.target.path

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written."""
        return self._file.target.read_only

    def at_once(self) -> AbstractContextManager[None]:
        """What this thread reads inside is read of one snapshot, until it writes or lets go."""
        return self._file.moments.lasting()

    def let_go(self) -> None:
        """Give the snapshot back that reads were held together by."""
        self._file.moments.leave()

    def _erasing(self) -> Traces:
        return Traces()

    def _written(self, changes: Sequence[Change], erasing: Erasing) -> None:
        # What others had copies of is erased with what is not called a forget.
        erased = isinstance(erasing, Traces) and bool(erasing)
        forgot = any(isinstance(change, Forget | ForgetUser) for change in changes)
        if self._log_is_due or erased or forgot:
            self._empty_log()
            if isinstance(erasing, Traces):
                self._without_traces(erasing)

    def _follow(self) -> None:
        if self._mirror is not None:
            with self._file.plain() as connection:
                self._mirror.follow(connection)

    def stats(self, view: View) -> StoreStats:
        """Counts of what the view's scope may see, in every state."""
        with self._access.reading(view.scope.tenant) as connection:
            return stats.counted(connection, view, keeping.file_bytes(self.path))

    @contextmanager
    def alone(self, tenant: Tenant) -> Iterator[None]:  # noqa: ARG002 - one lock for the file
        """Nobody else dreams inside; AlreadyDreamingError where somebody does, StoreReadOnlyError
        where nobody may."""
        path = self._file.target.path
        lock = SideLock(path + DREAM_SUFFIX, path)
        try:
            with ExitStack() as holding:
                with translated(path):
                    holding.enter_context(lock.held(0.0))
                yield
        except AlreadyDreamingError:
            raise
        except StoreBusyError as busy:
            if busy.details.get("seconds") == 0.0:
                raise AlreadyDreamingError(path=path, seconds=0.0) from busy
            raise

    @contextmanager
    def scratch(self) -> Iterator[Self]:
        """A whole copy to try things on, beside the store, and gone afterwards. Raises
        StoreReadOnlyError where there is no room for it."""
        target = self._file.target
        folder = Path(target.path).absolute().parent
        with ExitStack() as rooms:
            with translated(target.path):
                room = rooms.enter_context(a_room(".engraphy-", folder))
            copy = str(room / "copy.db")
            with self._file.plain() as connection:
                keeping.backup(connection, Target(path=copy, vfs=target.vfs, key=target.key))
            store = type(self)(copy, vfs=target.vfs, key=target.key)
            try:
                yield store
            finally:
                store.close()

    def tidy(self, go_on: Callable[[], bool]) -> bool:
        """Merge indexes and give free pages back, a little at a time."""
        if go_on():
            with self._file.alone() as connection:
                keeping.gather(connection)
        for step in (keeping.merge_step, keeping.free_step):
            done = False
            while not done:
                if not go_on():
                    return False
                with self._file.alone() as connection:
                    done = step(connection)
        with self._file.alone() as connection:
            keeping.truncate_log(connection)
        return True

    def check(self, *, deep: bool = False) -> list[Check]:
        """Integrity, settings, agreement of the indexes; `deep` reads everything, the chain of
        the journal included."""
        with self._file.reading(None) as connection:
            sealed = self._file.target.key is not None
            return checks.examine(connection, deep=deep, encrypted=sealed)

    def backup(self, target: str) -> int:
        """Write a verified copy to a new file while others read and write; returns its bytes."""
        own = self._file.target
        with self._file.plain() as connection:
            return keeping.backup(connection, Target(path=target, vfs=own.vfs, key=own.key))

    def restore(self, source: str) -> None:
        """Replace everything by a backup, at once or not at all, once it has been verified."""
        opening.restore_from(source, self._file)

    def optimise(self) -> None:
        """Put the indexes in order, give free pages back and empty the log, each a little at a
        time."""
        with self._file.alone() as connection:
            keeping.reorder(connection)
        self.tidy(lambda: True)

    @contextmanager
    def source(self) -> Iterator[carrying.FileSource]:
        """All of it as it is at this moment, to be carried elsewhere. Raises UnreadableFileError
        for a file of an older schema."""
        with self._file.reading(None) as connection:
            if first(connection, "PRAGMA user_version")[0] != migrations.newest():
                problem = "it is of an older version: open it once (engraphy stats), then move it"
                raise UnreadableFileError(path=self.path, problem=problem)
            yield carrying.FileSource(connection)

    def sink(self) -> carrying.FileSink:
        """What fills it from elsewhere."""
        return carrying.FileSink(self._file)

    def served_model(self, tenant: Tenant) -> ServedModel | None:
        """Whose vectors answer; a file of an older version that is only read says nothing of it."""
        if self.read_only:
            with self._file.plain() as connection:
                if first(connection, "PRAGMA user_version")[0] != migrations.newest():
                    return None
        return super().served_model(tenant)

    def check_whole(self) -> None:
        """Raises UnfinishedMoveError while a move fills it."""
        with self._file.plain() as connection:
            opening.check_whole(connection, self.path)

    def _empty_log(self) -> None:
        """Without this, what was forgotten would still stand in the log; a reader that needs the
        log, or a failing disk, puts it off until the next write: the changes are committed."""
        self._log_is_due = True
        with suppress(StoreError), self._file.alone() as connection:
            self._log_is_due = not keeping.give_back(connection)
            if logs.is_left(self.path):
                # Another log than the one that is empty now.
                logs.forget(self.path)

    def _without_traces(self, traces: Traces) -> None:
        """What is erased may still stand between the cells of pages: then the file is written
        anew. A failing disk, or a reader that needs the log of a large file, puts it off: the
        changes are committed."""
        with self._tracing:
            self._traces.take(traces)
            with suppress(StoreError):
                self._look_for_traces()

    def _look_for_traces(self) -> None:
        with self._file.plain() as connection:
            found = self._traces.left(connection, emptied=not self._log_is_due)
        if found:
            with self._file.alone() as connection:
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
    sums: bool = True,
    unfinished: bool = False,
) -> SqliteStore:
    """The store at `path`, made if there is none; `unfinished`: also one that a move has not
    filled yet, which is an UnfinishedMoveError else."""
    store = SqliteStore(
        path,
        read_only=read_only,
        vfs=vfs,
        busy_seconds=busy_seconds,
        mirror=mirror,
        key=key,
        sums=sums,
    )
    return store if unfinished else whole(store)
