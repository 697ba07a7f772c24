"""The embedding cache of row D-29."""

from collections.abc import Sequence

import pytest

from engraphy.errors import InvalidInputError
from engraphy.ports import LateInteraction
from engraphy.providers.cache import EmbeddingCache, cached
from engraphy.providers.custom import adapted
from engraphy.providers.static import StaticEmbedder

MINUTE = 60 * 1_000_000


class Clock:
    def __init__(self) -> None:
        self.now = 0

    def __call__(self) -> int:
        return self.now


class Counting:
    """An embedder without late interaction that counts what it is asked."""

    dim = 1

    def __init__(self, model_id: str = "counting") -> None:
        self.model_id = model_id
        self.asked: list[str] = []

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return [[float(len(text))] for text in texts]

    def embed_query(self, text: str) -> list[float]:
        self.asked.append(text)
        return [-float(len(text))]

    def calibrate(self, cosine: float) -> float:
        return cosine


@pytest.mark.spec("D-29")
def test_holds_the_last_two_hundred() -> None:
    """The 201st vector pushes out the one that was used longest ago."""
    beneath = Counting()
    embedder = cached(beneath, EmbeddingCache(Clock()))
    embedder.embed_documents([f"text {number}" for number in range(200)])
    embedder.embed_documents(["text 0"])
    embedder.embed_documents(["new"])
    beneath.asked.clear()
    embedder.embed_documents(["text 0", "text 1", "text 2"])
    assert beneath.asked == ["text 1"]
    assert len(embedder.cache) == 200


@pytest.mark.spec("D-29")
def test_forgets_after_half_an_hour() -> None:
    """A vector serves for less than thirty minutes after it was made, used or not."""
    clock, beneath = Clock(), Counting()
    embedder = cached(beneath, EmbeddingCache(clock))
    for minute, calls in ((0, 1), (29, 1), (30, 2)):
        clock.now = minute * MINUTE
        embedder.embed_query("what?")
        assert len(beneath.asked) == calls


@pytest.mark.spec("D-29")
def test_is_cleared_at_the_end_of_a_session() -> None:
    """After clear every vector is made anew."""
    beneath = Counting()
    embedder = cached(beneath, EmbeddingCache(Clock()))
    embedder.embed_query("what?")
    embedder.cache.clear()
    assert len(embedder.cache) == 0
    embedder.embed_query("what?")
    assert beneath.asked == ["what?", "what?"]


def test_questions_and_documents_are_kept_apart() -> None:
    """The same words as a question and as a document may have different vectors."""
    embedder = cached(Counting(), EmbeddingCache(Clock()))
    for _ in range(2):
        assert embedder.embed_query("abc") == [-3.0]
        assert embedder.embed_documents(["abc"]) == [[3.0]]


def test_models_are_kept_apart() -> None:
    """Two models may share a cache without sharing vectors."""
    cache = EmbeddingCache(Clock())
    one, two = Counting("one"), Counting("two")
    cached(one, cache).embed_query("x")
    cached(two, cache).embed_query("x")
    assert (one.asked, two.asked) == (["x"], ["x"])


def test_repeats_in_a_batch_are_asked_once() -> None:
    """Only texts that are not cached reach the model, each once, and order is kept."""
    beneath = Counting()
    embedder = cached(beneath, EmbeddingCache(Clock()))
    embedder.embed_documents(["bb"])
    assert embedder.embed_documents(["a", "bb", "a", "\ud800"]) == [[1.0], [2.0], [1.0], [1.0]]
    assert beneath.asked == ["bb", "a", "\ud800"]


def test_a_batch_larger_than_the_cache_is_whole() -> None:
    """Every text has its vector, even if the cache cannot hold them all."""
    embedder = cached(Counting(), EmbeddingCache(Clock(), entries=2))
    texts = ["a" * size for size in range(1, 9)]
    assert embedder.embed_documents(texts) == [[float(size)] for size in range(1, 9)]


def test_late_interaction_stays_where_it_was() -> None:
    """A cache hides no ability of the embedder beneath, and gives it none it has not."""
    cache = EmbeddingCache(Clock())
    assert not isinstance(cached(Counting(), cache), LateInteraction)
    static = cached(StaticEmbedder(), cache)
    assert isinstance(static, LateInteraction)
    ((score,),) = static.maxsim(["dog"], static.encode_tokens(["dog"]))
    assert score == pytest.approx(1.0, abs=1e-5)
    assert (static.dim, static.model_id) == (128, StaticEmbedder().model_id)
    assert static.calibrate(1.0) == 1.0


def test_arrays_are_cached_as_they_are() -> None:
    """Vectors of arrays come back as the same arrays."""
    embedder = cached(adapted(lambda texts: [[1.0]] * len(texts)), EmbeddingCache(Clock()))
    assert embedder.embed_query("x") is embedder.embed_query("x")


@pytest.mark.parametrize("limits", [{"entries": 0}, {"lifetime": 0}])
def test_senseless_limits_are_refused(limits: dict[str, int]) -> None:
    """A cache for nothing or for no time raises a typed error."""
    with pytest.raises(InvalidInputError):
        EmbeddingCache(Clock(), **limits)
