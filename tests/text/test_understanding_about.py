"""Whom or what a question is about, and that questions for a cause are told from others (D-21)."""

import pytest

from engraphy.model import Intent
from engraphy.text.about import subject
from engraphy.text.intents import intent

ABOUT = {
    "What do you know about Ann?": "Ann",
    "tell me about the billing service": "billing service",
    "Tell me everything about Mehmet Kaya.": "Mehmet Kaya",
    "who is Ada?": "Ada",
    "Ayşe hakkında ne biliyorsun?": "Ayşe",
    "Bana fatura servisi hakkında ne biliyorsun": "fatura servisi",
    "Mehmet'i anlat": "Mehmet",
    "Ada kimdir?": "Ada",
}
NOBODY = ("Which port does the API use?", "", "?", "about", "hakkında", "neden çöktü?")


@pytest.mark.parametrize(("question", "name"), ABOUT.items())
def test_a_question_about_somebody_names_them(question: str, name: str) -> None:
    """Without articles, forms of address and Turkish endings, as it was written."""
    assert subject(question) == name


@pytest.mark.parametrize("question", NOBODY)
def test_other_questions_are_about_nobody(question: str) -> None:
    """No name, no subject."""
    assert subject(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "why did the deploy fail?",
        "what led to the outage?",
        "because of what did we leave?",
        "dağıtım neden çöktü?",
        "niçin taşındık?",
        "bu neye yol açtı?",
    ],
)
def test_questions_for_a_cause(question: str) -> None:
    """English and Turkish, by their words."""
    assert intent(question) is Intent.CAUSAL
