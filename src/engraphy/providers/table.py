"""The static token table: one small vector per WordPiece token, made by tools/distil_table.py."""

from functools import lru_cache
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engraphy.providers.packaged import DATA
from engraphy.providers.wordpiece import WordPiece

Floats = NDArray[np.float32]
Ids = NDArray[np.intp]

_ORDINARY: Final = 1995
_HARMONIC: Final = 10.3
_SMOOTHING: Final = 3e-3


class TokenTable:
    """Rows, scales and vocabulary of the table; the rows stay on disk until they are read."""

    def __init__(self, directory: Path = DATA) -> None:
        self._rows = np.asarray(np.load(directory / "table.int8.npy", mmap_mode="r"))
        self._scales = np.load(directory / "table.scales.npy")
        self.size: int = self._rows.shape[0]
        self.dim: int = self._rows.shape[1]
        vocabulary = (directory / "vocab.txt").read_text("utf-8").split("\n")[: self.size]
        self.wordpiece = WordPiece(vocabulary)
        self._informative = np.sqrt(self._scales) * _rarity(self.size)

    def directions(self, ids: Ids) -> Floats:
        """Return the unit vectors ``(n, dim)`` of these tokens; unreachable tokens give zeros."""
        rows = self._rows.take(ids, axis=0).astype(np.float32)
        rows /= np.maximum(_norms(rows), 1.0)[:, None]
        return rows

    def weighted(self, ids: Ids, counts: Ids) -> Floats:
        """Return the sum ``(dim,)`` of the token vectors, each ``counts`` times and by rarity.

        A token's vector is brought to the square root of its length, so that the model's own
        emphasis counts, but not fully; tried against full and unit length on LoCoMo and SICK.
        """
        rows = self._rows.take(ids, axis=0).astype(np.float32)
        weights = counts * self._informative.take(ids) / np.sqrt(np.maximum(_norms(rows), 1.0))
        # einsum, not matmul: a BLAS would wake its threads for this little work.
        pooled: Floats = np.einsum("i,ij->j", weights.astype(np.float32), rows)
        return pooled


def _norms(rows: Floats) -> Floats:
    squares: Floats = np.einsum("ij,ij->i", rows, rows)
    return np.sqrt(squares)


def _rarity(size: int) -> Floats:
    """Smooth inverse frequency ``a / (a + p)`` (Arora et al. 2017), p by Zipf's law.

    BERT's vocabulary is ordered by frequency after its first 1,996 special and single-character
    entries, so that the rank stands in for counts: p = 1 / (rank · H), H = harmonic number.
    """
    ranks = np.maximum(np.arange(size) - _ORDINARY, 1)
    frequencies = 1.0 / (ranks * _HARMONIC)
    rarity: Floats = (_SMOOTHING / (_SMOOTHING + frequencies)).astype(np.float32)
    return rarity


@lru_cache(maxsize=1)
def shared_table() -> TokenTable:
    """Return the packaged table, loaded once per process and shared by every embedder."""
    return TokenTable()
