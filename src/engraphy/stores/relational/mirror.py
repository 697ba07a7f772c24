"""The journal once more as lines of JSON without texts: written after each commit, never before it.

The table is what holds. A file that is missing is written anew, a torn last line is cut off, and
appending goes on behind the last whole line; a file that tells of another store is left alone.
"""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from engraphy.errors import EngraphyError, UnreadableFileError
from engraphy.model.undoing import Mirrored
from engraphy.stores.locks import SideLock
from engraphy.stores.relational.sql import Connection, first, query

_NAMES = (
    "seq", "at", "tenant", "op", "target_id", "actor", "reason", "payload_hash", "hash",
)  # fmt: skip
_PATIENCE = 2.0
"""Seconds to wait for another process that writes the same file."""
_STEP = 8_192
FOREIGN = "it does not continue this journal: look at it, then write it anew"


class Mirror:
    """The file a store keeps its journal in once more."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = SideLock(f"{path}.lock", str(path))

    def follow(self, connection: Connection) -> None:
        """Append what is missing. Nothing that goes wrong here fails a write: it is committed."""
        with suppress(OSError, EngraphyError, ValueError):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._lock.held(_PATIENCE), self._opened() as file:
                last, fits = _last(file, connection)
                if fits:
                    _append(file, connection, last)

    def rebuild(self, connection: Connection) -> Mirrored:
        """Write the whole file anew, whatever was there. Raises UnreadableFileError."""
        fresh = self._path.with_name(f"{self._path.name}.new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            with self._lock.held(_PATIENCE):
                with fresh.open("wb") as file:
                    _append(file, connection, 0)
                fresh.replace(self._path)
        except OSError as error:
            fresh.unlink(missing_ok=True)
            raise UnreadableFileError(path=str(self._path), problem=str(error)) from error
        return self.examined(connection)

    def examined(self, connection: Connection) -> Mirrored:
        """How far the file tells the journal: every line of it is compared."""
        path = str(self._path)
        if not self._path.exists():
            return Mirrored(path=path, lines=0, whole=False, problem="it is not there")
        count, problem = 0, ""
        try:
            with self._path.open("rb") as file:
                for line, told in zip(_lines(connection, 0), file, strict=False):
                    if told != line:
                        problem = f"line {count + 1} is not what the journal says"
                        break
                    count += 1
                else:
                    problem = "" if not file.read(1) else FOREIGN
        except OSError as error:
            raise UnreadableFileError(path=path, problem=str(error)) from error
        (total,) = first(connection, query("journal_length"))
        if not problem and count != total:
            problem = f"{total - count} lines are missing"
        return Mirrored(path=path, lines=count, whole=not problem, problem=problem)

    def _opened(self) -> BinaryIO:
        number = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        return os.fdopen(number, "r+b")


def _last(file: BinaryIO, connection: Connection) -> tuple[int, bool]:
    """The number of the last whole line, what is torn behind it cut off, and whether the journal
    says the same of it."""
    line = _whole_end(file)
    if not line:
        return 0, True
    told = json.loads(line)
    number = told.get("seq") if isinstance(told, dict) else None
    if not isinstance(number, int):
        return 0, False
    found = first(connection, query("line_of_number"), (number,))
    return number, found is not None and bytes(found[0]).hex() == told.get("hash")


def _whole_end(file: BinaryIO) -> bytes:
    """The last line that has an end; the file is left standing behind it."""
    place = end = file.seek(0, os.SEEK_END)
    held = b""
    while place and held.count(b"\n") < 2:
        step = min(_STEP, place)
        place -= step
        file.seek(place)
        held = file.read(step) + held
    whole = held[: held.rfind(b"\n") + 1]
    torn = len(held) - len(whole)
    if torn:
        file.truncate(end - torn)
    file.seek(0, os.SEEK_END)
    return whole.rstrip(b"\n").rpartition(b"\n")[2]


def _append(file: BinaryIO, connection: Connection, after: int) -> None:
    file.writelines(_lines(connection, after))


def _lines(connection: Connection, after: int) -> Iterator[bytes]:
    for row in connection.execute(query("mirrored_lines"), (after,)):
        yield _line(row)


def _line(row: Sequence[Any]) -> bytes:
    *told, payload, own = row
    values = dict(zip(_NAMES, (*told, bytes(payload).hex(), bytes(own).hex()), strict=True))
    return f"{json.dumps(values, ensure_ascii=False)}\n".encode()
