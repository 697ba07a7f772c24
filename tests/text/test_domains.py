"""What a text is about, of a few domains of life."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.text.analyser import analyse
from engraphy.text.domains import of_codes, of_question
from engraphy.text.imprint import code


@pytest.mark.parametrize(
    ("text", "domains"),
    [
        ("Which documentaries should I watch?", {"watching"}),
        ("I'm allergic to shellfish", {"food"}),
        ("plant-based", set()),
        ("Bana bir restoran önerir misin?", {"food"}),
        ("write a unit test for the parser", {"testing"}),
        ("Walk through this loop step by step and say what is in its language", set()),
        ("", set()),
    ],
)
def test_words_tell_domains(text: str, domains: set[str]) -> None:
    """A word that is written, or its long stem, is enough; parts of words and what is
    said of many things tell nothing."""
    assert of_question(text) == domains


@given(st.text(max_size=200))
def test_any_text_has_the_domains_of_its_tokens(text: str) -> None:
    """A question is read as a memory is, by its index tokens."""
    assert of_question(text) == of_codes(b"".join(map(code, analyse(text))))
