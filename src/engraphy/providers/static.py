"""The default embedder: pooled static token vectors, numpy only, no model to download."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Final

import numpy as np

from engraphy.providers.calibration import Calibration, load_calibration
from engraphy.providers.late import LateByTable
from engraphy.providers.table import Floats, TokenTable, shared_table, table_version

DIM: Final = 128
POOLING: Final = 1


class StaticEmbedder(LateByTable):
    """Sentence vectors of 128 numbers from the packaged token table; tokens compared by MaxSim."""

    dim = DIM
    averages_words = True

    @cached_property
    def model_id(self) -> str:
        """Name, pooling version and table version: ``static-minilm-128/<pooling>-<table>``."""
        return f"static-minilm-{DIM}/{POOLING}-{table_version()}"

    def embed_documents(self, texts: Sequence[str]) -> list[Floats]:
        """Return one float32 vector ``(128,)`` of unit length per text.

        A text without a single known token gets the zero vector, whose cosine with anything is 0.
        """
        return [self._pool(text) for text in texts]

    def embed_query(self, text: str) -> Floats:
        """Return the unit vector of a question; questions are pooled as texts are."""
        return self._pool(text)

    @cached_property
    def calibrate(self) -> Calibration:
        """Puts a cosine of two of these vectors on the common similarity scale [0, 1]."""
        return load_calibration("static")

    @cached_property
    def _table(self) -> TokenTable:
        return shared_table()

    def _pool(self, text: str) -> Floats:
        counted = sorted(Counter(self._table.wordpiece.encode(text)).items())
        # `numpy.unique` does the same in five times the time for a question.
        tokens = np.array(counted, dtype=np.intp).reshape(-1, 2)
        pooled = self._table.weighted(tokens[:, 0], tokens[:, 1])
        length = float(np.sqrt(np.einsum("i,i->", pooled, pooled)))
        if length > 0.0:
            pooled /= np.float32(length)
        pooled.setflags(write=False)
        return pooled
