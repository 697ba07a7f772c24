"""What a connection keeps: the plans of its statements, and a moment that several reads share."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import psycopg
import pytest
from tests.postgres.making import ONE, view, write
from tests.postgres.server import Server

from engraphy.errors import NotFoundError, StoreError
from engraphy.model.query import Listing
from engraphy.stores.postgres import PostgresStore
from engraphy.stores.relational.sql import query

NUMBER = b"K\x00\x00\x00\x0c"
"""What stands before the number of the server's process, where a server tells it to a client."""


def _seen(store: PostgresStore) -> list[str]:
    return sorted(one.id for one in store.get(view(ONE), ["a", "b", "c"]))


def _kept(store: PostgresStore) -> int:
    """How many statements the server keeps for the store's one connection."""
    with store._database.connected() as raw:  # noqa: SLF001 - no verb tells it
        row = raw.execute("SELECT count(*) FROM pg_prepared_statements").fetchone()
    return int(row[0]) if row else 0


@pytest.fixture
def place(server: Server) -> str:
    """A database with an empty store."""
    return server.fresh()


@pytest.fixture
def store(place: str) -> Iterator[PostgresStore]:
    """A store that has one connection."""
    store = PostgresStore(place, connections=1)
    yield store
    store.close()


def test_reads_of_a_moment_share_it(store: PostgresStore, place: str) -> None:
    """What others write meanwhile is seen once the moment is over, or was let go; what the thread
    itself writes is seen at once, with all that was written before it."""
    other = PostgresStore(place)
    with store.at_once():
        assert _seen(store) == []
        write(other, ONE, "a")
        assert _seen(store) == []
        store.let_go()
        assert _seen(store) == ["a"]
        write(other, ONE, "b")
        write(store, ONE, "c")
        assert _seen(store) == ["a", "b", "c"]
    other.close()


def test_who_lets_go_holds_no_connection(store: PostgresStore) -> None:
    """Another thread has the only connection as soon as nothing is read of a moment."""
    found: list[list[str]] = []
    with store.at_once(), store.at_once():
        assert _seen(store) == []
        store.let_go()
        thread = threading.Thread(target=lambda: found.append(_seen(store)))
        thread.start()
        thread.join(20)
    assert found == [[]]


def test_what_fails_in_a_moment_fails_as_it_would_alone(store: PostgresStore) -> None:
    """The error is the same, and the next read is answered."""
    write(store, ONE, "a")
    with store.at_once():
        assert _seen(store) == ["a"]
        with pytest.raises(NotFoundError):
            store.page(view(ONE), Listing(after="nobody"))
        assert _seen(store) == ["a"]


def test_plans_are_kept(store: PostgresStore) -> None:
    """The same question has the server keep no more plans, whatever its values."""
    write(store, ONE, "a")
    assert _seen(store) == ["a"]
    once = _kept(store)
    assert once > 0
    for _ in range(3):
        assert store.get(view(ONE), ["b"]) == []
    assert _kept(store) == once


def test_nothing_is_kept_behind_a_pooler(place: str) -> None:
    """Where who answers tells another number than the server's process has, as a pooler does that
    gives each transaction to another one, nothing is prepared, and everything works."""
    with _pooler(place) as behind:
        store = PostgresStore(behind, connections=1)
        write(store, ONE, "a")
        assert _seen(store) == ["a"]
        assert _kept(store) == 0
        store.close()


@contextmanager
def _pooler(place: str) -> Iterator[str]:
    """A connection string of who hands everything on, but for the number of the process."""
    folder = dict(part.split("=") for part in place.split())["host"]
    with TemporaryDirectory(prefix="pp-") as own, socket.socket(socket.AF_UNIX) as door:
        name = next(one.name for one in Path(folder).glob(".s.PGSQL.*") if one.is_socket())
        door.bind(str(Path(own) / name))
        door.listen()
        threading.Thread(target=_let_in, args=(door, str(Path(folder) / name)), daemon=True).start()
        yield place.replace(folder, own)


def _let_in(door: socket.socket, server: str) -> None:
    with suppress(OSError):
        while True:
            client, _ = door.accept()
            beyond = socket.socket(socket.AF_UNIX)
            beyond.connect(server)
            for ends in ((client, beyond), (beyond, client)):
                threading.Thread(target=_hand_on, args=ends, daemon=True).start()


def _hand_on(source: socket.socket, target: socket.socket) -> None:
    with source, suppress(OSError):
        while data := source.recv(65_536):
            before, found, after = data.partition(NUMBER)
            target.sendall(before + found + b"\x7f" + after[1:] if found else data)
        target.shutdown(socket.SHUT_RDWR)


def test_what_the_server_lost_is_not_kept_again(store: PostgresStore) -> None:
    """Where the server no longer holds what was kept, as behind a pooler that does not show itself,
    one call fails with a typed error, and every later one is answered without it."""
    write(store, ONE, "a")
    assert _seen(store) == ["a"]
    with store._database.connected() as raw:  # noqa: SLF001 - as above
        raw.execute("DEALLOCATE ALL")
    with pytest.raises(StoreError):
        _seen(store)
    for _ in range(3):
        assert _seen(store) == ["a"]
    write(store, ONE, "b")
    assert _seen(store) == ["a", "b"]
    assert _kept(store) == 0


def test_names_of_what_is_kept_are_nobody_elses(place: str) -> None:
    """Two connections keep the same questions under names that neither could take for the
    other's: sharing a server by mistake finds nothing rather than another's statement."""
    names = []
    for _ in range(2):
        store = PostgresStore(place, connections=1)
        _seen(store)
        with store._database.connected() as raw:  # noqa: SLF001 - as above
            names.append(set(raw.execute("SELECT name FROM pg_prepared_statements").fetchall()))
        store.close()
    assert names[0]
    assert names[1]
    assert not names[0] & names[1]


def _half_failed(store: PostgresStore) -> None:
    """A change that goes on after a statement of it failed."""
    with store._database.writing(ONE) as connection:  # noqa: SLF001 - no verb catches what fails
        connection.execute(query("drop_old_dreams"), {"tenant": ONE, "before": 0})
        with pytest.raises(psycopg.DataError):
            connection.execute("SELECT CAST('x' AS INTEGER)").fetchall()


def test_a_failure_that_nobody_told_of_is_no_write(store: PostgresStore) -> None:
    """A change of which a statement failed is refused as a whole, also where what it raised was
    caught on the way: a commit of it is none."""
    write(store, ONE, "a")
    with pytest.raises(StoreError):
        _half_failed(store)
    assert _seen(store) == ["a"]
    write(store, ONE, "b")
    assert _seen(store) == ["a", "b"]
