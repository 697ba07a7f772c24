"""Files beside a store: the room in which another file is made whole, how that takes the store's
place, and what is kept of the old one."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

KEPT_SUFFIX = ".damaged"
LOG, INDEX, JOURNAL = "-wal", "-shm", "-journal"
_ROOM = ".engraphy-repair-"
_BLOCK = 1 << 20


def has_room(path: str) -> bool:
    """Whether a repair is under way, or one that was killed left its room: a look at one name."""
    return _room(path).exists()


@contextmanager
def room(path: str) -> Iterator[Path]:
    """A folder beside the store, for its owner alone; gone afterwards. The caller holds the side
    lock, as for `leave`."""
    leave(path)
    made = _room(path)
    made.mkdir(mode=0o700)
    try:
        yield made
    finally:
        leave(path)


def leave(path: str) -> None:
    """Remove the room, also one that a repair left that was killed."""
    with suppress(FileNotFoundError):
        shutil.rmtree(_room(path))


def _room(path: str) -> Path:
    file = Path(path).absolute()
    return file.with_name(f"{_ROOM}{file.name}")


def kept(path: str) -> Iterator[Path]:
    """The copies of damaged files that stand beside a store."""
    number, found = 1, Path(path + KEPT_SUFFIX)
    while found.exists():
        yield found
        number += 1
        found = Path(f"{path}{KEPT_SUFFIX}.{number}")


def free(path: str) -> Path:
    """The first name for another copy; nothing stands there, and no log of another file."""
    number, found = 1, Path(path + KEPT_SUFFIX)
    while any(Path(f"{found}{suffix}").exists() for suffix in ("", LOG, INDEX, JOURNAL)):
        number += 1
        found = Path(f"{path}{KEPT_SUFFIX}.{number}")
    return found


def write(place: Path, data: bytes) -> None:
    """A new file of these bytes on the disk, for its owner alone."""
    held = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(held, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def exchange(path: Path, fresh: Path) -> None:
    """Give a whole file the name of the old one, which the caller holds alone: whoever opened the
    old one meanwhile, and waits, must not write it, so it finds zeros (and `connect` then opens the
    new one). Not for Windows, where no name of an open file can be given to another."""
    held = os.open(path, os.O_RDWR)
    try:
        fresh.replace(path)
        synced(path.parent)
        _overwrite(held)
    finally:
        os.close(held)


def erase(file: Path) -> None:
    """Overwrite a file and take it away."""
    with suppress(FileNotFoundError):
        held = os.open(file, os.O_RDWR | getattr(os, "O_BINARY", 0))
        try:
            _overwrite(held)
        finally:
            os.close(held)
        file.unlink()


def _overwrite(held: int) -> None:
    left = os.fstat(held).st_size
    os.lseek(held, 0, os.SEEK_SET)
    while left > 0:
        left -= os.write(held, bytes(min(_BLOCK, left)))
    os.fsync(held)


def synced(place: Path) -> None:
    """Have a file, or the names in a folder, on the disk."""
    if sys.platform == "win32" and place.is_dir():
        return
    held = os.open(place, os.O_RDONLY if place.is_dir() else os.O_RDWR)
    try:
        os.fsync(held)
    finally:
        os.close(held)
