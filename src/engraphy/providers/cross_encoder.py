"""A cross-encoder from a local folder: ONNX by onnxruntime (extra ``rerank``), or whatever
sentence-transformers can load. Nothing is ever fetched."""

import json
from collections.abc import Sequence
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from engraphy.errors import MissingExtraError, RerankerError, SettingsError
from engraphy.providers.reranking import CheckedReranker, checked
from engraphy.providers.table import Floats
from engraphy.providers.wordpiece import WordPiece

try:
    import onnxruntime
    from onnxruntime.capi import onnxruntime_pybind11_state as _state
except ImportError:
    AVAILABLE = False
    _FAILURES: tuple[type[Exception], ...] = (RuntimeError, ValueError, KeyError)
else:
    AVAILABLE = True
    # Each is an Exception of its own, without a common base.
    _FAILURES = (
        RuntimeError,
        ValueError,
        KeyError,
        _state.Fail,
        _state.InvalidArgument,
        _state.InvalidGraph,
        _state.InvalidProtobuf,
        _state.NoModel,
        _state.NoSuchFile,
        _state.NotImplemented,
        _state.RuntimeException,
    )

LONGEST: Final = 512
BATCH: Final = 16
_FILES: Final = (
    "model.onnx",
    "onnx/model.onnx",
    "model_quantized.onnx",
    "onnx/model_quantized.onnx",
)
_VOCABULARY, _TOKENIZER = "vocab.txt", "tokenizer.json"

Pair = tuple[list[int], list[int]]
"""Ids of a question and a text together, and which of them are the text's."""


class _Pairs(Protocol):
    def pair(self, query: str, text: str) -> Pair:
        """At most `LONGEST` ids, the text cut."""


class CrossEncoder:
    """Reads question and text together; the higher its number, the better the text answers."""

    def __init__(self, folder: Path) -> None:
        """Find the model and its vocabulary; load nothing yet.

        Raises MissingExtraError without onnxruntime, SettingsError where a file is missing.
        """
        if not AVAILABLE:
            raise MissingExtraError(extra="rerank")
        self._file = _model_file(folder)
        self._pairs = _pairs(folder)
        self.model_id = f"onnx/{folder.name}"

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """One number per text. Raises RerankerError for a model that is no cross-encoder."""
        pairs = [self._pairs.pair(query, text) for text in texts]
        order = sorted(range(len(pairs)), key=lambda place: len(pairs[place][0]))
        found: dict[int, float] = {}
        for start in range(0, len(order), BATCH):
            places = order[start : start + BATCH]
            found.update(zip(places, self._scores([pairs[p] for p in places]), strict=True))
        return checked(
            [found[place] for place in range(len(pairs))], count=len(texts), model=self.model_id
        )

    @cached_property
    def _session(self) -> Any:
        """One thread that sleeps while idle, as for embeddings."""
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        providers = ["CPUExecutionProvider"]
        return onnxruntime.InferenceSession(str(self._file), options, providers=providers)

    def _scores(self, pairs: Sequence[Pair]) -> list[float]:
        shape = len(pairs), max(len(ids) for ids, _ in pairs)
        values = {
            "input_ids": np.zeros(shape, dtype=np.int64),
            "attention_mask": np.zeros(shape, dtype=np.int64),
            "token_type_ids": np.zeros(shape, dtype=np.int64),
        }
        for row, (ids, types) in enumerate(pairs):
            values["input_ids"][row, : len(ids)] = ids
            values["attention_mask"][row, : len(ids)] = 1
            values["token_type_ids"][row, : len(ids)] = types
        try:
            names = [one.name for one in self._session.get_inputs()]
            (logits, *_) = self._session.run(None, {name: values[name] for name in names})
        except _FAILURES as error:
            raise RerankerError(model=self.model_id, problem=str(error)) from error
        return _numbers(np.asarray(logits, dtype=np.float32), self.model_id)


class _Words:
    """Pairs by our own WordPiece, for uncased BERT vocabularies."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self._pieces = WordPiece(vocabulary)
        self._start, self._end = self._pieces.id_of("[CLS]"), self._pieces.id_of("[SEP]")

    def pair(self, query: str, text: str) -> Pair:
        """`[CLS] question [SEP] text [SEP]`; the question keeps at most half."""
        first = [self._start, *self._pieces.encode(query)[: LONGEST // 2 - 2], self._end]
        second = [*self._pieces.encode(text)[: LONGEST - len(first) - 1], self._end]
        return first + second, [0] * len(first) + [1] * len(second)


class _Tokenizer:
    """Pairs by the `tokenizers` package, for every other vocabulary."""

    def __init__(self, file: Path) -> None:
        try:
            package = import_module("tokenizers")
        except ImportError as error:
            problem = f"{file} needs the package tokenizers (pip install tokenizers)"
            raise SettingsError(setting="reranker", problem=problem) from error
        self._tokenizer = package.Tokenizer.from_file(str(file))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(LONGEST, strategy="longest_first")

    def pair(self, query: str, text: str) -> Pair:
        """As the model's own template has it."""
        found = self._tokenizer.encode(query, text)
        return list(found.ids), list(found.type_ids)


def _model_file(folder: Path) -> Path:
    found = next((folder / name for name in _FILES if (folder / name).is_file()), None)
    if found is None:
        problem = f"none of {', '.join(_FILES)} in {folder}"
        raise SettingsError(setting="reranker", problem=problem)
    return found


def _pairs(folder: Path) -> _Pairs:
    if (folder / _VOCABULARY).is_file():
        return _Words((folder / _VOCABULARY).read_text("utf-8").splitlines())
    file = folder / _TOKENIZER
    if not file.is_file():
        problem = f"neither {_VOCABULARY} nor {_TOKENIZER} in {folder}"
        raise SettingsError(setting="reranker", problem=problem)
    model = json.loads(file.read_text("utf-8")).get("model", {})
    vocabulary: dict[str, int] = model.get("vocab", {}) if model.get("type") == "WordPiece" else {}
    if vocabulary and "[CLS]" in vocabulary:
        return _Words(sorted(vocabulary, key=lambda token: vocabulary[token]))
    return _Tokenizer(file)


def _numbers(logits: Floats, model: str) -> list[float]:
    """One number per row: the only one, or of two the second above the first."""
    if logits.ndim == 2 and logits.shape[1] == 2:
        return list(map(float, logits[:, 1] - logits[:, 0]))
    if logits.ndim == 1 or (logits.ndim == 2 and logits.shape[1] == 1):
        return list(map(float, logits.reshape(-1)))
    raise RerankerError(model=model, problem=f"its answer has the shape {logits.shape}")


def from_folder(folder: Path) -> CrossEncoder | CheckedReranker:
    """The cross-encoder of a folder: ONNX where there is a file of it, else by
    sentence-transformers. Raises SettingsError, MissingExtraError."""
    if any((folder / name).is_file() for name in _FILES):
        return CrossEncoder(folder)
    if not (folder / "config.json").is_file():
        problem = f"neither {_FILES[0]} nor config.json in {folder}"
        raise SettingsError(setting="reranker", problem=problem)
    try:
        package = import_module("sentence_transformers")
    except ImportError as error:
        problem = f"{folder} needs the package sentence-transformers"
        raise SettingsError(setting="reranker", problem=problem) from error
    model = package.CrossEncoder(str(folder), local_files_only=True)

    def scores(query: str, texts: Sequence[str]) -> object:
        return model.predict([(query, text) for text in texts], show_progress_bar=False)

    return CheckedReranker(scores, model_id=f"sentence-transformers/{folder.name}")
