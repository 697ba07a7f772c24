"""Checksums of pages as they stand in a file, without SQLite: which pages are not what was written,
and whether one or two flipped bits would explain it.

The sums are those of SQLite's `cksumvfs`: of the words of a page before its last 8 bytes,
`one += word + other; other += next word + one`, modulo 2^32. So they are linear: a change of a word
adds its own multiple to both, wherever the rest stands.
"""

from collections.abc import Iterable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engraphy.stores.summing import RESERVED

_BLOCK = 2_048
"""Pages that are summed at once."""
Words = NDArray[np.uint32]


def wrong_pages(data: bytes | bytearray, size: int) -> list[int]:
    """The numbers of the pages, from 1, that have another checksum than they say."""
    found = list[int]()
    step = size * _BLOCK
    for begin in range(0, len(data) - size + 1, step):
        pages = _words(data[begin : begin + step], size)
        differing = np.flatnonzero((_sums(pages) != pages[:, -2:]).any(axis=1))
        found += (differing + (begin // size + 1)).tolist()
    return found


def sum_anew(data: bytearray, size: int, numbers: Iterable[int]) -> None:
    """Write the checksums of these pages as they should be."""
    for number in numbers:
        end = number * size
        told = _sums(_words(data[end - size : end], size))
        data[end - RESERVED : end] = told.astype("<u4").tobytes()


def is_flipped(page: bytes | bytearray) -> bool:
    """Whether one or two flipped bits explain a wrong checksum."""
    words = _words(page, len(page))
    one, other = (words[0, -2:] - _sums(words)[0]).tolist()
    wanted = np.uint64(one | other << 32)
    flips = _flips(len(page))
    # The difference of a pair is what is wanted: the other of each is looked up.
    ones, others = flips & np.uint64(_WORD), flips >> np.uint64(32)
    rest = (np.uint64(one) - ones) & np.uint64(_WORD)
    rest |= ((np.uint64(other) - others) & np.uint64(_WORD)) << np.uint64(32)
    at = np.searchsorted(flips, rest).clip(max=len(flips) - 1)
    return bool((flips[at] == rest).any() or (flips == wanted).any())


_WORD = 0xFFFFFFFF


def _words(data: bytes | bytearray, size: int) -> Words:
    whole = len(data) // size * size
    return np.frombuffer(bytes(data[:whole]), dtype="<u4").reshape(-1, size // 4).astype(np.uint32)


def _sums(pages: Words) -> Words:
    columns = np.ascontiguousarray(pages[:, :-2].T)
    one = np.zeros(len(pages), dtype=np.uint32)
    other = np.zeros(len(pages), dtype=np.uint32)
    for place in range(0, len(columns), 2):
        one += columns[place] + other
        other += columns[place + 1] + one
    return np.stack([one, other], axis=1)


@cache
def _flips(size: int) -> NDArray[np.uint64]:
    """By how much a flipped bit lets what a page says and what it has differ, for each of its bits
    either way; both sums in one number."""
    count = size // 4
    unit = np.zeros((count - 2, count), dtype=np.uint32)
    unit[np.arange(count - 2), np.arange(count - 2)] = 1
    # A bit of the checksum itself changes what the page says.
    said = np.array([[1, 0], [0, 1]], dtype=np.uint32)
    steps = np.concatenate([_sums(unit), said])
    bits = np.uint32(1) << np.arange(32, dtype=np.uint32)
    moved: Any = (steps[:, None, :] * bits[None, :, None]).reshape(-1, 2)
    moved = np.concatenate([moved, np.uint32(0) - moved]).astype(np.uint64)
    return np.unique(moved[:, 0] | moved[:, 1] << np.uint64(32))
