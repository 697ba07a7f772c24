"""The default embedder: deterministic, offline, close texts close."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings, strategies
from tests.examples import few

from engraphy.ports import Embed, LateInteraction
from engraphy.providers.static import StaticEmbedder
from engraphy.providers.table import DATA

EMBEDDER = StaticEmbedder()

COLD_LOAD = """
import time
import numpy, numpy.typing, engraphy
started = time.process_time()
from engraphy.providers.static import StaticEmbedder
embedder = StaticEmbedder()
embedder.embed_query("which test runner?")
embedder.encode_tokens(["which test runner?"])
print(time.process_time() - started)
"""


ONLY_LOOKS = """
import sys
from engraphy import Memory
with Memory("own.db") as memory:
    memory.list(), memory.stats(), memory.facts(), memory.timeline()
    assert "numpy" not in sys.modules
    memory.remember("I prefer pytest")
    assert "numpy" in sys.modules
"""


def _similarity(one: str, two: str) -> float:
    left, right = EMBEDDER.embed_documents([one, two])
    return EMBEDDER.calibrate(float(left @ right))


def test_is_both_ports() -> None:
    """The embedder satisfies the engine's two protocols."""
    assert isinstance(EMBEDDER, Embed)
    assert isinstance(EMBEDDER, LateInteraction)


def test_the_table_is_the_recorded_one() -> None:
    """Every file of the table has the hash that the distil script recorded."""
    record = json.loads((DATA / "table.json").read_text("utf-8"))
    found = {n: hashlib.sha256((DATA / n).read_bytes()).hexdigest() for n in record["sha256"]}
    assert found == record["sha256"]


def test_the_model_id_names_the_table() -> None:
    """Another table gives another model id, so that stored vectors are never mixed."""
    record = json.loads((DATA / "table.json").read_text("utf-8"))
    assert EMBEDDER.model_id.endswith(record["sha256"]["table.int8.npy"][:8])


@settings(max_examples=few(50))
@given(strategies.lists(strategies.text(max_size=80), max_size=5))
def test_vectors_are_finite_and_of_unit_length(texts: list[str]) -> None:
    """Any text gives one float32 vector of 128 finite numbers, of length 1 or all zero."""
    for vector in EMBEDDER.embed_documents(texts):
        assert vector.shape == (EMBEDDER.dim,) == (128,)
        assert vector.dtype == np.float32
        assert np.isfinite(vector).all()
        assert np.linalg.norm(vector) == pytest.approx(1.0, abs=1e-4) or not vector.any()


def test_a_vector_does_not_depend_on_its_batch() -> None:
    """A text has the same vector alone, in a batch, and as a question."""
    texts = ["I prefer pytest", "My sister lives in Lisbon", ""]
    together = EMBEDDER.embed_documents(texts)
    for text, vector in zip(texts, together, strict=True):
        assert np.array_equal(vector, EMBEDDER.embed_documents([text])[0])
        assert np.array_equal(vector, EMBEDDER.embed_query(text))


def test_vectors_cannot_be_changed() -> None:
    """A vector may be shared by a cache, so nobody can write to it."""
    with pytest.raises(ValueError, match="read-only"):
        EMBEDDER.embed_query("hello")[0] = 1.0


def test_a_text_without_known_tokens_is_like_nothing() -> None:
    """The empty text and one of unknown words have the zero vector."""
    assert not EMBEDDER.embed_query("").any()
    assert not EMBEDDER.embed_query("😀" * 3).any()


def test_paraphrases_are_nearer_than_topics() -> None:
    """Other words for the same come above the same topic, and that above the unrelated."""
    statement = "My sister lives in Rome with her two children"
    paraphrase = _similarity(statement, "My sister and her two kids have their home in Rome")
    topic = _similarity(statement, "We visited my sister in Rome last spring")
    unrelated = _similarity(statement, "The database port is 5433")
    assert paraphrase > 0.7 > topic > 0.35 > unrelated


def test_the_same_text_is_fully_alike() -> None:
    """A text is at the top of the common scale with itself."""
    assert _similarity("I drink green tea", "I drink green tea") == pytest.approx(1.0, abs=1e-3)


@pytest.mark.long
def test_loads_quickly() -> None:
    """A cold start costs little beyond importing numpy: it happens in every hook process."""
    command = [sys.executable, "-c", COLD_LOAD]
    found = [float(subprocess.check_output(command, text=True)) for _ in range(2)]
    assert min(found) < 0.15


@pytest.mark.long
def test_what_only_looks_loads_no_numpy(tmp_path: Path) -> None:
    """A listing, counts, facts and the timeline come without it: a command starts sooner."""
    done = subprocess.run(
        [sys.executable, "-c", ONLY_LOOKS],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
