"""Pools of connections, and how a transaction is begun on one of them and ended."""

import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from typing import TypeVar

import psycopg
from psycopg import errors, generators
from psycopg_pool import ConnectionPool

from engraphy.stores.postgres.connection import Raw, prepare
from engraphy.stores.postgres.prepared import DONE

Begun = TypeVar("Begun")
Pool = ConnectionPool[Raw]
# A failing connection is told by the error of the call that it fails.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


def opened(conninfo: str, connections: int, seconds: float, **more: float) -> Pool:
    """A pool that connects when it is asked to, to at most so many; `seconds`: how long a caller
    waits for one, and, but for no less than 2, for a server that does not answer."""
    # Attempts lie ever further apart, and nobody makes others meanwhile: no longer than a caller
    # waits, so that a server that is back is found by the next one who asks.
    more = {"reconnect_timeout": seconds, **more}
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
def held(pool: Pool, begin: Callable[[Raw], Begun], seconds: float) -> Iterator[tuple[Raw, Begun]]:
    """A connection, and what `begin` made of it. One that has gone while it stood idle, as where
    the server was started again, gives way to another: nothing was said on it yet. Raises psycopg's
    errors and the pool's."""
    with ExitStack() as stack:
        for left in reversed(range(pool.max_size + 1)):
            raw = stack.enter_context(pool.connection(seconds))
            try:
                begun = begin(raw)
                break
            except psycopg.OperationalError:
                if not raw.closed or not left:
                    raise
            stack.close()
        yield raw, begun


def say(raw: Raw, words: bytes) -> None:
    """Statements that give nothing, in one message; a cursor would take several times as long.
    Raises psycopg's errors."""
    if raw.closed:
        raise psycopg.OperationalError("the connection is closed")
    raw.pgconn.send_query(words)
    for result in raw.wait(generators.execute(raw.pgconn)):
        if result.status not in DONE:
            raise errors.error_from_result(result)


@contextmanager
def ended(raw: Raw, word: bytes) -> Iterator[None]:
    """A transaction that was begun, to its end: by this word, where it has not ended already, or
    taken back."""
    try:
        yield
        if raw.info.transaction_status != psycopg.pq.TransactionStatus.IDLE:
            say(raw, word)
    finally:
        roll_back(raw)


def roll_back(raw: Raw) -> None:
    """End what has not ended. A connection that is gone ends it by itself."""
    idle = psycopg.pq.TransactionStatus.IDLE
    if not raw.closed and raw.info.transaction_status != idle:
        with suppress(psycopg.Error):
            say(raw, b"ROLLBACK")
