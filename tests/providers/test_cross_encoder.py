"""A cross-encoder from a folder on this machine: real ONNX where onnxruntime is installed."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

import pytest
from tests.providers.onnx_bytes import cross_encoder

from engraphy import Memory
from engraphy.errors import MissingExtraError, RerankerError, SettingsError
from engraphy.providers import cross_encoder as module

needs_onnx = pytest.mark.skipif(not module.AVAILABLE, reason="onnxruntime not installed")
VOCABULARY = (
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "the", "kite", "red", "attic", "where", "in", "is",
)  # fmt: skip
"""In rising order of what the toy model thinks of a word."""


def _folder(path: Path, *, labels: int = 1, tokenizer: str = "vocab.txt") -> Path:
    folder = path / "toy-encoder"
    (folder / "onnx").mkdir(parents=True)
    (folder / "onnx" / "model.onnx").write_bytes(cross_encoder(labels))
    if tokenizer == "vocab.txt":
        (folder / tokenizer).write_text("\n".join(VOCABULARY), encoding="utf-8")
    else:
        vocabulary = {token: number for number, token in enumerate(VOCABULARY)}
        wordpiece = {"model": {"type": "WordPiece", "vocab": vocabulary}}
        (folder / tokenizer).write_text(json.dumps(wordpiece), encoding="utf-8")
    return folder


@needs_onnx
@pytest.mark.parametrize("tokenizer", ["vocab.txt", "tokenizer.json"])
@pytest.mark.parametrize("labels", [1, 2])
def test_a_folder_scores_each_text_beside_the_question(
    tmp_path: Path, tokenizer: str, labels: int
) -> None:
    """Question and text go in together, told apart by their types: the toy sees the text's words
    alone. One label or two, vocabulary as text or in tokenizer.json."""
    encoder = module.from_folder(_folder(tmp_path, labels=labels, tokenizer=tokenizer))
    scores = encoder.rerank("where is", ["the kite", "red attic the", "the", "", "kite red"])
    assert scores == [labels * number for number in (5.0, 7.0, 4.0, 3.0, 6.0)]
    assert encoder.model_id == "onnx/toy-encoder"


@needs_onnx
def test_long_texts_are_cut_and_long_lists_go_in_batches(tmp_path: Path) -> None:
    """At most 512 ids a pair, of which the question has half at most; any number of texts."""
    encoder = module.from_folder(_folder(tmp_path))
    texts = ["kite " * 2_000, "the " * 600 + "attic", *["the"] * 40, "red"]
    assert encoder.rerank("where " * 900, texts) == [5.0, 4.0, *[4.0] * 40, 6.0]


@needs_onnx
def test_a_model_of_another_kind_is_refused(tmp_path: Path) -> None:
    """Three labels are no score; a file that is no model is none either."""
    with pytest.raises(RerankerError, match="shape"):
        module.from_folder(_folder(tmp_path, labels=3)).rerank("q", ["a"])
    folder = _folder(tmp_path / "other")
    (folder / "onnx" / "model.onnx").write_bytes(b"nonsense")
    with pytest.raises(RerankerError):
        module.from_folder(folder).rerank("q", ["a"])


@needs_onnx
def test_a_memory_reranks_by_a_folder(tmp_path: Path) -> None:
    """Given as a path or as text, it decides the order."""
    folder = _folder(tmp_path)
    for number, given in enumerate((folder, str(folder))):
        with Memory(
            tmp_path / f"{number}.db",
            embedder="none",
            reranker=given,
            overrides={"rerank": {"weight": 1.0}},
        ) as memory:
            memory.remember("The kite is red and so is its tail, says the kite's owner")
            memory.remember("In the attic, under blankets, lies the kite")
            steps = memory.explain("kite").steps
            assert any(one.stage == "rerank" and one.passed for one in steps)


@needs_onnx
@pytest.mark.parametrize("missing", ["vocab.txt", "onnx/model.onnx"])
def test_an_incomplete_folder_is_refused(tmp_path: Path, missing: str) -> None:
    """With the names of the files that would do."""
    folder = _folder(tmp_path)
    (folder / missing).unlink()
    with pytest.raises(SettingsError, match=missing.rpartition("/")[2]):
        module.from_folder(folder)


def test_a_missing_extra_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Without onnxruntime the one command that installs it is named."""
    monkeypatch.setattr(module, "AVAILABLE", False)
    with pytest.raises(MissingExtraError, match=r'pip install "engraphy\[rerank\]"'):
        module.from_folder(_folder(tmp_path))


def test_a_vocabulary_of_another_kind_needs_its_package(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A tokenizer that is no WordPiece is read by `tokenizers`; without it that is said."""
    monkeypatch.setattr(module, "AVAILABLE", True)
    monkeypatch.setitem(sys.modules, "tokenizers", None)
    folder = _folder(tmp_path, tokenizer="tokenizer.json")
    (folder / "tokenizer.json").write_text('{"model": {"type": "Unigram"}}', encoding="utf-8")
    with pytest.raises(SettingsError, match="pip install tokenizers"):
        module.from_folder(folder)


class Encoder:
    """Stands where sentence-transformers' class does, which takes gigabytes."""

    def __init__(self, folder: str, *, local_files_only: bool) -> None:
        assert local_files_only
        self.folder = folder

    def predict(self, pairs: Sequence[tuple[str, str]], *, show_progress_bar: bool) -> list[float]:
        """Longer texts score higher."""
        assert not show_progress_bar
        return [float(len(text)) for _, text in pairs]


def test_a_folder_without_onnx_is_loaded_by_sentence_transformers(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """From the folder only, never from a hub; without the package that is said."""
    (tmp_path / "config.json").write_text("{}", encoding="utf-8")
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(SettingsError, match="sentence-transformers"):
        module.from_folder(tmp_path)
    double = ModuleType("sentence_transformers")
    double.CrossEncoder = Encoder  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", double)
    assert module.from_folder(tmp_path).rerank("q", ["aaa", "a"]) == [3.0, 1.0]


def test_a_folder_of_nothing_is_refused(tmp_path: Path) -> None:
    """With the names of what is looked for."""
    with pytest.raises(SettingsError, match=r"model\.onnx nor config\.json"):
        module.from_folder(tmp_path)
