"""A file under another key: encrypted, decrypted, or with a new key, in place.

The new file is made whole beside the old one, checked and synced, and then takes its name in one
step: whenever it is killed, the old file or the new one is there, whole. What the old file's blocks
hold is overwritten before they are given back.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

import apsw

from engraphy.errors import StoreCorruptError, UnreadableFileError
from engraphy.stores import ciphering, summing
from engraphy.stores.locks import LOCK_SUFFIX, SideLock, followed
from engraphy.stores.relational.sql import every, first
from engraphy.stores.sqlite import logs, migrations, places
from engraphy.stores.sqlite.connection import Target, connect, owned
from engraphy.stores.sqlite.failures import from_sqlite, translated

FRESH_SUFFIX, OLD_SUFFIX = ".recoding", ".erasing"
_BESIDE = ("-journal", "-wal", "-shm", "")
_COUNTED = "SELECT count(*), total(length(name)) FROM sqlite_schema"


class Recoded(NamedTuple):
    """What was done: the file, with what it is encrypted now ("" for not at all), its bytes."""

    path: str
    cipher: str
    file_bytes: int


def recode(
    path: str, old: ciphering.Key | None, new: ciphering.Key | None, *, seconds: float = 10.0
) -> Recoded:
    """Give the store at `path`, which `old` opens, the key `new`; None for none.

    Nobody else may have it open. Raises the errors of opening, EncryptionError where file and key
    do not fit, StoreBusyError, StoreFullError; then the old file is there as it was.
    """
    path = followed(path)
    target = Target(path=path, key=old, busy_seconds=seconds)
    with translated(path, seconds=seconds), SideLock(path + LOCK_SUFFIX, path).held(seconds):
        clear_up(path)
        if not migrations.recognise(target):
            raise UnreadableFileError(path=path, problem="there is no store")
        with (
            _alone(target) as connection,
            _marked(path, new),
            _made(connection, target, new) as fresh,
        ):
            _take_its_place(connection, Path(path), fresh)
        if not Path(path + logs.LOG).exists():
            places.erase(Path(path + logs.KEPT))
        if new is None:
            ciphering.unmark(path)
    return Recoded(path, "" if new is None else ciphering.named(), Path(path).stat().st_size)


def has_left_over(path: str) -> bool:
    """Whether one that was killed left something: two looks at names."""
    return Path(path + FRESH_SUFFIX).exists() or Path(path + OLD_SUFFIX).exists()


def clear_up(path: str) -> None:
    """Erase what one that was killed left; the caller holds the side lock."""
    for suffix in _BESIDE:
        places.erase(Path(path + FRESH_SUFFIX + suffix))
    old = Path(path + OLD_SUFFIX)
    with suppress(OSError):
        if old.samefile(path):
            # It was killed before the new file took its place.
            old.unlink()
    places.erase(old)


@contextmanager
def fitting(source: apsw.Connection, target: Target) -> Iterator[str]:
    """A copy of `source`, which is in the clear, under the key of the store at `target`, or with
    checksums where that has some and `source` has none, to restore it from: pages of one kind only
    can be copied into another file."""
    place = Path(target.path + FRESH_SUFFIX)
    clear_up(target.path)
    try:
        _copy(source, place, target.key, target.busy_seconds)
        if target.key is None:
            _sum(place)
        yield str(place)
    finally:
        for suffix in _BESIDE:
            places.erase(Path(f"{place}{suffix}"))


@contextmanager
def _marked(path: str, new: ciphering.Key | None) -> Iterator[None]:
    """Say that the file is encrypted before it is, and not of one that stays in the clear."""
    was = new is None or ciphering.is_marked(path)
    if not was:
        ciphering.mark(path)
    try:
        yield
    finally:
        if not was and ciphering.header(path).startswith(ciphering.MAGIC):
            ciphering.unmark(path)


@contextmanager
def _alone(target: Target) -> Iterator[apsw.Connection]:
    """A connection that nobody else has one beside, and a file without a log; afterwards the file,
    where it still stands, has its log again. Raises apsw.BusyError."""
    with closing(connect(target)) as connection:
        every(connection, "PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("PRAGMA journal_mode = DELETE")
        connection.execute("BEGIN EXCLUSIVE")
        connection.execute("COMMIT")
        try:
            yield connection
        except BaseException:
            connection.execute("PRAGMA locking_mode = NORMAL")
            connection.execute("PRAGMA journal_mode = WAL")
            raise


@contextmanager
def _made(connection: apsw.Connection, target: Target, key: ciphering.Key | None) -> Iterator[Path]:
    """The whole file once more, under another key, checked and on the disk; gone afterwards where
    it took nobody's place."""
    place = Path(target.path + FRESH_SUFFIX)
    try:
        _copy(connection, place, key, target.busy_seconds)
        place.chmod(Path(target.path).stat().st_mode & 0o777)
        with closing(connect(Target(path=str(place), key=key))) as made:
            for (problem,) in made.execute("PRAGMA quick_check(1)"):
                if problem != "ok":
                    raise StoreCorruptError(path=target.path, problem=problem)
            if first(made, _COUNTED) != first(connection, _COUNTED):
                raise StoreCorruptError(path=target.path, problem="the copy is not whole")
            made.execute("PRAGMA journal_mode = WAL")
        places.synced(place)
        yield place
    finally:
        for suffix in _BESIDE:
            places.erase(Path(f"{place}{suffix}"))


def _copy(
    connection: apsw.Connection, place: Path, key: ciphering.Key | None, seconds: float
) -> None:
    owned(Target(path=str(place)))
    told = "" if key is None else ciphering.pragma(key, ciphering.fresh_salt())
    address = f"{place.absolute().as_uri()}?cipher={ciphering.CIPHER}&key={told}"
    try:
        connection.execute("VACUUM INTO ?", (address,))
    except apsw.Error as problem:
        # Its words may hold the address, and that holds the key.
        plain = type(problem)("the new file could not be written")
        raise from_sqlite(plain, str(place), seconds) from None


def _sum(place: Path) -> None:
    """Give a file in the clear, which nobody knows yet, its checksums."""
    with closing(connect(Target(path=str(place)))) as connection:
        if summing.is_layered(connection) and not summing.are_there(connection):
            summing.begin(connection)
            connection.execute("PRAGMA journal_mode = DELETE")
            # The first page first: from then on each that is written gets its checksum.
            connection.execute("PRAGMA cache_spill = OFF")
            connection.execute("VACUUM")


def _take_its_place(connection: apsw.Connection, path: Path, fresh: Path) -> None:
    old = Path(str(path) + OLD_SUFFIX)
    with suppress(OSError):
        os.link(path, old)
    if sys.platform == "win32":
        # No name of an open file can be given to another there.
        connection.close()
        fresh.replace(path)
    else:
        places.exchange(path, fresh)
    places.erase(old)
