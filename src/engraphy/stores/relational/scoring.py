"""Cosines of codes and distances of signs, in pieces that stay in a processor's cache. Numpy;
imported by the rooms of vectors only."""

import numpy as np
from numpy.typing import NDArray

_AT_ONCE = 131_072
"""So many codes become numbers at once: all at once take three times as long (26,000 rows of 128),
and for more the library wakes threads, which spin for an eighth of a second afterwards."""

_TOGETHER = 16
"""Rows are multiplied in whole groups, filled up with zeros: what is left over is summed in another
order by the library, and the last digit of a row would hang on how many stand beside it."""

_BLOCK = 16_384
"""So many vectors are compared by a word of their signs at once."""
_IN_BYTES = 3
"""The bits that differ in so many words fit into a byte."""

Floats = NDArray[np.float32]
Signs = NDArray[np.uint64]
Distances = NDArray[np.uint8] | NDArray[np.uint16]
"""In bits; a byte each where no two vectors can be farther apart, for most of the time goes into
reading them."""


def cosines(codes: NDArray[np.int8], norms: Floats, asked: Floats) -> Floats:
    """The cosine of each row of codes to `asked`, which has length 1."""
    count, dim = codes.shape
    whole = -(-count // _TOGETHER) * _TOGETHER
    rows = max(1, _AT_ONCE // dim // _TOGETHER) * _TOGETHER
    products = np.empty(whole, dtype=np.float32)
    numbers = np.empty((min(whole, rows), dim), dtype=np.float32)
    for start in range(0, count, rows):
        part, end = codes[start : start + rows], min(start + rows, whole)
        numbers[: len(part)] = part
        numbers[len(part) : end - start] = 0.0
        np.dot(numbers[: end - start], asked, out=products[start:end])
    scores: Floats = np.clip(products[:count] / np.where(norms > 0, norms, 1.0), -1.0, 1.0)
    return scores


def angles(scores: Floats, bits: int) -> NDArray[np.uint16]:
    """Cosines in [-1, 1] as the number of `bits` in which the signs of two such vectors are likely
    to differ (Charikar 2002): beside distances of signs, and never more for what is nearer."""
    turned = np.arccos(scores) * np.float32(bits / np.pi)
    return np.rint(turned).astype(np.uint16)


def differing(words: Signs, signs: Signs) -> Distances:
    """Hamming distance of each vector's signs, word-major, to those of another."""
    distances: Distances = np.zeros(words.shape[1], dtype=np.uint16)
    if len(words) <= _IN_BYTES:
        distances = np.zeros(words.shape[1], dtype=np.uint8)
    for first in range(0, len(words), _IN_BYTES):
        few = slice(first, first + _IN_BYTES)
        _add_differing(distances, words[few], signs[few])
    return distances


def _add_differing(distances: Distances, words: Signs, signs: Signs) -> None:
    """Add in how many bits few words differ, in room that is used again for each block."""
    room = np.empty(min(_BLOCK, len(distances)), dtype=np.uint64)
    counts = np.empty((2, len(room)), dtype=np.uint8)
    for start in range(0, len(distances), _BLOCK):
        total = distances[start : start + _BLOCK]
        bits, (together, count) = room[: len(total)], counts[:, : len(total)]
        together[:] = 0
        for word, sign in zip(words, signs, strict=True):
            np.bitwise_xor(word[start : start + _BLOCK], sign, out=bits)
            together += np.bitwise_count(bits, out=count)
        total += together
