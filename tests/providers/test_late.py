"""Late interaction: word by word, weighted, soft."""

import time

import numpy as np
import pytest
from hypothesis import given, settings, strategies
from tests.examples import few

from engraphy.providers.late import shared_maxsim

LATE = shared_maxsim()


def _score(words: list[tuple[str, float]], *texts: str) -> list[float]:
    """The mean soft match of each text, weighted by word."""
    rows = LATE.maxsim([word for word, _ in words], LATE.encode_tokens(texts))
    total = sum(weight for _, weight in words) or 1.0
    weights = [weight / total for _, weight in words]
    return [sum(w * soft for w, soft in zip(weights, row, strict=True)) for row in rows]


def test_codes_are_distinct_content_tokens() -> None:
    """A code is uint16 ids without repeats, stop words and punctuation."""
    short, long = LATE.encode_tokens(["dog cat", "The dog, and the dog; a cat!"])
    assert short == long
    assert len(np.frombuffer(short, dtype="<u2")) == 2


def test_codes_are_capped() -> None:
    """A text of very many words keeps its first 2,048 distinct tokens."""
    numbers = " ".join(str(number) for number in range(20_000))
    assert len(LATE.encode_tokens([numbers])[0]) <= 2 * 2048


def test_turkish_stop_words_leave_no_code() -> None:
    """Turkish function words are dropped as English ones are, in any case."""
    assert LATE.encode_tokens(["Bu VE şu için", "the of and"]) == [
        LATE.encode_tokens(["şu"])[0],
        b"",
    ]


def test_the_word_itself_scores_one() -> None:
    """A document that holds every query word has the full score, others less."""
    full, half, none = _score([("dog", 1.0), ("lisbon", 1.0)], "Lisbon dog", "dog", "invoice")
    assert full == pytest.approx(1.0, abs=1e-5)
    assert full > half > none


def test_meaning_counts_without_the_word() -> None:
    """A related word matches softly."""
    related, unrelated = _score([("dog", 1.0)], "our puppy", "an invoice")
    assert 0.3 < related < 1.0
    assert unrelated < 0.1


def test_idf_weighs_the_words() -> None:
    """The word with the larger idf decides."""
    rare, common = _score([("lisbon", 9.0), ("dog", 1.0)], "Lisbon", "dog")
    assert rare == pytest.approx(0.9, abs=0.05)
    assert common == pytest.approx(0.1, abs=0.05)


def test_a_word_of_several_pieces_is_one_word() -> None:
    """A word that is cut into pieces has the weight of one word."""
    (found,) = _score([("electroencephalography", 1.0), ("dog", 1.0)], "dog")
    assert found == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("words", [[], [("", 1.0)], [("dog", 0.0)], [("😀", 2.0)]])
def test_nothing_to_compare_scores_zero(words: list[tuple[str, float]]) -> None:
    """Without a known query word of some weight every document has 0."""
    assert _score(words, "dog", "") == [0.0, 0.0]


def test_no_documents_give_no_scores() -> None:
    """An empty list of documents is legal."""
    assert LATE.maxsim(["dog"], []) == []


@settings(max_examples=few(50))
@given(
    strategies.lists(strategies.tuples(strategies.text(max_size=12), strategies.floats(0, 20))),
    strategies.lists(strategies.text(max_size=60), max_size=6),
)
def test_scores_are_bounded_and_independent(
    words: list[tuple[str, float]], texts: list[str]
) -> None:
    """Each score lies in [0, 1] and does not depend on the other documents."""
    scores = _score(words, *texts)
    assert all(0.0 <= score <= 1.0 + 1e-9 for score in scores)
    alone = [_score(words, text)[0] for text in texts]
    assert scores == pytest.approx(alone, abs=1e-5)


@pytest.mark.slow
def test_a_long_question_stays_cheap() -> None:
    """A question of thousands of words against long documents is bounded in work and memory."""
    long = " ".join(str(number) for number in range(10_000))
    codes = LATE.encode_tokens([long]) * 50
    started = time.process_time()
    scores = LATE.maxsim(long.split(), codes)
    assert len(scores) == 50
    assert time.process_time() - started < 2.0


@pytest.mark.slow
def test_a_hundred_documents_take_well_under_a_millisecond() -> None:
    """100 documents of 40 words cost about 0.2 ms; the bound allows for slow machines."""
    text = "we talked about the new {} and how {} wants to move the garden party to {} next summer"
    names = ("puppy", "violin", "kitchen", "bicycle", "database", "novel", "church", "island")
    texts = [text.format(a, b, b) * 2 for a in names for b in names][:50] * 2
    codes = LATE.encode_tokens(texts)
    words = ["violin", "party", "summer", "island"]
    costs = []
    for _ in range(20):
        started = time.process_time()
        LATE.maxsim(words, codes)
        costs.append(time.process_time() - started)
    assert min(costs) < 0.002
