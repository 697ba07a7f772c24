"""Token estimates and keywords."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.text.keywords import keywords
from engraphy.text.tokens import TOKENIZER, estimate_tokens, measure, truncate_to_tokens

ANY_TEXT = st.text(st.characters(exclude_categories=()), max_size=300)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("word", 2),
        ("a b c d e f g h i j", 11),
        ("internationalization", 6),
        ("12345678", 4),
        ("東京に行く", 5),
        ("!!!!!!!!!!!", 6),
        (" " * 40, 11),
        ("çöğüşı" * 2, 7),
    ],
)
def test_estimates(text: str, tokens: int) -> None:
    """max(pattern estimate, bytes / 4) * 1.1, rounded up."""
    assert estimate_tokens(text) == tokens


@given(ANY_TEXT, ANY_TEXT)
def test_more_text_never_costs_less(a: str, b: str) -> None:
    """The estimate grows with the text and is never far below its bytes."""
    assert estimate_tokens(a + b) >= estimate_tokens(a)
    assert estimate_tokens(a) * 4 >= len(a.encode("utf-8", "surrogatepass"))


@given(ANY_TEXT, st.integers(-2, 200))
def test_truncation_never_exceeds_the_budget(text: str, budget: int) -> None:
    """The result is a beginning of the text, within budget, and all of it where all fits."""
    cut = truncate_to_tokens(text, budget)
    assert text.startswith(cut)
    assert estimate_tokens(cut) <= max(0, budget)
    if estimate_tokens(text) <= budget:
        assert cut == text


def test_truncation_uses_the_budget_and_ends_at_a_space() -> None:
    """Most of the budget is used and no word is cut in two."""
    text = "memory for agents " * 100
    cut = truncate_to_tokens(text, 50)
    assert estimate_tokens(cut) >= 45
    assert cut.rsplit(" ", 1)[-1] in {"memory", "for", "agents"}
    assert truncate_to_tokens("x" * 1_000, 10) == "x" * 36


def test_the_tokenizer_has_a_name() -> None:
    """Budgets are stated in a named unit."""
    assert TOKENIZER == "engraphy-estimate-1"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("We moved src/api/auth.js to PostgreSQL with Alice", ["src/api/auth.js", "PostgreSQL"]),
        ("deploy the deployments; deployed on deploy day", ["deploy"]),
        ("what is it?", []),
        ("gpt-4o's context", ["gpt-4o", "context"]),
        ("東京に行く", ["東京に行く"]),
        ("", []),
    ],
)
def test_keywords(text: str, expected: list[str]) -> None:
    """Identifiers and names first, inflected forms counted together, nothing without content."""
    assert keywords(text, max(1, len(expected)))[: len(expected)] == expected
    assert bool(keywords(text, 9)) == bool(expected)


@given(ANY_TEXT, st.integers(0, 5))
def test_keywords_are_distinct_words_of_the_text(text: str, limit: int) -> None:
    """At most the limit, none twice, any text."""
    found = keywords(text, limit)
    assert len(found) <= limit
    assert len(set(found)) == len(found)


@given(st.text(st.characters(codec="ascii")))
def test_text_without_other_scripts_costs_the_same(text: str) -> None:
    """Plain ASCII, which is counted another way, costs what it costs beside another space."""
    assert measure(text).cost == pytest.approx(measure(f"{text}\u2003").cost, abs=1e-9)
