"""Which memories of a damaged file are undamaged: a promise is due for those, and for no other."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from engraphy.stores.sqlite.pages import BadCellError, Image, Row

COLUMNS = 60
"""A record of so many columns is a memory."""
_WALLS, _LINE, _TEXTS = 6, 9, 4
"""Columns of a row of walls, of a line of the journal, of what that keeps."""
_HASH = 32
_INDEXED = frozenset({2, 3, 4, 5})
"""Columns of the indexes of memories that begin with the scope and end with the row."""
Files = Mapping[str, bytes]
Pages = frozenset[int]


class Stand(NamedTuple):
    """On which pages a memory stands; on which its walls do, in their table and in their index;
    and where else it is told behind which walls it is: in each index, and in the journal."""

    row: Pages
    walls: Pages
    index_of_walls: Pages
    indexes: tuple[Pages, ...]
    journal: Pages


class _Told(Image):
    """An image that tells which pages it was asked for."""

    asked: set[int]

    def page(self, number: int) -> bytes:
        self.asked.add(number)
        return super().page(number)


def image(files: Files) -> Image:
    """The pages of a store's files."""
    return Image(files[""], files.get("-wal", b""))


def stands(files: Files) -> dict[str, Stand]:
    """Where each memory of a whole store stands, by its id."""
    told = _Told.__new__(_Told)
    told.asked = set()
    Image.__init__(told, files[""], files.get("-wal", b""))
    found = _Found()
    for number in range(1, told.count + 1):
        told.asked = set()
        for row in told.read(number):
            if not isinstance(row, BadCellError):
                found.take(row, frozenset(told.asked | {number}))
            told.asked = set()
    return found.stands()


def due(stood: Mapping[str, Stand], whole: Image, files: Files) -> tuple[set[str], int]:
    """The memories whose pages are as they were, with those of something else that tells whose they
    are; and how many others there are whose own pages are."""
    after = image(files)
    same = {
        number
        for number in range(1, min(whole.count, after.count) + 1)
        if whole.page(number) == after.page(number)
    }
    kept = {name: one for name, one in stood.items() if one.row | one.walls <= same}
    spoken = {name for name, one in kept.items() if _is_spoken_for(one, same)}
    return spoken, len(kept) - len(spoken)


def _is_spoken_for(one: Stand, same: set[int]) -> bool:
    if one.journal <= same:
        return True
    return one.index_of_walls <= same and any(index <= same for index in one.indexes)


class _Found:
    """Records of a whole file, sorted by what they tell."""

    def __init__(self) -> None:
        self._memories = dict[str, tuple[int, object, Pages]]()
        self._walls = dict[object, Pages]()
        self._index_of_walls = dict[object, Pages]()
        self._indexes = defaultdict[tuple[object, object], list[Pages]](list)
        self._lines = dict[object, tuple[int, Pages]]()
        self._texts = dict[int | None, Pages]()

    def take(self, row: Row, pages: Pages) -> None:
        """One record, and the pages that it was read from."""
        values, count = row.values, len(row.values)
        if row.rowid is None:
            if count == _WALLS and isinstance(values[-1], int):
                self._index_of_walls[values[-1]] = pages
            elif count in _INDEXED and isinstance(values[0], int):
                self._indexes[values[0], values[-1]].append(pages)
        elif count > COLUMNS:
            self._memories[str(values[1])] = (row.rowid, values[2], pages)
        elif count == _WALLS and values[0] is None and isinstance(values[1], str):
            self._walls[row.rowid] = pages
        elif count == _LINE and _is_hash(values[-1]):
            self._lines.setdefault(values[4], (row.rowid, pages))
        elif count == _TEXTS and isinstance(values[-1], bytes):
            self._texts[row.rowid] = pages

    def stands(self) -> dict[str, Stand]:
        """What was found, by memory."""
        made = dict[str, Stand]()
        for name, (number, scope, pages) in self._memories.items():
            line, told = self._lines.get(name, (0, frozenset({0})))
            made[name] = Stand(
                pages,
                self._walls.get(scope, frozenset({0})),
                self._index_of_walls.get(scope, frozenset({0})),
                tuple(self._indexes[scope, number]),
                told | self._texts.get(line, frozenset({0})),
            )
        return made


def _is_hash(value: object) -> bool:
    return isinstance(value, bytes) and len(value) == _HASH
