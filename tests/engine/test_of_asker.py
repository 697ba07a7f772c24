"""Who asks for something of one's own gets what was told of it, in whichever words."""

import pytest
from tests.engine.conftest import Shared
from tests.engine.making import texts

from engraphy import Memory

PASTED = [
    """def get_user_name(user_id: int) -> str:
    \"\"\"Return the name of the user, or who they are.\"\"\"
    name = db.execute("SELECT name, age, email FROM users WHERE id = ?", (user_id,))
    return name or "no name"
""",
    """Traceback (most recent call last):
  File "app.py", line 8, in main
    name = os.environ["MY_NAME"]
KeyError: 'MY_NAME'
""",
    (
        "Notes from my book about how people live: where streets are narrow people walk slower, "
        "and what they do for a living is more important than what planners want. The name of the "
        "author is on the cover, he says how old each town is."
    ),
]
OTHERS = [
    "My brother Felix lives in Hamburg with his wife Antje",
    "The API key for the maps service lives in 1Password under 'maps prod'",
    "Our dog is called Bruno, he's a seven year old beagle",
    "Branch names start with the ticket number",
    "The frontend is SvelteKit, the backend is FastAPI",
]
ASKED = [
    ("I'm Maya, I work as a nurse in Graz", "what is my name?"),
    ("I'm Maya, I work as a nurse in Graz", "what do I do for a living?"),
    ("I'm Maya, I work as a nurse in Graz", "where do I live?"),
    ("I'm Maya, I work as a nurse in Graz", "Who am I?"),
    ("I'm Maya, I work as a nurse in Graz", "do you remember my name?"),
    ("hi, this is Maya from the billing team, I look after the invoices", "what's my name?"),
    ("I'm 34 and still afraid of dentists", "how old am I?"),
    ("I moved to Porto in spring, the flat is tiny", "Which city do I live in?"),
    ("My email is maya@posteo.at, use that one in every draft", "what's my email address?"),
    ("I work as a nurse in Graz and cycle to the ward", "where do I live?"),
    ("If anything is unclear drop me a line at jo.weber@mailbox.org", "what's my email?"),
    ("I can't stand coriander", "what don't I like?"),
    ("Ben Ankara'da yaşıyorum, her gün metroyla gidiyorum", "nerede yaşıyorum?"),
]


@pytest.mark.parametrize(("told", "question"), ASKED)
def test_what_is_told_of_oneself_comes_first(
    shared: Shared, user: str, told: str, question: str
) -> None:
    """What was told in passing comes before pasted code and long texts that hold the words of the
    question, and before what is told of others; it is in a small block too."""
    memory = shared()
    for text in (*PASTED[:2], *OTHERS, told, PASTED[2]):
        memory.remember(text, user=user)
    first = memory.recall(question, user=user)[0].memory.content
    assert first == told
    assert told[:24] in memory.context(question, user=user, budget=300).text


def test_what_is_over_is_no_answer(memory: Memory) -> None:
    """Of two towns the one that holds now answers, and the earlier one does in its time."""
    memory.remember("I live in Berlin", user="ada", at="2024-01-10")
    memory.remember("I moved to Porto", user="ada", at="2024-06-01")
    now = texts([hit.memory for hit in memory.recall("where do I live?", user="ada")])
    then = memory.recall("where do I live?", user="ada", as_of="2024-03-01")
    assert now[0] == "I moved to Porto"
    assert then[0].memory.content == "I live in Berlin"


def test_facts_of_others_are_behind_walls(memory: Memory) -> None:
    """Neither another user's facts answer, nor those of somebody whom the user tells of."""
    memory.remember("My name is Bob and I live in Rome", user="bob")
    memory.remember("Felix lives in Hamburg", user="ada")
    memory.remember("I live in Oslo", user="ada")
    found = texts([hit.memory for hit in memory.recall("where do I live?", user="ada")])
    assert found[0] == "I live in Oslo"
    assert not any("Rome" in one for one in found)


@pytest.mark.parametrize(
    "told", ["I prefer pnpm now, not npm", "Actually I'd rather work from home now"]
)
def test_a_preference_that_is_told_as_a_change_is_one(shared: Shared, user: str, told: str) -> None:
    """Who asks for all preferences gets those too that came as a correction; no other one."""
    memory = shared()
    other = "No, the meeting is on Friday, not on Thursday"
    for text in ("I love hiking", told, other, *OTHERS):
        memory.remember(text, user=user)
    found = texts([hit.memory for hit in memory.recall("what are my preferences?", user=user)])
    assert set(found[:2]) == {"I love hiking", told}
    assert other not in found[:2]
    assert told in memory.context("what are my preferences?", user=user, budget=300).text


OTHERS_TOO = [
    ("I'm allergic to penicillin", "my son is allergic to peanuts", "what am I allergic to?"),
    ("I work at Siemens on trains", "my sister works at Bosch", "which firm do I work at?"),
    ("Fıstığa alerjim var", "Oğlumun yumurtaya alerjisi var", "neye alerjim var?"),
]


@pytest.mark.parametrize(("own", "others", "question"), OTHERS_TOO)
def test_what_is_told_of_another_answers_for_nobody_else(
    shared: Shared, user: str, own: str, others: str, question: str
) -> None:
    """Who asks how something is with themselves gets what was told of them before the same told
    of somebody around them, whichever came later."""
    memory = shared()
    for text in (*OTHERS, own, others):
        memory.remember(text, user=user)
    assert memory.recall(question, user=user)[0].memory.content == own


@pytest.mark.parametrize(
    ("told", "question", "first"),
    [
        (
            ("I'm allergic to penicillin", "my son is allergic to peanuts"),
            "what is my son allergic to?",
            "my son is allergic to peanuts",
        ),
        (
            ("I am tired of allergy pills", "my doctor says that I am allergic to nuts"),
            "what am I allergic to?",
            "my doctor says that I am allergic to nuts",
        ),
        (
            ("I had lunch with Sofie", "my wife bought me a Kindle for reading"),
            "which Kindle am I reading on?",
            "my wife bought me a Kindle for reading",
        ),
    ],
)
def test_who_is_asked_for_by_name_stays_first(
    shared: Shared, user: str, told: tuple[str, ...], question: str, first: str
) -> None:
    """What is told of another stays first where they are asked for, or nothing else answers."""
    memory = shared()
    for text in (*OTHERS, *told):
        memory.remember(text, user=user)
    assert memory.recall(question, user=user)[0].memory.content == first
