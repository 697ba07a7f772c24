"""Access to a database: reading in a snapshot, writing in one transaction that is the only one of
its tenant, every statement behind the tenant's wall."""

import hashlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import LiteralString

import psycopg
from psycopg import sql
from psycopg.rows import TupleRow

from engraphy.errors import ForeignFileError, StoreReadOnlyError
from engraphy.model.scope import Tenant
from engraphy.stores.postgres.connection import Connection, Raw
from engraphy.stores.postgres.failures import translated
from engraphy.stores.postgres.pool import ended, held, opened, say
from engraphy.stores.postgres.replicas import POSITION, Position, Replicas, divided
from engraphy.stores.relational.moments import Moments
from engraphy.stores.relational.sql import Ahead

_ROLE = "engraphy_app_"
"""Before the database's name, so that a server's databases have nothing to do with one another:
whose rights every statement of a tenant has. It owns nothing, so that row-level security holds for
it whoever connects."""
_NAME_BYTES = 63
_GROUND = """
    SELECT current_database(), current_schema(), current_setting('server_encoding'),
        to_regclass('meta') IS NOT NULL
"""
_KNOWN_ROLE = "SELECT value FROM meta WHERE key = 'role'"
_SNAPSHOT: LiteralString = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
_CHANGE: LiteralString = "ISOLATION LEVEL READ COMMITTED READ WRITE"
"""Said in words: with another default a writer would see what stood before it waited its turn."""
_UNSORTED = b"; SET LOCAL gin_pending_list_limit = 256; "
"""Kilobytes of words that stand outside the index's order: each search goes through all of them. Of
the server's own 4 MB a search of a scope of 15,000 took three times as long."""
_MOST_KEPT = 2_048
WRITING, DREAMING, MIGRATING = "write", "dream", "migrate"


class Access:
    """How the store reaches its database; every error leaves as one of ours."""

    def __init__(
        self, conninfo: str, path: str, *, read_only: bool, busy_seconds: float, connections: int
    ) -> None:
        self.path = path
        self.read_only = read_only
        self.busy_seconds = busy_seconds
        self._connections = connections
        primary, hosts = divided(conninfo, read_only=read_only)
        with translated(path):
            # What hinders it is told at once, and in the server's own words.
            with psycopg.connect(primary, connect_timeout=max(2, int(busy_seconds))) as first:
                self.role, self.schema = _ground(first, path)
            self._pool = opened(primary, connections, busy_seconds)
        self._kept: dict[tuple[Tenant | None, str], bytes] = {}
        self.moments = Moments[Tenant, Connection]()
        self.replicas = Replicas(hosts, connections, busy_seconds, self._position)

    def _position(self) -> Position:
        with (
            translated(self.path, seconds=self.busy_seconds),
            held(self._pool, lambda raw: raw.execute(POSITION), self.busy_seconds) as (raw, told),
        ):
            system, timeline, place, at = told.fetchone() or (0, 0, "0/0", 0.0)
            return Position(system, timeline, place, at, raw.info.host, raw.info.port)

    @contextmanager
    def reading(self, tenant: Tenant | None) -> Iterator[Connection]:
        """One snapshot for every statement inside, and for what else this thread reads where
        `moments` last."""
        if tenant is not None:
            with self.moments.reading(tenant, self._read) as connection:
                yield connection
            return
        # What is asked of all tenants, as whose a token is, is asked of the primary.
        with self._begun(self._words(None, _SNAPSHOT)) as raw:
            yield Connection(raw, None, snapshot=True)

    @contextmanager
    def _read(self, tenant: Tenant) -> Iterator[Connection]:
        with self.replicas.reading(partial(self._beginning, tenant, _SNAPSHOT)) as replica:
            if replica is not None:
                yield Connection(replica, tenant, snapshot=True)
                return
        with self._begun(self._words(tenant, _SNAPSHOT)) as raw:
            yield Connection(raw, tenant, snapshot=True)

    @contextmanager
    def snapshot(self) -> Iterator[Raw]:
        """A connection in a transaction that sees all tenants as they are at this moment."""
        with self._begun(self._words(None, _SNAPSHOT)) as raw:
            yield raw

    @contextmanager
    def writing(
        self,
        tenant: Tenant,
        seconds: float | None = None,
        ahead: Callable[[], Ahead] | None = None,
    ) -> Iterator[Connection]:
        """One transaction; nobody else writes for this tenant. `ahead`: what it asks first."""
        if self.read_only:
            raise StoreReadOnlyError(path=self.path)
        self.moments.leave()
        self.replicas.leave()
        patience = self.busy_seconds if seconds is None else seconds
        asked = None if ahead is None else ahead()
        turn = _waiting(lock_key(WRITING, tenant), patience).as_bytes(None)
        words = self._words(tenant, _CHANGE) + _UNSORTED + turn
        with self._begun(words, patience) as raw:
            connection = Connection(raw, tenant, together=True)
            if asked is not None:
                connection.ask(asked)
            yield connection
            connection.commit()

    @contextmanager
    def _begun(self, words: bytes, seconds: float | None = None) -> Iterator[Raw]:
        """A connection inside a transaction that these words began."""
        patience = self.busy_seconds if seconds is None else seconds
        with (
            translated(self.path, seconds=patience),
            held(self._pool, lambda raw: say(raw, words), patience) as (raw, _),
            ended(raw, b"COMMIT"),
        ):
            yield raw

    @contextmanager
    def connected(self, seconds: float | None = None) -> Iterator[Raw]:
        """A connection outside a transaction, which is there."""
        self.moments.leave()
        patience = self.busy_seconds if seconds is None else seconds
        with translated(self.path, seconds=patience), ExitStack() as stack:
            for left in reversed(range(self._connections + 1)):
                raw = stack.enter_context(self._pool.connection(patience))
                try:
                    self._pool.check_connection(raw)
                    break
                except psycopg.OperationalError:
                    if not left:
                        raise
                stack.close()
            yield raw

    def turned(self, tenant: Tenant | None) -> sql.Composed:
        """What makes the rest of a transaction a tenant's, or the operator's (None)."""
        path = sql.SQL(
            "SET LOCAL search_path TO {schema}, pg_temp; "
            # What is prepared knows its tenant: its plan is good for every other value.
            "SET LOCAL plan_cache_mode = force_generic_plan; "
        ).format(schema=sql.Identifier(self.schema))
        if tenant is None:
            return path + sql.SQL("RESET ROLE; SET LOCAL engraphy.operator = 'on'")
        return path + sql.SQL("SET LOCAL ROLE {role}; SET LOCAL engraphy.tenant = {tenant}").format(
            role=sql.Identifier(self.role), tenant=sql.Literal(str(tenant))
        )

    def _beginning(self, tenant: Tenant | None, mode: LiteralString) -> sql.Composed:
        """The beginning of a transaction, in one message: its tenant holds until it ends, and no
        longer, so that no connection of a pool keeps one."""
        return sql.SQL("BEGIN {mode}; ").format(mode=sql.SQL(mode)) + self.turned(tenant)

    def _words(self, tenant: Tenant | None, mode: LiteralString) -> bytes:
        """The same as it is sent."""
        found = self._kept.get((tenant, mode))
        if found is None:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            found = self._kept[tenant, mode] = self._beginning(tenant, mode).as_bytes(None)
        return found

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()
        self.replicas.close()


def lock_key(what: str, tenant: Tenant | None) -> int:
    """The number of an advisory lock, for what and for whom."""
    told = hashlib.sha256(f"engraphy {what} {tenant or ''}".encode()).digest()
    return int.from_bytes(told[:8], signed=True)


def _ground(first: psycopg.Connection[TupleRow], path: str) -> tuple[str, str]:
    """The role and the schema of the store. Raises ForeignFileError where no store can be."""
    found = first.execute(_GROUND).fetchone()
    assert found is not None
    name, schema, encoding, begun = found
    if encoding != "UTF8":
        raise ForeignFileError(path=path, problem=f"its encoding is {encoding}, not UTF8")
    if schema is None:
        raise ForeignFileError(path=path, problem="no schema of its search_path is there")
    told = first.execute(_KNOWN_ROLE).fetchone() if begun else None
    return str(told[0]) if told else role_of(name), str(schema)


def role_of(database: str) -> str:
    """The usual name of the role that each statement of a tenant runs as."""
    return f"{_ROLE}{database}".encode()[:_NAME_BYTES].decode(errors="ignore")


def wait(raw: Raw, key: int, seconds: float) -> None:
    """Be the only one with this number until the transaction ends; StoreBusyError, as `translated`
    tells it, where others take longer than so many seconds."""
    raw.execute(_waiting(key, seconds))


def _waiting(key: int, seconds: float) -> sql.Composed:
    milliseconds = max(1, int(seconds * 1000))
    return sql.SQL("SET LOCAL lock_timeout = {most}; SELECT pg_advisory_xact_lock({key})").format(
        most=sql.Literal(milliseconds), key=sql.Literal(key)
    )
