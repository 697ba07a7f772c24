"""How work on code is done here comes along with a task for such work."""

import pytest
from tests.engine.conftest import Opening
from tests.engine.making import DAY, START, texts

from engraphy import Memory

THEN = START - 30 * DAY
TESTS = "We write table-driven tests in Go"
STYLE = "I prefer Tailwind to plain CSS"
PACKAGES = "We use pnpm, not npm"
DEPLOYS = "Deploys go through ArgoCD, by hand nothing is applied"
DOCS = "Write documentation in British English"
LOGS = "Our only logger is Timber"
CONVENTIONS = (TESTS, STYLE, PACKAGES, DEPLOYS, DOCS, LOGS)
BESIDE = (
    "The demo for Acme is on June 3",
    "Lea owns the payments service",
    "The customers table has 2 million rows",
    "Omar found the bug in the tokenizer",
    "We had lunch at the harbour on Friday",
)
TASKS = (
    ("write a unit test for the parser", TESTS),
    ("style the login form", STYLE),
    ("install zod", PACKAGES),
    ("please release the new version", DEPLOYS),
    ("can you document the sync module?", DOCS),
    ("log when the sync fails", LOGS),
)


def told(memory: Memory) -> None:
    """Conventions among other things of a project."""
    for one in (*CONVENTIONS, *BESIDE):
        memory.remember(one, at=THEN)


@pytest.mark.parametrize("embedder", ["none", "static"])
@pytest.mark.parametrize(("task", "wanted"), TASKS)
def test_a_convention_comes_with_its_task(
    opening: Opening, embedder: str, task: str, wanted: str
) -> None:
    """The convention for the work that is asked for is among the first and in the block, whatever
    words it shares, and those for other work are not."""
    memory = opening(embedder=embedder)
    told(memory)
    assert wanted in texts(memory.recall(task, limit=3))
    block = {hit.memory.content for hit in memory.context(task).hits}
    assert block & set(CONVENTIONS) == {wanted}


@pytest.mark.parametrize(
    "prompt", ["tell me a joke", "play some jazz", "Which tests failed on Friday?"]
)
def test_what_is_no_task_brings_none(memory: Memory, prompt: str) -> None:
    """A prompt about something else, or a question of what happened, brings no convention."""
    told(memory)
    assert not {hit.memory.content for hit in memory.context(prompt).hits} & {STYLE, DEPLOYS, DOCS}


def test_turkish_tasks_too(memory: Memory) -> None:
    """A task that is told in Turkish brings the convention for it, too."""
    told(memory)
    block = memory.context("parser için bir unit test yaz")
    assert TESTS in [hit.memory.content for hit in block.hits]


def test_as_an_agent_notes_it(memory: Memory) -> None:
    """What an agent notes of its user and the team is a convention as well."""
    memory.remember("The team uses Vitest for everything in the shop", at=THEN)
    memory.remember("Omar rewrote the shop in spring", at=THEN)
    block = memory.context("write a unit test for the parser")
    assert [hit.memory.content for hit in block.hits] == [
        "The team uses Vitest for everything in the shop"
    ]


def test_an_event_is_no_convention(memory: Memory) -> None:
    """What happened in work of the kind is not how it is done."""
    memory.remember("Omar rewrote the test suite of the shop in spring", at=THEN)
    memory.remember("The unit tests of the shop were flaky in May", at=THEN)
    hits = memory.recall("style the tests page", limit=5)
    assert all(hit.why.get("aim", 1.0) <= 1.0 for hit in hits)


def test_one_rule_ends_no_other(memory: Memory) -> None:
    """Two rules that share only how rules are told stand beside each other."""
    first = "Deploys go through ArgoCD, never kubectl apply by hand"
    memory.remember(first, at=THEN)
    memory.remember("Never delete rows, always soft-delete with deleted_at", at=THEN)
    assert first in texts(memory.list())


def test_what_shares_no_word_answers_more_or_stays_out(opening: Opening) -> None:
    """A prompt about something else does not bring what only seems a little near; without the bar
    it does, and the receipt tells the bar."""
    memory = opening(embedder="static")
    bare = opening("bare", embedder="static", overrides={"inject": {"wordless_from": 0.0}})
    for one in (memory, bare):
        told(one)
    prompt = "did we win yesterday"
    assert bare.context(prompt).hits != ()
    block = memory.context(prompt)
    assert block.hits == ()
    assert any("shares no word" in one.detail for one in block.receipt.skipped)
