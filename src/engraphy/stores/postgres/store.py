"""The store: the port `engraphy.ports.Store` over a database of PostgreSQL."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Self

import psycopg
from psycopg import ProgrammingError
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from engraphy.errors import AlreadyDreamingError, InvalidInputError, UnfinishedMoveError
from engraphy.model.query import Check, StoreStats, View
from engraphy.model.scope import Tenant
from engraphy.stores.carrying.carry import is_open
from engraphy.stores.carrying.ends import whole
from engraphy.stores.postgres import carrying, checks, migrations
from engraphy.stores.postgres.access import Access, DREAMING, WRITING, lock_key
from engraphy.stores.postgres.connection import Connection
from engraphy.stores.postgres.failures import REFUSALS
from engraphy.stores.postgres.text import TextSearch
from engraphy.stores.postgres.trying import OneTransaction
from engraphy.stores.relational import indexing, journal, sql, stats
from engraphy.stores.relational.erasing import Erasing, PlainErasing
from engraphy.stores.relational.store import RelationalStore, Result

BUSY_SECONDS = 10.0
"""How long a call waits for others before it raises StoreBusyError."""
CONNECTIONS = 10
"""Connections that a process opens at most; more calls at once wait for one."""
PARTITIONS = 8
"""How many partitions tenants are spread over in a new database."""


class PostgresStore(RelationalStore):
    """A store in one database, for any number of threads, processes and servers at once.

    `place`: a connection string (`postgresql://user@host/name`). `partitions`: of a new database.
    Errors of opening: UnreadableFileError, NewerSchemaError, ForeignFileError, StoreReadOnlyError.
    """

    def __init__(
        self,
        place: str,
        *,
        read_only: bool = False,
        busy_seconds: float = BUSY_SECONDS,
        connections: int = CONNECTIONS,
        partitions: int = PARTITIONS,
    ) -> None:
        self._shown = shown(place)
        access = Access(
            place,
            self._shown,
            read_only=read_only,
            busy_seconds=busy_seconds,
            connections=connections,
        )
        try:
            migrations.migrate(access, partitions)
        except Exception:
            access.close()
            raise
        self._database = access
        super().__init__(access, TextSearch(), REFUSALS, None)

    @property
    def path(self) -> str:
        """The place, without its password."""
        return self._shown

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written."""
        return self._database.read_only

    def _become(self, connection: sql.Connection, tenant: Tenant) -> None:
        assert isinstance(connection, Connection)
        connection.become(tenant, lock_key(WRITING, tenant))

    def _erasing(self) -> Erasing:
        return PlainErasing()

    def stats(self, view: View) -> StoreStats:
        """Counts of what the view's scope may see, in every state."""
        with self._database.connected() as raw:
            found = raw.execute("SELECT pg_database_size(current_database())").fetchone()
        with self._access.reading(view.scope.tenant) as connection:
            return stats.counted(connection, view, int(found[0]) if found else 0)

    def broken_line(self) -> int | None:
        """The first line of a tenant's journal that does not fit."""
        for tenant in self.tenants():
            with self._access.reading(tenant) as connection:
                broken = journal.broken_line(connection)
            if broken is not None:
                return broken
        return None

    @contextmanager
    def alone(self, tenant: Tenant) -> Iterator[None]:
        """Nobody else dreams for this tenant inside, on any server."""
        key = lock_key(DREAMING, tenant)
        with self._database.connected() as raw:
            # Of a transaction, not of a session: a pooler gives a session's lock to anybody.
            raw.execute("BEGIN; SET LOCAL idle_in_transaction_session_timeout = 0")
            try:
                held = raw.execute("SELECT pg_try_advisory_xact_lock(%s)", (key,)).fetchone()
                if not held or not held[0]:
                    raise AlreadyDreamingError(path=self.path, seconds=0.0)
                yield
            finally:
                # A connection that is gone has no lock any more.
                if not raw.closed:
                    with suppress(psycopg.Error):
                        raw.execute("ROLLBACK")

    @contextmanager
    def scratch(self) -> Iterator[Self]:
        """The store itself inside one transaction that is taken back at the end."""
        with OneTransaction(self._database) as access:
            tried = type(self).__new__(type(self))
            tried.__dict__.update(self.__dict__)
            tried._access = access  # noqa: SLF001 - it is this class's own
            # What it finds is taken back, so nothing that is kept in memory may know of it.
            tried.__dict__.pop("_vector_search", None)
            tried._text = TextSearch()  # noqa: SLF001 - as above
            yield tried

    def tidy(self, go_on: Callable[[], bool]) -> bool:
        """Nothing is left to do: the server's autovacuum does it."""
        return go_on()

    def check(self, *, deep: bool = False) -> list[Check]:
        """Agreement of the indexes, walls, settings; `deep`: contents, and the journal's chain."""
        found = checks.examine(self._database, self.tenants(), deep=deep)
        return [*found, *self._database.replicas.checks()]

    def on_replica(self, run: Callable[[], Result]) -> Result:
        """Run what only asks; a replica answers its reads where the place says `prefer-standby`,
        and has all that was acknowledged before."""
        return self._database.replicas.answering(run)

    def at_once(self) -> AbstractContextManager[None]:
        """What this thread reads inside is read of one snapshot, until it writes or lets go."""
        return self._database.moments.lasting()

    def let_go(self) -> None:
        """Give the connection back that reads were held together by."""
        self._database.moments.leave()

    def backup(self, target: str) -> int:
        """Refused: a database is backed up by its own tools."""
        raise InvalidInputError(
            field="target", got=target, allowed="pg_dump or your provider's backups; or an export"
        )

    def restore(self, source: str) -> None:
        """Refused: a database is restored by its own tools."""
        raise InvalidInputError(
            field="source",
            got=source,
            allowed="pg_restore or your provider's backups; or an import",
        )

    @contextmanager
    def source(self) -> Iterator[carrying.DatabaseSource]:
        """All of it as it is at this moment, to be carried elsewhere."""
        with self._database.snapshot() as raw:
            yield carrying.DatabaseSource(raw)

    def sink(self) -> carrying.DatabaseSink:
        """What fills it from elsewhere."""
        return carrying.DatabaseSink(self._database)

    def check_whole(self) -> None:
        """Raises UnfinishedMoveError while a move fills it."""
        with self._database.connected() as raw:
            text = "SELECT value FROM meta WHERE key = %s"
            noted = raw.execute(text, (carrying.MOVING,)).fetchone()
        if noted is not None and is_open(noted[0]):
            raise UnfinishedMoveError(path=self.path)

    def optimise(self) -> None:
        """Make a full-text index anew that does not fit its rows, and count what plans are made
        by."""
        for tenant in self.tenants():
            with self._access.reading(tenant) as connection:
                fits = not checks.text_counts(connection)
            if not fits:
                with self._access.writing(tenant) as connection:
                    indexing.rebuild(connection)
        with self._database.connected() as raw:
            raw.execute("ANALYZE")


def shown(place: str) -> str:
    """A connection string without its password."""
    told = conninfo_to_dict(place)
    told.pop("password", None)
    host, port = told.pop("host", "localhost"), told.pop("port", None)
    name, user = told.pop("dbname", ""), told.pop("user", None)
    del told
    where = f"{host}:{port}" if port else str(host)
    return f"postgresql://{f'{user}@' if user else ''}{where}/{name}"


def open_store(
    place: str,
    *,
    read_only: bool = False,
    busy_seconds: float = BUSY_SECONDS,
    unfinished: bool = False,
) -> PostgresStore:
    """The store in this database, made if there is none; `unfinished`: also one that a move has
    not filled yet, which is an UnfinishedMoveError else."""
    store = PostgresStore(_read(place), read_only=read_only, busy_seconds=busy_seconds)
    return store if unfinished else whole(store)


def _read(place: str) -> str:
    """A connection string as libpq takes it. Raises InvalidInputError, without the text: it may
    hold a password."""
    scheme, is_url, rest = place.partition("://")
    try:
        return make_conninfo(f"{scheme.lower()}://{rest}" if is_url else place)
    except ProgrammingError:
        pass
    allowed = "postgresql://user:password@host/name, with spaces and signs as %20 ..."
    raise InvalidInputError(field="path", got="a place that cannot be read", allowed=allowed)
