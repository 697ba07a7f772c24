"""Feelings of texts, intents of queries and the questions a query holds."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engraphy.model.language import Intent
from engraphy.text.compound import decompose
from engraphy.text.emotion import CATEGORIES, emotion
from engraphy.text.intents import intent, speakers_named


@pytest.mark.parametrize(
    ("text", "category", "sign"),
    [
        ("I'm so happy", "joy", 1),
        ("I am not happy", "sadness", -1),
        ("çok mutluyum", "joy", 1),
        ("mutlu değilim", "sadness", -1),
        ("I am furious", "anger", -1),
        ("I'm terrified", "fear", -1),
        ("My dog died, I'm devastated", "sadness", -1),
        ("that is disgusting", "disgust", -1),
        ("I was surprised", "surprise", 0),
        ("çok korkuyorum", "fear", -1),
        ("the build passed", "neutral", 0),
    ],
)
def test_feelings_with_negation(text: str, category: str, sign: int) -> None:
    """The six categories of Ekman, in both languages, turned over by a denial (D-12)."""
    found = emotion(text)
    assert found.category == category
    assert (found.valence > 0) - (found.valence < 0) == sign


def test_arousal_comes_from_outward_signs() -> None:
    """Exclamation marks, capitals, urgency and swearing raise it; calm words do not."""
    assert emotion("THIS IS AWFUL!!! I HATE IT").arousal >= 0.8
    assert emotion("I'm terrified, emergency, call me now!!!").arousal >= 0.8
    assert emotion("I like tea").arousal < 0.4
    assert emotion("The API returns JSON over HTTP").arousal == 0.0


@given(st.text(max_size=300))
def test_feelings_stay_in_their_ranges(text: str) -> None:
    """Whatever the text, valence and arousal are in range and the category is known."""
    found = emotion(text)
    assert -1 <= found.valence <= 1
    assert 0 <= found.arousal <= 1
    assert found.category in {*CATEGORIES, "neutral"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("why did we drop Redis?", Intent.CAUSAL),
        ("neden Redis'i bıraktık?", Intent.CAUSAL),
        ("when did I move?", Intent.TEMPORAL),
        ("ne zaman taşındım?", Intent.TEMPORAL),
        ("what do I prefer for breakfast?", Intent.PREFERENCE),
        ("hangi editörü seviyorum?", Intent.PREFERENCE),
        ("who is Anna?", Intent.ENTITY_PROFILE),
        ("Anna kim?", Intent.ENTITY_PROFILE),
        ("what port does the API use?", Intent.FACTUAL),
        ("API portu ne?", Intent.FACTUAL),
        ("hello", Intent.GENERAL),
        ("", Intent.GENERAL),
    ],
)
def test_the_six_intents(query: str, expected: Intent) -> None:
    """Key words of both languages choose the intent (D-21)."""
    assert intent(query) is expected


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (
            "What port does the API use and which database do we have?",
            ("What port does the API use", "which database do we have?"),
        ),
        (
            "Where do Anna and Ben live?",
            ("Where do Anna live?", "Where do Ben live?"),
        ),
        (
            "What does Anna think about Redis and Postgres?",
            ("What does Anna think about Redis?", "What does Anna think about Postgres?"),
        ),
        (
            "tell me about Docker and Kubernetes",
            ("tell me about Docker", "tell me about Kubernetes"),
        ),
        (
            "API portu ne ve hangi veritabanını kullanıyoruz?",
            ("API portu ne", "hangi veritabanını kullanıyoruz?"),
        ),
    ],
)
def test_compound_questions_are_taken_apart(query: str, expected: tuple[str, ...]) -> None:
    """Two to four questions of their own (D-22)."""
    assert decompose(query) == expected


@pytest.mark.parametrize(
    "query",
    [
        "What is the port?",
        "rock and roll",
        "compare Redis and Postgres",
        "who wrote war and peace?",
    ],
)
def test_simple_questions_stay_whole(query: str) -> None:
    """Nothing is cut that asks one thing, or asks about two things together."""
    assert decompose(query) == (query,)


def test_at_most_four_queries() -> None:
    """A list of questions is cut off at four."""
    assert len(decompose("who is Al? who is Bo? who is Cy? who is Di? who is Ed?")) == 4


def test_speakers_are_found_by_full_or_first_name() -> None:
    """A name is a word of the query, not a part of one; case and marks do not matter."""
    speakers = ["Caroline Smith", "Mel", "Ayşe"]
    assert speakers_named("What did caroline say to ayse?", speakers) == ("Caroline Smith", "Ayşe")
    assert speakers_named("the melody", speakers) == ()
