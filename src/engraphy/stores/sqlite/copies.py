"""Copies of an older file, which stand beside the store that was upgraded from it.

There is one for each state the older file was in when an upgrade began to replace it. An upgrade
that is killed in that moment leaves its copy, and the next one makes another of the same.
"""

from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

import apsw

from engraphy.stores.relational.sql import first
from engraphy.stores.sqlite.connection import Target, connect

BESIDE = ("", "-journal", "-wal", "-shm")
"""What a copy that is being made consists of."""
_BLOCK = 1 << 20
_HEADER = 100
_MARKS = (slice(18, 20), slice(24, 28), slice(92, 100))
"""Bytes of a header that hold nothing of what is stored: journal mode, counter of changes, version
(SQLite's documentation of its file format)."""


def numbered(kept: Path) -> Iterator[Path]:
    """`kept`, and the copies beside it of other upgrades."""
    number, found = 1, kept
    while found.exists():
        yield found
        number += 1
        found = kept.with_name(f"{kept.name}.{number}")


def free(kept: Path) -> Path:
    """The first name that `numbered` does not come to."""
    count = sum(1 for _ in numbered(kept))
    return kept.with_name(f"{kept.name}.{count + 1}") if count else kept


def are_several(kept: Path) -> bool:
    """Whether more than one copy is kept: a look at one name."""
    return kept.with_name(f"{kept.name}.2").exists()


def tidy(kept: Path) -> None:
    """Of copies that hold the same keep the first, and let go what holds nothing; the others take
    the names that are free then. The caller holds the side lock."""
    staying: list[Path] = []
    for copy in list(numbered(kept)):
        if _holds_nothing(copy) or any(_same(copy, one) for one in staying):
            remove(copy)
        else:
            staying.append(copy)
    _close_up(kept, staying)


def remove(copy: Path) -> None:
    """Remove a copy, and what SQLite put beside it."""
    for suffix in BESIDE:
        Path(f"{copy}{suffix}").unlink(missing_ok=True)


def _close_up(kept: Path, staying: Sequence[Path]) -> None:
    for number, copy in enumerate(staying, start=1):
        name = kept.name if number == 1 else f"{kept.name}.{number}"
        if copy.name != name:
            copy.rename(kept.with_name(name))


def _holds_nothing(copy: Path) -> bool:
    """Whether its making was cut short: SQLite takes back what it had of it."""
    if copy.stat().st_size and not Path(f"{copy}-journal").exists():
        return False
    try:
        with closing(connect(Target(path=str(copy)))) as connection:
            (tables,) = first(connection, "SELECT count(*) FROM sqlite_schema")
    except apsw.Error:
        return False
    return not int(tables)


def _same(one: Path, other: Path) -> bool:
    size = one.stat().st_size
    if size != other.stat().st_size or size < _HEADER:
        return False
    return all(
        a == b for a, b in zip(_blocks(one, size), _blocks(other, size), strict=True)
    )  # fmt: skip


def _blocks(copy: Path, size: int) -> Iterator[bytes]:
    # Through SQLite's file layer: closing a plain file would drop the locks of who has it open.
    flags = apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY
    file = apsw.VFSFile("", str(copy.absolute()), [flags, 0])
    try:
        header = bytearray(file.xRead(_HEADER, 0))
        for mark in _MARKS:
            header[mark] = bytes(mark.stop - mark.start)
        yield bytes(header)
        for start in range(_HEADER, size, _BLOCK):
            yield file.xRead(min(_BLOCK, size - start), start)
    finally:
        file.xClose()
