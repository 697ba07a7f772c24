"""The user's own embedder, wrong answers of it, another model, and none at all."""

import math
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import opened, texts

from engraphy import Memory
from engraphy.errors import EmbedderError, EmbedderMismatchError, InvalidInputError

TOPICS = {"dog": 0, "puppy": 0, "hound": 0, "car": 1, "vehicle": 1, "soup": 2, "meal": 2}


def topics(texts_: Sequence[str]) -> list[list[float]]:
    """A callable embedder: one axis per topic."""
    found = []
    for text in texts_:
        vector = [0.01] * 4
        for word in text.lower().split():
            vector[TOPICS.get(word.strip("?.!"), 3)] += 1.0
        length = math.sqrt(sum(x * x for x in vector))
        found.append([x / length for x in vector])
    return found


class Topics:
    """The same as an object with the four members."""

    model_id = "topics-1"
    dim = 4

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """One vector per text."""
        return topics(texts)

    def embed_query(self, text: str) -> list[float]:
        """The vector of a question."""
        return topics([text])[0]


class Named(Topics):
    """The same under another name."""

    model_id = "topics-2"


@pytest.mark.parametrize("embedder", [topics, Topics()], ids=["callable", "object"])
def test_an_embedder_of_ones_own(opening: Opening, embedder: object) -> None:
    """A callable or an object is enough: texts are found that share no word with the question."""
    memory = opening(embedder=embedder)
    memory.remember("The puppy sleeps")
    memory.remember("The soup is hot")
    assert texts(memory.recall("hound", limit=1)) == ["The puppy sleeps"]
    assert memory.embedder_id != "none"


def test_without_an_embedder_words_are_enough(opening: Opening) -> None:
    """`embedder="none"` is a full mode: no vectors, everything works on full text."""
    memory = opening(embedder="none")
    memory.remember("The puppy sleeps")
    memory.remember("The soup is hot")
    assert texts(memory.recall("where does the puppy sleep?")) == ["The puppy sleeps"]
    assert memory.recall("hound") == []
    assert memory.embedder_id == "none"
    assert memory.context("where does the puppy sleep?").hits


def _bad(vector: Any) -> type:
    class Bad(Topics):
        model_id = f"bad-{vector!r:.20}"

        def embed_documents(self, texts: Sequence[str]) -> Any:
            return [vector for _ in texts]

        def embed_query(self, text: str) -> Any:
            return vector

    return Bad


WRONG = {
    "short": [1.0, 0.0],
    "long": [1.0] * 5,
    "empty": [],
    "nan": [math.nan, 0.0, 0.0, 1.0],
    "infinite": [math.inf, 0.0, 0.0, 1.0],
    "text": ["a", "b", "c", "d"],
    "none": None,
    "number": 5,
    "nested": [[1.0], [1.0], [1.0], [1.0]],
}


@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_vector_is_a_typed_error(opening: Opening, name: str) -> None:
    """A vector of another length or with odd numbers is refused, nothing is written."""
    memory = opening(embedder=_bad(WRONG[name])())
    with pytest.raises(EmbedderError):
        memory.remember("The puppy sleeps")
    with pytest.raises(EmbedderError):
        memory.observe("My sister Nora moved to Lisbon in May.")
    assert memory.stats().journal_entries == 0
    with opened(memory.path) as plain:
        row = plain.remember("The puppy sleeps").memory
    assert row is not None
    with pytest.raises(EmbedderError):
        memory.recall("puppy")
    with pytest.raises(EmbedderError):
        memory.update(row.id, "The puppy eats")
    assert memory.get(row.id).content == "The puppy sleeps"


class _Failing(Topics):
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        raise self.error

    def embed_query(self, text: str) -> list[float]:
        raise self.error


@pytest.mark.parametrize("error", [RuntimeError("out of memory"), ValueError("x"), OSError("net")])
def test_an_embedder_that_fails_is_named(opening: Opening, error: Exception) -> None:
    """Whatever it raises reaches the caller as EmbedderError with its model and words."""
    memory = opening(embedder=_Failing(error))
    with pytest.raises(EmbedderError) as caught:
        memory.remember("The puppy sleeps")
    assert "topics-1" in str(caught.value)
    assert str(error) in str(caught.value)
    assert memory.stats().total == 0


class _TooFew(Topics):
    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        return topics(texts)[:-1]


def test_too_few_vectors(opening: Opening) -> None:
    """As many vectors as texts, or an error."""
    with pytest.raises(EmbedderError):
        opening(embedder=_TooFew()).remember("The puppy sleeps")


@pytest.mark.spec("P-06")
def test_another_model_is_refused(opening: Opening) -> None:
    """A store whose vectors come from another model says so when it is opened, not by chance."""
    opening(embedder=Topics()).remember("The puppy sleeps")
    with pytest.raises(EmbedderMismatchError) as caught:
        opening(embedder=Named())
    for name in ("topics-1", "topics-2", "reembed"):
        assert name in str(caught.value)
    with opening(embedder=Topics()) as again:
        assert texts(again.recall("hound")) == ["The puppy sleeps"]
    with opening(embedder="none") as plain:
        assert texts(plain.recall("puppy")) == ["The puppy sleeps"]


def turned(by: int) -> Any:
    """An embedder without a name of its own: the axes of `topics`, moved on by so many."""
    return lambda said: [[*one[by:], *one[:by]] for one in topics(said)]


class Nameless:
    """The same as an object that can be called."""

    def __init__(self, by: int) -> None:
        self.by = by

    def __call__(self, said: Sequence[str]) -> Any:
        return turned(self.by)(said)


@pytest.mark.spec("P-06")
@pytest.mark.parametrize("code", [turned, Nameless, lambda by: partial(turned(by))])
def test_code_without_a_name_is_known_by_its_vectors(opening: Opening, code: Any) -> None:
    """Two lambdas, or two objects of a class, are called the same: one that makes other vectors is
    refused, made anew on demand, and known from then on; the same code again opens the store."""
    with opening(embedder=code(0)) as first:
        first.remember("The puppy sleeps")
        first.remember("Nora sold the car", user="ada", sensitivity="secret")
        name = first.embedder_id
    with opening(embedder=code(0)) as again:
        assert (again.embedder_id, texts(again.recall("hound"))) == (name, ["The puppy sleeps"])
    with pytest.raises(EmbedderMismatchError):
        opening(embedder=code(1))
    with opening(embedder=code(1), reembed=True) as other:
        assert other.reembed() == 2
        assert texts(other.recall("hound")) == ["The puppy sleeps"]
    with opening(embedder=code(1)) as other:
        assert other.embedder_id == f"{name}.2"
        assert texts(other.recall("hound")) == ["The puppy sleeps"]
        assert other.reembed(model=code(2)) == 2
        assert texts(other.recall("hound")) == ["The puppy sleeps"]
    for gone in (0, 1):
        with pytest.raises(EmbedderMismatchError):
            opening(embedder=code(gone))


@pytest.mark.spec("P-06")
@pytest.mark.parametrize("codes", [(Topics(), Named()), (turned(0), turned(1))])
def test_another_tenant_has_its_own_vectors(opening: Opening, codes: tuple[Any, Any]) -> None:
    """A memory over several tenants refuses one whose vectors come from another model, also on
    behalf of its token, and only that one; what reembeds refuses none."""
    own, other = codes
    with opening(embedder=own, tenant="acme") as acme:
        acme.remember("The puppy sleeps")
        token = acme.grant("a reader").token
    with opening(embedder=other, tenant="beta") as beta:
        beta.remember("The soup is hot")
        for refused in (
            lambda: beta.of_tenant("acme"),
            lambda: beta.acting(beta.identify(token)),
        ):
            with pytest.raises(EmbedderMismatchError):
                refused()
        assert texts(beta.of_tenant("gamma").of_tenant("beta").recall("meal")) == [
            "The soup is hot"
        ]
    with opening(embedder=own, tenant="gamma") as gamma:
        assert texts(gamma.of_tenant("acme").recall("hound")) == ["The puppy sleeps"]
    with opening(embedder=other, tenant="beta", reembed=True) as beta:
        acme = beta.of_tenant("acme")
        assert acme.reembed() == 1
        assert texts(beta.of_tenant("acme").recall("hound")) == ["The puppy sleeps"]
    with opening(embedder=other, tenant="beta") as beta:
        assert texts(beta.of_tenant("acme").recall("hound")) == ["The puppy sleeps"]


@pytest.mark.spec("P-06")
def test_code_that_was_renamed_is_known_by_its_vectors(opening: Opening) -> None:
    """Also where some memories have none, and where code of another size came before it."""
    with opening(embedder="none") as plain:
        plain.remember("The soup is hot")
    with opening(embedder=turned(0)) as memory:
        memory.remember("The puppy sleeps")
    with opening(embedder=topics) as memory:
        assert memory.embedder_id == "custom/turned.<locals>.<lambda>"
        assert texts(memory.recall("hound")) == ["The puppy sleeps"]
    with pytest.raises(EmbedderMismatchError):
        opening(embedder=lambda said: [[1.0, 0.5] for _ in said])


def test_what_was_kept_without_an_embedder_is_found_with_one(opening: Opening) -> None:
    """Rows without a vector are still found by their words, beside those with one."""
    with opening(embedder="none") as plain:
        plain.remember("The puppy sleeps in the barn")
    memory = opening(embedder=Topics())
    memory.remember("The hound guards the barn")
    assert texts(memory.recall("where does the puppy sleep?", limit=1)) == [
        "The puppy sleeps in the barn"
    ]
    assert texts(memory.recall("who guards?", limit=1)) == ["The hound guards the barn"]


class Averages(Topics):
    """The same, saying that its vectors are averages of words."""

    averages_words = True


@pytest.mark.parametrize(("embedder", "weight"), [(Topics(), 0.6), (Averages(), 0.2)])
def test_similarity_weighs_more_where_sentences_are_read(
    opening: Opening, embedder: object, weight: float
) -> None:
    """A vector of a whole sentence weighs more than an average of its words."""
    fuse = {"text": 1.0, "soft": 0.0, "sentences": 0.6, "pooled": 0.2}
    memory = opening(embedder=embedder, overrides={"fuse": fuse})
    memory.remember("The puppy sleeps")
    (hit,) = memory.recall("The puppy sleeps")
    assert hit.why["relevance.pooled"] == pytest.approx(weight / (1.0 + weight), abs=1e-3)


def similar(memory: Memory) -> float:
    """What similarity adds to a turn that says nothing of what is asked, beside one that does."""
    for text in ("This vehicle rusts", "Nobody paints it"):
        memory.observe(text, session="s")
    hits = {hit.memory.content: hit.why for hit in memory.recall("car")}
    return hits["Nobody paints it"].get("relevance.pooled", 0.0)


def test_neighbours_lend_similarity_where_sentences_are_read(opening: Opening) -> None:
    """A turn beside one that is like the question gains from it; of averages of words none does,
    and it is a knob."""
    every = {"score": {"min_share_of_best": 0.0, "min_confidence": 0.0}}
    alone = {"fuse": {"sentences": 0.2, "sentences_lent": 0.0}} | every
    lent = {"fuse": {"sentences": 0.2, "sentences_lent": 0.5}} | every
    gain = similar(opening("lent", embedder=Topics(), overrides=lent))
    assert gain > 1.2 * similar(opening("alone", embedder=Topics(), overrides=alone))
    averages = [
        similar(opening(f"{name}", embedder=Averages(), overrides=knobs))
        for name, knobs in (("one", alone), ("other", lent))
    ]
    assert averages[0] == averages[1]


@pytest.mark.parametrize("choice", ["nonsense", "", 5, 1.5, [], {}, True, b"none", "a b"])
def test_a_wrong_choice_names_the_right_ones(tmp_path: Path, choice: object) -> None:
    """What may be given is told."""
    with pytest.raises(InvalidInputError) as caught:
        Memory(tmp_path / "x.db", embedder=choice)
    assert "minilm" in str(caught.value)
    assert not (tmp_path / "x.db").exists()


class _Half:
    """An object with the one member that is needed."""

    def embed_documents(self, texts: Sequence[str]) -> list[list[float]]:
        """Half of what is needed."""
        return topics(texts)


def test_one_method_is_enough(opening: Opening) -> None:
    """Questions are embedded as documents where there is no other way; the class names it."""
    memory = opening(embedder=_Half())
    memory.remember("The puppy sleeps")
    assert texts(memory.recall("hound")) == ["The puppy sleeps"]
    assert "_Half" in memory.embedder_id
