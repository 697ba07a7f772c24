"""The log of operations: JSON Lines, written behind the caller's back (D-53).

A line is queued, and a thread of its own writes it: a slow disk slows nobody, and a full one fails
nobody. What could not be written is counted, told by `check`, and said in the log itself once it
can be written again. Several processes may append to one file: every batch is one append to the
file that has the name at that moment.
"""

import atexit
import json
import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Condition, Thread
from weakref import WeakSet

from engraphy.model import Check
from engraphy.ports import Clock

_MOST_WAITING = 10_000
"""Lines; more than so many behind, and further ones are lost."""
_IDLE_SECONDS = 2.0
_CLOSING_SECONDS = 1.0
_STALE_LOCK_SECONDS = 10.0
_MOST_NAMES = 100_000
_SECOND = 1_000_000
_LAST_MOMENT = 253_402_300_799_000_000
"""The end of the year 9999."""
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0)
_OPEN: "WeakSet[JsonLines]" = WeakSet()

Line = tuple[int, str, dict[str, object]]


class JsonLines:
    """A file of JSON lines; `clock` stamps them, `rotate_bytes` is the size from which the file is
    set aside as `{name}-{date}.jsonl`, or `{name}-{date}.2.jsonl` and so on."""

    def __init__(self, path: Path, *, clock: Clock, rotate_bytes: int) -> None:
        self.path = path
        self._clock = clock
        self._rotate_bytes = rotate_bytes
        self._written = 0
        self._lost = 0
        self._untold = 0
        self._trouble = ""
        self._torn = False
        self._begin_empty()
        _OPEN.add(self)

    def _begin_empty(self) -> None:
        """Nothing waits and nobody writes: at the start, and in a process that was forked off."""
        self._waiting: list[Line] = []
        self._busy = False
        self._closed = False
        self._thread: Thread | None = None
        self._changed = Condition()

    def write(self, op: str, **fields: object) -> None:
        """Queue one line; returns at once, whatever becomes of it."""
        line = (self._clock(), op, fields)
        with self._changed:
            if self._closed or len(self._waiting) >= _MOST_WAITING or not self._running():
                self._lose(1, "too many lines wait" if self._waiting else "closed")
                return
            self._waiting.append(line)
            self._changed.notify_all()

    def _running(self) -> bool:
        if self._thread is None:
            thread = Thread(target=self._work, name="engraphy-ops-log", daemon=True)
            try:
                thread.start()
            except RuntimeError:
                return False
            self._thread = thread
        return True

    def _lose(self, lines: int, why: str) -> None:
        self._lost += lines
        self._untold += lines
        self._trouble = why

    def check(self) -> Check:
        """Whether the file can be appended to, and what became of this process's lines."""
        self._drained(_CLOSING_SECONDS)
        try:
            os.close(self._opened())
            trouble = self._trouble if self._untold else ""
        except (OSError, ValueError) as error:
            trouble = _why(error)
        told = f"{self.path}: {self._written} lines written, {self._lost} lost"
        return Check(
            name="ops log",
            ok=not trouble,
            detail=f"{told} ({trouble})" if trouble else told,
            advice="Make room, or choose another file: ENGRAPHY_OPS_LOG" if trouble else "",
        )

    def close(self) -> None:
        """Write what waits, for at most a second; what is left then is lost, and counted."""
        self._drained(_CLOSING_SECONDS)
        with self._changed:
            self._lost += len(self._waiting)
            self._waiting.clear()
            self._closed = True
            self._changed.notify_all()

    def forked(self) -> None:
        """In a child process: the parent's thread and what waited for it stayed there."""
        self._begin_empty()

    def _drained(self, seconds: float) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: not (self._waiting or self._busy), seconds)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._busy = False
                self._changed.notify_all()
                if not (self._waiting or self._closed):
                    self._changed.wait(_IDLE_SECONDS)
                if not self._waiting:
                    self._thread = None
                    return
                lines, self._waiting = self._waiting, []
                self._busy = True
            self._put(lines)

    def _put(self, lines: list[Line]) -> None:
        for batch in self._batches(_text(*line) for line in lines):
            told = [self._gap(lines[0][0])] if self._untold else []
            try:
                self._append([*told, *batch])
            except (OSError, ValueError) as error:
                self._lose(len(batch), _why(error))
            else:
                self._written += len(batch)
                self._untold = 0

    def _gap(self, at: int) -> bytes:
        """The line that says how many are missing before it."""
        fields = {"output": self._trouble, "success": False, "resultCount": self._untold}
        return _text(at, "ops_log.lost", fields)

    def _batches(self, lines: Iterable[bytes]) -> Iterator[list[bytes]]:
        """The lines in batches that fit into the file; it is set aside where the next one would
        not fit."""
        batch: list[bytes] = []
        room = self._room()
        for line in lines:
            if len(line) > room and batch:
                yield batch
                batch, room = [], self._room()
            if len(line) > room:
                self._set_aside(len(line))
                room = self._room()
            batch.append(line)
            room -= len(line)
        if batch:
            yield batch

    def _room(self) -> int:
        try:
            return self._rotate_bytes - self.path.stat().st_size
        except (OSError, ValueError):
            return self._rotate_bytes

    def _opened(self) -> int:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        return os.open(self.path, _FLAGS, 0o600)

    def _append(self, batch: list[bytes]) -> None:
        data = b"".join([b"\n" if self._torn else b"", *batch])
        file = self._opened()
        try:
            written = os.write(file, data)
        finally:
            os.close(file)
        self._torn = written < len(data)
        if self._torn:
            raise OSError(f"{len(data) - written} bytes found no room")

    def _set_aside(self, wanted: int) -> None:
        """Give the file the name of the day; never over another one, and never two at once."""
        lock, now = Path(f"{self.path}.lock"), self._clock() / _SECOND
        with suppress(OSError, ValueError), _alone(lock, now) as mine:
            if mine and self._room() < min(wanted, self._rotate_bytes):
                self._rename(_moment(self._clock()).date().isoformat())

    def _rename(self, day: str) -> None:
        for number in range(1, _MOST_NAMES):
            again = "" if number == 1 else f".{number}"
            target = self.path.with_name(f"{self.path.stem}-{day}{again}{self.path.suffix}")
            if not target.exists():
                self.path.rename(target)
                return


def _text(at: int, op: str, fields: dict[str, object]) -> bytes:
    stamp = _moment(at).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    row = {"ts": stamp, "op": op, **fields}
    return json.dumps(row, ensure_ascii=False, default=_kind).encode("utf-8", "replace") + b"\n"


def _moment(at: int) -> datetime:
    return datetime.fromtimestamp(min(max(at, 0), _LAST_MOMENT) / _SECOND, UTC)


def _kind(value: object) -> str:
    """What JSON cannot say is told by its kind alone."""
    return type(value).__name__


def _why(error: Exception) -> str:
    return (getattr(error, "strerror", None) or str(error) or type(error).__name__)[:160]


@contextmanager
def _alone(lock: Path, now: float) -> Iterator[bool]:
    """Whether nobody else sets the file aside just now; who died at it does not hold it for long
    (`now`: seconds since 1970)."""
    try:
        os.close(os.open(lock, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        if now - lock.stat().st_mtime > _STALE_LOCK_SECONDS:
            lock.unlink(missing_ok=True)
        yield False
        return
    try:
        yield True
    finally:
        lock.unlink(missing_ok=True)


def _close_all() -> None:
    for one in list(_OPEN):
        one.close()


def _forked() -> None:
    for one in list(_OPEN):
        one.forked()


atexit.register(_close_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)
