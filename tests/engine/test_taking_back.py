"""Whoever names nothing but a value takes back what it is the value of, and nothing else."""

from typing import Any

import pytest
from tests.engine.conftest import Shared
from tests.engine.making import kept, texts

from engraphy import Memory, Outcome
from engraphy.model import Evidence, State
from engraphy.model import Memory as Row


def said(memory: Memory, *messages: str, **scope: Any) -> list[Outcome]:
    """The outcomes of messages that the user sends."""
    return memory.observe([{"role": "user", "content": one} for one in messages], **scope)


VALUES = [
    ("I live in Rome", "Forget Rome"),
    ("I live in Rome", "please forget about Rome."),
    ("My favourite tea is Earl Grey", "You can forget Earl Grey now"),
    ("The port of the web app is 8080", "forget 8080!"),
    ("I love hiking on weekends", "forget hiking"),
    ("We deploy with Jenkins", "Forget Jenkins"),
    ("I visited Rome last year", "Forget Rome"),
    ("Roma'da yaşıyorum", "Roma'yı unut"),
    ("Kahve severim", "Lütfen kahveyi unut"),
    ("Kahve severim", "kahveyi unutabilirsin."),
    ("Yeşil çay severim", "yeşil çayı unut artık"),
    ("Veritabanı olarak PostgreSQL kullanıyoruz", "PostgreSQL’i unut"),
]


@pytest.mark.parametrize(("statement", "request_text"), VALUES)
def test_a_value_is_taken_back_by_its_name(
    shared: Shared, user: str, statement: str, request_text: str
) -> None:
    """The statement whose value it is, or the one memory that names nothing else, is history, its
    facts over; what is asked for is kept as no memory of its own."""
    memory = shared()
    first = kept(memory.remember(statement, user=user))
    other = kept(memory.remember("The staging area has nine lamps", user=user))
    (outcome,) = said(memory, request_text, user=user)
    assert outcome.action == "superseded"
    gone = memory.get(first.id, user=user)
    assert (gone.state, gone.evidence) == (State.SUPERSEDED, Evidence.RETRACTED)
    assert gone.superseded_by == kept(outcome).id
    assert texts(memory.list(user=user)) == [other.content]
    assert memory.facts(user=user) == []


def test_by_remember_as_well(memory: Memory) -> None:
    """What a caller asks for in the user's words is carried out, its rest kept."""
    memory.remember("I live in Rome")
    outcome = memory.remember("Forget Rome. The deadline is Friday")
    assert texts(memory.list()) == ["The deadline is Friday"]
    assert kept(outcome).content == "The deadline is Friday"


def test_where_it_is_a_value_what_only_names_it_stays_and_is_told(memory: Memory) -> None:
    """Of several memories that name it go those whose value it is; the trace names the others."""
    home = kept(memory.remember("I live in Rome"))
    trip = kept(memory.remember("The flight to Rome took nine hours with Ben"))
    (outcome,) = said(memory, "Forget Rome")
    assert outcome.previous is not None
    assert outcome.previous.id == home.id
    assert texts(memory.list()) == [trip.content]
    assert any(f"only names it: {trip.id}" in step.detail for step in outcome.trace)


@pytest.mark.parametrize("ask", ["observe", "remember"])
def test_of_several_that_only_name_it_none_goes(memory: Memory, ask: str) -> None:
    """Nothing is forgotten by a guess: nothing changes, and the outcome names them."""
    rows = [
        kept(memory.remember(one)) for one in ("Ben's party is in Rome", "I visited Rome last year")
    ]
    outcome = (
        memory.remember("Forget Rome") if ask == "remember" else said(memory, "Forget Rome")[0]
    )
    assert (outcome.action, outcome.memory) == ("skipped", None)
    assert "2 of the memories name it" in outcome.reason
    assert all(any(row.id in step.detail for step in outcome.trace) for row in rows)
    assert {row.id for row in memory.list()} == {row.id for row in rows}


def test_of_a_statement_that_says_more_only_that_goes(memory: Memory) -> None:
    """What else was said with it stands on, with its fact."""
    memory.remember("I live in Rome. I work as a nurse.")
    said(memory, "Forget Rome")
    assert texts(memory.list()) == ["I work as a nurse."]
    assert [(one.predicate, one.object) for one in memory.facts()] == [("job", "nurse")]


def test_a_fact_that_a_caller_gave_ends_too(memory: Memory) -> None:
    """A fact without a text behind it, of exactly these walls, is a statement of its value."""
    memory.remember("I live in Rome", user="ann")
    memory.fact("office", "city", "rome", user="ann")
    memory.fact("office", "city", "rome", user="ben")
    said(memory, "Forget Rome", user="ann")
    assert memory.facts(user="ann") == []
    assert len(memory.facts(user="ben")) == 1


def test_what_describes_a_thing_is_no_name_of_a_value(memory: Memory) -> None:
    """Whoever says which thing is meant takes back what is held of that thing."""
    memory.remember("The budget for the Atlas project is 5000 euros")
    memory.remember("Ben wrote down the budget for the Atlas project on paper")
    (outcome,) = said(memory, "forget the budget for the Atlas project")
    assert "name it" not in outcome.reason
    assert outcome.action == "superseded"


NONE_ASKED = [
    "Don't forget Rome",
    "Should I forget Rome?",
    "Forget to call Rome",
    "If I forget Rome, remind me",
    "Roma'yı unutma",
    "Roma'yı unuttum",
    "forget it",
    "unut gitsin",
]


@pytest.mark.parametrize("text", NONE_ASKED)
def test_who_speaks_of_forgetting_asks_for_none(shared: Shared, user: str, text: str) -> None:
    """A question, a condition, a denial, an errand or a vague word takes nothing back."""
    memory = shared()
    rows = [memory.remember("I live in Rome", user=user), memory.remember("Roma güzel", user=user)]
    said(memory, text, user=user)
    for row in map(kept, rows):
        assert memory.get(row.id, user=user).state is State.ACTIVE


def test_pinned_stays_and_another_speaker_keeps_what_is_theirs(memory: Memory) -> None:
    """Protection and walls hold for a value's name as for any other request."""
    pinned = kept(memory.remember("I live in Rome", pinned=True))
    ben = kept(memory.remember("I work in Rome", speaker="Ben"))
    (outcome,) = said(memory, "Forget Rome")
    assert outcome.action == "skipped"
    assert f"(pinned): {pinned.id}" in " ".join(step.detail for step in outcome.trace)
    assert {row.id for row in memory.list()} == {pinned.id, ben.id}
    assert len(memory.facts()) >= 1


ZETA = "We decided to buy the Zeta license"
POSTGRES = "We decided to move to Postgres"


def told_session(memory: Memory, *statements: str) -> Row:
    """The summary of a session in which this was said."""
    memory.start_session("s", user="ann")
    for one in statements:
        kept(memory.remember(one, user="ann", session="s"))
    summary = memory.end_session("s", user="ann").summary
    assert summary is not None
    return summary


@pytest.mark.parametrize("others", [[POSTGRES], ["We decided to hire Ben", POSTGRES], []])
def test_no_summary_tells_what_was_taken_back(memory: Memory, others: list[str]) -> None:
    """The session's summary goes on without the line, in text, title and search; the rest stands,
    the trace names it, its earlier text is history."""
    summary = told_session(memory, ZETA, *others)
    assert "Zeta" in summary.title
    assert "Zeta" in summary.content
    (outcome,) = said(memory, "Forget what I said about Zeta", user="ann")
    now = memory.get(summary.id, user="ann")
    assert "Zeta" not in now.title + now.subtitle + now.content
    assert all(one in now.content for one in others)
    assert ("Decided" in now.content) is bool(others)
    assert not any("Zeta" in one for one in texts(memory.list(user="ann")))
    assert not any("Zeta" in one for one in texts(memory.recall("Zeta license", user="ann")))
    assert any(step.detail.endswith(summary.id) for step in outcome.trace)
    report = memory.session("s", user="ann")
    assert report.summary is not None
    assert "Zeta" not in report.summary.content


def test_a_summary_still_tells_what_another_memory_says_too(memory: Memory) -> None:
    """A line that a second memory of the session says too stands for that one."""
    given: dict[str, Any] = {"title": "Leave the old store", "user": "ann", "session": "s"}
    memory.start_session("s", user="ann")
    kept(memory.remember("We decided to move to Postgres", kind="decision", **given))
    kept(memory.remember("Always run the linter before a release", kind="policy", **given))
    summary = memory.end_session("s", user="ann").summary
    assert summary is not None
    (outcome,) = said(memory, "Forget what I said about Postgres", user="ann")
    assert outcome.action == "superseded"
    assert memory.get(summary.id, user="ann").content == summary.content


def test_what_was_said_before_an_edit_is_told_no_longer_either(memory: Memory) -> None:
    """A summary that read an earlier text of what is taken back loses that line."""
    memory.start_session("s", user="ann")
    row = kept(memory.remember(ZETA, user="ann", session="s"))
    summary = memory.end_session("s", user="ann").summary
    assert summary is not None
    memory.update(row.id, "We decided to buy the Omega license", user="ann")
    said(memory, "Forget what I said about Omega", user="ann")
    assert "Zeta" not in memory.get(summary.id, user="ann").content


def test_a_protected_summary_stays_and_is_named(memory: Memory) -> None:
    """What is immutable is not rewritten; the trace says so."""
    summary = told_session(memory, ZETA, POSTGRES)
    memory.protect(summary.id, user="ann")
    (outcome,) = said(memory, "Forget what I said about Zeta", user="ann")
    assert memory.get(summary.id, user="ann").content == summary.content
    assert any(f"stays (immutable): {summary.id}" in step.detail for step in outcome.trace)


def test_after_a_taking_back_a_session_that_goes_on_is_told_without_it(memory: Memory) -> None:
    """The next end of the session tells what stands by then."""
    summary = told_session(memory, ZETA, POSTGRES)
    said(memory, "Forget what I said about Zeta", user="ann")
    memory.start_session("s", user="ann")
    kept(memory.remember("We decided to hire Ben", user="ann", session="s"))
    again = memory.end_session("s", user="ann").summary
    assert again is not None
    assert again.id == summary.id
    assert "Zeta" not in again.content
    assert "hire Ben" in again.content


@pytest.mark.spec("P-16")
def test_what_a_summary_lists_as_open_goes_with_its_memory(memory: Memory) -> None:
    """A sentence that says what is still to be done is erased with the memory that said it, and is
    told no longer when it is taken back."""
    text = "The quokka importer works. The quokka exporter still needs to be written."
    summary = told_session(memory, text, POSTGRES)
    assert "Open: The quokka exporter" in summary.content
    row = next(one for one in memory.list(user="ann") if "importer" in one.content)
    assert row.id in summary.source_ids
    said(memory, "Forget what I said about the quokka", user="ann")
    assert "quokka" not in memory.get(summary.id, user="ann").content
    memory.forget(row.id, user="ann")
    left = memory.list(user="ann", include=["superseded", "archived"], limit=50)
    assert not any("exporter" in one.content for one in left)


@pytest.mark.parametrize(
    ("told", "ask", "left"),
    [
        (
            "My phone is 555-1234 and my email is a@b.co",
            "Forget my phone number",
            "My email is a@b.co.",
        ),
        (
            "The guest wifi is BlueFox and the code for the gate is 4711",
            "Forget the gate code",
            "The guest wifi is BlueFox.",
        ),
        (
            "We use eslint, prettier and husky",
            "Forget that we use husky",
            "We use eslint, prettier.",
        ),
        (
            "We tried MongoDB for the catalogue. Ada owns the search module.",
            "Forget what I said about MongoDB",
            "Ada owns the search module.",
        ),
        (
            "I'm Ada, I work as a nurse in Graz and I have two kids, Mia and Tom.",
            "Forget my kids",
            "I'm Ada. I work as a nurse in Graz.",
        ),
    ],
)
def test_what_else_a_memory_told_stays(memory: Memory, told: str, ask: str, left: str) -> None:
    """Of several things told at once only what is taken back goes, with its facts; the rest is a
    memory of its own."""
    first = kept(said(memory, told)[0])
    assert said(memory, ask)[0].reason.startswith("taken back: 1 memories")
    assert [one.content for one in memory.list()] == [left]
    assert memory.get(first.id).evidence is Evidence.RETRACTED
    for fact in memory.facts():
        assert fact.object.casefold() in left.casefold()


def test_what_hangs_on_what_is_taken_back_goes_with_it(memory: Memory) -> None:
    """Where the rest cannot be told apart from what is taken back, all of it goes."""
    said(memory, "We tried MongoDB for the catalogue. It was slow there.")
    said(memory, "Forget what I said about MongoDB")
    assert memory.list() == []


ABOUT_JAPAN = ("We fly to Japan in October", "My visa for Japan expires in March")


@pytest.mark.parametrize("verb", ["remember", "observe"])
@pytest.mark.parametrize(
    "ask",
    [
        "delete everything about Japan",
        "Forget everything about Japan please",
        "Please erase everything you know about Japan.",
        "wipe what you know about Japan",
        "delete all memories about Japan",
        "I want you to remove everything about Japan",
        "clear everything about Japan from your memory",
        "Japan hakkında her şeyi sil",
    ],
)
def test_everything_about_a_thing_is_taken_back(
    shared: Shared, user: str, ask: str, verb: str
) -> None:
    """In whatever words of getting rid of, by either verb: what is about it is history, the rest
    stands, and neither the request nor its courtesy is a memory."""
    memory = shared()
    for one in (*ABOUT_JAPAN, "I prefer pytest over unittest"):
        memory.remember(one, user=user)
    asked = (
        memory.remember(ask, user=user) if verb == "remember" else said(memory, ask, user=user)[0]
    )
    assert asked.action == "superseded"
    assert asked.reason.startswith("taken back: 2 memories")
    assert texts(memory.list(user=user)) == ["I prefer pytest over unittest"]
    gone = memory.list(user=user, include=["superseded"])
    assert {*ABOUT_JAPAN} <= set(texts(gone))


@pytest.mark.parametrize(
    "ask",
    [
        "delete the file about Japan",
        "delete everything in the Japan folder",
        "remove everything about Japan from main.py",
        "remove everything about Japan in the readme",
        "delete everything",
    ],
)
def test_work_on_files_takes_nothing_back(shared: Shared, user: str, ask: str) -> None:
    """What is to be deleted there is no memory."""
    memory = shared()
    for one in ABOUT_JAPAN:
        memory.remember(one, user=user)
    said(memory, ask, user=user)
    assert {*ABOUT_JAPAN} <= set(texts(memory.list(user=user)))


@pytest.mark.parametrize(
    "ask", ["forget everything about Karen", "delete what you know about me", "forget me"]
)
def test_a_request_without_anything_to_take_back_is_no_memory(memory: Memory, ask: str) -> None:
    """By whichever verb: it would answer questions about what was to be forgotten."""
    memory.remember("We fly to Japan in October")
    assert memory.remember(ask).action == "skipped"
    assert said(memory, ask)[0].action == "skipped"
    assert texts(memory.list()) == ["We fly to Japan in October"]


@pytest.mark.parametrize("ask", ["forget the staging server", "forget the visa"])
def test_what_only_names_it_is_told_and_how_all_of_it_goes(memory: Memory, ask: str) -> None:
    """Every memory that names it is told by id and words, nothing changes, and the reason says
    what would take back all of them."""
    memory.remember("The production server listens on port 443")
    named = {
        kept(memory.remember(one)).id
        for one in (
            "The staging server listens on port 3000",
            "We restart the staging server daily",
        )
        if "visa" not in ask
    }
    if "visa" in ask:
        named = {kept(memory.remember("My visa for Japan expires in March")).id}
    for outcome in (memory.remember(ask), *said(memory, ask)):
        assert outcome.action == "skipped"
        assert f"{len(named)} of the memories name" in outcome.reason
        assert '"forget everything about ..." takes back all of them' in outcome.reason
        told = [step.detail for step in outcome.trace if step.passed]
        assert all(any(f"only names it: {row} (" in one for one in told) for row in named)
    assert len(memory.list()) == len(named) + 1


def test_the_same_request_again(memory: Memory) -> None:
    """What is told anew is taken back anew, in the same words, also where a part of it stays and
    stands already."""
    for number in range(3):
        memory.remember("I prefer tea in the morning")
        said(memory, "Actually I prefer coffee in the morning, not tea")
        (outcome,) = said(memory, "Forget what I said about tea.")
        assert outcome.action == "superseded", number
        assert not [one for one in texts(memory.list()) if "tea" in one]
    assert memory.audit(rows=True).whole
