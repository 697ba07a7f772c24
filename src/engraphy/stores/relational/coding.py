"""Vectors as signed bytes and as sign bits, and back: numpy, for the rooms of vectors only."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engraphy.errors import InvalidInputError
from engraphy.stores.relational.damage import decoding
from engraphy.stores.relational.embedding import Codes
from engraphy.stores.relational.scoring import Floats

_WORD = 64

Numbers = NDArray[np.int64]


def quantise(parts: Sequence[Sequence[float]]) -> list[Codes]:
    """Vectors as signed bytes with their length, and as sign bits.

    Raises InvalidInputError for numbers that are not finite and parts of unequal size.
    """
    try:
        given = np.asarray(parts, dtype=np.float32)
    except ValueError:
        given = np.empty(0, dtype=np.float32)
    if given.ndim != 2 or not given.shape[1] or not np.isfinite(given).all():
        raise InvalidInputError(
            field="vector", got="parts that are no vectors", allowed="finite numbers, equally many"
        )
    largest = np.abs(given).max(axis=1, keepdims=True)
    largest[largest == 0] = 1.0
    codes = np.rint(given / largest * 127).astype(np.int8)
    norms = np.sqrt((codes.astype(np.float32) ** 2).sum(axis=1))
    signs = signs_of(given)
    return [
        Codes(code.tobytes(), float(norm), sign.tobytes())
        for code, norm, sign in zip(codes, norms, signs, strict=True)
    ]


def signs_of(given: Floats) -> NDArray[np.uint8]:
    """One bit per number of each row, 1 where it is positive, padded to whole words."""
    padded = np.zeros((len(given), -(-given.shape[1] // _WORD) * _WORD), dtype=bool)
    padded[:, : given.shape[1]] = given > 0
    return np.packbits(padded, axis=1, bitorder="little")


def decoded(
    rows: Sequence[tuple[int, bytes, float]], dim: int
) -> tuple[Numbers, NDArray[np.int8], Floats]:
    """Numbers, codes (one row each) and norms of rows read from the file."""
    with decoding("a vector"):
        numbers = np.array([row[0] for row in rows], dtype=np.int64)
        codes = np.frombuffer(b"".join(row[1] for row in rows), dtype=np.int8)
        norms = np.array([row[2] for row in rows], dtype=np.float32)
        return numbers, codes.reshape(len(rows), dim), norms
