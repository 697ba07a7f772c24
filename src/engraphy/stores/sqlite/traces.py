"""Traces: what SQLite leaves of an erased text in the file although `secure_delete` is on.

When a page of a b-tree is split or joined with another, cells are copied, and where a cell stood
before stays as it was until new cells grow over it: in the gap between a page's cell pointers and
its cells. So what a forget erased is looked for in all these gaps, and where anything of it is
found the file is written anew (SQLite's file format, section 1.6; the VACUUM command).
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, cast

import apsw

from engraphy.stores.relational.journal import unpacked
from engraphy.stores.relational.sql import Connection, every, query
from engraphy.stores.sqlite import words

_TEXTS = frozenset(
    {"content", "title", "subtitle", "context", "category", "speaker", "tags", "concepts"}
    | {"entities", "files_read", "files_modified", "scope_globs", "metadata", "lesson", "name"}
    | {"steps", "trigger", "subject", "predicate", "object"}
)
SMALL, AT_ONCE = 16 * 2**20, 256 * 2**20
"""Bytes of a file up to which single words are looked for, else longer pieces; and up to which it
may be looked at through the log, as one image in memory, while a reader needs the log."""
CHUNK = 16 * 2**20
"""Bytes of a file that are looked at in one go, a multiple of every page size."""
_FEW = 200
"""Pieces up to which each is looked for by itself."""
_WORD, _PIECE, _CUT = 6, 14, 4
"""Characters of a word that is looked for, bytes of a piece, and what an index that stores words by
what they add to the word before may leave out of one."""
_RUN = re.compile(rf"\w{{{_WORD},}}")
"""A word without what stands around it: of a path the index may leave the middle alone."""
_MOST_WORDS, _MOST_PIECES = 4_000, 200_000
"""Words and pieces that are looked for; where more was erased at once, it counts as found."""
_INTERIOR, _LEAF = {2: 12, 5: 12}, {10: 8, 13: 8}
_HEADERS = _INTERIOR | _LEAF
"""Bytes of a page's header by the type of the page."""


class Traces:
    """What was erased in a transaction: texts, and random bytes that stood beside them."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self.exact: set[bytes] = set()

    def __bool__(self) -> bool:
        return bool(self.exact)

    def erase(self, connection: Connection, key: str) -> None:
        """Erase what the journal holds under a key, and remember what that was."""
        for salt, payload in every(connection, query("texts_of_key"), {"key": key}):
            self.exact.add(bytes(salt))
            self.texts.update(_said(json.loads(unpacked(payload))))
        connection.execute(query("erase_texts"), {"key": key})

    def scrub(self, connection: Connection) -> None:
        """Take what was deleted out of the full-text index."""
        words.merge(cast("apsw.Connection", connection))

    def take(self, other: "Traces") -> None:
        """What another transaction erased is looked for as well."""
        self.texts |= other.texts
        self.exact |= other.exact

    def left(self, connection: apsw.Connection, *, emptied: bool) -> bool | None:
        """Whether anything of it is still in a gap of the file; `emptied`: all of it stands in the
        file, and nothing in its log. None where that has to be so first. True without a look
        where very much was erased at once."""
        if not self.exact:
            return False
        size = connection.execute("PRAGMA page_size").get
        whole = size * connection.execute("PRAGMA page_count").get
        if not emptied and whole > AT_ONCE:
            return None
        small = whole <= SMALL
        said = self._words() if small else self._pieces()
        if len(said) > (_MOST_WORDS if small else _MOST_PIECES):
            return True
        pieces = (*self.exact, *said)
        images = _chunks(connection, whole) if emptied else [connection.serialize("main")]
        wanted = _by_length(pieces) if not small and len(pieces) > _FEW else None
        for place, data in enumerate(images):
            gaps = b"\n".join(_gaps(data, size, first=place == 0))
            if any(one in gaps for one in pieces) if wanted is None else _holds(gaps, wanted):
                return True
        return False

    def _words(self) -> list[bytes]:
        split = {word for text in self.texts for word in text.split() if len(word) >= _WORD}
        words = {run for word in split for run in (_RUN.findall(word) or (word,))}
        cut = {word[_CUT:] for word in words if len(word) >= _WORD + _CUT}
        return [word.encode() for word in words | cut]

    def _pieces(self) -> list[bytes]:
        found: dict[bytes, None] = {}
        for text in self.texts:
            coded = text.encode()
            for start in range(0, len(coded) - _PIECE + 1, _PIECE // 2):
                found[coded[start : start + _PIECE]] = None
        return list(found)


def _said(told: Any) -> Iterator[str]:
    """The texts of a payload, those of its lists one by one."""
    if isinstance(told, list):
        for one in told:
            yield from _said(one)
    elif isinstance(told, dict):
        for key, value in told.items():
            if key in _TEXTS and isinstance(value, str):
                yield from _listed(value)
            else:
                yield from _said(value)


def _listed(text: str) -> Iterable[str]:
    if not text.startswith("["):
        return (text,)
    try:
        found = json.loads(text)
    except ValueError:
        return (text,)
    return (part for one in found for part in ([one] if isinstance(one, str) else map(str, one)))


def _chunks(connection: apsw.Connection, whole: int) -> Iterator[bytes]:
    """The file piece by piece, through SQLite's own handle of it: closing another one would drop
    the locks of this process."""
    for place in range(0, whole, CHUNK):
        size = min(CHUNK, whole - place)
        # A byte more: what is as long as a page can be is taken for one, and has no checksum.
        yield connection.read("main", 0, place, size + 1)[1][:size]


def _by_length(pieces: Iterable[bytes]) -> dict[int, frozenset[bytes]]:
    found: dict[int, set[bytes]] = {}
    for one in pieces:
        found.setdefault(len(one), set()).add(one)
    return {length: frozenset(ones) for length, ones in found.items()}


def _holds(gaps: bytes, wanted: dict[int, frozenset[bytes]]) -> bool:
    """Whether any of many pieces is there: each place is looked at once for each length."""
    return any(
        gaps[place : place + length] in ones
        for length, ones in wanted.items()
        for place in range(len(gaps) - length + 1)
    )


def _gaps(data: bytes, size: int, *, first: bool) -> Iterator[bytes]:
    """What stands between the cell pointers and the cells of each page, where it is not zero;
    `first`: these are the first pages of the file."""
    for start in range(0, len(data) - size + 1, size):
        header = start + (100 if first and start == 0 else 0)
        length = _HEADERS.get(data[header])
        if length is None:
            continue
        cells = int.from_bytes(data[header + 3 : header + 5], "big")
        begin = int.from_bytes(data[header + 5 : header + 7], "big") or 65_536
        low, high = header + length + 2 * cells, start + min(begin, size)
        if low < high and data.count(0, low, high) != high - low:
            yield data[low:high]
