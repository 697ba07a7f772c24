"""The side lock: one writer at a time over all processes, in the order they came.

SQLite's own write lock lets waiting processes starve; a lock on a file beside the database, taken
before the transaction begins, is handed on fairly by the kernel.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct, field

from engraphy.errors import StoreBusyError

LOCK_SUFFIX = ".lock"

if sys.platform == "win32":
    import msvcrt

    def _try(descriptor: int) -> bool:
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _wait(descriptor: int) -> None:
        pause = threading.Event()
        while not _try(descriptor):
            pause.wait(0.002)

    def _release(descriptor: int) -> None:
        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try(descriptor: int) -> bool:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _wait(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_EX)

    def _release(descriptor: int) -> None:
        fcntl.flock(descriptor, fcntl.LOCK_UN)


def followed(path: str) -> str:
    """The file that a link leads to, there or not, and any other path as it is: what is kept beside
    a store (log, lock, mark) stands beside the file itself, by whatever name it was opened."""
    return os.path.realpath(path) if os.path.islink(path) else path  # noqa: PTH114 - as is_marked


class _Turn(Struct, dict=True, weakref=True):
    """A place in the queue; whoever gives up leaves it to its thread to let the lock go."""

    descriptor: int
    arrived: threading.Event = field(default_factory=threading.Event)
    settling: threading.Lock = field(default_factory=threading.Lock)
    given_up: bool = False

    def stand(self) -> None:
        _wait(self.descriptor)
        with self.settling:
            if self.given_up:
                _let_go(self.descriptor)
            self.arrived.set()

    def give_up(self) -> bool:
        """False where the lock arrived in the last moment."""
        with self.settling:
            self.given_up = not self.arrived.is_set()
            return self.given_up


class SideLock:
    """An exclusive lock on `path`; each holder opens the file anew, so threads exclude each other
    too."""

    def __init__(self, path: str, store: str) -> None:
        self._path = path
        self._store = store

    @contextmanager
    def held(self, seconds: float) -> Iterator[None]:
        """Hold the lock inside; StoreBusyError when it did not come within `seconds`."""
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        if not _try(descriptor):
            self._queue(descriptor, seconds)
        try:
            yield
        finally:
            _let_go(descriptor)

    def _queue(self, descriptor: int, seconds: float) -> None:
        # flock has no time limit: a thread stands in the kernel's queue for us.
        turn = _Turn(descriptor)
        threading.Thread(target=turn.stand, name="engraphy-lock", daemon=True).start()
        if not turn.arrived.wait(seconds) and turn.give_up():
            raise StoreBusyError(path=self._store, seconds=seconds)


def _let_go(descriptor: int) -> None:
    try:
        # Unlock by name: a forked child may hold a copy of the descriptor.
        _release(descriptor)
    finally:
        os.close(descriptor)
