"""Builds that the proof of damage must catch: one gives up at the first damaged page, one throws a
damaged file away, one takes each field for what was written."""

from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path

import apsw

from engraphy.errors import StoreError
from engraphy.model.change import Forget
from engraphy.ports import Store
from engraphy.stores.relational import checksums
from engraphy.stores.sqlite import open_store
from engraphy.stores.sqlite.repairing import Repaired, repair
from engraphy_prove.builds import SOUND
from engraphy_prove.homes import VIEWS
from engraphy_prove.proof import Build
from engraphy_prove.workload import ACTOR, T0


def _by_queries(path: str) -> Repaired:
    """A repair that asks SQLite for the rows until it meets the damage."""
    done = repair(path)
    if done.needed:
        known = set[str]()
        with suppress(apsw.Error), closing(_reading(done.original)) as connection:
            for (name,) in connection.execute("SELECT id FROM memories ORDER BY seq"):
                known.add(name)
        with closing(SOUND.open(path)) as store:
            for view in VIEWS:
                for name in {row.id for row in store.dump(view)} - known:
                    gone = Forget(id=name, reason="prove")
                    store.apply(view.scope.tenant, [gone], now=T0, actor=ACTOR)
    return done


def _reading(path: str) -> apsw.Connection:
    return apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)


def _discarding(path: str, vfs: str | None = None) -> Store:
    """Makes a new store where the old one does not open."""
    try:
        return SOUND.open(path, vfs=vfs)
    except StoreError:
        for suffix in ("", "-wal", "-shm"):
            Path(path + suffix).unlink(missing_ok=True)
        return SOUND.open(path, vfs=vfs)


def _trusting(path: str, vfs: str | None = None) -> Store:  # noqa: ARG001 - it knows one way
    """Makes checksums of whatever stands, and reads the file without looking at those of pages."""
    usual = apsw.vfs_names()[0]
    with suppress(apsw.Error, UnicodeDecodeError), closing(apsw.Connection(path)) as connection:
        connection.execute("UPDATE memories SET checksum = 0")
        checksums.fill(connection)
    return open_store(path, vfs=usual, read_only=True)


REPAIRS: Mapping[str, Callable[[str], Repaired]] = {"repairs by queries": _by_queries}
BY_QUERIES = Build(name="repairs by queries", open=SOUND.open)
TRUSTING = Build(name="takes a field as it stands", open=_trusting)
DISCARDING = Build(name="throws a damaged file away", open=_discarding)
