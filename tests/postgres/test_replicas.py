"""A primary with two streaming replicas: what was acknowledged survives the primary, and clients go
on with the replica that was promoted, by the connection string they have."""

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event, Thread

import psycopg
import pytest
from tests.postgres.making import ONE, view, write
from tests.postgres.server import Server

from engraphy.errors import EngraphyError
from engraphy.stores.postgres import PostgresStore

PATIENCE = 120.0
DURABLE = {"fsync": "on", "synchronous_commit": "on"}
RECEIVED = "SELECT pg_wal_lsn_diff(pg_last_wal_receive_lsn(), '0/0')"


@contextmanager
def cluster(**settings: str) -> Iterator[list[Server]]:
    """The primary first; a commit is told once one replica has it on its disk."""
    with tempfile.TemporaryDirectory(prefix="pg-", ignore_cleanup_errors=True) as told:
        folder, stack = Path(told), ExitStack()
        folder.chmod(0o755)
        with stack:
            every = [Server(folder / "p", copy_of=None, **settings)]
            stack.callback(every[0].end)
            for name in ("a", "b"):
                every.append(Server(folder / name, copy_of=every[0], **settings))
                stack.callback(every[-1].end)
            every[0].execute(
                "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (a, b)'",
                "SELECT pg_reload_conf()",
            )
            yield every


def _received(server: Server) -> int:
    with psycopg.connect(server.place()) as raw:
        (place,) = raw.execute(RECEIVED).fetchone() or (0,)
    return int(place)


def _load(store: PostgresStore, acknowledged: list[str], ending: Event) -> None:
    """Write, again and again, whatever happens; what fails fails with an error of ours."""
    number = 0
    while not ending.is_set():
        number += 1
        try:
            write(store, ONE, f"m{number:05d}")
        except EngraphyError:
            time.sleep(0.05)
        else:
            acknowledged.append(f"m{number:05d}")


@pytest.mark.slow
def test_promotion_loses_nothing_and_clients_go_on(
    record_property: Callable[[str, object], None],
) -> None:
    """The primary is killed under load, the replica that has more of its log is promoted: all that
    was acknowledged is there, and the same opened store writes to the new primary."""
    acknowledged, ending = list[str](), Event()
    with cluster(**DURABLE) as (primary, *replicas):
        hosts = ",".join(str(one.folder) for one in (primary, *replicas))
        place = f"host={hosts} user={primary.user} dbname=postgres target_session_attrs=read-write"
        store = PostgresStore(place, partitions=0)
        writer = Thread(target=_load, args=(store, acknowledged, ending))
        writer.start()
        _wait(lambda: len(acknowledged) > 10)
        primary.kill()
        killed, before = time.monotonic(), len(acknowledged)
        max(replicas, key=_received).promote()
        _wait(lambda: len(acknowledged) > before + 3)
        gap = time.monotonic() - killed
        ending.set()
        writer.join()
        held = {one.id for one in store.dump(view(ONE))}
        assert set(acknowledged) - held == set()
        assert store.broken_line() is None
        store.close()
    record_property("seconds without a primary", round(gap, 1))


def _wait(until: Callable[[], bool]) -> None:
    ends = time.monotonic() + PATIENCE
    while not until():
        assert time.monotonic() < ends, "it does not go on"
        time.sleep(0.02)
