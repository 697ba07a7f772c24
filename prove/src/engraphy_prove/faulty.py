"""A VFS on which one operation fails, or from one on every write finds the disk full; below it is
the layer that a store is opened through."""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw

from engraphy.stores import summing

CODES = {
    "xOpen": apsw.SQLITE_CANTOPEN,
    "xDelete": apsw.SQLITE_IOERR_DELETE,
    "xAccess": apsw.SQLITE_IOERR_ACCESS,
    "xRead": apsw.SQLITE_IOERR_READ,
    "xWrite": apsw.SQLITE_IOERR_WRITE,
    "xSync": apsw.SQLITE_IOERR_FSYNC,
    "xTruncate": apsw.SQLITE_IOERR_TRUNCATE,
    "xFileSize": apsw.SQLITE_IOERR_FSTAT,
    "xLock": apsw.SQLITE_IOERR_LOCK,
}


@dataclass(slots=True)
class Fault:
    """Which operation fails: the `at`-th of the kind `op` (0 = none), alone or with all after it.

    `hit` says what failed; `seen` counts the operations by kind.
    """

    op: str = ""
    at: int = 0
    full: bool = False
    seen: Counter[str] = field(default_factory=Counter)
    hit: list[str] = field(default_factory=list)
    safe: bool = False
    """The write-ahead log was synced since `begin`: a fault from then on comes after the commit."""
    late: bool = False
    """The first fault since `begin` came after the commit (in a checkpoint)."""
    met: bool = False
    """There was a fault since `begin`: more of a full disk may follow, as when it is closed."""

    def arm(self, op: str, at: int, *, full: bool) -> None:
        """Let an operation fail; `full`: the disk is full from then on, until it is mended."""
        self.op, self.at, self.full = op, at, full
        self.seen, self.hit = Counter(), []
        self.begin()

    def begin(self) -> None:
        """A new step begins: nothing of it is on the disk yet."""
        self.safe = self.late = self.met = False

    def pass_by(self, op: str, file: str) -> None:
        """Count an operation; raise the error of SQLite where it is the one to fail."""
        self.seen[op] += 1
        place = self.seen[op]
        if op != self.op or not (0 < self.at <= place if self.full else place == self.at):
            return
        self.hit.append(f"{op} of {file}")
        self.late = self.late if self.met else self.safe
        self.met = True
        raise apsw.exception_for(apsw.SQLITE_FULL if self.full else CODES[op])

    def mend(self) -> None:
        """From now on everything works."""
        self.at = 0


class Faulty(apsw.VFS):
    """Passes everything on to the layer of checksums, unless the fault says otherwise."""

    def __init__(self, name: str, fault: Fault) -> None:
        super().__init__(name, summing.layer() or "")
        self.fault = fault

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        self.fault.pass_by("xOpen", _short(name))
        return _FaultyFile(self.fault, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        self.fault.pass_by("xDelete", _short(filename))
        super().xDelete(filename, syncdir)

    def xAccess(self, pathname: str, flags: int) -> bool:  # noqa: N802
        self.fault.pass_by("xAccess", _short(pathname))
        return super().xAccess(pathname, flags)


class _FaultyFile(apsw.VFSFile):
    def __init__(self, fault: Fault, name: str | apsw.URIFilename | None, flags: list[int]) -> None:
        super().__init__(summing.layer() or "", name, flags)
        self.fault = fault
        self.file = _short(name)

    def xRead(self, amount: int, offset: int) -> bytes:  # noqa: N802
        self.fault.pass_by("xRead", self.file)
        return super().xRead(amount, offset)

    def xWrite(self, data: Any, offset: int) -> None:  # noqa: N802
        self.fault.pass_by("xWrite", self.file)
        super().xWrite(data, offset)

    def xSync(self, flags: int) -> None:  # noqa: N802
        self.fault.pass_by("xSync", self.file)
        super().xSync(flags)
        self.fault.safe |= self.file.endswith("-wal")

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        self.fault.pass_by("xTruncate", self.file)
        super().xTruncate(newsize)

    def xFileSize(self) -> int:  # noqa: N802
        self.fault.pass_by("xFileSize", self.file)
        return super().xFileSize()

    def xLock(self, level: int) -> None:  # noqa: N802
        self.fault.pass_by("xLock", self.file)
        super().xLock(level)


def _short(name: str | apsw.URIFilename | None) -> str:
    path = name.filename() if isinstance(name, apsw.URIFilename) else name
    return Path(path).name if path else "temporary"
