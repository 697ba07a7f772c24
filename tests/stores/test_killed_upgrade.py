"""An upgrade that is killed anywhere goes on where it stood: nothing of an older file is lost."""

import gzip
import json
import os
import random
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import apsw
import pytest
from tests.stores.test_upgrading import FIRST

from engraphy import Memory
from engraphy.stores.sqlite.migrations import newest, steps

POINTS = 200
"""So many moments of each migration at which the process dies, or all that it has: a moment is one
instruction of SQLite's machine."""
EVERYTHING = {"include": ["superseded", "archived", "expired"], "allow_secret": True, "limit": 100}


def unpacked(path: Path) -> Path:
    """The store of the first schema at a path of its own."""
    path.write_bytes(gzip.decompress(FIRST.read_bytes()))
    return path


def upgraded(path: Path, *, until: int) -> list[int]:
    """Open a store in a process of its own that dies at the moment `until` (0: never); at which
    moments transactions of its upgrade ended, told by its file `moments`."""
    told = path.with_suffix(".moments")
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return json.loads(told.read_text()) if told.exists() else []
    moments, ends = 0, list[int]()

    def moment() -> bool:
        nonlocal moments
        moments += 1
        if moments == until:
            os._exit(1)
        return False

    def executed(_: object, statement: str, __: object) -> bool:
        if statement == "COMMIT":
            ends.append(moments)
        return True

    def watched(connection: apsw.Connection) -> None:
        connection.set_progress_handler(moment, 1)
        connection.set_exec_trace(executed)

    try:
        apsw.connection_hooks.append(watched)
        Memory(path, embedder="none").close()
        told.write_text(json.dumps(ends))
    finally:
        os._exit(0)


def held(path: Path) -> tuple[object, ...]:
    """All that the store tells of what it holds, once it is opened."""
    with Memory(path, embedder="none") as memory:
        rows = sorted(memory.list(user="ada", **EVERYTHING), key=lambda row: row.id)
        assert [one for one in memory.doctor(deep=True) if not one.ok] == []
        assert memory.audit(rows=True).differing == ()
        facts = [(one.subject, one.object) for one in memory.facts(user="ada", current=False)]
        past = [memory.history(row.id, user="ada", allow_secret=True) for row in rows]
        links = [memory.links(row.id, user="ada", allow_secret=True) for row in rows]
        return rows, facts, past, links, memory.stats(user="ada").journal_entries


def schema(path: Path) -> int:
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)) as connection:
        return int(connection.execute("PRAGMA user_version").get)


def chosen(ends: list[int], points: int) -> list[int]:
    """So many moments between each two ends of transactions, or all there are."""
    chance, taken = random.Random(1), list[int]()
    for begin, end in pairwise([0, *ends]):
        between = range(begin + 1, end + 1)
        taken += chance.sample(between, min(points, len(between)))
    return taken


@pytest.mark.long
@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "points", [1, pytest.param(POINTS, marks=pytest.mark.slow)], ids=["few", "all"]
)
@pytest.mark.spec("P-06")
def test_a_killed_upgrade_loses_nothing(tmp_path: Path, points: int) -> None:
    """The file of the first schema, killed at moments of every migration on the way to the newest
    one (and so at every schema between): each time it opens with all that it held, and is whole."""
    whole = unpacked(tmp_path / "whole.db")
    ends = upgraded(whole, until=0)
    expected = held(whole)
    assert len(ends) >= newest() - 1
    left = set[int]()
    for until in chosen(ends, points):
        path = unpacked(tmp_path / f"killed-{until}.db")
        upgraded(path, until=until)
        left.add(schema(path))
        assert held(path) == expected, until
        assert schema(path) == newest()
        path.unlink()
    assert left == {step.number for step in steps()}
