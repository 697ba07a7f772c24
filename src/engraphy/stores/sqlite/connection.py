"""Connections: one per thread, each set up the same way, none carried over a fork."""

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import apsw
from msgspec import Struct, field
from msgspec.structs import replace

from engraphy.errors import StoreClosedError, UnreadableFileError
from engraphy.record import Record
from engraphy.stores import ciphering, summing
from engraphy.stores.relational.sql import Kept
from engraphy.stores.sqlite import logs

PRAGMAS = (
    # FULL: NORMAL loses acknowledged writes in a power cut.
    "PRAGMA synchronous = FULL",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",
    "PRAGMA temp_store = MEMORY",
    "PRAGMA cache_size = -16384",
    "PRAGMA trusted_schema = OFF",
    "PRAGMA cell_size_check = ON",
    "PRAGMA journal_size_limit = 67108864",
)
MOVED = (
    "it was moved, deleted or replaced while it was open, and nothing was written; close what has "
    "it open, which brings its log into the file that was moved, and put the right one in its place"
)
_STATEMENTS = 400
_SPOILING = (apsw.IOError, apsw.FullError, apsw.CantOpenError, apsw.NoMemError)
"""What a connection is given up for. FTS5 takes totals that it could not read for 0 from then on
(seen in SQLite 3.54), and the next write through the same connection stores them."""

_UNLAYERED = (
    "its pages have checksums, and the APSW that is installed here brings nothing to make them "
    "with (cksumvfs): install its wheel, or open the store for reading only"
)
_open_pools: "weakref.WeakSet[Connections]" = weakref.WeakSet()
_watching_forks = threading.Event()


class Target(Record, frozen=True, kw_only=True):
    """What to open: the file, through which VFS, for reading only or for both, with which key;
    `sums`: whether the pages of a file that is made have checksums; `creates`: whether it is made
    where it is not there."""

    path: str
    vfs: str | None = None
    read_only: bool = False
    immutable: bool = False
    busy_seconds: float = 10.0
    key: ciphering.Key | None = None
    sums: bool = True
    creates: bool = True


class Connection(apsw.Connection):
    """A connection to the file. `kept`: what was answered already of the snapshot that is read;
    None outside of one."""

    kept: Kept | None = None


def owned(target: Target) -> None:
    """Make a file that is not there yet for its owner alone: SQLite would let everybody read it,
    and what it puts beside a file has that file's rights. What hinders it is told by SQLite."""
    if target.vfs is None:
        with suppress(OSError):
            os.close(os.open(target.path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def connect(target: Target) -> Connection:
    """A new connection with the project's settings; it creates the file where it may.

    Where another file took the place of the one that was opened, while this waited for its lock (it
    was repaired, or given another key), that one is opened.
    """
    while True:
        connection = _opened(target)
        try:
            _set_up(connection, target)
        except apsw.Error:
            moved = has_moved(connection)
            connection.close()
            if not moved:
                raise
            continue
        except UnreadableFileError:
            connection.close()
            raise
        # A file with a log is locked from here on, so that nothing takes its place any more.
        if not has_moved(connection):
            return connection
        connection.close()


def _opened(target: Target) -> Connection:
    # One thread at a time uses a connection (`Connections`): SQLite need not lock every call.
    flags = (
        apsw.SQLITE_OPEN_URI
        | apsw.SQLITE_OPEN_NOMUTEX
        | (
            apsw.SQLITE_OPEN_READONLY
            if target.read_only
            else apsw.SQLITE_OPEN_READWRITE | (apsw.SQLITE_OPEN_CREATE if target.creates else 0)
        )
    )
    name = Path(target.path).absolute().as_uri()
    if target.immutable:
        name += "?immutable=1"
    # The code of an encrypted page is a checksum already.
    vfs = target.vfs or (summing.layer() if target.key is None else None)
    return Connection(name, flags, vfs, _STATEMENTS)


def _set_up(connection: apsw.Connection, target: Target) -> None:
    connection.set_busy_timeout(int(target.busy_seconds * 1000))
    if target.key is not None:
        ciphering.unlock(connection, target.path, target.key, target.vfs)
    for pragma in PRAGMAS:
        connection.execute(pragma)
    connection.config(apsw.SQLITE_DBCONFIG_DEFENSIVE, 1)
    # Without this nearly every statement is prepared anew whenever other values are bound, in
    # case a partial index fits these (sqlite3_reprepare): ten times as long as it runs.
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    if not target.read_only and summing.are_there(connection):
        _check_layer(connection, target)


def _check_layer(connection: apsw.Connection, target: Target) -> None:
    """What is written without the layer keeps the checksum that its page had before."""
    if not summing.is_layered(connection):
        raise UnreadableFileError(path=target.path, problem=_UNLAYERED)


def has_moved(connection: apsw.Connection) -> bool:
    """Whether the file that was opened is no longer the one of that name."""
    told = ctypes.c_int()
    connection.file_control("main", apsw.SQLITE_FCNTL_HAS_MOVED, ctypes.addressof(told))
    return bool(told.value)


class _Seat(Struct, eq=False, dict=True, weakref=True):
    """One thread's connection; the lock is held while it is in use."""

    lock: threading.RLock = field(default_factory=threading.RLock)
    connection: Connection | None = None
    users: int = 0
    is_spoiled: bool = False

    def leave(self) -> None:
        if self.connection is not None:
            with suppress(apsw.Error):
                self.connection.close()
            self.connection = None
        self.is_spoiled = False

    @contextmanager
    def taken(self, open_: Callable[[], Connection]) -> Iterator[Connection]:
        """The connection, opened when needed, and given up once nobody is left in it if the disk
        or the memory failed under it."""
        self.users += 1
        try:
            if self.connection is None:
                self.connection = open_()
            yield self.connection
        except _SPOILING:
            self.is_spoiled = True
            raise
        finally:
            self.users -= 1
            if self.is_spoiled and not self.users:
                self.leave()


class Connections:
    """The connections of one store."""

    def __init__(self, target: Target, prepare: Callable[[apsw.Connection], None]) -> None:
        self.target = target
        self._prepare = prepare
        self._local = threading.local()
        self._seats: weakref.WeakSet[_Seat] = weakref.WeakSet()
        self._closed = False
        _open_pools.add(self)
        _watch_forks()

    @contextmanager
    def use(self) -> Iterator[Connection]:
        """This thread's connection, opened when needed."""
        seat = self._seat()
        with seat.lock:
            if self._closed:
                raise StoreClosedError(path=self.target.path)
            with seat.taken(self._opened) as connection:
                yield connection

    def close(self) -> None:
        """Close every connection; later uses raise StoreClosedError."""
        self._closed = True
        self.leave_all()

    def leave_all(self) -> None:
        """Close every connection once its thread has finished with it; the next use reopens."""
        for seat in list(self._seats):
            with seat.lock:
                seat.leave()
        self._leave_log()

    def freeze(self) -> None:
        """Wait for every thread, close its connection and keep it out until `thaw`."""
        for seat in list(self._seats):
            seat.lock.acquire()
            seat.leave()
        self._leave_log()

    def thaw(self) -> None:
        """Let the threads in again after `freeze`."""
        for seat in list(self._seats):
            with suppress(RuntimeError):
                seat.lock.release()

    def _opened(self) -> Connection:
        if self._has_sums:
            logs.settle(self.target.path)
        connection = self._connected()
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        self.keep_log(connection)
        return connection

    def _connected(self) -> Connection:
        """A new connection. A file that was open once is not made again where it was moved away:
        an empty one would stand in its place."""
        try:
            connection = connect(self.target)
        except apsw.CantOpenError:
            if self.target.creates or Path(self.target.path).exists():
                raise
            raise UnreadableFileError(path=self.target.path, problem=MOVED) from None
        self.target = replace(self.target, creates=False)
        return connection

    def keep_log(self, connection: apsw.Connection) -> None:
        """Let the log say later what was written, should another program take it away."""
        if self._has_sums and summing.are_there(connection):
            logs.keep(self.target.path)

    def _leave_log(self) -> None:
        if self._has_sums:
            logs.leave(self.target.path)

    @property
    def _has_sums(self) -> bool:
        """Whether what is written here may have checksums of its pages."""
        one = self.target
        return not one.read_only and one.key is None and one.vfs is None

    def _seat(self) -> _Seat:
        seat: _Seat | None = getattr(self._local, "seat", None)
        if seat is None:
            seat = self._local.seat = _Seat()
            self._seats.add(seat)
        return seat


def _watch_forks() -> None:
    # SQLite keeps its locks per process: a connection that crosses a fork, even unused, would make
    # the child believe in locks that only the parent holds.
    if not _watching_forks.is_set() and hasattr(os, "register_at_fork"):
        _watching_forks.set()
        os.register_at_fork(before=_freeze, after_in_parent=_thaw, after_in_child=_thaw)


def _freeze() -> None:
    for pool in list(_open_pools):
        pool.freeze()


def _thaw() -> None:
    for pool in list(_open_pools):
        pool.thaw()
