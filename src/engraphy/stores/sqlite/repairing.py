"""A damaged store, repaired: its bytes are kept beside it as they are, what can be read is brought
into a new file, and that takes its place once it has been examined."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import apsw

from engraphy.errors import (
    EngraphyError,
    ForeignFileError,
    InvalidInputError,
    StoreCorruptError,
    StoreError,
    UnreadableFileError,
)
from engraphy.model.query import Check
from engraphy.stores import ciphering
from engraphy.stores.locks import SideLock
from engraphy.stores.relational.sql import first
from engraphy.stores.sqlite import checks, migrations, places
from engraphy.stores.sqlite.access import LOCK_SUFFIX
from engraphy.stores.sqlite.connection import Target, connect, owned
from engraphy.stores.sqlite.failures import translated
from engraphy.stores.sqlite.owners import roots
from engraphy.stores.sqlite.pages import Image
from engraphy.stores.sqlite.places import INDEX, JOURNAL, LOG
from engraphy.stores.sqlite.salvage import Salvaged, counted, salvage
from engraphy.stores.sqlite.vintage import schema

_BLOCK = 1 << 20
_PIECE = 1 << 16
"""SQLite's file layer writes less than 128 kB at a time."""
_KEPT_BESIDE = (LOG, JOURNAL)
_LOCKS = (apsw.SQLITE_LOCK_SHARED, apsw.SQLITE_LOCK_RESERVED, apsw.SQLITE_LOCK_EXCLUSIVE)
_OURS = ("meta", "scopes", "memories", "memory_journal")
_ENCRYPTED = (
    "it is encrypted, and what is damaged of an encrypted page is lost with the whole page: "
    "restore a backup; nothing was changed"
)
_SERVERS = ("postgresql://", "postgres://")
_FILES = "one in a file; what a database has lost comes back from a backup of its server"


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
    """Repair the store at `path`; one in which every check passes is left as it is, also where it
    is of an older schema and would pass once it was upgraded.

    Nobody else may have it open; who opens it meanwhile waits, and then opens what was repaired.
    Killed at any moment it leaves the damaged file with its log, or the repaired one.

    Raises UnreadableFileError (nothing there, or encrypted), ForeignFileError where nothing of a
    store can be read, NewerSchemaError, StoreBusyError, StoreFullError, and InvalidInputError for
    the place of a database server; then nothing was changed.
    """
    if path.lower().startswith(_SERVERS):
        # Its place is not repeated: a password may stand in it.
        raise InvalidInputError(field="the store", got="a PostgreSQL database", allowed=_FILES)
    # What SQLite puts beside a file stands beside the one that a link leads to.
    file = str(Path(path).resolve())
    with translated(path, seconds=seconds):
        if not Path(file).is_file():
            raise UnreadableFileError(path=path, problem="there is no store")
        if ciphering.is_marked(file) or ciphering.is_encrypted(ciphering.header(file)):
            raise UnreadableFileError(path=path, problem=_ENCRYPTED)
        with _side_locks(path, seconds), places.room(file) as room:
            if _is_sound(file, room):
                return Repaired(path=path, dry_run=dry_run, needed=False, kept={}, lost={})
            with _alone(file) as held:
                return _repaired(path, room, held, dry_run=dry_run)


@contextmanager
def _side_locks(path: str, seconds: float) -> Iterator[None]:
    """The side lock, and of a link also that of the file that it leads to."""
    given = Path(path)
    ways = (given.parent.resolve() / given.name, given.resolve())
    with ExitStack() as locks:
        for way in dict.fromkeys(ways):
            locks.enter_context(SideLock(f"{way}{LOCK_SUFFIX}", path).held(seconds))
        yield


def _repaired(path: str, room: Path, held: apsw.VFSFile, *, dry_run: bool) -> Repaired:
    file = Path(path).resolve()
    data = _bytes(held)
    beside = {suffix: _read(Path(f"{file}{suffix}")) for suffix in _KEPT_BESIDE}
    image, place = Image(data, beside[LOG]), room / file.name
    found = _rewritten(image, place) or _salvaged(path, image, place)
    if not any(found.kept[name] for name in _OURS[1:]):
        raise ForeignFileError(path=path, problem="nothing of a store can be read in it")
    wrong = _wrong(place)
    original = ""
    if not dry_run:
        original = _kept(file, room, {"": data} | beside)
        _bring_in(file, held, data, image)
        _take_its_place(file, place, held)
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


def _rewritten(image: Image, place: Path) -> Salvaged | None:
    """The whole file with new checksums, where nothing but those is wrong in it, though they are on
    most pages, and none looks as if bits of it had been flipped: another program, which makes none,
    wrote all of it anew. Of a few pages nobody can say that: five flipped bits look the same."""
    if 2 * len(image.doubtful) <= image.count or image.is_flipped():
        return None
    places.write(place, image.summed())
    with places.room(str(place)) as room:
        if _is_sound(str(place), room):
            with closing(connect(Target(path=str(place)))) as connection:
                return Salvaged(kept=counted(connection))
    for suffix in ("", *_KEPT_BESIDE, INDEX):
        Path(f"{place}{suffix}").unlink(missing_ok=True)
    return None


def _is_sound(path: str, room: Path) -> bool:
    """Whether every check passes as the file stands, or of an older one once a copy is upgraded;
    looking at it changes nothing. Of a newer one `vintage` tells more: what is damaged may be the
    number itself."""
    try:
        if not migrations.recognise(Target(path=path)):
            return False
    except (apsw.Error, EngraphyError):
        return False
    # Without a log the file is read as one that nobody changes: so nothing is made beside it.
    still = not _read(Path(path + LOG))
    target = Target(path=path, read_only=True, immutable=still)
    try:
        with closing(connect(target)) as connection:
            if _is_current(connection):
                return _passes(connection)
            return _upgraded_passes(connection, room / "upgraded")
    except (apsw.Error, EngraphyError, UnicodeDecodeError):
        return False


def _passes(connection: apsw.Connection) -> bool:
    return all(check.ok for check in checks.examine(connection, deep=True, encrypted=False))


def _is_current(connection: apsw.Connection) -> bool:
    (version,) = first(connection, "PRAGMA user_version")
    return bool(version == migrations.newest()) and migrations.analyser_is_current(connection)


def _upgraded_passes(connection: apsw.Connection, place: Path) -> bool:
    target = Target(path=str(place))
    owned(target)
    with closing(connect(target)) as copy:
        with copy.backup("main", connection, "main") as copying:
            while not copying.done:
                copying.step(-1)
        migrations.migrate(copy)
        if not migrations.analyser_is_current(copy):
            migrations.reindex(copy)
        return _passes(copy)


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
    target, begin = Target(path=str(place)), roots(image)
    owned(target)
    try:
        with closing(connect(target)) as fresh:
            migrations.migrate(fresh, schema(image, begin, path), sums=image.has_sums)
            found = salvage(image, fresh, begin)
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


def _kept(path: Path, room: Path, files: Mapping[str, bytes]) -> str:
    """The original bytes, whole under new names beside the store; each for its owner alone."""
    copy = places.free(str(path))
    made = {suffix: data for suffix, data in files.items() if data or not suffix}
    for suffix, data in made.items():
        places.write(room / f"kept{suffix}", data)
    for suffix in made:
        (room / f"kept{suffix}").replace(f"{copy}{suffix}")
    places.synced(copy.parent)
    return str(copy)


def _bring_in(path: Path, file: apsw.VFSFile, data: bytes, image: Image) -> None:
    """What is whole in the log comes into the old file, as SQLite would bring it in: so the log may
    go before the new file comes, and whoever is killed in between has lost nothing."""
    whole = image.whole()
    for start in range(0, len(whole), _PIECE):
        block = whole[start : start + _PIECE]
        if data[start : start + _PIECE] != block:
            file.xWrite(block, start)
    if len(data) > len(whole):
        file.xTruncate(len(whole))
    file.xSync(apsw.SQLITE_SYNC_FULL)
    for suffix in (LOG, INDEX, JOURNAL):
        Path(f"{path}{suffix}").unlink(missing_ok=True)
    places.synced(path.parent)


def _take_its_place(path: Path, fresh: Path, file: apsw.VFSFile) -> None:
    fresh.chmod(path.stat().st_mode & 0o777)
    places.synced(fresh)
    if sys.platform == "win32":
        # No name of an open file can be given to another there.
        file.xClose()
        fresh.replace(path)
    else:
        places.exchange(path, fresh)
