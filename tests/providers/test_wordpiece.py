"""The tokenizer equals BERT's and stays linear."""

import json
import time
from pathlib import Path

import pytest
from hypothesis import given, strategies

from engraphy.providers.table import shared_table

WORDPIECE = shared_table().wordpiece
GOLDEN = json.loads(
    Path(__file__).with_name("data").joinpath("wordpiece_golden.json").read_text("utf-8")
)
LETTERS = "etaoinshrdlucmfwypvbgkjqxz"


def _words(length: int, characters: int) -> str:
    """Return distinct made-up words: every one misses the cache and the vocabulary."""
    count = characters // (length + 1)
    return " ".join(
        "".join(
            LETTERS[(number * 7919 + place * place * 31 + number % 97) % 26]
            for place in range(length)
        )
        for number in range(count)
    )


HOSTILE = {
    "one long word": lambda size: "a" * size,
    "punctuation": lambda size: "!?" * (size // 2),
    "accents": lambda size: "é" * (size // 2),
    "combining marks": lambda size: "a" + "\u0301" * (size // 2),
    "ideographs": lambda size: "漢字" * (size // 6),
    "words at the limit": lambda size: _words(100, size),
    "nested pieces": lambda size: ("interna" * 14 + " ") * (size // 99),
}


@pytest.mark.parametrize("case", GOLDEN, ids=range(len(GOLDEN)))
def test_equals_the_reference(case: dict[str, object]) -> None:
    """Every text gets the ids that the Rust package `tokenizers` gives it."""
    assert WORDPIECE.encode(str(case["text"])) == case["ids"]


@given(strategies.text())
def test_any_text_is_legal(text: str) -> None:
    """No text raises, and every id is one of the vocabulary's."""
    assert all(0 <= number < shared_table().size for number in WORDPIECE.encode(text))


@given(strategies.text(alphabet="abcdefgh éİıß漢!?", max_size=200))
def test_spaces_do_not_matter(text: str) -> None:
    """Tokens depend on the words only, not on the white space around them."""
    spaced = "  " + text.replace(" ", " \t\n ") + " "
    assert WORDPIECE.encode(spaced) == WORDPIECE.encode(text)


def test_a_word_of_more_than_a_hundred_characters_is_unknown() -> None:
    """A word is cut up to 100 characters; a longer one becomes the unknown token."""
    assert WORDPIECE.unknown not in WORDPIECE.encode("ab" * 50)
    assert WORDPIECE.encode("ab" * 50 + "a") == [WORDPIECE.unknown]


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_takes_linear_time(name: str) -> None:
    """Twice as much hostile text takes at most about twice the time, and 1 MB well under 1 s."""

    def seconds(text: str) -> float:
        started = time.process_time()
        WORDPIECE.encode(text)
        return time.process_time() - started

    half, whole = (HOSTILE[name](size) for size in (500_000, 1_000_000))
    first = seconds(half)
    second = seconds(whole)
    assert second < 0.75
    assert second <= 2.5 * first + 0.05
