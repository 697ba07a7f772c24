"""The vectors of a scope in memory: sign bits word after word, and codes where there are few.

Numpy; imported by `vectors` only. A scope is loaded in one sweep and then follows the file by the
numbers of its vectors, which only grow.
"""

import threading
from collections import OrderedDict
from typing import Any

import numpy as np
from msgspec import field
from msgspec.structs import replace
from numpy.typing import NDArray

from engraphy.record import Record
from engraphy.stores.relational.coding import Numbers, decoded, signs_of
from engraphy.stores.relational.damage import decoding
from engraphy.stores.relational.embedding import Model
from engraphy.stores.relational.scoring import Distances, Floats, angles, cosines, differing
from engraphy.stores.relational.sql import Connection, every, first, once, query
from engraphy.stores.relational.turning import BITS, middle, turned, turned_query

EXACT = 2_000
"""Scopes with at most so many vectors keep their codes and are scored exactly."""
CODED = 393_216
"""Scopes with at most so many vectors keep their codes once they are asked a second time: a single
question should not wait for them."""
SCANNED = 32_768
"""Scopes with at most so many vectors, once their codes are here, are searched by those alone: of
the nearest ten among 26,150 texts of words drawn by chance the signs find three."""
_LOADED = 16_384
KEPT_BYTES = 256 * 2**20
_AT_ONCE = 64
"""So many scopes may be loaded at once."""
_WORD = 64

_Key = tuple[int, int, int]
_Bytes = NDArray[np.uint8]


def _no_words() -> NDArray[np.uint64]:
    return np.empty((BITS // _WORD, 0), dtype=np.uint64)


class Segment(Record, frozen=True):
    """The vectors of one scope and model: `size` of them, in the order of their numbers."""

    numbers: Numbers
    words: NDArray[np.uint64]
    """Word-major: (words per vector, capacity)."""
    codes: NDArray[np.int8]
    """(capacity, dim), or no rows where there are too many to keep."""
    norms: Floats
    seqs: Numbers
    """Whose each vector is; as long as `codes`."""
    is_ordered: bool
    """Whether `seqs` never fall."""
    size: int
    coded: int
    """How many of them, from the first on, have their codes here."""
    removed: int
    """How many vectors the scope had lost when this was loaded."""
    behind: int = 0
    """How many it has lost since."""
    centre: Floats | None = None
    """The middle of the vectors that had their codes first, where there are many."""
    turned: NDArray[np.uint64] = field(default_factory=_no_words)
    """Word-major signs of those that have their codes, turned about the middle."""
    turned_size: int = 0
    """How many of them there are."""

    @property
    def last(self) -> int:
        """The highest number."""
        return int(self.numbers[self.size - 1]) if self.size else 0

    @property
    def bytes(self) -> int:
        """Memory held."""
        held = (self.numbers, self.words, self.codes, self.norms, self.seqs, self.turned)
        return sum(array.nbytes for array in held)

    @property
    def is_exact(self) -> bool:
        """Whether every vector is scored."""
        return self.size <= EXACT

    @property
    def is_coded(self) -> bool:
        """Whether the codes are here, and all of them still stand in the file."""
        return not self.behind and 0 < self.size == self.coded

    def scores(self, asked: Floats, places: Numbers | None = None) -> Floats:
        """The cosine of every vector, or of those at `places`; their codes must be here."""
        if places is None:
            return cosines(self.codes[: self.size], self.norms[: self.size], asked)
        # By `take`, which copies rows in half the time of an index.
        return cosines(self.codes.take(places, axis=0), self.norms.take(places), asked)

    def places(self, seqs: Numbers) -> tuple[Numbers, Numbers]:
        """Places in `seqs` and, beside each, the place of one vector of that memory."""
        known = self.seqs[: self.size]
        order = None if self.is_ordered else np.argsort(known, kind="stable")
        ordered = known if order is None else known[order]
        begin, end = (np.searchsorted(ordered, seqs, side=side) for side in ("left", "right"))
        lengths = end - begin
        asked = np.repeat(np.arange(len(seqs)), lengths)
        within = np.arange(len(asked)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        found = np.repeat(begin, lengths) + within
        return asked, found if order is None else order[found]

    @property
    def is_turned(self) -> bool:
        """Whether distances are those of signs turned about the middle."""
        return 0 < self.size == self.turned_size

    @property
    def bits(self) -> int:
        """The farthest that two vectors can be from each other."""
        return _WORD * len(self.turned if self.is_turned else self.words)

    def distances(self, asked: Floats) -> Distances:
        """Hamming distance of every vector's signs to those of `asked`; of not too many whose codes
        are here what their angles make of it, so that nothing near is missed."""
        if self.is_coded and self.size <= SCANNED:
            return angles(self.scores(asked), self.bits)
        held, signs = self.words, signs_of(asked[np.newaxis]).view(np.uint64)[0]
        if self.is_turned and self.centre is not None:
            held, signs = self.turned, turned_query(asked, self.centre)
        return differing(held[:, : self.size], signs)


class Segments:
    """The segments that one store keeps in memory, the least used dropped first."""

    def __init__(self) -> None:
        self._kept: OrderedDict[_Key, Segment] = OrderedDict()
        self._bytes = 0
        self._keeping = threading.Lock()
        # A scope that is being loaded lets the others be searched.
        self._loading = tuple(threading.Lock() for _ in range(_AT_ONCE))

    def of(self, connection: Connection, scope_id: int, model: Model) -> Segment:
        """The segment of a scope as the file has it now."""
        # A restored file counts its vectors anew; its schema counter tells.
        ((generation,),) = once(connection, query("generation"), {})
        key = (generation, scope_id, model.id)
        bound = {"scope": scope_id, "model": model.id}
        found = once(connection, query("removed_vectors"), bound)
        removed = int(found[0][0]) if found else 0
        with self._loading[hash(key) % _AT_ONCE]:
            known = self._kept.get(key)
            segment = known
            if segment is None or not 0 <= removed - segment.removed <= _patience(segment):
                segment = empty(model.dim, removed)
            segment = _refreshed(connection, segment, bound)
            if segment.behind != removed - segment.removed:
                segment = replace(segment, behind=removed - segment.removed)
            # Of what the file has lost there are no codes to stand beside the numbers.
            if segment.size <= (EXACT if known is None else CODED) and (
                segment.coded or not segment.behind
            ):
                segment = _with_turned(_with_codes(connection, segment, bound))
            self._keep(key, segment)
        return segment

    def _keep(self, key: _Key, segment: Segment) -> None:
        with self._keeping:
            before = self._kept.pop(key, None)
            self._kept[key] = segment
            self._bytes += segment.bytes - (0 if before is None else before.bytes)
            while self._bytes > KEPT_BYTES and len(self._kept) > 1:
                _, dropped = self._kept.popitem(last=False)
                self._bytes -= dropped.bytes


def _patience(segment: Segment) -> int:
    """How many vectors a segment may hold that the file has lost."""
    return 0 if segment.is_exact else 32 + segment.size // 32


def empty(dim: int, removed: int) -> Segment:
    """A segment without vectors, of a scope that had lost so many when it was begun."""
    return Segment(
        numbers=np.empty(0, dtype=np.int64),
        words=np.empty((-(-dim // _WORD), 0), dtype=np.uint64),
        codes=np.empty((0, dim), dtype=np.int8),
        norms=np.empty(0, dtype=np.float32),
        seqs=np.empty(0, dtype=np.int64),
        is_ordered=True,
        size=0,
        coded=0,
        removed=removed,
    )


def _refreshed(connection: Connection, segment: Segment, bound: dict[str, int]) -> Segment:
    """The segment with what was written since it was loaded."""
    width = 8 * (len(segment.words) + 1)
    loaded = _loaded(connection, bound, segment.last, width)
    if not loaded:
        return segment
    with decoding("the signs of a vector"):
        rows = np.concatenate(loaded).reshape(-1, width)
    numbers = np.ascontiguousarray(rows[:, :8]).view(">i8")[:, 0].astype(np.int64)
    words = np.ascontiguousarray(rows[:, 8:]).view(np.uint64).T
    size = segment.size + len(numbers)
    return replace(
        segment,
        numbers=_appended(segment.numbers, segment.size, numbers),
        words=_appended(segment.words, segment.size, words),
        size=size,
    )


def _loaded(connection: Connection, bound: dict[str, int], after: int, width: int) -> list[_Bytes]:
    loaded: list[_Bytes] = []
    while True:
        values = bound | {"after": after, "block": _LOADED}
        packed, last = first(connection, query("packed_signs"), values)
        if packed is None:
            return loaded
        loaded.append(np.frombuffer(bytes.fromhex(packed), dtype=np.uint8))
        if len(loaded[-1]) < _LOADED * width:
            return loaded
        after = last


def _appended(held: NDArray[Any], size: int, new: NDArray[Any], *, axis: int = -1) -> NDArray[Any]:
    """`held` with `new` after its first `size` along `axis`; a longer copy where there is no room.

    Others may be reading the first `size`: those are never written.
    """
    needed = size + new.shape[axis]
    before: tuple[Any, ...] = (slice(None),) * (axis % held.ndim)
    if needed > held.shape[axis]:
        shape = list(held.shape)
        shape[axis] = needed + needed // 8 if size else needed
        longer = np.empty(shape, dtype=held.dtype)
        longer[(*before, slice(size))] = held[(*before, slice(size))]
        held = longer
    held[(*before, slice(size, needed))] = new
    return held


def _with_codes(connection: Connection, segment: Segment, bound: dict[str, int]) -> Segment:
    """The segment with the codes of all its vectors."""
    held = segment.coded
    if held == segment.size:
        return segment
    after = int(segment.numbers[held - 1]) if held else 0
    rows = every(connection, query("codes_of_scope"), bound | {"after": after})
    seqs, codes, norms = decoded(rows, segment.codes.shape[1])
    return replace(
        segment,
        codes=_appended(segment.codes, held, codes, axis=0),
        norms=_appended(segment.norms, held, norms),
        seqs=_appended(segment.seqs, held, seqs),
        is_ordered=segment.is_ordered and _rises(segment.seqs[:held], seqs),
        coded=segment.size,
    )


def _with_turned(segment: Segment) -> Segment:
    """The segment with the turned signs of all its codes, where they are many."""
    if segment.size <= SCANNED or segment.is_turned:
        return segment
    centre, held = segment.centre, segment.turned_size
    if centre is None:
        centre = middle(segment.codes[: segment.size], segment.norms[: segment.size])
    fresh = turned(segment.codes[held : segment.size], segment.norms[held : segment.size], centre)
    return replace(
        segment,
        centre=centre,
        turned=_appended(segment.turned, held, fresh),
        turned_size=segment.size,
    )


def _rises(before: Numbers, after: Numbers) -> bool:
    joined = np.concatenate([before[-1:], after])
    return bool(np.all(joined[1:] >= joined[:-1]))
