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
_WORDS = BITS // 64
_SEED = 20
_ROWS = 8_192
"""So many vectors are turned at once."""

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
    above = (unit - centre) @ _directions(len(centre)) > 0
    packed = np.packbits(above, axis=1, bitorder="little")
    return np.ascontiguousarray(packed).view(np.uint64).T


def _unit(codes: NDArray[np.int8], norms: Floats) -> Floats:
    lengths = np.where(norms > 0, norms, np.float32(1.0)).astype(np.float32)
    unit: Floats = codes.astype(np.float32) / lengths[:, np.newaxis]
    return unit


@cache
def _directions(dim: int) -> Floats:
    drawn = np.random.default_rng(_SEED).standard_normal((dim, BITS))
    return drawn.astype(np.float32)
