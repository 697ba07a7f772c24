"""A database of another program (documents 000, 001 and 003) becomes a store.

The new store is made whole in a file of its own; then it takes the old one's place in one
transaction of SQLite, so that there is never half of either. The old file stays beside it.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import apsw

from engraphy.errors import ForeignFileError, StoreBusyError, StoreCorruptError
from engraphy.model.scope import Tenant
from engraphy.ports import Clock
from engraphy.stores.sqlite import journal, keeping, letsgo_rows, migrations
from engraphy.stores.sqlite.access import LOCK_SUFFIX
from engraphy.stores.sqlite.connection import Target, connect
from engraphy.stores.sqlite.dialects import Dialect, dialect
from engraphy.stores.sqlite.failures import translated
from engraphy.stores.sqlite.locks import SideLock
from engraphy.stores.sqlite.opening import open_file
from engraphy.stores.sqlite.sql import every, first
from engraphy.stores.sqlite.store import BUSY_SECONDS, SqliteStore
from engraphy.stores.sqlite.text import TextSearch

_BUILT_SUFFIX = ".upgrading"
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
) -> None:
    """Where a database of LetsGo or Lynkr lies at `path`, make it a store of ours with every
    memory, fact and journal line in it, as the rows of `tenant`; the old file stays beside it, as
    `path` and the program's name.

    Anything else at `path` is left alone. Raises ForeignFileError where it may only be read,
    StoreBusyError where somebody else writes it, and the errors of opening a file.
    """
    target = Target(path=path, busy_seconds=seconds)
    with translated(path, seconds=seconds):
        found = _lies_at(target)
        if found is None:
            return
        if read_only:
            problem = f"it is a {found.title} database, upgraded when it is opened for writing"
            raise ForeignFileError(path=path, problem=problem)
        _check_encoding(target, found)
        with SideLock(path + LOCK_SUFFIX, path).held(seconds):
            # Another process may have made it a store while we waited.
            if (found := _lies_at(target)) is not None:
                _replace(target, found, tenant, clock())


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
    kept = _free(target.path + found.kept)
    with (
        closing(connect(target)) as old,
        _building(target.path + _BUILT_SUFFIX, _mode(old)) as built,
        _keeping(old, kept, target),
    ):
        before = first(old, "PRAGMA data_version")
        _fill(built, old, found, tenant, now)
        with closing(connect(Target(path=built, read_only=True))) as made:
            _take(old)
            if first(old, "PRAGMA data_version") != before:
                raise StoreBusyError(path=target.path, seconds=0)
            # A log of the old file must not outlive it.
            old.execute("PRAGMA journal_mode = DELETE")
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
def _keeping(old: apsw.Connection, path: str, target: Target) -> Iterator[None]:
    """A copy of the old file at `path`, which stays unless the old file itself does."""
    keeping.backup(old, Target(path=path))
    Path(path).chmod(_mode(old))
    try:
        yield
    except BaseException:
        if migrations.is_unmarked(target):
            Path(path).unlink()
        raise


def _mode(old: apsw.Connection) -> int:
    """Who may read the old file: nobody else may read a copy of it."""
    return Path(old.filename).stat().st_mode & 0o777


def _free(path: str) -> str:
    """`path`, or the first of `path`.2, `path`.3 ... where there is a file already."""
    number, found = 1, path
    while Path(found).exists():
        number += 1
        found = f"{path}.{number}"
    return found


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
    with closing(opened) as access, access.writing() as connection:
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
