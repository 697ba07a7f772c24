"""The embedders that need an extra: without it one clear error, with it real vectors."""

from collections.abc import Callable

import numpy as np
import pytest

from engraphy.errors import MissingExtraError
from engraphy.ports import Embed, LateInteraction
from engraphy.providers import minilm, multilingual
from engraphy.providers.minilm import MiniLMEmbedder
from engraphy.providers.multilingual import MultilingualEmbedder

Embedder = MiniLMEmbedder | MultilingualEmbedder
needs_minilm = pytest.mark.skipif(not minilm.AVAILABLE, reason="extra minilm not installed")
needs_multilingual = pytest.mark.skipif(
    not multilingual.AVAILABLE, reason="extra multilingual not installed"
)
EMBEDDERS = [
    pytest.param(MiniLMEmbedder, marks=needs_minilm, id="minilm"),
    pytest.param(MultilingualEmbedder, marks=needs_multilingual, id="multilingual"),
]


@pytest.mark.parametrize(
    ("module", "embedder", "extra"),
    [
        (minilm, MiniLMEmbedder, "minilm"),
        (multilingual, MultilingualEmbedder, "multilingual"),
    ],
)
def test_a_missing_extra_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, module: object, embedder: type[Embedder], extra: str
) -> None:
    """Without the package the constructor names the one command that installs it."""
    monkeypatch.setattr(module, "AVAILABLE", False)
    with pytest.raises(MissingExtraError, match=rf'pip install "engraphy\[{extra}\]"'):
        embedder()


@pytest.mark.parametrize("open_embedder", EMBEDDERS)
def test_vectors_are_sound(open_embedder: Callable[[], Embedder]) -> None:
    """Any text, the empty one included, has one finite unit vector of the stated size."""
    embedder = open_embedder()
    assert isinstance(embedder, Embed)
    assert isinstance(embedder, LateInteraction)
    vectors = embedder.embed_documents(["", "hello", "\ud800", "word " * 400, "x" * 20_000])
    assert embedder.embed_documents([]) == []
    for vector in vectors:
        assert vector.shape == (embedder.dim,)
        assert np.isfinite(vector).all()
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-4)


@pytest.mark.parametrize("open_embedder", EMBEDDERS)
def test_batches_do_not_mix(open_embedder: Callable[[], Embedder]) -> None:
    """A text's vector is the same alone, in a batch of other lengths, and as a question."""
    embedder = open_embedder()
    texts = ["tea", "My sister lives in Rome with her two children", "the port is 5433"] * 7
    together = embedder.embed_documents(texts)
    for place in (0, 1, 20):
        alone = embedder.embed_query(texts[place])
        assert float(alone @ together[place]) == pytest.approx(1.0, abs=0.01)


@pytest.mark.parametrize("open_embedder", EMBEDDERS)
def test_paraphrases_are_nearer_than_topics(open_embedder: Callable[[], Embedder]) -> None:
    """On the common scale a paraphrase passes .7 and another subject stays below .4."""
    embedder = open_embedder()
    statement, paraphrase, unrelated = embedder.embed_documents(
        [
            "My sister lives in Rome with her two children",
            "My sister and her two kids have their home in Rome",
            "The database port is 5433",
        ]
    )
    assert embedder.calibrate(float(statement @ paraphrase)) > 0.7
    assert embedder.calibrate(float(statement @ unrelated)) < 0.4


@needs_multilingual
def test_turkish_questions_find_turkish_memories() -> None:
    """A Turkish question in other words is nearest to its answer."""
    embedder = MultilingualEmbedder()
    documents = embedder.embed_documents(
        ["Kız kardeşim İzmir'de yaşıyor", "Kahve içmem", "Veritabanı 5433 portunda çalışıyor"]
    )
    question = embedder.embed_query("Ablam hangi şehirde oturuyor?")
    assert int(np.argmax([float(question @ vector) for vector in documents])) == 0
