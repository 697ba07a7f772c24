"""Access to a database: reading in a snapshot, writing in one transaction that is the only one of
its tenant, every statement behind the tenant's wall."""

import hashlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import LiteralString

import psycopg
from psycopg import sql
from psycopg_pool import ConnectionPool

from engraphy.errors import StoreReadOnlyError
from engraphy.model.scope import Tenant
from engraphy.stores.postgres.connection import Connection, Raw, prepare
from engraphy.stores.postgres.failures import translated

ROLE = "engraphy_app"
"""Whose rights every statement of a tenant has: it owns nothing, so that row-level security holds
for it whoever connects."""
_SNAPSHOT: LiteralString = "ISOLATION LEVEL REPEATABLE READ READ ONLY"
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
        with translated(path):
            # What hinders it is told at once, and in the server's own words.
            psycopg.connect(conninfo, connect_timeout=max(2, int(busy_seconds))).close()
            self._pool = ConnectionPool(
                conninfo,
                min_size=0,
                max_size=connections,
                open=True,
                timeout=busy_seconds,
                configure=prepare,
                kwargs={"autocommit": True, "connect_timeout": max(2, int(busy_seconds))},
            )

    @contextmanager
    def reading(self, tenant: Tenant | None) -> Iterator[Connection]:
        """One snapshot for every statement inside."""
        with self._begun(_beginning(tenant, _SNAPSHOT)) as raw:
            yield Connection(raw, tenant, snapshot=True)

    @contextmanager
    def snapshot(self) -> Iterator[Raw]:
        """A connection in a transaction that sees all tenants as they are at this moment."""
        with self._begun(_beginning(None, _SNAPSHOT)) as raw:
            yield raw

    @contextmanager
    def writing(self, tenant: Tenant, seconds: float | None = None) -> Iterator[Connection]:
        """One transaction; nobody else writes for this tenant."""
        if self.read_only:
            raise StoreReadOnlyError(path=self.path)
        patience = self.busy_seconds if seconds is None else seconds
        with self._begun(_beginning(tenant, "READ WRITE"), patience) as raw:
            _wait(raw, lock_key(WRITING, tenant), patience)
            yield Connection(raw, tenant)

    @contextmanager
    def _begun(self, beginning: sql.Composed, seconds: float | None = None) -> Iterator[Raw]:
        """A connection inside a transaction. One that has gone while it stood idle, as where the
        server was started again, gives way to another: nothing was said on it yet."""
        patience = self.busy_seconds if seconds is None else seconds
        with translated(self.path, seconds=patience), ExitStack() as stack:
            for left in reversed(range(self._connections + 1)):
                raw = stack.enter_context(self._pool.connection())
                try:
                    raw.execute(beginning)
                    break
                except psycopg.OperationalError:
                    if not raw.closed or not left:
                        raise
                stack.close()
            with _ended(raw, "COMMIT"):
                yield raw

    @contextmanager
    def connected(self, seconds: float | None = None) -> Iterator[Raw]:
        """A connection outside a transaction."""
        patience = self.busy_seconds if seconds is None else seconds
        with translated(self.path, seconds=patience), self._pool.connection() as raw:
            yield raw

    def close(self) -> None:
        """Close every connection."""
        self._pool.close()


def lock_key(what: str, tenant: Tenant | None) -> int:
    """The number of an advisory lock, for what and for whom."""
    told = hashlib.sha256(f"engraphy {what} {tenant or ''}".encode()).digest()
    return int.from_bytes(told[:8], signed=True)


def _beginning(tenant: Tenant | None, mode: LiteralString) -> sql.Composed:
    """The beginning of a transaction, in one message: its tenant holds until it ends, and no
    longer, so that no connection of a pool keeps one."""
    told = sql.SQL(mode)
    if tenant is None:
        return sql.SQL("BEGIN {mode}; SET LOCAL engraphy.operator = 'on'").format(mode=told)
    return sql.SQL(
        "BEGIN {mode}; SET LOCAL ROLE {role}; SET LOCAL engraphy.tenant = {tenant}"
    ).format(mode=told, role=sql.Identifier(ROLE), tenant=sql.Literal(str(tenant)))


def _wait(raw: Raw, key: int, seconds: float) -> None:
    milliseconds = max(1, int(seconds * 1000))
    raw.execute(
        sql.SQL("SET LOCAL lock_timeout = {most}; SELECT pg_advisory_xact_lock({key})").format(
            most=sql.Literal(milliseconds), key=sql.Literal(key)
        )
    )


@contextmanager
def _ended(raw: Raw, word: str) -> Iterator[None]:
    try:
        yield
        raw.execute(word)
    finally:
        _roll_back(raw)


def _roll_back(raw: Raw) -> None:
    """End what has not ended. A connection that is gone ends it by itself."""
    idle = psycopg.pq.TransactionStatus.IDLE
    if not raw.closed and raw.info.transaction_status != idle:
        with suppress(psycopg.Error):
            raw.execute("ROLLBACK")
