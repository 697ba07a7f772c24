"""Cutting texts: sentences, chunks, clauses, atoms, and pronouns put back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.text.atoms import atoms
from engraphy.text.coref import resolved
from engraphy.text.entities import entities
from engraphy.text.split import chunks, clauses, sentences


def test_a_sentence_does_not_end_at_an_abbreviation_or_inside_a_name() -> None:
    """Abbreviations, initials, versions and file names keep their full stops."""
    text = "Dr. Smith uses Node.js v1.2 and auth.js. It works! Sure..."
    assert sentences(text) == ("Dr. Smith uses Node.js v1.2 and auth.js.", "It works!", "Sure...")


def test_chinese_and_japanese_sentences_end_without_a_space() -> None:
    """A full-width stop ends a sentence."""
    assert sentences("我喜欢茶。你呢？") == ("我喜欢茶。", "你呢？")


def test_a_short_text_is_one_chunk() -> None:
    """What fits is not cut."""
    assert chunks("One. Two.\n\nThree.") == ["One. Two.\n\nThree."]


def test_chunks_break_at_paragraphs_then_sentences() -> None:
    """A border is a paragraph where there is one, else the end of a sentence."""
    first, second = "A first one. " * 8, "A second one. " * 8
    pieces = chunks(f"{first}\n\n{second}", limit=120)
    assert pieces[0] == first.strip()
    assert all(piece.endswith(".") for piece in chunks("A short one. " * 40, limit=100))


def test_a_code_block_that_fits_stays_whole() -> None:
    """A fenced block is never cut where it fits."""
    block = "```py\nx = 1\n\n\ny = 2\n```"
    pieces = chunks(f"{'word ' * 20}\n\n{block}\n\n{'word ' * 20}", limit=110)
    assert any(block in piece for piece in pieces)


@given(st.text(max_size=400), st.integers(min_value=1, max_value=60))
def test_chunks_lose_nothing(text: str, limit: int) -> None:
    """Joined, the chunks hold every non-space character in order, and none is too long."""
    pieces = chunks(text, limit=limit)
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(0 < len(piece) <= limit for piece in pieces)


def test_a_limit_below_one_is_refused() -> None:
    """A chunk of no characters is no chunk."""
    with pytest.raises(ValueError, match="at least 1"):
        chunks("text", limit=0)


def test_clauses_are_cut_at_commas_and_conjunctions() -> None:
    """A number with a comma is not two clauses."""
    assert clauses("I like tea, and it costs 1,000 lira but ok") == (
        "I like tea",
        "and it costs 1,000 lira",
        "ok",
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Anna lives in Berlin and Ben lives in Oslo",
            ("Anna lives in Berlin", "Ben lives in Oslo"),
        ),
        (
            "I use Python at work and write Go at home",
            ("I use Python at work", "I write Go at home"),
        ),
        (
            "Ali İstanbul'da yaşıyor ve Ayşe Ankara'da çalışıyor",
            ("Ali İstanbul'da yaşıyor", "Ayşe Ankara'da çalışıyor"),
        ),
    ],
)
def test_two_statements_become_two(text: str, expected: tuple[str, ...]) -> None:
    """Cut where both sides have their own verb and name different things; the subject is shared."""
    assert atoms(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "I like Python and Go",
        "rock and roll",
        "salt and pepper are on the table",
        "I use Docker and I love Docker",
        "tuz ve biber",
        "It is slow and it is old",
    ],
)
def test_one_statement_stays_one(text: str) -> None:
    """No cut without a verb and a different entity on each side."""
    assert atoms(text) == (text,)


def test_a_pronoun_becomes_the_last_fitting_entity() -> None:
    """ "He" and "she" stand for people, "it" for things."""
    text = "Anna joined Google. She lives in Berlin. It was slow."
    assert resolved(text) == "Anna joined Google. Anna lives in Berlin. Google was slow."
    assert resolved("Ayşe geldi. O Ankara'da yaşıyor.") == "Ayşe geldi. Ayşe Ankara'da yaşıyor."


def test_a_pronoun_without_an_entity_stays() -> None:
    """Nothing is invented, and "it is raining" is about nothing."""
    assert resolved("She lives in Berlin.") == "She lives in Berlin."
    assert resolved("We use Redis. It is raining.") == "We use Redis. It is raining."


def test_earlier_messages_lend_their_entities() -> None:
    """A pronoun may stand for what was named before this text."""
    assert resolved("It runs on Linux.", known=entities("We use Redis.")).startswith("Redis runs")


@given(st.text(max_size=300))
def test_any_text_is_cut_without_error(text: str) -> None:
    """No text raises."""
    assert isinstance(atoms(text), tuple)
    assert isinstance(resolved(text), str)
