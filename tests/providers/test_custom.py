"""The user's own embedder, checked."""

from collections.abc import Sequence

import numpy as np
import pytest

from engraphy.errors import EmbedderError, InvalidInputError
from engraphy.ports import Embed, LateInteraction
from engraphy.providers.custom import CustomEmbedder, adapted
from engraphy.providers.static import StaticEmbedder


def lengths(texts: Sequence[str]) -> list[list[float]]:
    return [[float(len(text)), 1.0, 0.0] for text in texts]


class Library:
    """An embedder as a library may have it: documents and questions differ."""

    model_id = "library/small"
    dim = 2

    def embed_documents(self, texts: Sequence[str]) -> np.ndarray:
        return np.array([[1.0, 0.0] for _ in texts])

    def embed_query(self, text: str) -> list[float]:
        return [0.0, 1.0]


def test_a_callable_is_an_embedder() -> None:
    """Any function from texts to vectors will do; its size is found out."""
    embedder = adapted(lengths, model_id="mine/1")
    assert isinstance(embedder, Embed)
    assert isinstance(embedder, LateInteraction)
    assert (embedder.model_id, embedder.dim) == ("mine/1", 3)
    assert embedder.embed_documents(["ab", ""])[0].tolist() == [2.0, 1.0, 0.0]
    assert embedder.embed_query("abc").tolist() == [3.0, 1.0, 0.0]


def test_own_late_interaction_is_kept() -> None:
    """An object that compares tokens itself goes on doing so; any other gets the table's."""

    class Late(Library):
        def encode_tokens(self, texts: Sequence[str]) -> list[bytes]:
            return [b"mine" for _ in texts]

        def maxsim(
            self, words: Sequence[str], documents: Sequence[bytes]
        ) -> list[tuple[float, ...]]:
            return [(0.5,) * len(words) for _ in documents]

    own = adapted(Late())
    assert own.encode_tokens(["dog"]) == [b"mine"]
    assert own.maxsim(["dog"], [b"mine"]) == [(0.5,)]
    table = adapted(Library())
    ((score,),) = table.maxsim(["dog"], table.encode_tokens(["dog"]))
    assert score == pytest.approx(1.0, abs=1e-5)


def test_a_callable_is_named_after_itself() -> None:
    """Without a given model id the function's name is used."""
    assert adapted(lengths).model_id == "custom/lengths"


def test_an_object_keeps_its_parts() -> None:
    """An object's own question form, size and name are used."""
    embedder = adapted(Library())
    assert (embedder.model_id, embedder.dim) == ("library/small", 2)
    assert embedder.embed_query("x").tolist() == [0.0, 1.0]
    assert embedder.embed_documents(["x"])[0].tolist() == [1.0, 0.0]


def test_no_texts_need_no_call() -> None:
    """An empty batch never reaches the user's code."""
    embedder = CustomEmbedder(lambda texts: 1 / 0, model_id="never", dim=3)
    assert embedder.embed_documents([]) == []


@pytest.mark.parametrize(
    ("vectors", "problem"),
    [
        ([[1.0, float("nan")]], "not finite"),
        ([[1e39, 0.0]], "not finite"),
        ([[1.0]], "expected 2"),
        ([[1.0, 2.0], [1.0, 2.0]], "asked for 1 vectors"),
        ([], "asked for 1 vectors"),
        ([["a", "b"]], "not numbers"),
        ([[1.0, 2.0], [1.0]], "not numbers"),
        (None, "asked for 1 vectors|not numbers"),
    ],
)
def test_nonsense_is_refused(vectors: object, problem: str) -> None:
    """Wrong counts, sizes and numbers raise a typed error that says which."""
    embedder = CustomEmbedder(lambda texts: vectors, model_id="wrong", dim=2)
    with pytest.raises(EmbedderError, match=problem):
        embedder.embed_documents(["text"])


def test_an_iterator_will_do_and_a_coroutine_will_not() -> None:
    """What yields its vectors is read; what is to be awaited is refused in words."""
    made = CustomEmbedder(lambda texts: ([1.0, 0.0] for _ in texts), model_id="lazy", dim=2)
    assert len(made.embed_documents(["a", "b"])) == 2

    async def later(texts: Sequence[str]) -> object:
        return [[1.0, 0.0] for _ in texts]

    with pytest.raises(EmbedderError, match="it is asynchronous; pass a plain function"):
        CustomEmbedder(later, model_id="later", dim=2).embed_documents(["a"])


def test_an_error_of_any_kind_is_told_as_ours() -> None:
    """What foreign code raises, of whatever class, is a typed error that tells it."""

    class OddError(Exception):
        pass

    def odd(texts: Sequence[str]) -> object:
        raise OddError("quota")

    with pytest.raises(EmbedderError, match="OddError: quota"):
        CustomEmbedder(odd, model_id="odd", dim=2).embed_documents(["text"])


def test_a_question_is_checked_too() -> None:
    """A question's vector must have the same size as a document's."""
    embedder = CustomEmbedder(lengths, model_id="wrong", query=lambda text: [1.0], dim=3)
    with pytest.raises(EmbedderError, match="expected 3"):
        embedder.embed_query("text")


@pytest.mark.parametrize("embedder", [None, 3, "model"])
def test_what_is_no_embedder_is_refused(embedder: object) -> None:
    """Something that is neither callable nor has embed_documents raises a typed error."""
    with pytest.raises(InvalidInputError, match="embed_documents"):
        adapted(embedder)


@pytest.mark.parametrize("arguments", [{"model_id": " "}, {"model_id": "m", "dim": 0}])
def test_senseless_settings_are_refused(arguments: dict[str, object]) -> None:
    """An empty name or a size below 1 raises a typed error."""
    with pytest.raises(InvalidInputError):
        CustomEmbedder(lengths, **arguments)  # type: ignore[arg-type]


def test_an_unmeasured_model_is_probed() -> None:
    """Without a calibration the model's own scale is found on the probe pairs, in one call."""
    calls = []

    def shifted(texts: Sequence[str]) -> list[list[float]]:
        calls.append(len(texts))
        return [[*vector.tolist(), 2.0] for vector in StaticEmbedder().embed_documents(texts)]

    embedder = CustomEmbedder(shifted, model_id="shifted", dim=129)
    one, two, three = embedder.embed_documents(
        ["My sister lives in Rome", "Rome is where my sister lives", "The port is 5433"]
    )
    near = float(one @ two) / float(np.linalg.norm(one) * np.linalg.norm(two))
    far = float(one @ three) / float(np.linalg.norm(one) * np.linalg.norm(three))
    assert embedder.calibrate(near) > 0.7
    assert embedder.calibrate(far) < 0.3
    assert len(calls) == 2


def test_a_given_calibration_is_used() -> None:
    """The user's own map wins over probing."""
    embedder = CustomEmbedder(lengths, model_id="m", calibration=lambda cosine: cosine / 2)
    assert embedder.calibrate(0.5) == 0.25
