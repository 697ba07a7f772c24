"""A damaged store, repaired: its bytes are kept beside it as they are, what can be read is brought
into a new file, and that takes its place once it has been examined."""

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import apsw

from engraphy.errors import (
    EngraphyError,
    ForeignFileError,
    StoreCorruptError,
    StoreError,
    UnreadableFileError,
)
from engraphy.model.query import Check
from engraphy.stores import ciphering
from engraphy.stores.locks import SideLock
from engraphy.stores.relational.sql import first
from engraphy.stores.sqlite import checks, migrations
from engraphy.stores.sqlite.access import LOCK_SUFFIX
from engraphy.stores.sqlite.connection import Target, connect
from engraphy.stores.sqlite.copies import free
from engraphy.stores.sqlite.failures import translated
from engraphy.stores.sqlite.pages import Image
from engraphy.stores.sqlite.salvage import Salvaged, salvage

KEPT_SUFFIX = ".damaged"
_BLOCK = 1 << 20
_LOG, _INDEX = "-wal", "-shm"
_LOCKS = (apsw.SQLITE_LOCK_SHARED, apsw.SQLITE_LOCK_RESERVED, apsw.SQLITE_LOCK_EXCLUSIVE)
_OURS = ("meta", "scopes", "memories", "memory_journal")
_ENCRYPTED = (
    "it is encrypted, and what is damaged of an encrypted page is lost with the whole page: "
    "restore a backup; nothing was changed"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Repaired:
    """What was done, or with `dry_run` would be: whether it was `needed`, where the original bytes
    stand (`original`, "" where nothing was changed), how many rows of each table were kept, how
    many records of each were seen and are lost, how many `pages` cannot be read at all, and what is
    not as it should be even now."""

    path: str
    dry_run: bool
    needed: bool
    original: str = ""
    kept: dict[str, int]
    lost: dict[str, int]
    pages: int = 0
    checks: tuple[Check, ...] = ()


def repair(path: str, *, dry_run: bool = False, seconds: float = 10.0) -> Repaired:
    """Repair the store at `path`; one in which every check passes is left as it is.

    Nobody else may have it open. Raises UnreadableFileError (nothing there, or encrypted),
    ForeignFileError where nothing of a store can be read, StoreBusyError, StoreFullError; then
    nothing was changed.
    """
    with translated(path, seconds=seconds):
        if not Path(path).is_file():
            raise UnreadableFileError(path=path, problem="there is no store")
        if ciphering.is_marked(path) or ciphering.is_encrypted(ciphering.header(path)):
            raise UnreadableFileError(path=path, problem=_ENCRYPTED)
        with SideLock(path + LOCK_SUFFIX, path).held(seconds):
            if _is_sound(path):
                return Repaired(path=path, dry_run=dry_run, needed=False, kept={}, lost={})
            with _alone(path) as file:
                return _repaired(path, file, dry_run=dry_run)


def _repaired(path: str, file: apsw.VFSFile, *, dry_run: bool) -> Repaired:
    data, log = _bytes(file), _read(Path(path + _LOG))
    folder = Path(path).absolute().parent
    with TemporaryDirectory(prefix=".engraphy-repair-", dir=folder) as room:
        place = Path(room) / Path(path).name
        found = _salvaged(path, Image(data, log), place)
        if not any(found.kept[name] for name in _OURS[1:]):
            raise ForeignFileError(path=path, problem="nothing of a store can be read in it")
        wrong = _wrong(place)
        original = ""
        if not dry_run:
            original = _kept(Path(path), data, log)
            _take_its_place(Path(path), place, file)
    return Repaired(
        path=path,
        dry_run=dry_run,
        needed=True,
        original=original,
        kept=dict(found.kept),
        lost=dict(sorted(found.lost.items())),
        pages=found.unreadable,
        checks=wrong,
    )


def _is_sound(path: str) -> bool:
    """Whether every check passes as the file stands; looking at it changes nothing."""
    try:
        if not migrations.recognise(Target(path=path)):
            return False
        # Without a log the file is read as one that nobody changes: so nothing is made beside it.
        still = not _read(Path(path + _LOG))
        target = Target(path=path, read_only=True, immutable=still)
        with closing(connect(target)) as connection:
            found = checks.examine(connection, deep=True, encrypted=False)
    except (apsw.Error, EngraphyError, UnicodeDecodeError):
        return False
    return all(check.ok for check in found)


@contextmanager
def _alone(path: str) -> Iterator[apsw.VFSFile]:
    """The file, which nobody else has open: whoever has it holds a lock that excludes ours."""
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


def _bytes(file: apsw.VFSFile) -> bytes:
    # Through SQLite's file layer: closing a plain file would drop the locks of who has it open.
    size = file.xFileSize()
    return b"".join(
        file.xRead(min(_BLOCK, size - start), start) for start in range(0, size, _BLOCK)
    )


def _read(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def _salvaged(path: str, image: Image, place: Path) -> Salvaged:
    try:
        with closing(connect(Target(path=str(place)))) as fresh:
            migrations.migrate(fresh)
            found = salvage(image, fresh)
            fresh.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            [problem] = first(fresh, "PRAGMA integrity_check(1)")
    except apsw.Error as error:
        raise StoreError(path=path, problem=f"it could not be repaired: {error}") from error
    if problem != "ok":
        raise StoreCorruptError(path=path, problem=f"what was salvaged is not sound: {problem}")
    return found


def _wrong(place: Path) -> tuple[Check, ...]:
    with closing(connect(Target(path=str(place)))) as connection:
        found = checks.examine(connection, deep=True, encrypted=False)
    return tuple(check for check in found if not check.ok)


def _kept(path: Path, data: bytes, log: bytes) -> str:
    """The original bytes, in a new file beside the store; its log beside that."""
    copy = free(Path(f"{path}{KEPT_SUFFIX}"))
    _write(copy, data)
    if log:
        _write(Path(f"{copy}{_LOG}"), log)
    _sync(copy.parent)
    return str(copy)


def _write(place: Path, data: bytes) -> None:
    held = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
    with os.fdopen(held, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _take_its_place(path: Path, fresh: Path, file: apsw.VFSFile) -> None:
    """The new file under the old one's name; its log is in the copy, and must not be taken for the
    new one's."""
    fresh.chmod(path.stat().st_mode & 0o777)
    with fresh.open("rb+") as made:
        os.fsync(made.fileno())
    for suffix in (_LOG, _INDEX, "-journal"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    if sys.platform == "win32":
        # No name of an open file can be given to another there.
        file.xClose()
    fresh.replace(path)
    _sync(path.parent)


def _sync(folder: Path) -> None:
    if sys.platform != "win32":
        held = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(held)
        finally:
            os.close(held)
