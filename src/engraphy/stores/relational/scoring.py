"""Cosines of codes, in pieces that stay in a processor's cache. Numpy; imported by the rooms of
vectors only."""

import numpy as np
from numpy.typing import NDArray

_ROWS = 1_024
"""So many codes become numbers at once: all at once take three times as long (26,000 of 128)."""

Floats = NDArray[np.float32]


def cosines(codes: NDArray[np.int8], norms: Floats, asked: Floats) -> Floats:
    """The cosine of each row of codes to `asked`, which has length 1."""
    count, dim = codes.shape
    products = np.empty(count, dtype=np.float32)
    numbers = np.empty((min(count, _ROWS), dim), dtype=np.float32)
    for start in range(0, count, _ROWS):
        part = codes[start : start + _ROWS]
        numbers[: len(part)] = part
        np.dot(numbers[: len(part)], asked, out=products[start : start + len(part)])
    scores: Floats = np.clip(products / np.where(norms > 0, norms, 1.0), -1.0, 1.0)
    return scores


def angles(scores: Floats, bits: int) -> NDArray[np.uint16]:
    """Cosines in [-1, 1] as the number of `bits` in which the signs of two such vectors are likely
    to differ (Charikar 2002): beside distances of signs, and never more for what is nearer."""
    turned = np.arccos(scores) * np.float32(bits / np.pi)
    return np.rint(turned).astype(np.uint16)
