"""The default embedder: pooled static token vectors, numpy only, no model to download."""

from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from typing import Final, TYPE_CHECKING

from engraphy.providers.calibration import Calibration, load_calibration
from engraphy.providers.packaged import table_version

if TYPE_CHECKING:
    from engraphy.providers.late import TableMaxSim
    from engraphy.providers.pooling import Pooling
    from engraphy.providers.table import Floats

DIM: Final = 128
POOLING: Final = 1


class StaticEmbedder:
    """Sentence vectors of 128 numbers from the packaged token table; tokens compared by MaxSim.
    Numpy and the table are loaded with the first text: what only looks needs neither."""

    dim = DIM
    averages_words = True

    @cached_property
    def model_id(self) -> str:
        """Name, pooling version and table version: ``static-minilm-128/<pooling>-<table>``."""
        return f"static-minilm-{DIM}/{POOLING}-{table_version()}"

    def embed_documents(self, texts: Sequence[str]) -> list["Floats"]:
        """Return one float32 vector ``(128,)`` of unit length per text.

        A text without a single known token gets the zero vector, whose cosine with anything is 0.
        """
        return [self._pooling.pool(text) for text in texts]

    def embed_query(self, text: str) -> "Floats":
        """Return the unit vector of a question; questions are pooled as texts are."""
        return self._pooling.pool(text)

    def encode_tokens(self, texts: Sequence[str]) -> list[bytes]:
        """See TableMaxSim.encode_tokens."""
        return self._late.encode_tokens(texts)

    def maxsim(self, words: Sequence[str], documents: Sequence[bytes]) -> list[tuple[float, ...]]:
        """See TableMaxSim.maxsim."""
        return self._late.maxsim(words, documents)

    @cached_property
    def calibrate(self) -> Calibration:
        """Puts a cosine of two of these vectors on the common similarity scale [0, 1]."""
        return load_calibration("static")

    @cached_property
    def _pooling(self) -> "Pooling":
        made: Pooling = import_module("engraphy.providers.pooling").shared_pooling()
        return made

    @cached_property
    def _late(self) -> "TableMaxSim":
        made: TableMaxSim = import_module("engraphy.providers.late").shared_maxsim()
        return made
