"""Pools of connections, and how a transaction is begun on one of them and ended."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress

import psycopg
from psycopg import Cursor, sql
from psycopg.rows import TupleRow
from psycopg_pool import ConnectionPool

from engraphy.stores.postgres.connection import Raw, prepare

Pool = ConnectionPool[Raw]
# A failing connection is told by the error of the call that it fails.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


def opened(conninfo: str, connections: int, seconds: float, **more: float) -> Pool:
    """A pool that connects when it is asked to, to at most so many; `seconds`: how long a caller
    waits for one, and, but for no less than 2, for a server that does not answer."""
    return ConnectionPool(
        conninfo,
        connection_class=Raw,
        min_size=0,
        max_size=connections,
        open=True,
        timeout=seconds,
        configure=prepare,
        kwargs={"autocommit": True, "connect_timeout": max(2, int(seconds))},
        **more,  # type: ignore[arg-type]
    )


@contextmanager
def held(
    pool: Pool, words: sql.Composed | sql.SQL, seconds: float
) -> Iterator[tuple[Raw, Cursor[TupleRow]]]:
    """A connection on which `words` were said, and what they gave. One that has gone while it stood
    idle, as where the server was started again, gives way to another: nothing was said on it yet.
    Raises psycopg's errors and the pool's."""
    with ExitStack() as stack:
        for left in reversed(range(pool.max_size + 1)):
            raw = stack.enter_context(pool.connection(seconds))
            try:
                told = raw.execute(words)
                break
            except psycopg.OperationalError:
                if not raw.closed or not left:
                    raise
            stack.close()
        yield raw, told


@contextmanager
def ended(raw: Raw, word: str) -> Iterator[None]:
    """A transaction that was begun, to its end: by this word, or taken back."""
    try:
        yield
        raw.execute(word.encode())
    finally:
        roll_back(raw)


def roll_back(raw: Raw) -> None:
    """End what has not ended. A connection that is gone ends it by itself."""
    idle = psycopg.pq.TransactionStatus.IDLE
    if not raw.closed and raw.info.transaction_status != idle:
        with suppress(psycopg.Error):
            raw.execute("ROLLBACK")
