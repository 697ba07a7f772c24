"""What somebody asks not to be kept is not; what is asked to be forgotten is not kept as a wish."""

import pytest
from tests.engine.conftest import Shared
from tests.engine.making import kept, texts

from engraphy import Memory


def said(memory: Memory, text: str, user: str) -> str:
    """What becomes of a message: the action, and the stage that ended it."""
    [outcome] = memory.observe([{"role": "user", "content": text}], user=user)
    return f"{outcome.action.value} {outcome.reason.partition(':')[0]}"


@pytest.mark.parametrize("profile", ["default", "cognitive", "titans"])
@pytest.mark.parametrize(
    "text",
    [
        "Don't remember this: I'm seeing a therapist on Mondays.",
        "Off the record, I really dislike my manager Karen.",
        "I earn 90,000 euros a year, but please don't save that.",
        "do not store this in your memory: I was fired from Acme",
        "Please don't remember that I smoke.",
        "I don't want you to remember my trip to Japan",
        "I smoke, but I don't want you to store that.",
        "Keep this out of your memory: we sell the company in May.",
        "Bunu kaydetme: pazartesileri terapiste gidiyorum.",
        "Terapiste gidiyorum. Bunu hatırlama lütfen.",
    ],
)
def test_what_is_asked_not_to_be_kept_is_not(
    shared: Shared, user: str, text: str, profile: str
) -> None:
    """In every profile; the outcome says why, and so does `why_not`."""
    memory = shared(profile)
    assert said(memory, text, user) == "skipped unkept"
    assert memory.list(user=user) == []
    assert memory.why_not(text, user=user)[0].reason == "unkept: it asks not to be kept"


@pytest.mark.parametrize(
    "text",
    [
        "Don't save passwords in the repository.",
        "Never store that in plain text.",
        "We never record meetings with clients.",
        "Remember this: I live in Oslo.",
        "My sister can't remember this city at all.",
        "I don't want you to keep the tests in one file",
    ],
)
def test_a_rule_about_keeping_is_kept(shared: Shared, user: str, text: str) -> None:
    """Only what is asked of the memory itself keeps a message out."""
    assert said(shared(), text, user).startswith("created")


FORGET = [
    ("My phone number is 555-1234", "Forget my phone number."),
    ("My boss is called Karen Miller", "Forget everything about Karen"),
    ("My boss is called Karen Miller", "please forget all there is to know about Karen."),
    ("My dentist appointment is on 4 May", "Forget about my dentist appointment"),
    ("My phone number is 555-1234", "Delete my phone number from your memory."),
    ("My phone number is 555-1234", "Can you forget my phone number?"),
    ("My boss is called Karen Miller", "could you please forget about Karen"),
    ("My boss is called Karen Miller", "forget that I said anything about Karen"),
    ("My boss is called Karen Miller", "Forget I ever told you about Karen."),
    ("Telefon numaram 532 111 22 33", "Telefon numaramı unut"),
    ("Patronum Karen Miller", "Karen hakkındaki her şeyi unut"),
]


@pytest.mark.parametrize(("statement", "request_text"), FORGET)
def test_what_is_asked_to_be_forgotten_goes(
    shared: Shared, user: str, statement: str, request_text: str
) -> None:
    """It answers no question any more, and neither does the request; nothing else goes."""
    memory = shared()
    other = kept(memory.remember("The staging area has nine lamps", user=user))
    memory.remember(statement, user=user)
    assert said(memory, request_text, user) == "superseded taken back"
    assert texts(memory.list(user=user)) == [other.content]
    assert request_text not in texts([hit.memory for hit in memory.recall(statement, user=user)])


@pytest.mark.parametrize("text", ["Forget everything about Karen.", "Forget Lagos", "Karen'i unut"])
def test_a_request_that_names_nothing_held_is_no_memory(
    shared: Shared, user: str, text: str
) -> None:
    """To be told to forget is nothing to remember."""
    memory = shared()
    assert said(memory, text, user) == "skipped retract"
    assert memory.list(user=user) == []


def test_to_ask_politely_that_all_is_deleted_is_told_how(memory: Memory) -> None:
    """A question that is a request is answered as the request is: nothing goes, and it says how."""
    row = kept(memory.remember("I live in Rome", user="ada"))
    [asked] = memory.observe("Can you delete my data?", user="ada")
    [told] = memory.observe("Delete my data", user="ada")
    assert asked.reason == told.reason
    assert memory.get(row.id, user="ada").state == "active"
    [other] = memory.observe("Can you forget things?", user="ada")
    assert other.action == "skipped"
