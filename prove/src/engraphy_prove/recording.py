"""A VFS that notes what reaches the disk and when, and the disks a power cut could leave.

What is written counts as safe once the same file was synced after it. At a cut, any part of what
is not safe may or may not have arrived: nothing of it, a prefix with the last sector torn, or any
subset of its sectors (file systems reorder).
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import apsw
from apsw import sqlite_extra

from engraphy.stores.summing import LAYER

SECTOR = 512
_LOGS = apsw.SQLITE_OPEN_WAL | apsw.SQLITE_OPEN_MAIN_JOURNAL
Way = Literal["nothing", "prefix", "subset"]
WAYS: tuple[Way, ...] = ("nothing", "prefix", "subset")


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes written to a file at an offset."""

    file: str
    offset: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Truncate:
    """A file cut or extended to a size."""

    file: str
    size: int


@dataclass(frozen=True, slots=True)
class Delete:
    """A file removed; `safe` when its folder was synced."""

    file: str
    safe: bool


@dataclass(frozen=True, slots=True)
class Sync:
    """Everything written to the file before is on the disk."""

    file: str


@dataclass(frozen=True, slots=True)
class SyncFolder:
    """Every removal before is on the disk: SQLite syncs the folder with the first sync of a log."""


@dataclass(frozen=True, slots=True)
class Acknowledged:
    """So many steps of the script had been acknowledged to the caller."""

    steps: int


Event = Write | Truncate | Delete | Sync | SyncFolder | Acknowledged


class Recorder(apsw.VFS):
    """Passes everything on to the default VFS and notes it in `log`."""

    def __init__(self, name: str) -> None:
        super().__init__(name, "")
        self.log: list[Event] = []

    def xOpen(self, name: str | apsw.URIFilename | None, flags: list[int]) -> apsw.VFSFile:  # noqa: N802
        return _Recorded(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self.log.append(Delete(Path(filename).name, bool(syncdir)))


class _Recorded(apsw.VFSFile):
    def __init__(
        self, recorder: Recorder, name: str | apsw.URIFilename | None, flags: list[int]
    ) -> None:
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        fresh = bool(flags[0] & _LOGS and path and not Path(path).exists())
        super().__init__("", name, flags)
        self.file = Path(path).name if path else "temporary"
        self.log = recorder.log
        self.fresh = fresh

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self.log.append(Write(self.file, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self.log.append(Truncate(self.file, newsize))

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        self.log.append(Sync(self.file))
        if self.fresh:
            self.log.append(SyncFolder())
            self.fresh = False


@contextmanager
def below_checksums(name: str) -> Iterator[None]:
    """Inside, the layer that makes checksums of pages (`summing`) writes through the VFS of this
    name: as it is loaded it takes the usual one."""
    usual = apsw.vfs_names()[0]
    apsw.set_default_vfs(name)
    _load(usual)
    try:
        yield
    finally:
        _load(usual)


def _load(usual: str) -> None:
    if LAYER in apsw.vfs_names():
        apsw.unregister_vfs(LAYER)
    with closing(apsw.Connection(":memory:", vfs=usual)) as connection:
        connection.enable_load_extension(True)
        connection.load_extension(sqlite_extra.path("cksumvfs"))
    apsw.set_default_vfs(usual)


class Disk:
    """What is safe, and what is still on its way, at a point of the log."""

    def __init__(self) -> None:
        self.safe: dict[str, bytearray] = {}
        self.pending: list[Write | Truncate | Delete] = []
        self.acknowledged = 0

    def advance(self, event: Event) -> None:
        """Take the next event of the log."""
        match event:
            case Acknowledged(steps=steps):
                self.acknowledged = steps
            case Sync(file=file):
                self._settle(file)
            case SyncFolder():
                self._remove()
            case Delete(safe=True):
                self.pending.append(event)
                self._remove()
            case Write() | Truncate() | Delete():
                self.pending.append(event)

    def _remove(self) -> None:
        """Removals are safe; what was written to a removed file before does not matter any more."""
        gone = {e.file: place for place, e in enumerate(self.pending) if isinstance(e, Delete)}
        for file in gone:
            self.safe.pop(file, None)
        self.pending = [e for place, e in enumerate(self.pending) if place > gone.get(e.file, -1)]

    def _settle(self, file: str) -> None:
        for event in self.pending:
            if event.file == file:
                _arrive(self.safe, event)
        self.pending = [event for event in self.pending if event.file != file]

    def after_cut(self, way: Way, chance: random.Random) -> dict[str, bytearray]:
        """One disk that a power cut at this point could leave."""
        left = {file: bytearray(data) for file, data in self.safe.items()}
        for event in _arrived(self.pending, way, chance):
            _arrive(left, event)
        return left


def _arrived(
    pending: Sequence[Write | Truncate | Delete], way: Way, chance: random.Random
) -> Iterator[Write | Truncate | Delete]:
    if way == "prefix" and pending:
        last = chance.randrange(len(pending))
        yield from pending[:last]
        if isinstance(torn := pending[last], Write):
            sectors = chance.randint(0, len(torn.data) // SECTOR)
            yield Write(torn.file, torn.offset, torn.data[: sectors * SECTOR])
    elif way == "subset":
        share, still = chance.choice((0.1, 0.5, 0.9)), set[str]()
        for event in pending:
            # Under the name of a file whose removal did not arrive that file is found, and nothing
            # of the one that was made in its place.
            arrived = list(_sectors(event, share, chance))
            if isinstance(event, Delete) and not arrived:
                still.add(event.file)
            if event.file not in still:
                yield from arrived


def _sectors(
    event: Write | Truncate | Delete, share: float, chance: random.Random
) -> Iterator[Write | Truncate | Delete]:
    if not isinstance(event, Write):
        if chance.random() < share:
            yield event
        return
    for start in range(0, len(event.data), SECTOR):
        if chance.random() < share:
            yield Write(event.file, event.offset + start, event.data[start : start + SECTOR])


def _arrive(files: dict[str, bytearray], event: Write | Truncate | Delete) -> None:
    if isinstance(event, Delete):
        files.pop(event.file, None)
        return
    data = files.setdefault(event.file, bytearray())
    if isinstance(event, Truncate):
        _resize(data, event.size)
    elif event.data:
        _resize(data, max(len(data), event.offset + len(event.data)))
        data[event.offset : event.offset + len(event.data)] = event.data


def _resize(data: bytearray, size: int) -> None:
    if size < len(data):
        del data[size:]
    else:
        data.extend(bytes(size - len(data)))
