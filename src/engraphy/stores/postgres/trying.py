"""One transaction for everything that is tried, taken back at the end."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import RLock
from types import TracebackType
from typing import Self

from psycopg import sql

from engraphy.model.scope import Tenant
from engraphy.stores.postgres.access import Access, ROLE
from engraphy.stores.postgres.connection import Connection, Raw
from engraphy.stores.postgres.failures import translated


class OneTransaction:
    """An access whose reads and writes are parts of one transaction of one connection; threads
    take turns. Nothing of it is ever committed."""

    def __init__(self, access: Access) -> None:
        self._access = access
        self._lock = RLock()
        self._held = access.connected()
        self._raw: Raw | None = None

    def __enter__(self) -> Self:
        self._raw = self._held.__enter__()
        self._raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._raw is not None:
            self._raw.execute("ROLLBACK")
        self._held.__exit__(kind, error, trace)

    @contextmanager
    def reading(self, tenant: Tenant | None) -> Iterator[Connection]:
        """A look at what stands there now."""
        with self._part(tenant) as connection:
            yield connection

    @contextmanager
    def writing(self, tenant: Tenant, seconds: float | None = None) -> Iterator[Connection]:  # noqa: ARG002
        """A change, whole or not at all."""
        with self._part(tenant) as connection:
            yield connection

    def close(self) -> None:
        """Nothing: it ends with its block."""

    @contextmanager
    def _part(self, tenant: Tenant | None) -> Iterator[Connection]:
        raw = self._raw
        assert raw is not None
        with self._lock, translated(self._access.path), raw.transaction():
            if tenant is None:
                raw.execute("RESET ROLE; SET LOCAL engraphy.operator = 'on'")
            else:
                raw.execute(
                    sql.SQL("SET LOCAL ROLE {role}; SET LOCAL engraphy.tenant = {tenant}").format(
                        role=sql.Identifier(ROLE), tenant=sql.Literal(str(tenant))
                    )
                )
            yield Connection(raw, tenant)
