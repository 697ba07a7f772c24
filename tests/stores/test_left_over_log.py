"""A log that a killed process left behind does not keep what was forgotten."""

import signal
from pathlib import Path

from tests.processes import forked

from engraphy.stores.sqlite import open_store

CHILD = """
import os, signal, sys
from engraphy import Memory
from engraphy.stores.sqlite import store
store.SqliteStore._empty_log = lambda self: os.kill(os.getpid(), signal.SIGKILL)
memory = Memory(sys.argv[1], embedder="none")
row = memory.remember("the instrument in the hall is a xylophone").memory
memory.forget(row.id)
"""


def test_opening_empties_a_log_that_a_kill_left(tmp_path: Path) -> None:
    """Killed between the commit of a forget and the emptying of the log: opening empties it."""
    file = tmp_path / "m.db"
    assert forked(CHILD, file).returncode == -signal.SIGKILL
    log = Path(f"{file}-wal")
    assert b"xylophone" in log.read_bytes()
    store = open_store(str(file))
    try:
        held = b"".join(p.read_bytes() for p in tmp_path.iterdir())
        assert b"xylophone" not in held
        assert log.stat().st_size == 0
    finally:
        store.close()
