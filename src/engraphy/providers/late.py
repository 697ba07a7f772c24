"""Late interaction: compare a question with texts word by word (MaxSim) on the token table."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from engraphy.providers.packaged import DATA
from engraphy.providers.table import Floats, TokenTable, shared_table

MOST_TOKENS: Final = 2048
MOST_PIECES: Final = 256
FLOOR: Final = 0.35

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

    def maxsim(self, words: Sequence[str], documents: Sequence[bytes]) -> list[tuple[float, ...]]:
        """Return for each document one soft match per query word, in [0, 1].

        soft(word) = the mean over the word's pieces of max(0, (best token cosine − 0.35) / 0.65);
        0 for a word outside the vocabulary.
        """
        pieces = [self._known_pieces(word) for word in words]
        columns = list(dict.fromkeys(chain.from_iterable(pieces)))[:MOST_PIECES]
        if not columns:
            return [(0.0,) * len(words)] * len(documents)
        place = {number: at for at, number in enumerate(columns)}
        mean = np.zeros((len(words), len(columns)), dtype=np.float32)
        for row, known in enumerate(pieces):
            for number in known:
                if number in place:
                    mean[row, place[number]] += 1.0 / len(known)
        query = self._table.directions(np.array(columns, dtype=np.intp))
        longest = max((len(code) // 2 for code in documents), default=0)
        step = max(1, _BATCH_CELLS // (len(columns) * max(longest, 1)))
        batches = (
            self._words(query, mean, documents[start : start + step])
            for start in range(0, len(documents), step)
        )
        return [tuple(row) for batch in batches for row in batch.tolist()]

    def _known_pieces(self, word: str) -> list[int]:
        # A word of another script would only be cut into letters, which match any text of it.
        if not word.isascii():
            return []
        return [i for i in self._pieces.encode(word) if i != self._pieces.unknown]

    def _words(self, query: Floats, mean: Floats, documents: Sequence[bytes]) -> Floats:
        """Return the soft matches ``(documents, words)`` of one batch."""
        tokens = np.frombuffer(b"".join(documents), dtype=_CODE).astype(np.intp)
        lengths = np.fromiter(map(len, documents), dtype=np.intp, count=len(documents)) // 2
        best = np.zeros((len(query), len(documents)), dtype=np.float32)
        filled = np.flatnonzero(lengths)
        if len(filled):
            begins = (np.cumsum(lengths) - lengths)[filled]
            soft = self._soft(query, tokens)
            best[:, filled] = np.maximum.reduceat(soft, begins, axis=1)
        words: Floats = np.clip((mean @ best).T, 0.0, 1.0)
        return words

    def _encode(self, text: str) -> bytes:
        pieces = map(self._content, self._pieces.words(text))
        distinct = dict.fromkeys(chain.from_iterable(pieces))
        return np.array(list(islice(distinct, MOST_TOKENS)), dtype=_CODE).tobytes()

    def _content_pieces(self, word: str) -> tuple[int, ...]:
        if word in self._stop or not any(map(str.isalnum, word)):
            return ()
        ids = self._pieces.word(word)
        return () if self._pieces.unknown in ids else ids

    def _soft(self, query: Floats, tokens: NDArray[np.intp]) -> Floats:
        """Return the soft match ``(pieces, tokens)`` of each query piece with each token."""
        present = np.zeros(self._table.size, dtype=np.bool_)
        present[tokens] = True
        distinct = np.flatnonzero(present)
        places = np.empty(self._table.size, dtype=np.intp)
        places[distinct] = np.arange(len(distinct))
        cosines = _products(query, self._table.directions(distinct))
        soft: Floats = np.maximum((cosines - FLOOR) / (1.0 - FLOOR), 0.0)
        # Every place is one of `soft`: without the check of it this takes half the time.
        return soft.take(places[tokens], axis=1, mode="clip")


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

    def maxsim(self, words: Sequence[str], documents: Sequence[bytes]) -> list[tuple[float, ...]]:
        """See TableMaxSim.maxsim."""
        return shared_maxsim().maxsim(words, documents)
