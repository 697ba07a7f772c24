"""What only asks for something to be done now is no memory; what lasts in the same message is."""

import pytest
from tests.engine.conftest import Opening, Shared

from engraphy import Memory
from engraphy.benchmarks.run import Opening as Measured
from engraphy.benchmarks.write_part import Ground
from engraphy.benchmarks.write_requests import measure


def told(shared: Shared, user: str, text: str, profile: str = "default") -> list[str]:
    """What is kept of a message of the user's."""
    memory = shared(profile)
    memory.observe([{"role": "user", "content": text}], user=user)
    return sorted(one.content for one in memory.list(user=user))


@pytest.mark.parametrize(
    "text",
    [
        "add a greeting to notes.txt",
        "Please write unit tests for src/parser/tokenizer.ts",
        "there's a type error in api/routes.py line 42, fix it",
        "Implement the login form. Then add validation. Then write tests for it.",
        "şimdi aynısını diğer dosya için yap",
        "fix this please:\n```py\ndef f():\n    return 1 / 0\n```",
    ],
)
def test_a_bare_request_is_not_kept(shared: Shared, user: str, text: str) -> None:
    """Nothing of it lasts."""
    assert told(shared, user, text) == []


def test_the_refusal_says_so(shared: Shared, user: str) -> None:
    """`observe` and `why_not` name the gate that refused."""
    [outcome] = shared("default").observe("run the tests", user=user)
    assert (outcome.action, outcome.trace[-1].stage) == ("skipped", "errand")
    [outcome] = shared("default").why_not("run the tests", user=user)
    assert outcome.reason == "errand: it only asks for something to be done now"


def test_what_lasts_is_a_memory_of_its_own(shared: Shared, user: str) -> None:
    """A rule beside a request is kept without it."""
    text = "add a greeting to notes.txt, and always use British spelling in this repo"
    assert told(shared, user, text) == ["always use British spelling in this repo"]


def test_what_speaks_of_the_request_is_kept_with_it(shared: Shared, user: str) -> None:
    """ "Always run them" would not be understood alone."""
    text = "run the tests and from now on always run them before committing"
    assert told(shared, user, text) == [text]


def test_an_order_to_go_to_another_version_is_kept(memory: Memory) -> None:
    """What it names is what is in use from then on, and takes the place of what was."""
    memory.observe("we run on Node 18", project="shop")
    (outcome,) = memory.observe("bump node to 22", project="shop")
    assert outcome.action == "superseded"
    assert memory.observe("upgrade to postgres 17", project="shop")[0].action == "created"
    assert memory.observe("upgrade the dependencies", project="shop")[0].action == "skipped"


def test_what_a_request_is_set_against_is_kept_with_it(shared: Shared, user: str) -> None:
    """What is not to be done says nothing without what is."""
    for text in (
        "write the test names in English please, not in German",
        "deploy it to eu-west-1, not us-east-1",
    ):
        (outcome,) = shared().observe(text, user=user)
        assert outcome.content == text


@pytest.mark.parametrize(
    "text",
    [
        "Translate: I live in Madrid.",
        "Translate to English: Ich wohne in Madrid und arbeite dort bei Siemens.",
        "Please summarize the following text:\nI moved to Rome in 2010.\nMy boss is Karen.",
        "Can you fix the grammar: i lives in Paris since 2012",
        "Şunu İngilizceye çevir: Ben Madrid'de yaşıyorum.",
        "Suppose my name was Bob.",
        "Act as my lawyer.",
        "Diyelim ki adım Ali.",
    ],
)
def test_material_and_play_tell_nothing_of_the_user(shared: Shared, user: str, text: str) -> None:
    """What is brought along to be worked on, in any language, and what is only played, is no
    statement: where a user lives is not asked of a sentence to translate."""
    assert told(shared, user, text) == []


def test_what_is_told_before_the_material_stays(shared: Shared, user: str) -> None:
    """Only what follows the request is material."""
    text = "I live in Oslo. Translate: I live in Madrid."
    assert told(shared, user, text) == ["I live in Oslo."]


@pytest.mark.parametrize(
    "text",
    [
        "From now on, act as a strict reviewer.",
        "Summary: we moved the database to Postgres",
        "never touch the files under vendor/",
        "Don't add comments to the code you write",
        "use single quotes in all TypeScript files from now on",
        "Make sure every new component has a storybook story",
        "set the deadline to May 7",
        "deploy alerts go to #ops on slack",
        "Kod yorumlarını her zaman İngilizce yaz.",
        "vendor klasörüne asla dokunma",
        "Build ist auf CI kaputt, läuft aber lokal seit dem letzten Update der Pipeline",
    ],
)
def test_rules_choices_and_facts_stay_whole(shared: Shared, user: str, text: str) -> None:
    """Where a sentence holds a rule, a value or a habit, it is no errand."""
    assert told(shared, user, text) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "PIN 9381",
        "Sort code of my bank is 20-44-51",
        "Log in for the portal is mmeier",
        "Format of my reports is PDF",
        "Copy of my passport is in folder 7",
        "Return of my skis is on May 4",
        "Check-in for our flight opens at 6",
        "Cut for my beef is ribeye",
        "Walk with the dog at 7",
        "Link to my calendar is https://cal.example/x",
    ],
)
def test_a_note_that_opens_like_a_request_is_kept(shared: Shared, user: str, text: str) -> None:
    """What a thing of something is was told to be kept, though "pin" and "copy" are verbs too."""
    assert told(shared, user, text) == [text]


@pytest.mark.parametrize("text", ["PIN of my card is {}", "Pin for Mum's debit card: {}"])
def test_the_pin_of_a_card_is_kept_without_its_digits(shared: Shared, user: str, text: str) -> None:
    """It is no errand either, and a PIN is a secret however it is put."""
    assert told(shared, user, text.format(9381)) == [text.format("[redacted:password]")]


@pytest.mark.parametrize(
    "text",
    [
        "make sure tests for my module are green",
        "Check tests for errors that are flaky",
        "Find files in the repo where the import is missing",
        "Fix errors in the parser, it is crashing",
        "Deploy to production on Friday",
        "Count words of my essay",
        "Move code for my parser to utils",
    ],
)
def test_a_request_about_a_part_of_something_is_none(shared: Shared, user: str, text: str) -> None:
    """It tells no value of it."""
    assert told(shared, user, text) == []


def test_between_people_and_for_reminders_there_is_no_errand(shared: Shared, user: str) -> None:
    """A request to another person tells of both; one to be reminded is kept as such."""
    memory = shared("default")
    named = {"role": "user", "name": "Mel", "content": "Bring the green tent to the lake."}
    assert memory.observe([named], user=user)[0].action == "created"
    asked = "remind me to check the certificates when we deploy"
    assert memory.observe(asked, user=user)[0].action == "created"


def test_what_is_remembered_by_name_is_never_an_errand(shared: Shared, user: str) -> None:
    """The gate is for what is overheard."""
    assert shared("default").remember("run the tests", user=user).action == "created"


def test_the_profile_decides(opening: Opening) -> None:
    """The knob `gate.errands`."""
    memory = opening(overrides={"gate": {"errands": False}})
    assert memory.observe("run the tests")[0].action == "created"


@pytest.mark.long
def test_prompts_to_coding_agents() -> None:
    """Of the hand-written prompts nothing that lasts is lost, and most bare requests are left out,
    also of those that the rules were not tuned on."""
    part = measure(Ground(opening=Measured(embedder="none")))
    for group in part.groups:
        assert group.figures["lasting_kept"].value == 1.0
        assert group.figures["precision"].value == 1.0
        assert (group.figures["recall"].value or 0) >= 0.85


@pytest.mark.parametrize(
    "text",
    [
        "Düzeltme: bütçe 6000 euro.",
        "Açıklama: yedek sunucu Berlin'de.",
        "Edit: the deadline is 3 May.",
        "Correct: the budget is 6000 euros.",
        "tl;dr: we use PostgreSQL 16 for billing.",
        "Summary: we deploy on Fridays.",
    ],
)
def test_a_heading_is_no_request(shared: Shared, user: str, text: str) -> None:
    """A word before a colon that says what comes is not one that asks for something: what follows
    is the user's own."""
    assert told(shared, user, text) != []
