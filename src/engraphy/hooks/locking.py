"""Locks between processes, which end with whoever holds them, however it ends."""

import os
import sys
from types import TracebackType
from typing import Self

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl


class Lock:
    """A lock on a file. `taken` tells whether it was free; nobody ever waits."""

    def __init__(self, path: str) -> None:
        self._handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        self.taken = False

    def take(self) -> bool:
        """Take it where it is free."""
        try:
            if sys.platform == "win32":
                msvcrt.locking(self._handle, msvcrt.LK_NBLCK, 1)
            else:
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        self.taken = True
        return True

    def leave(self) -> None:
        """Let it go."""
        if self.taken and sys.platform == "win32":
            msvcrt.locking(self._handle, msvcrt.LK_UNLCK, 1)
        elif self.taken:
            fcntl.flock(self._handle, fcntl.LOCK_UN)
        self.taken = False

    def __enter__(self) -> Self:
        self.take()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.leave()
        os.close(self._handle)
