"""A question asks for a kind, the answer names one of it: found, and given to a prompt."""

import pytest
from tests.engine.conftest import Shared

from engraphy import Memory

OTHERS = [
    "My knee hurts after long runs, the doctor said to avoid hills",
    "I avoid mocking in tests, use the real database",
    "Never commit directly to main, open a pull request",
    (
        "Notes from the book I am reading, about how cities grow: streets that are narrow make "
        "people walk slower, and you should avoid building what nobody asked for."
    ),
    "My brother-in-law's landlord is Mr. Huber",
    "We deploy with Kamal from the main branch every Thursday",
    "The build fails on Windows because of the path separator",
    "The wifi password of my parents is on the back of the router",
    "My email is maya@posteo.at, use that one when you write drafts for me",
    "For Christmas we always go to the lake in Villach",
    "I learned typing for three years at school",
    "Timestamps are stored as UTC in microseconds",
]
ASKED = [
    ("I'm allergic to penicillin", "which antibiotics should I avoid?"),
    ("I'm allergic to hazelnuts", "do I have any allergies?"),
    ("I can't stand coriander", "which foods do I dislike?"),
    ("I'm allergic to penicillin", "which medicines should I not take?"),
    ("I'm allergic to penicillin", "what do I tell the surgeon before an operation?"),
    ("I've been vegan for years", "can you recommend a restaurant for tonight?"),
    ("I've been vegan for years", "suggest a recipe for dinner"),
    ("I'm lactose intolerant", "can I drink milk?"),
    ("I take 50 mg of sumatriptan when it starts", "which medication do I take?"),
    ("I have two older sisters", "do I have siblings?"),
    ("Rex is my labrador", "what pets do I have?"),
    ("My mother turns 70 on the 12th of March", "when is my mum's birthday?"),
    ("I play the clarinet in a band", "which instrument do I play?"),
    ("I do most of my work in Neovim", "what's my editor?"),
    ("We store everything in CockroachDB", "which database do we use?"),
]


@pytest.mark.parametrize(("told", "question"), ASKED)
def test_one_of_a_kind_answers(shared: Shared, user: str, told: str, question: str) -> None:
    """What names one of the kind is among the best three, and in the block of a small budget."""
    memory = shared()
    for text in (told, *OTHERS):
        memory.remember(text, user=user)
    best = [hit.memory.content for hit in memory.recall(question, user=user, limit=3)]
    assert told in best
    assert told in memory.context(question, user=user, budget=300).text


def test_the_word_itself_counts_more(memory: Memory) -> None:
    """Who says the word of the question comes before who only names one of its kind."""
    for text in (*OTHERS, "We keep a labrador on the farm", "My only pet is a gecko called Zilla"):
        memory.remember(text, user="ada")
    best = memory.recall("do I have a pet?", user="ada")
    assert best[0].memory.content == "My only pet is a gecko called Zilla"


def test_of_others_nothing_is_supposed(memory: Memory) -> None:
    """Who speaks of themselves seldom says the word; for others the words count as they are."""
    for text in (*OTHERS, "Rex is the labrador of the porter"):
        memory.remember(text, user="ada")
    own = memory.recall("which pets do I have?", user="ada")
    others = memory.recall("which pets does Zoe have?", user="ada")
    told = "Rex is the labrador of the porter"
    score = {hit.memory.content: hit.why.get("relevance.text", 0.0) for hit in own}
    assert score[told] > 0.0
    assert all("relevance.text" not in hit.why for hit in others if hit.memory.content == told)
