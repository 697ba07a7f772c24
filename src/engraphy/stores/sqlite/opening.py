"""Opening: what must be true of the place before a store is there."""

import os
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib import import_module
from pathlib import Path

import apsw
from msgspec.structs import replace

from engraphy.errors import (
    EngraphyError,
    ForeignFileError,
    NetworkFilesystemError,
    StoreCorruptError,
    StoreReadOnlyError,
    UnfinishedMoveError,
    UnreadableFileError,
)
from engraphy.stores import ciphering, summing
from engraphy.stores.carrying.carry import is_open
from engraphy.stores.locks import LOCK_SUFFIX, SideLock
from engraphy.stores.relational.sql import first, query
from engraphy.stores.sqlite import keeping, migrations, places, recoding
from engraphy.stores.sqlite.access import Access
from engraphy.stores.sqlite.carrying import MOVING
from engraphy.stores.sqlite.connection import Target, connect, owned
from engraphy.stores.sqlite.failures import translated
from engraphy.stores.sqlite.mounts import network_filesystem


def upgrade(connection: apsw.Connection, *, sums: bool = False) -> None:
    """Bring schema and full-text index to what this version writes; `sums`: with checksums of pages
    where nothing is there yet. The caller holds the side lock."""
    migrations.migrate(connection, sums=sums)
    if not migrations.analyser_is_current(connection):
        migrations.reindex(connection)


def restore_from(source: str, access: Access) -> None:
    """Replace the store by the backup `source`, which is verified first. One in the clear comes
    into an encrypted store; one that is encrypted never into a store that is not.

    Raises UnfinishedMoveError for a file that a move has not filled yet, and what opening raises.
    """
    own = access.target
    target = Target(path=source, vfs=own.vfs, read_only=True, key=own.key)
    if own.key is not None and ciphering.header(source, own.vfs).startswith(ciphering.MAGIC):
        target = replace(target, key=None)
    with access.alone() as connection, translated(source):
        if not migrations.recognise(target):
            raise ForeignFileError(path=source, problem="there is no store in it")
        with _visiting(target) as copied:
            check_whole(copied, source)
            with _fitting(copied, target, own, connection) as fitting:
                keeping.restore(connection, fitting)
        upgrade(connection)
        keeping.truncate_log(connection)


def check_whole(connection: apsw.Connection, path: str) -> None:
    """Raises UnfinishedMoveError where a move fills the file that is not through."""
    noted = first(connection, query("read_meta"), {"key": MOVING})
    if noted is not None and is_open(noted[0]):
        raise UnfinishedMoveError(path=path)


@contextmanager
def _fitting(
    copied: apsw.Connection, source: Target, own: Target, store: apsw.Connection
) -> Iterator[apsw.Connection]:
    is_summed = summing.are_there(copied) or not summing.are_there(store)
    if source.key == own.key and is_summed:
        yield copied
        return
    with (
        recoding.fitting(copied, own) as place,
        closing(connect(replace(own, path=place))) as fitting,
    ):
        yield fitting


@contextmanager
def _visiting(target: Target) -> Iterator[apsw.Connection]:
    """A connection that only reads, and afterwards nothing beside the file that was not there."""
    was_open = _has_log(target.path)
    try:
        with closing(connect(_readable(target))) as connection:
            yield connection
    finally:
        if not was_open and _has_log(target.path):
            _leave(target)


def _has_log(path: str) -> bool:
    return any(Path(path + suffix).exists() for suffix in ("-wal", "-shm"))


def _leave(target: Target) -> None:
    """Who only reads cannot take away the log that SQLite made for it: a connection that may write
    does, if it is the last. What cannot be written keeps it."""
    with (
        suppress(apsw.Error, UnreadableFileError),
        closing(connect(replace(target, read_only=False))) as connection,
    ):
        first(connection, "SELECT count(*) FROM sqlite_schema")


def open_file(target: Target, prepare: Callable[[apsw.Connection], None]) -> Access:
    """Access to the store at this path, made or upgraded where that may be done.

    A store that cannot be written is opened for reading.
    """
    with translated(target.path, seconds=target.busy_seconds):
        file = Path(target.path).absolute()
        _check_place(file)
        target = replace(target, read_only=target.read_only or not _is_writable(file))
        known = migrations.recognise(target)
        if target.read_only:
            if not known:
                raise _missing(file)
            return Access(_readable(target), prepare)
        owned(target)
        _begin(target)
        _clear_up(target)
        try:
            return _upgraded(target, prepare, is_new=not known)
        except StoreCorruptError as problem:
            if not (_has_wrong_sums(problem) and _made_whole(target)):
                raise
        return _upgraded(target, prepare, is_new=False)


def _upgraded(
    target: Target, prepare: Callable[[apsw.Connection], None], *, is_new: bool
) -> Access:
    access = Access(target, prepare)
    try:
        with access.alone() as connection:
            upgrade(connection, sums=target.sums)
        if is_new:
            access.keep_log()
    except EngraphyError:
        access.close()
        raise
    return access


def _has_wrong_sums(problem: StoreCorruptError) -> bool:
    return isinstance(problem.__cause__, apsw.Error) and summing.is_wrong(problem.__cause__)


def _made_whole(target: Target) -> bool:
    """Whether all that stands on pages with wrong checksums could be confirmed at once: another
    program copies a store in use with those of before."""
    if target.vfs is not None or target.key is not None:
        return False
    # Only now: it is much, and hardly ever needed.
    repairing = import_module("engraphy.stores.sqlite.repairing")
    try:
        return bool(repairing.repair_whole(target.path, seconds=target.busy_seconds))
    except EngraphyError:
        return False


def _begin(target: Target) -> None:
    """The first page of a new encrypted file, with the salt that everybody derives its key with,
    and the mark beside it."""
    path = target.path
    if target.key is None or (ciphering.is_marked(path) and ciphering.header(path, target.vfs)):
        return
    with SideLock(path + LOCK_SUFFIX, path).held(target.busy_seconds):
        ciphering.mark(path)
        if not ciphering.header(path, target.vfs):
            with closing(connect(target)) as connection:
                ciphering.begin(connection)


def _clear_up(target: Target) -> None:
    """What a change of keys or a repair that was killed left beside the file; one that is under way
    is waited for."""
    if recoding.has_left_over(target.path) or places.has_room(target.path):
        with SideLock(target.path + LOCK_SUFFIX, target.path).held(target.busy_seconds):
            recoding.clear_up(target.path)
            places.leave(target.path)


def _check_place(file: Path) -> None:
    filesystem = network_filesystem(file.parent)
    if filesystem is not None:
        raise NetworkFilesystemError(path=file, filesystem=filesystem)
    if file.is_dir():
        raise UnreadableFileError(path=file, problem="it is a folder")


def _is_writable(file: Path) -> bool:
    if not file.parent.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return os.access(file.parent, os.W_OK) and (not file.exists() or os.access(file, os.W_OK))


def _missing(file: Path) -> StoreReadOnlyError | UnreadableFileError:
    if os.access(file.parent, os.W_OK):
        return UnreadableFileError(path=file, problem="there is no store to read")
    return StoreReadOnlyError(path=file)


def _readable(target: Target) -> Target:
    """The target as it can be read: in a folder that cannot be written SQLite finds no place for
    its shared memory, and a file without a log is read as one that nobody changes."""
    try:
        # Already a setting that asks for the log's size needs the shared memory.
        with closing(connect(target)) as connection:
            first(connection, "SELECT count(*) FROM sqlite_schema")
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        log = Path(target.path + "-wal")
        if log.exists() and log.stat().st_size:
            raise
        return replace(target, immutable=True)
    return target
