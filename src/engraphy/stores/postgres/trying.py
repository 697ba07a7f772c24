"""One transaction for everything that is tried, taken back at the end."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import RLock
from types import TracebackType
from typing import Self

import psycopg

from engraphy.model.scope import Tenant
from engraphy.stores.postgres.access import Access
from engraphy.stores.postgres.connection import Connection, Raw
from engraphy.stores.postgres.failures import translated
from engraphy.stores.relational.sql import Ahead


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
        with translated(self._access.path):
            self._raw.execute("BEGIN ISOLATION LEVEL REPEATABLE READ")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            # A connection that is gone has taken it back by itself.
            if self._raw is not None and not self._raw.closed:
                with suppress(psycopg.Error):
                    self._raw.execute("ROLLBACK")
        finally:
            self._held.__exit__(kind, error, trace)

    @contextmanager
    def reading(self, tenant: Tenant | None) -> Iterator[Connection]:
        """A look at what stands there now."""
        with self._part(tenant) as connection:
            yield connection

    @contextmanager
    def writing(
        self,
        tenant: Tenant,
        seconds: float | None = None,  # noqa: ARG002
        ahead: Callable[[], Ahead] | None = None,  # noqa: ARG002
    ) -> Iterator[Connection]:
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
            raw.execute(self._access.turned(tenant))
            yield Connection(raw, tenant)
