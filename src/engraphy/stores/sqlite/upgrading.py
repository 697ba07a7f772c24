"""A database of another program (documents 000, 001 and 003) becomes a store.

The new store is made whole in a file of its own; then it takes the old one's place in one
transaction of SQLite, so that there is never half of either. The old file stays beside it, as one
copy: what earlier upgrades left that were killed goes.
"""

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw

from engraphy.errors import ForeignFileError, StoreBusyError, StoreCorruptError
from engraphy.model.scope import Tenant
from engraphy.ports import Clock
from engraphy.stores import ciphering
from engraphy.stores.locks import LOCK_SUFFIX, SideLock, followed
from engraphy.stores.relational import journal
from engraphy.stores.relational.sql import every, first
from engraphy.stores.sqlite import copies, keeping, letsgo_rows, migrations
from engraphy.stores.sqlite.connection import Target, connect
from engraphy.stores.sqlite.dialects import DIALECTS, Dialect, dialect
from engraphy.stores.sqlite.failures import translated
from engraphy.stores.sqlite.opening import open_file
from engraphy.stores.sqlite.store import BUSY_SECONDS, SqliteStore
from engraphy.stores.sqlite.text import TextSearch

_BUILT_SUFFIX = ".upgrading"
_COPIED_SUFFIX = ".partial"
_LEFT_OVER = ("", "-wal", "-shm", LOCK_SUFFIX)
_BATCH = 200
_INDEX = "memories_fts"


def upgrade(
    path: str,
    *,
    tenant: Tenant,
    clock: Clock,
    read_only: bool = False,
    seconds: float = BUSY_SECONDS,
    key: ciphering.Key | None = None,
) -> None:
    """Where a database of LetsGo or Lynkr lies at `path`, make it a store of ours with every
    memory, fact and journal line in it, as the rows of `tenant`; the old file stays beside it, as
    `path` and the program's name.

    Anything else at `path` is left alone. Raises ForeignFileError where it may only be read,
    StoreBusyError where somebody else writes it, EncryptionError where file and `key` do not fit,
    and the errors of opening a file.
    """
    path = followed(path)
    target = Target(path=path, busy_seconds=seconds)
    with translated(path, seconds=seconds):
        ciphering.check_header(path, ciphering.header(path), key)
        if key is not None:
            # No database of theirs is encrypted.
            return
        if not read_only:
            _settle(target)
        found = _lies_at(target)
        if found is None:
            if not read_only:
                _tidy(target)
            return
        if read_only:
            problem = f"it is a {found.title} database, upgraded when it is opened for writing"
            raise ForeignFileError(path=path, problem=problem)
        _check_encoding(target, found)
        with SideLock(path + LOCK_SUFFIX, path).held(seconds):
            # Another process may have made it a store while we waited.
            if (found := _lies_at(target)) is not None:
                _replace(target, found, tenant, clock())
        _tidy(target)


def _settle(target: Target) -> None:
    """Where an upgrade was killed while it replaced the file, SQLite takes back what it had of it:
    until then the file may begin as a store of ours does, and go on as what it was."""
    path = Path(target.path)
    kept = any(Path(target.path + one.kept).exists() for one in DIALECTS)
    if kept and path.exists() and Path(f"{path}-journal").exists():
        with (
            SideLock(target.path + LOCK_SUFFIX, target.path).held(target.busy_seconds),
            closing(connect(target)) as connection,
        ):
            first(connection, "SELECT count(*) FROM sqlite_schema")


def _tidy(target: Target) -> None:
    """One copy of each older file is enough. A store that cannot be written stays as it is."""
    for one in DIALECTS:
        kept = Path(target.path + one.kept)
        if copies.are_several(kept) and os.access(kept.parent, os.W_OK):
            lock = SideLock(target.path + LOCK_SUFFIX, target.path)
            with lock.held(target.busy_seconds), suppress(OSError):
                copies.tidy(kept)


def _check_encoding(target: Target, found: Dialect) -> None:
    with closing(connect(Target(path=target.path, read_only=True))) as connection:
        (encoding,) = first(connection, "PRAGMA encoding")
    if encoding != "UTF-8":
        problem = f"it is a {found.title} database in {encoding}; only UTF-8 can be upgraded"
        raise ForeignFileError(path=target.path, problem=problem)


def _lies_at(target: Target) -> Dialect | None:
    if not migrations.is_unmarked(target):
        return None
    with closing(connect(Target(path=target.path, read_only=True))) as connection:
        return dialect(_columns(connection, "memories"), _columns(connection, _INDEX))


def _replace(target: Target, found: Dialect, tenant: Tenant, now: int) -> None:
    kept = copies.free(Path(target.path + found.kept))
    with (
        closing(connect(target)) as old,
        _building(target.path + _BUILT_SUFFIX, _mode(old)) as built,
        _copied(old, Path(target.path + found.kept + _COPIED_SUFFIX)) as copy,
    ):
        before = first(old, "PRAGMA data_version")
        _fill(built, old, found, tenant, now)
        with closing(connect(Target(path=built, read_only=True))) as made:
            _take(old)
            if first(old, "PRAGMA data_version") != before:
                raise StoreBusyError(path=target.path, seconds=0)
            # A log of the old file must not outlive it.
            old.execute("PRAGMA journal_mode = DELETE")
            with _keeping(copy, kept, target):
                keeping.restore(old, made)
        _give_back(old)
        old.execute("PRAGMA journal_mode = WAL")


def _take(old: apsw.Connection) -> None:
    """From here on nobody else writes the old file: what came now would be in neither."""
    old.execute("PRAGMA locking_mode = EXCLUSIVE")
    old.execute("BEGIN EXCLUSIVE")
    old.execute("COMMIT")


def _give_back(old: apsw.Connection) -> None:
    """Let others in again; the journal of an exclusive connection holds old pages, and goes."""
    old.execute("PRAGMA locking_mode = NORMAL")
    first(old, "SELECT count(*) FROM sqlite_schema")
    for mode in ("PERSIST", "DELETE"):
        old.execute(f"PRAGMA journal_mode = {mode}")


@contextmanager
def _copied(old: apsw.Connection, path: Path) -> Iterator[Path]:
    """A copy of the old file at `path`, which is gone afterwards where nobody keeps it; what a
    crash left there goes first."""
    copies.remove(path)
    try:
        keeping.backup(old, Target(path=str(path)))
        path.chmod(_mode(old))
        yield path
    finally:
        with suppress(OSError):
            copies.remove(path)


@contextmanager
def _keeping(copy: Path, kept: Path, target: Target) -> Iterator[None]:
    """The copy under the name it is kept by, unless the old file itself stays."""
    # SQLite syncs the folder for its journal before it overwrites a page of the old file.
    copy.rename(kept)
    try:
        yield
    except BaseException:
        if migrations.is_unmarked(target):
            kept.unlink()
        raise


def _mode(old: apsw.Connection) -> int:
    """Who may read the old file: nobody else may read a copy of it."""
    return Path(old.filename).stat().st_mode & 0o777


@contextmanager
def _building(path: str, mode: int) -> Iterator[str]:
    """A place for a file that is gone afterwards; what a crash left there goes first."""
    files = [Path(path + suffix) for suffix in _LEFT_OVER]
    try:
        for file in files:
            file.unlink(missing_ok=True)
        Path(path).touch(mode=mode)
        yield path
    finally:
        for file in files:
            with suppress(OSError):
                file.unlink(missing_ok=True)


def _fill(path: str, old: apsw.Connection, found: Dialect, tenant: Tenant, now: int) -> None:
    rows = _rows(old, "memories")
    made = found.memories(rows, tenant, now)
    held = {memory.id: memory for memory in made}
    triples = letsgo_rows.facts(_rows(old, "facts"), tenant, held, now)
    _tell(path, _rows(old, "memory_journal"), found.name, tenant, now)
    with closing(SqliteStore(path)) as store:
        wanted = letsgo_rows.changes([*made, *triples], found.name)
        for start in range(0, len(wanted), _BATCH):
            batch = wanted[start : start + _BATCH]
            store.apply(tenant, batch, now=now, actor=found.name)
        came = sum(count for _, count in store.scopes(tenant))
    if came != len(rows):
        problem = f"{came} of its {len(rows)} memories could be taken over"
        raise StoreCorruptError(path=old.filename, problem=problem)


def _tell(path: str, rows: list[letsgo_rows.Row], actor: str, tenant: Tenant, now: int) -> None:
    """The old journal, line by line, before the first line of our own."""
    opened = open_file(Target(path=path), TextSearch().prepare)
    with closing(opened) as access, access.writing(tenant) as connection:
        for at, line in letsgo_rows.lines(rows, now, actor):
            journal.Journal(connection, tenant, now=at, actor=actor).append(line)


def _columns(connection: apsw.Connection, table: str) -> list[str]:
    return [row[0] for row in every(connection, "SELECT name FROM pragma_table_info(?)", (table,))]


def _rows(connection: apsw.Connection, table: str) -> list[letsgo_rows.Row]:
    """The rows of a table by column, in the order they were written, each with an id of its own;
    none where there is none."""
    names = _columns(connection, table)
    if not names:
        return []
    found = every(connection, f"SELECT * FROM {table} ORDER BY rowid")
    return letsgo_rows.told_apart([dict(zip(names, row, strict=True)) for row in found])
