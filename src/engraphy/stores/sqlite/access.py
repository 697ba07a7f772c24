"""Access to one file: reading in a snapshot, writing in one transaction behind the side lock."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

import apsw

from engraphy.errors import StoreReadOnlyError, UnreadableFileError
from engraphy.model.scope import Tenant
from engraphy.stores.locks import LOCK_SUFFIX, SideLock
from engraphy.stores.relational.moments import Moments
from engraphy.stores.relational.sql import Ahead
from engraphy.stores.sqlite.connection import Connection, Connections, MOVED, Target, has_moved
from engraphy.stores.sqlite.failures import translated


class Access:
    """How the store reaches its file; every error leaves as one of ours."""

    def __init__(self, target: Target, prepare: Callable[[apsw.Connection], None]) -> None:
        self.target = target
        self._connections = Connections(target, prepare)
        self._lock = SideLock(target.path + LOCK_SUFFIX, target.path)
        self.moments = Moments[None, Connection]()

    def reading(self, tenant: Tenant | None) -> AbstractContextManager[Connection]:  # noqa: ARG002
        """One snapshot for every statement inside, and for what else this thread reads where
        `moments` last; the rows of all tenants stand in one file."""
        return self.moments.reading(None, self._read)

    @contextmanager
    def _read(self, whose: None) -> Iterator[Connection]:  # noqa: ARG002 - the shape of `Moments`
        with self._connected() as connection:
            self._check_there(connection)
            connection.execute("BEGIN")
            connection.kept = {}
            try:
                yield connection
            finally:
                connection.kept = None
                if connection.in_transaction:
                    connection.execute("COMMIT")

    @contextmanager
    def writing(
        self,
        tenant: Tenant,  # noqa: ARG002
        seconds: float | None = None,
        ahead: Callable[[], Ahead] | None = None,  # noqa: ARG002
    ) -> Iterator[Connection]:
        """One transaction that is written whole when the block ends, or not at all; it waits for
        other writers for so many seconds at most (None: as long as the file is opened with)."""
        with self.alone(seconds) as connection:
            self._begin(connection, seconds)
            try:
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    def _begin(self, connection: apsw.Connection, seconds: float | None) -> None:
        """Begin to write. A program that knows nothing of the side lock is not waited for longer
        than ours are."""
        if seconds is not None:
            connection.set_busy_timeout(int(1_000 * seconds))
        try:
            connection.execute("BEGIN IMMEDIATE")
        finally:
            if seconds is not None:
                connection.set_busy_timeout(int(1_000 * self.target.busy_seconds))

    @contextmanager
    def alone(self, seconds: float | None = None) -> Iterator[Connection]:
        """The only writer, outside a transaction; `seconds` as for `writing`."""
        if self.target.read_only:
            raise StoreReadOnlyError(path=self.target.path)
        patience = self.target.busy_seconds if seconds is None else seconds
        self.moments.leave()
        with self._connected() as connection, self._lock.held(patience):
            self._check_there(connection)
            yield connection

    @contextmanager
    def plain(self) -> Iterator[Connection]:
        """A connection outside a transaction."""
        self.moments.leave()
        with self._connected() as connection:
            yield connection

    def keep_log(self) -> None:
        """Let the log, which a new file has only now, say later what was written."""
        with self._connected() as connection:
            self._connections.keep_log(connection)

    def close(self) -> None:
        """Close every connection."""
        self._connections.close()

    def _check_there(self, connection: apsw.Connection) -> None:
        """What is written into a file that has lost its name is lost with it."""
        if has_moved(connection):
            raise UnreadableFileError(path=self.target.path, problem=MOVED)

    @contextmanager
    def _connected(self) -> Iterator[Connection]:
        with (
            translated(self.target.path, seconds=self.target.busy_seconds),
            self._connections.use() as connection,
        ):
            yield connection
