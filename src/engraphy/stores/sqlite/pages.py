"""The pages of a database file as they stand, read without SQLite: what of a damaged file can still
be read, cell by cell.

The layout is SQLite's documented file format ("Database File Format"): b-tree pages (section 1.6),
records (2.1), the pointer map that every store of ours has (1.8); at the end of a page its checksum
(`sums`).
"""

from collections.abc import Iterable, Iterator
from struct import unpack_from
from typing import NamedTuple

from engraphy.stores.sqlite.frames import committed
from engraphy.stores.sqlite.sums import is_flipped, sum_anew, wrong_pages
from engraphy.stores.sqlite.varints import varint
from engraphy.stores.summing import RESERVED, has_sums

MAGIC = b"SQLite format 3\0"
TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR = 13, 5, 10, 2
_TREE = frozenset({TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR})
_ROOT, _FREE, _INNER = 1, 2, 5
_PAGE_SIZE = 4096
_SIZES = frozenset(1 << power for power in range(9, 16))
_ENTRY = 5
_HEADER = 100
_RESERVES, _DECRYPTED = 20, 32
"""Where a header has what each page keeps free; how much that is of a file that was encrypted."""
_DEEPEST = 64
_LEAST_CELL = 6
"""Bytes of the smallest cell with its pointer: SQLite reads no page that has more of them."""
_LOOKED_AT = 512
"""Pages that are wrong of which it is asked whether bits of them were flipped."""
_HELD = 16_384
"""Pages of a file of which what was read of each is kept: they are looked at several times."""

Value = int | float | str | bytes | None
"""What stands in a column."""


class Row(NamedTuple):
    """A record: the rowid of a row of a table (None in an index), its columns, and whether each
    page that it stands on is what was written, as far as pages have checksums."""

    rowid: int | None
    values: tuple[Value, ...]
    sound: bool = True


class BadCellError(Exception):
    """A cell that cannot be what was written."""


class Image:
    """A database as its file and its log together hold it; pages are counted from 1. It is held
    whole: a store that has to be repaired fits the memory."""

    def __init__(self, data: bytes, log: bytes = b"") -> None:
        self._data = bytearray(data)
        told = int.from_bytes(data[16:18])
        self.size = told if told in _SIZES else _PAGE_SIZE
        self._usable, self._logged = self.size, set[int]()
        self._bring_in(log)
        self.count = -(-len(self._data) // self.size)
        self.told = int.from_bytes(self._data[28:32])
        """How many pages it has by its own header."""
        self.doubtful = self._doubtful()
        """The pages that are not what their checksums say; none where the pages have none."""
        self.has_sums = self._usable == self.size - RESERVED
        self._read = dict[int, list[Row | BadCellError]]()

    def whole(self) -> bytes:
        """The bytes of the file as it would be with its log brought in."""
        return bytes(self._data)

    def summed(self) -> bytes:
        """The same with a checksum for each page as it stands."""
        data = bytearray(self._data)
        sum_anew(data, self.size, self.doubtful)
        return bytes(data)

    def flipped(self, numbers: Iterable[int] | None = None) -> list[int]:
        """Of these pages, or of all that are not what their checksums say, those of which one or
        two flipped bits explain it; it is asked of no more than some hundred."""
        asked = sorted(self.doubtful if numbers is None else numbers)[:_LOOKED_AT]
        return [number for number in asked if is_flipped(self.page(number))]

    def page(self, number: int) -> bytes:
        """A page, filled up with zeros where the file ends before it does."""
        begin = (number - 1) * self.size
        return bytes(self._data[begin : begin + self.size]).ljust(self.size, b"\0")

    def kind(self, number: int) -> int:
        """The kind of a page of a b-tree; 0 for any other page."""
        found = self.page(number)[_header(number)]
        return found if found in _TREE and not self._is_map(number) else 0

    def tree(self, root: int) -> set[int]:
        """The pages of a b-tree, as far as their pointers lead."""
        seen, todo = set[int](), [root]
        while todo:
            number = todo.pop()
            if number in seen or not 1 <= number <= self.count or not self.kind(number):
                continue
            seen.add(number)
            todo += self._children(number)
        return seen

    def mapped_root(self, number: int) -> int:
        """The root of the b-tree that a page belongs to by the pointer map; 0 where it tells none,
        -1 where the page is free."""
        for _ in range(_DEEPEST):
            kind, parent = self._mapped(number)
            if kind == _ROOT:
                return number
            if kind == _FREE:
                return -1
            if kind != _INNER or not 1 <= parent <= self.count:
                return 0
            number = parent
        return 0

    def is_tree(self, number: int) -> bool:
        """Whether the pointer map says that a page is one of a b-tree."""
        return self._mapped(number)[0] in {_ROOT, _INNER}

    def rows(self, number: int) -> Iterable[Row | BadCellError]:
        """The records of a page, each read by itself."""
        if self.count > _HELD:
            return self.read(number)
        if number not in self._read:
            self._read[number] = list(self.read(number))
        return self._read[number]

    def read(self, number: int) -> Iterator[Row | BadCellError]:
        """The same, one by one, read anew."""
        kind, page = self.kind(number), self.page(number)
        if kind in {0, TABLE_INTERIOR}:
            return
        for place in self._places(number, page):
            try:
                yield self._row(number, page, place)
            except (BadCellError, IndexError, ValueError, OverflowError) as problem:
                yield BadCellError(str(problem))

    def _doubtful(self) -> frozenset[int]:
        found = set(wrong_pages(self._data, self.size))
        blank = {n for n in range(1, self.count + 1) if n not in found and not any(self.page(n))}
        # The byte that says so may be what is damaged; no page has its checksum by chance.
        if not has_sums(bytes(self._data[:_HEADER])) and len(found) + len(blank) == self.count:
            self._usable -= _DECRYPTED if self._data[_RESERVES:][:1] == bytes([_DECRYPTED]) else 0
            return frozenset()
        self._usable -= RESERVED
        # In the log the log's own checksum stands for it.
        sum_anew(self._data, self.size, self._logged)
        cut = {self.count} if len(self._data) % self.size else set[int]()
        return frozenset(found - self._logged | cut)

    def _bring_in(self, log: bytes) -> None:
        """What the log holds up to the last transaction that was committed in it."""
        for frames, count in committed(log, self.size):
            self._take(log, frames, count)

    def _take(self, log: bytes, frames: list[tuple[int, int]], count: int) -> None:
        for number, body in frames:
            end = number * self.size
            self._data.extend(bytes(max(0, end - len(self._data))))
            self._data[end - self.size : end] = log[body : body + self.size]
            self._logged.add(number)
        del self._data[count * self.size :]
        self._logged = {number for number in self._logged if number <= count}

    def _is_map(self, number: int) -> bool:
        return number >= 2 and (number - 2) % (self._usable // _ENTRY + 1) == 0

    def _mapped(self, number: int) -> tuple[int, int]:
        span = self._usable // _ENTRY + 1
        chart = (number - 2) // span * span + 2
        if number <= 2 or chart == number:
            return 0, 0
        kind, parent = unpack_from(">BI", self.page(chart), (number - chart - 1) * _ENTRY)
        return kind, parent

    def _children(self, number: int) -> Iterator[int]:
        page, kind = self.page(number), self.kind(number)
        if kind not in {TABLE_INTERIOR, INDEX_INTERIOR}:
            return
        for place in self._places(number, page):
            yield int.from_bytes(page[place : place + 4])
        yield int.from_bytes(page[_header(number) + 8 : _header(number) + 12])

    def _places(self, number: int, page: bytes) -> Iterator[int]:
        """Where the cells of a page are, each once, and no more than a page has room for."""
        start = _header(number)
        cells = min(int.from_bytes(page[start + 3 : start + 5]), (self.size - 8) // _LEAST_CELL)
        begin = start + (12 if page[start] in {TABLE_INTERIOR, INDEX_INTERIOR} else 8)
        end = min(begin + 2 * cells, self.size - 1)
        places = (int.from_bytes(page[at : at + 2]) for at in range(begin, end, 2))
        return (one for one in dict.fromkeys(places) if begin < one < self.size)

    def _row(self, number: int, page: bytes, place: int) -> Row:
        kind, rowid = page[_header(number)], None
        at = place + (4 if kind == INDEX_INTERIOR else 0)
        length, at = varint(page, at)
        if kind == TABLE_LEAF:
            rowid, at = varint(page, at)
        payload, pages = self._payload(kind, page, at, length)
        return Row(rowid, _record(payload), self.doubtful.isdisjoint([number, *pages]))

    def _payload(self, kind: int, page: bytes, at: int, length: int) -> tuple[bytes, list[int]]:
        """The bytes of a record, and the further pages that they stand on."""
        if length > len(self._data):
            raise BadCellError("longer than the file")
        usable = self._usable
        whole = usable - 35 if kind == TABLE_LEAF else (usable - 12) * 64 // 255 - 23
        if length <= whole:
            return _exactly(page[at : at + length], length), []
        least = (usable - 12) * 32 // 255 - 23
        local = least + (length - least) % (usable - 4)
        local = local if local <= whole else least
        told, pages = bytearray(_exactly(page[at : at + local], local)), list[int]()
        following = int.from_bytes(_exactly(page[at + local : at + local + 4], 4))
        while len(told) < length:
            if not 2 <= following <= self.count:
                raise BadCellError("its overflow is lost")
            pages.append(following)
            more = self.page(following)
            told += more[4 : min(usable, 4 + length - len(told))]
            following = int.from_bytes(more[:4])
        return bytes(told), pages


def _header(number: int) -> int:
    return 100 if number == 1 else 0


def _exactly(data: bytes, length: int) -> bytes:
    if len(data) != length:
        raise BadCellError("it leads out of its page")
    return data


def _record(payload: bytes) -> tuple[Value, ...]:
    end, at = varint(payload, 0)
    kinds = list[int]()
    while at < end:
        kind, at = varint(payload, at)
        kinds.append(kind)
    if at != end:
        raise BadCellError("its header has another length")
    values = list[Value]()
    for kind in kinds:
        value, at = _value(payload, at, kind)
        values.append(value)
    if at != len(payload):
        raise BadCellError("its columns have another length")
    return tuple(values)


_LENGTHS = (0, 1, 2, 3, 4, 6, 8)
_DOUBLE = 7


def _value(payload: bytes, at: int, kind: int) -> tuple[Value, int]:
    if kind == 0:
        return None, at
    if kind in {8, 9}:
        return kind - 8, at
    if kind in {10, 11} or kind < 0:
        raise BadCellError("a column of no kind")
    length = 8 if kind == _DOUBLE else _LENGTHS[kind] if kind < _DOUBLE else (kind - 12) // 2
    data = _exactly(payload[at : at + length], length)
    if kind == _DOUBLE:
        [real] = unpack_from(">d", data)
        return real, at + length
    if kind < _DOUBLE:
        return int.from_bytes(data, signed=True), at + length
    return data.decode("utf-8") if kind % 2 else data, at + length
