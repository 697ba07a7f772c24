"""Late interaction: compare a question with texts word by word (MaxSim) on the token table."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engraphy.errors import InvalidInputError
from engraphy.providers.table import DATA, Floats, TokenTable, shared_table

MOST_TOKENS: Final = 2048
MOST_PIECES: Final = 256
FLOOR: Final = 0.3
HEAVIEST: Final = 1e6

_CODE: Final = np.dtype("<u2")
_BATCH_CELLS: Final = 4_000_000
_UNTHREADED_PRODUCTS: Final = 262_144


class TableMaxSim:
    """MaxSim over static token vectors (Khattab and Zaharia 2020, without a forward pass)."""

    def __init__(self, table: TokenTable) -> None:
        self._table = table
        self._pieces = table.wordpiece
        self._stop = frozenset((DATA / "stopwords.txt").read_text("utf-8").split())
        self._content = lru_cache(maxsize=32_768)(self._content_pieces)

    def encode_tokens(self, texts: Sequence[str]) -> list[bytes]:
        """Return for each text its distinct content tokens, in order of first appearance.

        A code is a run of little-endian uint16 token ids, at most 2,048 of them; stop words,
        punctuation and words outside the vocabulary leave no id, so a code may be empty.
        """
        return [self._encode(text) for text in texts]

    def maxsim(self, words: Sequence[tuple[str, float]], documents: Sequence[bytes]) -> list[float]:
        """Return for each document how well it covers the query words, in [0, 1].

        score = Σ idf · soft(word) / Σ idf over the pairs (word, idf), with soft(word) the mean
        over the word's pieces of max(0, (best token cosine in the document − 0.3) / 0.7): 1 for
        the word itself, 0 for nothing alike (design decision "MaxSim", measured on LoCoMo).

        Raises InvalidInputError for an idf that is negative, above 1e6 or not a number.
        """
        columns, weights = self._query(words)
        total = math.fsum(idf for _, idf in words)
        if not columns or total <= 0.0:
            return [0.0] * len(documents)
        ids = np.array(columns, dtype=np.intp)
        query = self._table.directions(ids)
        shares = np.array([weight / total for weight in weights], dtype=np.float32)
        longest = max((len(code) // 2 for code in documents), default=0)
        step = max(1, _BATCH_CELLS // (len(columns) * max(longest, 1)))
        starts = range(0, len(documents), step)
        scores = (self._score(query, shares, documents[start : start + step]) for start in starts)
        return [score for batch in scores for score in batch]

    def _encode(self, text: str) -> bytes:
        pieces = map(self._content, self._pieces.words(text))
        distinct = dict.fromkeys(chain.from_iterable(pieces))
        return np.array(list(islice(distinct, MOST_TOKENS)), dtype=_CODE).tobytes()

    def _content_pieces(self, word: str) -> tuple[int, ...]:
        if word in self._stop or not any(map(str.isalnum, word)):
            return ()
        ids = self._pieces.word(word)
        return () if self._pieces.unknown in ids else ids

    def _query(self, words: Iterable[tuple[str, float]]) -> tuple[list[int], list[float]]:
        """Return the distinct query pieces and the idf that falls on each, heaviest first."""
        shares: dict[int, float] = {}
        for word, idf in words:
            if not 0.0 <= idf <= HEAVIEST:
                raise InvalidInputError(field="idf", got=repr(idf), allowed=f"0 to {HEAVIEST:g}")
            ids = [i for i in self._pieces.encode(word) if i != self._pieces.unknown]
            for number in ids:
                shares[number] = shares.get(number, 0.0) + idf / len(ids)
        kept = sorted(shares.items(), key=lambda item: -item[1])[:MOST_PIECES]
        return [number for number, _ in kept], [share for _, share in kept]

    def _score(self, query: Floats, shares: Floats, documents: Sequence[bytes]) -> list[float]:
        tokens = np.frombuffer(b"".join(documents), dtype=_CODE)
        lengths = np.array([len(code) // 2 for code in documents], dtype=np.intp)
        scores = np.zeros(len(documents), dtype=np.float32)
        filled = np.flatnonzero(lengths)
        if len(filled):
            begins = (np.cumsum(lengths) - lengths)[filled]
            best = np.maximum.reduceat(self._soft(query, tokens), begins, axis=1)
            scores[filled] = np.einsum("i,ij->j", shares, best)
        return [float(score) for score in np.clip(scores, 0.0, 1.0)]

    def _soft(self, query: Floats, tokens: NDArray[np.uint16]) -> Floats:
        """Return the soft match ``(pieces, tokens)`` of each query piece with each token."""
        present = np.zeros(self._table.size, dtype=np.bool_)
        present[tokens] = True
        distinct = np.flatnonzero(present)
        places = np.empty(self._table.size, dtype=np.intp)
        places[distinct] = np.arange(len(distinct))
        cosines = _products(query, self._table.directions(distinct))
        soft: Floats = np.maximum((cosines - FLOOR) / (1.0 - FLOOR), 0.0)
        return soft.take(places[tokens], axis=1)


def _products(query: Floats, rows: Floats) -> Floats:
    """Return ``query @ rows.T`` in blocks below the size at which OpenBLAS starts threads.

    Waking threads costs milliseconds on a busy machine, the product itself microseconds.
    """
    products = np.empty((len(query), len(rows)), dtype=np.float32)
    step = max(1, _UNTHREADED_PRODUCTS // query.size)
    for start in range(0, len(rows), step):
        block = slice(start, start + step)
        products[:, block] = query @ rows[block].T
    return products


@lru_cache(maxsize=1)
def shared_maxsim() -> TableMaxSim:
    """Return the late interaction on the packaged table, one per process."""
    return TableMaxSim(shared_table())


class LateByTable:
    """Gives an embedder the late interaction of the packaged table, loaded at first use."""

    def encode_tokens(self, texts: Sequence[str]) -> list[bytes]:
        """See TableMaxSim.encode_tokens."""
        return shared_maxsim().encode_tokens(texts)

    def maxsim(self, words: Sequence[tuple[str, float]], documents: Sequence[bytes]) -> list[float]:
        """See TableMaxSim.maxsim."""
        return shared_maxsim().maxsim(words, documents)
