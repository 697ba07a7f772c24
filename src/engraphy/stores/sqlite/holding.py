"""A database file held alone, past SQLite's pages."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw

_BLOCK = 1 << 20
_LOCKS = (apsw.SQLITE_LOCK_SHARED, apsw.SQLITE_LOCK_RESERVED, apsw.SQLITE_LOCK_EXCLUSIVE)


@contextmanager
def alone(path: str) -> Iterator[apsw.VFSFile]:
    """The file, which nobody else has open: whoever has it holds a lock that excludes ours. Raises
    apsw.BusyError."""
    flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READWRITE
    file = apsw.VFSFile("", str(Path(path).absolute()), [flags, 0])
    try:
        for level in _LOCKS:
            file.xLock(level)
        yield file
    finally:
        with suppress(apsw.Error):
            file.xUnlock(apsw.SQLITE_LOCK_NONE)
        file.xClose()


def contents(file: apsw.VFSFile) -> bytes:
    """All its bytes."""
    # Through SQLite's file layer: closing a plain file would drop the locks of who has it open.
    size = file.xFileSize()
    return b"".join(
        file.xRead(min(_BLOCK, size - start), start) for start in range(0, size, _BLOCK)
    )
