"""Signs of vectors turned about their middle: what tells near ones apart among very many.

The signs of a vector as it is tell little where all point much the same way, as those of a table of
tokens do: of the nearest ten among 100,000 the 500 nearest by sign hold a third. Turned at random
about the middle of all (Charikar 2002) a fiftieth of them hold nearly all. Numpy.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from engraphy.stores.relational.scoring import Floats

BITS = 512
_WORD = 64
_WORDS = BITS // _WORD
_SEED = 20
_ROWS = 8_192
"""So many vectors are turned at once."""
_ALONE = 262_144
"""Up to so many products are made in the thread that asks. Threads that the library woke for more
would spin for an eighth of a second afterwards: 60,000 vectors of 128 numbers take as long."""

Words = NDArray[np.uint64]


def middle(codes: NDArray[np.int8], norms: Floats) -> Floats:
    """The mean of vectors of length 1, given by their codes and the codes' lengths."""
    total = np.zeros(codes.shape[1], dtype=np.float64)
    for start in range(0, len(codes), _ROWS):
        total += _unit(codes[start : start + _ROWS], norms[start : start + _ROWS]).sum(axis=0)
    return (total / max(1, len(codes))).astype(np.float32)


def turned(codes: NDArray[np.int8], norms: Floats, centre: Floats) -> Words:
    """Word-major signs, (words, vectors)."""
    found = np.empty((_WORDS, len(codes)), dtype=np.uint64)
    for start in range(0, len(codes), _ROWS):
        unit = _unit(codes[start : start + _ROWS], norms[start : start + _ROWS])
        found[:, start : start + len(unit)] = _signs(unit, centre)
    return found


def turned_query(asked: Floats, centre: Floats) -> Words:
    """The same of a vector of length 1: its words."""
    words: Words = _signs(asked[np.newaxis], centre)[:, 0]
    return words


def _signs(unit: Floats, centre: Floats) -> Words:
    """All products in one call, as a stack of small ones: few vectors, and the bits of a word."""
    count, dim = unit.shape
    few = max(1, min(count, _ALONE // (dim * _WORD)))
    whole = -(-count // few) * few
    moved = np.zeros((whole, dim), dtype=np.float32)
    np.subtract(unit, centre, out=moved[:count])
    above = moved.reshape(-1, 1, few, dim) @ _directions(dim) > 0
    packed = np.packbits(above, axis=-1, bitorder="little").view(np.uint64)
    return packed[..., 0].transpose(1, 0, 2).reshape(_WORDS, whole)[:, :count]


def _unit(codes: NDArray[np.int8], norms: Floats) -> Floats:
    lengths = np.where(norms > 0, norms, np.float32(1.0)).astype(np.float32)
    unit: Floats = codes.astype(np.float32) / lengths[:, np.newaxis]
    return unit


@cache
def _directions(dim: int) -> Floats:
    """(words, numbers of a vector, bits of a word)."""
    drawn = np.random.default_rng(_SEED).standard_normal((dim, _WORDS, _WORD))
    return np.ascontiguousarray(drawn.astype(np.float32).transpose(1, 0, 2))
