"""A disk that fails to read spoils nothing that is written afterwards."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from engraphy.errors import StoreError
from engraphy.model.change import Forget
from engraphy.stores.sqlite import open_store
from engraphy_prove.faulty import Fault, Faulty
from engraphy_prove.workload import disagreements, fresh, put, whole

VFS = "engraphy-test-faulty"


@pytest.fixture
def fault() -> Iterator[Fault]:
    """What the disk under `VFS` fails at."""
    one = Fault()
    vfs = Faulty(VFS, one)
    yield one
    vfs.unregister()


@pytest.mark.long
def test_what_could_not_be_read_is_read_again(tmp_path: Path, fault: Fault) -> None:
    """Whichever read of a write fails, the write is refused as a whole; repeated on a mended disk
    it is done, what stood before can be forgotten, and all kinds of rows agree."""
    path, chance, failed = str(tmp_path / "memories.db"), random.Random(1), 0
    before = open_store(path)
    for number in range(8):
        put(before, whole(chance, fresh(chance, f"m{number}", words=60), None))
    before.close()
    for at in range(8, 60):
        store = open_store(path, vfs=VFS)
        fault.arm("xRead", at - 7, full=False)
        changes = whole(chance, fresh(chance, f"m{at}", words=60), None)
        try:
            put(store, changes)
        except StoreError:
            failed += 1
            fault.mend()
            put(store, changes)
        was_met = bool(fault.hit)
        fault.mend()
        put(store, [Forget(id=f"m{at - 8}", reason="prove")])
        assert disagreements(store) == []
        store.close()
        if not was_met:
            break
    assert failed > 2
