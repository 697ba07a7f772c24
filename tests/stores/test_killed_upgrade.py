"""An upgrade that is killed anywhere goes on where it stood: nothing of an older file is lost."""

import gzip
import os
import random
from contextlib import closing
from pathlib import Path

import apsw
import pytest
from tests.stores.test_upgrading import FIRST

from engraphy import Memory
from engraphy.stores.sqlite.migrations import newest, steps

STEPS = 25
"""Instructions of SQLite's machine between two moments at which the process may die."""
EVERYTHING = {"include": ["superseded", "archived", "expired"], "allow_secret": True, "limit": 100}


def unpacked(path: Path) -> Path:
    """The store of the first schema at a path of its own."""
    path.write_bytes(gzip.decompress(FIRST.read_bytes()))
    return path


def upgraded(path: Path, *, until: int) -> int:
    """Open a store in a process of its own that dies at the moment `until` (0: never); how many
    moments there were, told by its file `moments`."""
    told = path.with_suffix(".moments")
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        return int(told.read_text()) if told.exists() else until
    moments = 0

    def moment() -> bool:
        nonlocal moments
        moments += 1
        if moments == until:
            os._exit(1)
        return False

    try:
        apsw.connection_hooks.append(lambda one: one.set_progress_handler(moment, STEPS))
        Memory(path, embedder="none").close()
        told.write_text(str(moments))
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


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize(
    "kills", [6, pytest.param(200 * newest(), marks=pytest.mark.slow)], ids=["few", "all"]
)
def test_a_killed_upgrade_loses_nothing(tmp_path: Path, kills: int) -> None:
    """The file of the first schema, killed at moments spread over the whole way to the newest one
    (and so at every schema between): each time it opens with all that it held, and is whole."""
    whole = unpacked(tmp_path / "whole.db")
    moments = upgraded(whole, until=0)
    expected = held(whole)
    chance = random.Random(1)
    chosen = range(1, moments + 1) if kills >= moments else chance.sample(range(1, moments), kills)
    left = set[int]()
    for until in chosen:
        path = unpacked(tmp_path / f"killed-{until}.db")
        upgraded(path, until=until)
        left.add(schema(path))
        assert held(path) == expected, until
        assert schema(path) == newest()
        path.unlink()
    if kills > moments // 2:
        assert left == {step.number for step in steps()}
