"""Stores in a database of a real PostgreSQL: the sound build, and those that are broken."""

from contextlib import AbstractContextManager

from engraphy.model.scope import Tenant
from engraphy.ports import Store
from engraphy.stores.postgres import PostgresStore
from engraphy.stores.postgres.access import Access
from engraphy.stores.relational.sql import Connection
from engraphy_prove.proof import Build

BUSY_SECONDS = 20.0


def _sound(path: str, vfs: str | None = None) -> Store:  # noqa: ARG001 - the shape of every build
    return PostgresStore(path, busy_seconds=BUSY_SECONDS)


def _hasty(path: str, vfs: str | None = None) -> Store:  # noqa: ARG001
    """Its transactions do not wait until the log is written."""
    return PostgresStore(f"{path} options='-c synchronous_commit=off'", busy_seconds=BUSY_SECONDS)


def _single(path: str, vfs: str | None = None) -> Store:  # noqa: ARG001
    return PostgresStore(path, busy_seconds=BUSY_SECONDS, connections=1)


def _clinging(path: str, vfs: str | None = None) -> Store:  # noqa: ARG001
    store = PostgresStore(path, busy_seconds=BUSY_SECONDS, connections=1)
    store._access = _Clinging(store._database)  # noqa: SLF001 - broken on purpose
    return store


class _Clinging:
    """An access whose reads keep the tenant that they had first."""

    def __init__(self, inner: Access) -> None:
        self._inner = inner
        self._first: Tenant | None = None
        self.writing, self.close = inner.writing, inner.close

    def reading(self, tenant: Tenant | None) -> AbstractContextManager[Connection]:
        self._first = self._first or tenant
        return self._inner.reading(self._first)


ON_SERVER = Build(name="is sound", open=_sound)
UNLOGGED = Build(name="does not wait for the log", open=_hasty)
ON_ONE_CONNECTION = Build(name="is sound", open=_single)
CLINGING = Build(name="keeps the tenant on the connection", open=_clinging)
UNHEEDING = Build(name="dreams without asking who else does", open=_sound)
UNLEASED = Build(name="takes the jobs of others", open=_sound)
