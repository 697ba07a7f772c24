"""What operators need: counts and sizes, backups, tidying up."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw
from msgspec.structs import replace

from engraphy.errors import InvalidInputError, StoreCorruptError
from engraphy.stores import summing
from engraphy.stores.relational.sql import every, first
from engraphy.stores.sqlite import places, rooms
from engraphy.stores.sqlite.connection import Target, connect, owned
from engraphy.stores.sqlite.failures import from_sqlite, from_system
from engraphy.stores.sqlite.sql import own

_GIVEN_BACK = 1_024
"""Pages, of 4 kB, that leave the file with each transaction that forgets."""
_MERGED, _MERGING = 64, 2
"""Pages of the full-text index that are merged at once; fewer changes mean that it is merged
(SQLite's documentation of FTS5, the merge command)."""
_SEGMENTS = 3
"""So many segments the full-text index may consist of after maintenance."""
_REWRITTEN = 200_000
"""Rows up to which an index is written anew in one transaction."""
_COUNTED = 400
"""Rows of each index that are looked at for what plans are made by (SQLite, PRAGMA
analysis_limit): an instant at any size, and no samples, which would hold words."""
_LOG_PATIENCE = 250
"""Milliseconds to wait for readers of the log."""


def file_bytes(path: str) -> int:
    """Bytes of the database and its write-ahead log."""
    files = (Path(path), Path(path + "-wal"))
    return sum(file.stat().st_size for file in files if file.exists())


def backup(connection: apsw.Connection, target: Target) -> int:
    """A consistent, verified copy in a new file, of one moment; returns its bytes. The file has its
    name once it is whole: a copy that failed, or was killed, is never taken for a backup."""
    file = Path(target.path)
    _check_free(file)
    with _told_of(target.path), rooms.room(*_beside(file)) as room:
        draft = room / file.name
        _copy(connection, replace(target, path=str(draft)), target.path)
        _name(draft, file)
    return file.stat().st_size


def _check_free(file: Path) -> None:
    if os.path.lexists(file):
        got, allowed = f"the existing file {file}", "a path with no file yet"
        raise InvalidInputError(field="target", got=got, allowed=allowed)


@contextmanager
def _told_of(path: str) -> Iterator[None]:
    """What hinders writing is told of the file that was to be written, not of the store."""
    try:
        yield
    except (apsw.CantOpenError, apsw.FullError, apsw.ReadOnlyError) as problem:
        raise from_sqlite(problem, path, 0) from problem
    except OSError as problem:
        raise from_system(problem, path) from problem


def _beside(file: Path) -> tuple[str, Path]:
    return f"{file.name}.partial-", file.absolute().parent


def _copy(connection: apsw.Connection, draft: Target, path: str) -> None:
    owned(draft)
    copy = connect(draft)
    try:
        begin_like(copy, connection)
        # All pages in one step, which is one snapshot and hinders no writer: between two steps each
        # write of others begins the copy anew.
        with copy.backup("main", connection, "main") as copying:
            while not copying.done:
                copying.step(-1)
        _verify(copy, path)
        # One file, complete by itself.
        copy.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        copy.close()


def _name(draft: Path, file: Path) -> None:
    """Give a whole file its name, on the disk too; nothing that got it meanwhile is replaced."""
    try:
        os.link(draft, file)
    except OSError:
        # Taken meanwhile, or on a disk where no file has two names.
        _check_free(file)
        draft.rename(file)
    places.synced(file.absolute().parent)


def begin_like(copy: apsw.Connection, source: apsw.Connection) -> None:
    """Write the first page of a new file, so that what is copied into it has checksums from the
    first page on, if the source's pages have: those of its log have none yet."""
    if summing.are_there(source):
        summing.begin(copy)
        copy.execute("PRAGMA user_version = 0")


def _verify(copy: apsw.Connection, path: str) -> None:
    for (problem,) in [(summing.is_cut(copy) or "ok",), *copy.execute("PRAGMA quick_check(1)")]:
        if problem != "ok":
            raise StoreCorruptError(path=path, problem=problem)


def restore(connection: apsw.Connection, source: apsw.Connection) -> None:
    """Replace everything by a verified source in one transaction; the caller holds the side
    lock."""
    _verify(source, source.filename)
    # What is replaced need not be whole: its pages are looked at before they are written.
    connection.execute("PRAGMA checksum_verification = OFF")
    try:
        # All pages in one step: one transaction of the target, so that there is nothing between.
        with connection.backup("main", source, "main") as copying:
            while not copying.done:
                copying.step(-1)
    finally:
        connection.execute("PRAGMA checksum_verification = ON")


def reorder(connection: apsw.Connection) -> None:
    """Write the index of hashes anew, where that takes an instant, and count what plans are made
    by; the caller holds the side lock. Counts only: no word of a memory stands in them."""
    (rows,) = first(connection, own("highest_row"))
    if rows <= _REWRITTEN:
        connection.execute(own("rewrite_hashes"))
    every(connection, f"PRAGMA analysis_limit = {_COUNTED}")
    connection.execute(own("count_anew"))


def gather(connection: apsw.Connection) -> None:
    """Begin to merge all segments of the full-text index into one, where there are more than a
    few: every term of a question is looked up in each of them."""
    (segments,) = first(connection, own("text_segments"))
    if segments > _SEGMENTS:
        connection.execute(own("merge_text_step"), {"pages": -_MERGED})


def merge_step(connection: apsw.Connection) -> bool:
    """Merge the full-text index by a few pages; whether that was the last of it."""
    before = connection.total_changes()
    connection.execute(own("merge_text_step"), {"pages": _MERGED})
    # The command itself counts as one change; more mean that it found something to merge.
    return connection.total_changes() - before < _MERGING


def free_step(connection: apsw.Connection) -> bool:
    """Give a few free pages back; whether none are left."""
    every(connection, f"PRAGMA incremental_vacuum({_GIVEN_BACK})")
    (left,) = first(connection, "PRAGMA freelist_count")
    return not left


def give_back(connection: apsw.Connection) -> bool:
    """Give free pages back, as many as it takes an instant to, and empty the log; False while a
    reader needs the log. The caller holds the side lock."""
    every(connection, f"PRAGMA incremental_vacuum({_GIVEN_BACK})")
    return truncate_log(connection)


def truncate_log(connection: apsw.Connection) -> bool:
    """Move the write-ahead log into the file and empty it; False while a reader needs it."""
    (patience,) = first(connection, "PRAGMA busy_timeout")
    # Writers stand in line behind us: a slow reader puts this off rather than them.
    connection.set_busy_timeout(min(patience, _LOG_PATIENCE))
    try:
        busy, _, _ = first(connection, "PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.set_busy_timeout(patience)
    return not busy
