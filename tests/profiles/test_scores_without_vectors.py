"""What a hit scores where there is no vector to compare: the words carry the weight."""

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import Ticks, kept, texts

from engraphy import Memory

__all__ = ["clock", "opening"]

SAID = "The API listens on port 3000"
OTHERS = (
    "The API key of staging is kept in the vault",
    "Bread is baked at dawn by Marcus",
    "The port of Lisbon is old",
)


@pytest.fixture
def wordy(opening: Opening, clock: Ticks) -> Memory:
    """A memory of cognitive without an embedder, a day after four statements."""
    memory = opening(profile="cognitive")
    for text in (*OTHERS, SAID):
        memory.remember(text)
    clock.pass_days(1)
    return memory


@pytest.mark.spec("D-24")
def test_words_carry_what_vectors_would(wordy: Memory) -> None:
    """Without vectors an exact match of yesterday still reaches the style `full`."""
    block = wordy.context(SAID)
    assert texts(block.hits)[0] == SAID
    assert block.receipt.lines[0].style == "full"
    assert block.hits[0].score >= 0.7


@pytest.mark.spec("D-26")
def test_the_weighted_retrieval_score_is_used_and_shown(wordy: Memory) -> None:
    """.6 of the words held, .2 utility and .2 importance, each part told by its name."""
    best = wordy.recall(SAID, touch=False)[0]
    parts = {name: share for name, share in best.why.items() if name.isalpha()}
    row = best.memory
    expected = {"coverage": 0.6, "utility": 0.2 * row.utility, "importance": 0.2 * row.importance}
    assert parts == pytest.approx(expected, abs=1e-3)
    assert best.score == pytest.approx(sum(expected.values()), abs=1e-3)


@pytest.mark.spec("D-24")
def test_half_an_answer_counts_half(wordy: Memory) -> None:
    """Of two that share words with the question the one that holds more of them scores higher,
    and one that holds none of them is no hit."""
    hits = wordy.recall("which port does the API listen on?", touch=False)
    shares = {hit.memory.content: hit.why["coverage"] for hit in hits}
    assert next(iter(shares)) == SAID
    assert 0.0 < shares[OTHERS[2]] < shares[SAID] <= 0.6
    assert OTHERS[1] not in shares


@pytest.mark.spec("D-24")
def test_with_vectors_the_composite_stays(opening: Opening) -> None:
    """Where vectors can be compared, similarity weighs .40 and nothing stands in for it."""
    memory = opening(profile="cognitive", embedder="static")
    memory.remember(SAID)
    (hit,) = memory.recall(SAID, touch=False)
    assert hit.why["similarity"] == pytest.approx(0.4, abs=0.02)
    assert "coverage" not in hit.why


@pytest.mark.spec("A-04")
def test_weights_that_count_on_no_similarity_are_honoured(opening: Opening) -> None:
    """A caller's own weights hold without an embedder too."""
    plain = {"utility": {"factual": 0.0, "general": 0.0}}
    overrides = {"score": {"weights": {"importance": 1.0}}, "boost": plain}
    memory = opening(profile="cognitive", overrides=overrides)
    row = kept(memory.remember(SAID, importance=0.35))
    (hit,) = memory.recall(SAID, touch=False)
    assert hit.score == pytest.approx(row.importance)
