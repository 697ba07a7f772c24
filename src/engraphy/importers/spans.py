"""The objects of one large JSON document, one at a time: never more in memory than one of them."""

import re
from collections.abc import Iterator
from typing import Any, IO

from engraphy.importers.notes import Notes
from engraphy.importers.reading import parsed

LONGEST_PART = 64 << 20
"""Bytes of one part."""
_CHUNK = 1 << 18
_IN_STRING = rb'(?:[^"\\]++|\\.)*+'
_SIGN = re.compile(
    rb'(?:[^"{}\[\]]++|"' + _IN_STRING + rb'")*+'
    rb'(?:([{\[])|([}\]])|"' + _IN_STRING + rb"(\\?)\Z|\Z)",
    re.DOTALL,
)
"""The next bracket outside of strings, one that opens or one that closes; or a string that goes on
behind the chunk, and whether its next sign is escaped. It fits anywhere: each byte is read once."""
_STRING_ENDS = re.compile(_IN_STRING + rb'("|\\?\Z)', re.DOTALL)


def parts(stream: IO[bytes], name: str, notes: Notes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of one large JSON array, or of JSON Lines, one at a time, numbered from 1."""
    for number, raw in enumerate(_spans(stream, name, notes), 1):
        if raw is None:
            notes.wrong(name, number, f"it is longer than {LONGEST_PART >> 20} MB")
            continue
        value = parsed(raw, name, number, notes)
        if isinstance(value, dict):
            yield number, value


def _spans(stream: IO[bytes], name: str, notes: Notes) -> Iterator[bytes | None]:
    """The bytes of each object; None for one that is too long. The objects of an array lie one
    deeper than those of lines."""
    scan = _Scan()
    while chunk := stream.read(_CHUNK):
        yield from scan.feed(chunk)
    if scan.depth:
        notes.wrong(name, scan.count + 1, "the file ends in the middle of it")


class _Scan:
    """Where objects begin and end, over chunks."""

    def __init__(self) -> None:
        self.depth = self.count = 0
        self._base: int | None = None
        self._held = bytearray()
        self._inside = self._dropped = self._text = self._escaped = False

    def feed(self, chunk: bytes) -> Iterator[bytes | None]:
        """The objects that end in this chunk."""
        kept = 0
        for found in _SIGN.finditer(chunk, self._out_of_text(chunk)):
            if found.lastindex == 1:
                if self._opens(found[1]):
                    kept = found.start(1)
            elif found.lastindex == 2:
                if self._closes():
                    yield self._take(chunk[kept : found.end()])
                    kept = found.end()
            elif found.lastindex == 3:
                self._text, self._escaped = True, bool(found[3])
        if self._inside:
            self._keep(chunk[kept:])

    def _out_of_text(self, chunk: bytes) -> int:
        """Where a string ends that began before this chunk."""
        if not self._text:
            return 0
        found = _STRING_ENDS.match(chunk, int(self._escaped))
        if found is None:
            return len(chunk)
        self._text, self._escaped = found[1] != b'"', found[1] == b"\\"
        return found.end()

    def _opens(self, sign: bytes) -> bool:
        """Whether an object begins here."""
        if self._inside:
            self.depth += 1
            return False
        if self._base is None:
            self._base = 1 if sign == b"[" else 0
        begins = self.depth == self._base and not (self._base and not self.depth)
        self.depth += 1
        if begins:
            self._inside = True
        return begins

    def _closes(self) -> bool:
        """Whether an object ends here."""
        self.depth = max(0, self.depth - 1)
        return self._inside and self.depth == self._base

    def _keep(self, piece: bytes) -> None:
        if not self._dropped and len(self._held) + len(piece) > LONGEST_PART:
            self._dropped = True
            self._held.clear()
        if not self._dropped:
            self._held += piece

    def _take(self, piece: bytes) -> bytes | None:
        if self._held or self._dropped or len(piece) > LONGEST_PART:
            self._keep(piece)
            piece = bytes(self._held)
        taken = None if self._dropped else piece
        self._held.clear()
        self._inside = self._dropped = False
        self.count += 1
        return taken
