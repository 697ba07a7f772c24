"""Traces: what SQLite leaves of an erased text in the file although `secure_delete` is on.

When a page of a b-tree is split or joined with another, cells are copied, and where a cell stood
before stays as it was until new cells grow over it: in the gap between a page's cell pointers and
its cells. So what a forget erased is looked for in all these gaps, and where anything of it is
found the file is written anew (SQLite's file format, section 1.6; the VACUUM command).
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any

import apsw

from engraphy.stores.sqlite.journal import unpacked
from engraphy.stores.sqlite.sql import every, query

_TEXTS = frozenset(
    {"content", "title", "subtitle", "context", "category", "speaker", "tags", "concepts"}
    | {"entities", "files_read", "files_modified", "scope_globs", "metadata", "lesson", "name"}
    | {"steps", "trigger", "subject", "predicate", "object"}
)
SMALL, MIDDLE = 16 * 2**20, 256 * 2**20
"""Bytes of a file up to which single words, and up to which longer pieces, are looked for. A larger
one is not searched at every forget."""
_WORD, _PIECE, _CUT = 6, 14, 4
"""Characters of a word that is looked for, bytes of a piece, and what an index that stores words by
what they add to the word before may leave out of one."""
_MOST = 4_000
_INTERIOR, _LEAF = {2: 12, 5: 12}, {10: 8, 13: 8}
_HEADERS = _INTERIOR | _LEAF
"""Bytes of a page's header by the type of the page."""


class Traces:
    """What was erased in a transaction: texts, and random bytes that stood beside them."""

    def __init__(self) -> None:
        self._texts: set[str] = set()
        self._exact: set[bytes] = set()

    def erase(self, connection: apsw.Connection, key: str) -> None:
        """Erase what the journal holds under a key, and remember what that was."""
        for salt, payload in every(connection, query("texts_of_key"), {"key": key}):
            self._exact.add(bytes(salt))
            self._texts.update(_said(json.loads(unpacked(payload))))
        connection.execute(query("erase_texts"), {"key": key})

    def left(self, connection: apsw.Connection) -> bool:
        """Whether anything of it is still in a gap of the file."""
        size = connection.execute("PRAGMA page_size").get
        if not self._exact or size * connection.execute("PRAGMA page_count").get > MIDDLE:
            return False
        data = connection.serialize("main")
        gaps = b"\n".join(_gaps(data, size))
        pieces = self._words() if len(data) <= SMALL else self._pieces()
        return any(one in gaps for one in (*self._exact, *pieces))

    def _words(self) -> list[bytes]:
        words = {word for text in self._texts for word in text.split() if len(word) >= _WORD}
        cut = {word[_CUT:] for word in words if len(word) >= _WORD + _CUT}
        return [word.encode() for word in sorted(words | cut)[:_MOST]]

    def _pieces(self) -> list[bytes]:
        found: dict[bytes, None] = {}
        for text in self._texts:
            coded = text.encode()
            for start in range(0, len(coded) - _PIECE + 1, _PIECE // 2):
                found[coded[start : start + _PIECE]] = None
        return list(found)[:_MOST]


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


def _gaps(data: bytes, size: int) -> Iterator[bytes]:
    """What stands between the cell pointers and the cells of each page, where it is not zero."""
    for start in range(0, len(data), size):
        header = start + (100 if start == 0 else 0)
        length = _HEADERS.get(data[header])
        if length is None:
            continue
        cells = int.from_bytes(data[header + 3 : header + 5], "big")
        begin = int.from_bytes(data[header + 5 : header + 7], "big") or 65_536
        low, high = header + length + 2 * cells, start + min(begin, size)
        if low < high and data.count(0, low, high) != high - low:
            yield data[low:high]
