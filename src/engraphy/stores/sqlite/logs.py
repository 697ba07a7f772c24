"""The log of a store, kept under a second name while the store is open.

Pages in SQLite's log have no checksums of their own yet: they get them as they are moved into the
file. A program that knows no checksums and closes last moves them without, and takes the log away;
what its second name still holds says that they are what was written.
"""

import os
from contextlib import suppress
from importlib import import_module

from engraphy.errors import StoreBusyError
from engraphy.stores.locks import LOCK_SUFFIX, SideLock

LOG = "-wal"
KEPT = "-wal-kept"


def keep(path: str) -> None:
    """Give the log of a store that is open its second name."""
    # Where there is none yet, or one already, or the file system knows no second names.
    with suppress(OSError):
        os.link(path + LOG, path + KEPT)


def leave(path: str) -> None:
    """Take the second name away, once the log itself is gone: whoever closed last has moved it."""
    if not os.path.exists(path + LOG):  # noqa: PTH110 - asked whenever a store is closed
        forget(path)


def forget(path: str) -> None:
    """Take it away whatever it holds."""
    with suppress(OSError):
        os.unlink(path + KEPT)  # noqa: PTH108


def is_left(path: str) -> bool:
    """Whether a second name holds another log than the first: a look or two at names."""
    try:
        kept = os.stat(path + KEPT)  # noqa: PTH116
    except OSError:
        return False
    try:
        log = os.stat(path + LOG)  # noqa: PTH116
    except OSError:
        return True
    return (kept.st_ino, kept.st_dev) != (log.st_ino, log.st_dev)


def settle(path: str) -> int:
    """Where somebody else took the log away: give the pages that they moved their checksums, and
    let the second name go; how many pages. Where others have the file open nothing is done."""
    if not is_left(path):
        return 0
    with suppress(StoreBusyError), SideLock(path + LOCK_SUFFIX, path).held(0.0):
        if is_left(path):
            told: int = import_module("engraphy.stores.sqlite.settling").settled(path, path + KEPT)
            return told
    return 0
