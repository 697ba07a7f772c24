"""A damaged store, repaired: its bytes are kept beside it as they are, what can be read is brought
into a new file, and that takes its place once it has been examined."""

import logging
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path

import apsw
from msgspec.structs import replace

from engraphy.errors import (
    ForeignFileError,
    InvalidInputError,
    StoreCorruptError,
    StoreError,
    UnreadableFileError,
)
from engraphy.model.query import Check
from engraphy.record import Record
from engraphy.stores import ciphering
from engraphy.stores.locks import LOCK_SUFFIX, SideLock
from engraphy.stores.relational.sql import first
from engraphy.stores.sqlite import migrations, places
from engraphy.stores.sqlite.connection import Target, connect, owned
from engraphy.stores.sqlite.failures import translated
from engraphy.stores.sqlite.holding import alone, contents
from engraphy.stores.sqlite.logs import KEPT, settle
from engraphy.stores.sqlite.owners import roots
from engraphy.stores.sqlite.pages import Image
from engraphy.stores.sqlite.places import INDEX, JOURNAL, LOG
from engraphy.stores.sqlite.salvage import Salvaged, counted, salvage
from engraphy.stores.sqlite.soundness import is_sound, wrong
from engraphy.stores.sqlite.vintage import schema

_PIECE = 1 << 16
"""SQLite's file layer writes less than 128 kB at a time."""
_KEPT_BESIDE = (LOG, JOURNAL)
_OURS = ("meta", "scopes", "memories", "memory_journal")
_ENCRYPTED = (
    "it is encrypted, and what is damaged of an encrypted page is lost with the whole page: "
    "restore a backup; nothing was changed"
)
_AT_ONCE, _REWRITTEN = 1 << 24, 1 << 28
"""Bytes of a file that is repaired while somebody waits for it to open, row by row or as a whole:
half a minute on a slow machine."""
_log = logging.getLogger("engraphy")
_TOLD = (
    "%s: pages had other checksums than they should; all that they hold was confirmed, and stands "
    "on new ones (of the file as it was %s is kept)"
)
_SERVERS = ("postgresql://", "postgres://")
_FILES = "one in a file; what a database has lost comes back from a backup of its server"


class Repaired(Record, frozen=True, kw_only=True):
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
        if _is_encrypted(file):
            raise UnreadableFileError(path=path, problem=_ENCRYPTED)
        if not dry_run:
            settle(file)
        with _side_locks(path, seconds), places.room(file) as room:
            if is_sound(file, room):
                return Repaired(path=path, dry_run=dry_run, needed=False, kept={}, lost={})
            with alone(file) as held:
                return _repaired(path, room, held, dry_run=dry_run)


def _is_encrypted(file: str) -> bool:
    """Whether a file is, or may be: what says so beside it may be left of an encryption that was
    killed before it was through."""
    header = ciphering.header(file)
    return ciphering.is_encrypted(header) or (
        ciphering.is_marked(file) and not header.startswith(ciphering.MAGIC)
    )


def repair_whole(path: str, *, seconds: float) -> bool:
    """Repair at once a store that is being opened, where nothing at all is lost by it; whether
    that was so. Where another program wrote the pages that are wrong, nothing is kept of them:
    all that they hold was confirmed. Raises what `repair` does; a large file is left to that."""
    with translated(path, seconds=seconds), _side_locks(path, seconds), places.room(path) as room:
        if is_sound(path, room):
            return True
        if Path(path).stat().st_size > _REWRITTEN or _was_tried(path):
            return False
        with alone(path) as held:
            done = _repaired(path, room, held, at_once=True)
        if done.dry_run:
            _was_tried(path, note=True)
        else:
            _log.warning(_TOLD, path, done.original or "nothing")
    return not done.dry_run


def _was_tried(path: str, *, note: bool = False) -> bool:
    """Whether it is known of the file as it stands that a repair would lose something: it takes
    seconds to find out, and a hook opens it with each prompt. The side lock's file says so."""
    told, place = Path(path).stat(), Path(f"{path}{LOCK_SUFFIX}")
    mark = f"{told.st_size} {told.st_ino} {told.st_mtime_ns}"
    with suppress(OSError, ValueError):
        if note:
            place.write_text(mark, "ascii")
        return place.read_text("ascii") == mark
    return False


@contextmanager
def _side_locks(path: str, seconds: float) -> Iterator[None]:
    """The side lock, and of a link also that of the file that it leads to."""
    given = Path(path)
    ways = (given.parent.resolve() / given.name, given.resolve())
    with ExitStack() as locks:
        for way in dict.fromkeys(ways):
            locks.enter_context(SideLock(f"{way}{LOCK_SUFFIX}", path).held(seconds))
        yield


def _repaired(
    path: str, room: Path, held: apsw.VFSFile, *, dry_run: bool = False, at_once: bool = False
) -> Repaired:
    file = Path(path).resolve()
    data = contents(held)
    beside = {suffix: _read(Path(f"{file}{suffix}")) for suffix in _KEPT_BESIDE}
    image, place = Image(data, beside[LOG]), room / file.name
    found = _rewritten(image, place)
    if found is None and at_once and len(data) > _AT_ONCE:
        raise UnreadableFileError(path=path, problem="it is too large to be repaired at once")
    found = found or _salvaged(path, image, place)
    if not any(found.kept[name] for name in _OURS[1:]):
        raise ForeignFileError(path=path, problem="nothing of a store can be read in it")
    done = Repaired(
        path=path,
        dry_run=True,
        needed=True,
        kept=dict(found.kept),
        lost=dict(sorted(found.lost.items())),
        pages=found.unreadable,
        checks=wrong(place),
    )
    is_whole = not (done.lost or done.pages or done.checks or found.others)
    if dry_run or (at_once and not is_whole):
        return done
    original = ""
    if not (at_once and found.is_foreign):
        original = _kept(file, room, {"": data} | beside)
    _bring_in(file, held, data, image)
    _take_its_place(file, place, held)
    return replace(done, dry_run=False, original=original)


def _rewritten(image: Image, place: Path) -> Salvaged | None:
    """The whole file with new checksums, where nothing but those is wrong in it: on its first page
    alone, which holds no row of ours and every program that copies a store writes; or on most, and
    none looks as if bits of it had been flipped: another program, which makes none, wrote all of it
    anew. Of a few pages nobody can say that: five flipped bits look the same."""
    if image.doubtful != {1} and (2 * len(image.doubtful) <= image.count or image.flipped()):
        return None
    places.write(place, image.summed())
    with places.room(str(place)) as room:
        if is_sound(str(place), room):
            with closing(connect(Target(path=str(place)))) as connection:
                return Salvaged(kept=counted(connection), is_foreign=True)
    _without(place)
    return None


def _without(place: Path) -> None:
    for suffix in ("", *_KEPT_BESIDE, INDEX):
        Path(f"{place}{suffix}").unlink(missing_ok=True)


def _read(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def _salvaged(path: str, image: Image, place: Path) -> Salvaged:
    """What stands on pages with wrong checksums is kept as far as something else tells it; where
    all that can be told of them shows that another program wrote them, the rest is kept as well."""
    found = _brought_over(path, image, place, trusting=False)
    if found.is_foreign and found.lost:
        _without(place)
        found = _brought_over(path, image, place, trusting=True)
        found.is_foreign = True
    return found


def _brought_over(path: str, image: Image, place: Path, *, trusting: bool) -> Salvaged:
    target, begin = Target(path=str(place)), roots(image)
    owned(target)
    try:
        with closing(connect(target)) as fresh:
            migrations.migrate(fresh, schema(image, begin, path), sums=image.has_sums)
            known = {name for (name,) in fresh.execute("SELECT name FROM sqlite_schema")}
            found = salvage(image, fresh, begin, trusting=trusting)
            found.others = any(not name.startswith("sqlite_") for name in begin.keys() - known)
            fresh.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            [problem] = first(fresh, "PRAGMA integrity_check(1)")
    except apsw.Error as error:
        raise StoreError(path=path, problem=f"it could not be repaired: {error}") from error
    if problem != "ok":
        raise StoreCorruptError(path=path, problem=f"what was salvaged is not sound: {problem}")
    return found


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
    for suffix in (LOG, INDEX, JOURNAL, KEPT):
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
