"""The recorded disk is the real one, and a cut loses what was not synced and nothing else."""

import random
from pathlib import Path

import apsw
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy_prove.recording import (
    Acknowledged,
    Delete,
    Disk,
    Recorder,
    Sync,
    SyncFolder,
    Truncate,
    Write,
)

CHANCE = random.Random(1)
SYNCED = [Write("f", 0, b"a" * 1024), Sync("f")]


def _disk(*events: object) -> Disk:
    disk = Disk()
    for event in events:
        disk.advance(event)
    return disk


def test_what_is_not_synced_may_be_gone() -> None:
    """With the way `nothing` the disk holds the last synced state."""
    disk = _disk(*SYNCED, Write("f", 0, b"b" * 512), Truncate("f", 3), Acknowledged(4))
    assert disk.after_cut("nothing", CHANCE) == {"f": bytearray(b"a" * 1024)}
    assert disk.acknowledged == 4


def test_sync_is_per_file() -> None:
    """Syncing one file makes nothing of another safe."""
    disk = _disk(Write("f", 0, b"a"), Write("g", 2, b"b"), Sync("g"))
    assert disk.after_cut("nothing", CHANCE) == {"g": bytearray(b"\0\0b")}


def test_deleted_is_gone_once_its_folder_is_synced() -> None:
    """A removal that was not made safe may be undone by the cut."""
    assert _disk(*SYNCED, Delete("f", True)).after_cut("nothing", CHANCE) == {}
    unsafe = _disk(*SYNCED, Delete("f", False))
    assert "f" in unsafe.after_cut("nothing", CHANCE)
    unsafe.advance(Write("f", 0, b"new"))
    unsafe.advance(SyncFolder())
    assert unsafe.after_cut("nothing", CHANCE) == {}
    unsafe.advance(Sync("f"))
    assert unsafe.after_cut("nothing", CHANCE) == {"f": bytearray(b"new")}


@given(seed=st.integers(0, 999), writes=st.lists(st.integers(0, 3), min_size=1, max_size=6))
def test_a_prefix_is_torn_at_a_sector(seed: int, writes: list[int]) -> None:
    """Earlier writes arrive whole, the last one up to a sector, later ones not at all."""
    events = [Write("f", 1024 * place, bytes([n + 1]) * 1024) for n, place in enumerate(writes)]
    left = _disk(*events).after_cut("prefix", random.Random(seed)).get("f", bytearray())
    states = []
    for whole in range(len(events)):
        for half in (0, 512):
            torn = Write("f", events[whole].offset, events[whole].data[:half])
            states.append(_disk(*events[:whole], torn, Sync("f")).safe.get("f", bytearray()))
    assert left in [*states, _disk(*events, Sync("f")).safe["f"]]


@given(seed=st.integers(0, 999))
def test_a_subset_is_made_of_sectors(seed: int) -> None:
    """Each sector is the old one or the new one."""
    disk = _disk(*SYNCED, Write("f", 0, b"b" * 1024))
    left = disk.after_cut("subset", random.Random(seed))["f"]
    assert {bytes(left[:512]), bytes(left[512:])} <= {b"a" * 512, b"b" * 512}


@given(seed=st.integers(0, 999))
def test_a_file_made_anew_is_no_mixture_with_the_removed_one(seed: int) -> None:
    """Where the removal did not arrive the old file is there as it was; else sectors of the new one
    are, and none of the old."""
    disk = _disk(*SYNCED, Delete("f", False), Write("f", 0, b"b" * 1024))
    left = disk.after_cut("subset", random.Random(seed)).get("f", bytearray())
    assert bytes(left) == b"a" * 1024 or b"a" not in left


@pytest.mark.parametrize("mode", ["wal", "delete"])
def test_the_recorded_disk_is_the_real_one(tmp_path: Path, mode: str) -> None:
    """Replaying the whole log gives the bytes that are in the files."""
    recorder = Recorder("recorder-test")
    connection = apsw.Connection(str(tmp_path / "a.db"), vfs="recorder-test")
    connection.pragma("journal_mode", mode)
    connection.execute("CREATE TABLE t (x)")
    for number in range(50):
        connection.execute("INSERT INTO t VALUES (?)", (str(number) * 500,))
    connection.execute("PRAGMA wal_checkpoint")
    files = {p.name: p.read_bytes() for p in tmp_path.iterdir() if not p.name.endswith("-shm")}
    names = {event.file for event in recorder.log if hasattr(event, "file")}
    disk = _disk(*recorder.log, *(Sync(name) for name in names))
    assert {name: bytes(data) for name, data in disk.safe.items()} == files
    connection.close()
    recorder.unregister()
