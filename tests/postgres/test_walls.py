"""Row-level security: no tenant set means no rows, and no connection of the pool keeps a tenant."""

from collections.abc import Callable
from contextlib import suppress
from itertools import islice
from typing import Any

import psycopg
import pytest
from tests.postgres.making import ONE, OTHER, ROLE, T0, TENANTS, memory, view, write
from tests.postgres.server import Server

from engraphy.errors import EngraphyError, NotFoundError, StoreError
from engraphy.model.change import Forget, Update
from engraphy.model.query import FactFilter
from engraphy.stores.postgres import PostgresStore

TABLES = """
    SELECT c.relname FROM pg_class AS c
    INNER JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
"""
KEPT = """
    SELECT session_user = current_user, coalesce(current_setting('engraphy.tenant', true), ''),
        coalesce(current_setting('engraphy.operator', true), ''),
        (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid())
"""


@pytest.fixture
def place(server: Server) -> str:
    """A database of two partitions with rows of two tenants."""
    place = server.fresh()
    store = PostgresStore(place)
    for tenant in TENANTS:
        write(store, tenant, f"{tenant}-1")
    store.close()
    return place


def _readable(raw: psycopg.Connection[Any], before: str) -> dict[str, int]:
    """Rows of each table of tenants that somebody sees; a table without rights shows none."""
    found = {}
    for (table,) in raw.execute(TABLES).fetchall():
        with suppress(psycopg.errors.InsufficientPrivilege), raw.transaction():
            raw.execute(before.encode())
            row = raw.execute(f'SELECT count(*) FROM "{table}"'.encode()).fetchone()
            found[table] = row[0] if row else 0
    return found


LOGIN = f"DROP ROLE IF EXISTS plain; CREATE ROLE plain LOGIN; GRANT {ROLE} TO plain"


@pytest.mark.spec("P-26")
@pytest.mark.parametrize(
    ("user", "before"),
    [
        ("", f"SET LOCAL ROLE {ROLE}"),
        ("", f"SET LOCAL ROLE {ROLE}; SET LOCAL engraphy.tenant = ''"),
        ("", f"SET LOCAL ROLE {ROLE}; SET LOCAL engraphy.operator = 'on'"),
        ("plain", "SELECT 1"),
        ("plain", "SET LOCAL engraphy.operator = 'on'"),
    ],
    ids=["superuser as app", "empty tenant", "app as operator", "login role", "login operator"],
)
def test_without_a_tenant_no_table_shows_a_row(
    server: Server, place: str, user: str, before: str
) -> None:
    """No tenant set: no row of any table, nor of any partition by its own name."""
    server.execute(*LOGIN.split("; "))
    with psycopg.connect(f"{place} user={user}" if user else place, autocommit=True) as raw:
        assert {name: rows for name, rows in _readable(raw, before).items() if rows} == {}


def test_with_a_tenant_its_rows_are_seen_and_no_others(server: Server, place: str) -> None:
    """The same questions with a tenant set show that tenant's rows: the walls are not just shut."""
    server.execute(*LOGIN.split("; "))
    with psycopg.connect(f"{place} user=plain", autocommit=True) as raw, raw.transaction():
        raw.execute(f"SET LOCAL engraphy.tenant = '{OTHER}'".encode())
        assert raw.execute("SELECT id FROM memories").fetchall() == [(f"{OTHER}-1",)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege), raw.transaction():
            raw.execute("UPDATE memories SET tenant = 'a'")


def _fails(store: PostgresStore) -> None:
    change = Update(memory=memory(ONE, "x"), expected=memory(ONE, "x"))
    with pytest.raises(EngraphyError):
        store.apply(ONE, [change], now=T0, actor="test")


def _forgets_nothing(store: PostgresStore) -> None:
    with suppress(NotFoundError):
        store.apply(ONE, [Forget(id="nobody", reason="")], now=T0, actor="test")


def _leaves_off(store: PostgresStore) -> None:
    list(islice(store.dump(view(ONE)), 1))


def _is_interrupted(store: PostgresStore) -> None:
    """As where a signal or a cancelled task ends a call in the midst of its transaction."""
    writing = store._access.writing(ONE)  # noqa: SLF001 - a call, left in its midst
    with suppress(KeyboardInterrupt), writing as connection:
        connection.execute("DELETE FROM facts")
        raise KeyboardInterrupt


def _is_cancelled(store: PostgresStore) -> None:
    """As where the server is told to end a statement."""
    with pytest.raises(StoreError), store._access.reading(ONE) as connection:  # noqa: SLF001
        connection.execute("SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(9)")


def _is_tried(store: PostgresStore) -> None:
    with store.scratch() as tried:
        write(tried, ONE, "tried")


ENDS: dict[str, Callable[[PostgresStore], object]] = {
    "commit": lambda store: write(store, ONE, "b"),
    "read": lambda store: list(store.dump(view(ONE))),
    "all tenants": lambda store: store.tenants(),
    "left off": _leaves_off,
    "conflict": _fails,
    "not found": _forgets_nothing,
    "interrupt": _is_interrupted,
    "cancelled by the server": _is_cancelled,
    "tried": _is_tried,
}


@pytest.mark.spec("P-26")
@pytest.mark.parametrize("name", ENDS)
def test_connection_keeps_no_tenant(place: str, name: str) -> None:
    """However a call ends, the pool's one connection has no tenant, role, right or lock left."""
    store = PostgresStore(place, connections=1)
    ENDS[name](store)
    with store._database.connected() as raw:  # noqa: SLF001 - what the pool hands out next
        assert raw.info.transaction_status == psycopg.pq.TransactionStatus.IDLE
        assert raw.execute(KEPT).fetchone() == (True, "", "", 0)
    assert [one.id for one in store.dump(view(OTHER))] == [f"{OTHER}-1"]
    assert [one.id for one in store.facts(view(ONE), FactFilter())][-1:] == [f"f-{ONE}-1"]
    store.close()
