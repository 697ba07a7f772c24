"""The four entries of document 000's troubleshooting, answered by the product itself (A-24)."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.engine.conftest import Opening, opening
from tests.engine.making import Ticks, kept, opened

from engraphy import Memory
from engraphy.cli import main

__all__ = ["opening"]


@pytest.fixture
def clock() -> Ticks:
    return Ticks()


@pytest.fixture
def memory(tmp_path: Path, clock: Ticks) -> Iterator[Memory]:
    """A memory of letsgo, with the embedder that a newcomer gets."""
    with opened(tmp_path / "store.db", clock, profile="letsgo", embedder="static") as memory:
        yield memory


def check(memory: Memory, name: str, **more: Any) -> Any:
    return {one.name: one for one in memory.doctor(**more)}[name]


@pytest.mark.spec("A-24")
def test_why_something_was_not_captured(memory: Memory) -> None:
    """What observing would drop is told with the stage that drops it, its number, and the threshold
    that the number has to reach."""
    (outcome,) = memory.why_not([{"role": "user", "content": "I looked at it"}])
    assert outcome.memory is None
    (stage,) = [step for step in outcome.trace if step.stage == "gate"]
    assert not stage.passed
    assert stage.value is not None
    assert stage.value < 0.3
    assert "0.3" in stage.detail
    assert memory.stats().total == 0


@pytest.mark.spec("A-24")
def test_why_the_output_of_a_tool_was_not_captured(opening: Opening) -> None:
    """Of a routine output the outcome says which stage dropped it; at the gate with its number, and
    the threshold that the profile sets."""
    memory = opening(profile="letsgo", overrides={"gate": {"threshold": 0.5}})
    looked = memory.observe_tool("Bash", "total 4", input={"command": "ls"})
    assert (looked.action, looked.reason) == ("skipped", "tool: it only looks around")
    edited = memory.observe_tool("Edit", "ok", input={"file_path": "a.py", "old_string": "x",
                                                      "new_string": "y"})  # fmt: skip
    (stage,) = [step for step in edited.trace if step.stage == "gate"]
    assert (edited.action, stage.passed) == ("skipped", False)
    assert stage.value is not None
    assert f"{stage.value:.2f} < 0.50" in stage.detail


@pytest.mark.spec("A-24")
def test_why_a_result_is_stale(memory: Memory, clock: Ticks) -> None:
    """For a memory that comes too high or not at all its age is told, what newness gives it by the
    21 days in which it halves, and at which place it stands."""
    old = kept(memory.remember("The pipeline deploys from the release branch")).id
    clock.pass_days(84)
    for number in range(12):
        memory.remember(f"The pipeline deploys from branch number {number} of the release train")
    question = "Which branch does the pipeline deploy from?"
    told = memory.explain(question, missing=old, limit=10).missing
    assert told is not None
    found = re.search(r"changed (\d+) days ago, recency halves every 21 days and gives "
                      r"(0\.\d+) of 0\.2", told.detail)  # fmt: skip
    assert found is not None, told
    assert int(found[1]) == 84
    assert float(found[2]) == pytest.approx(0.2 / 16, abs=0.001)
    fresh = memory.recall(question, limit=1)[0].memory.id
    shown = memory.explain(question, missing=fresh, limit=10).missing
    assert shown is not None
    assert (shown.stage, "gives 0.200 of 0.2" in shown.detail) == ("delivered", True)


@pytest.mark.spec("A-24")
def test_which_memories_say_the_same_twice(memory: Memory) -> None:
    """Pairs that say nearly the same in other words are named; what differs in a number or a name,
    or lives in another scope, is no pair."""
    first = kept(memory.remember("The staging database runs on PostgreSQL", user="u")).id
    assert check(memory, "duplicates").detail.startswith("0 pairs")
    second = kept(memory.remember("Our staging database is on PostgreSQL", user="u")).id
    memory.remember("The staging database runs on port 5432", user="u")
    memory.remember("The staging database runs on port 5433", user="u")
    memory.remember("The staging database is running on PostgreSQL", user="another")
    found = check(memory, "duplicates")
    assert found.ok
    assert found.detail.startswith("1 pairs")
    assert {first, second} == set(re.findall(r"[0-9A-Z]{26}", found.detail))
    assert "dream" in found.advice


@pytest.mark.spec("A-24")
def test_which_say_the_same_is_told_without_an_embedder(tmp_path: Path) -> None:
    """By their words: a pair that differs in a number, or that lives in another scope, is none."""
    with opened(tmp_path / "store.db", profile="letsgo") as memory:
        first = kept(memory.remember("The billing export writes CSV files nightly")).id
        second = kept(memory.remember("Nightly the billing export writes the CSV files out")).id
        memory.remember("The deploy of shop 4 takes an hour on Monday mornings")
        memory.remember("The deploy of shop 5 takes an hour on Monday mornings")
        memory.remember("The billing export writes CSV files each night", user="another")
        found = check(memory, "duplicates")
    assert found.detail.startswith("1 pairs that say nearly the same, by their words")
    assert {first, second} == set(re.findall(r"[0-9A-Z]{26}", found.detail))


@pytest.mark.spec("A-24")
def test_which_memories_lack_their_files(memory: Memory) -> None:
    """Memories without a file are counted, and those whose text names one are told by id; linked
    to it they are found by it."""
    bare = kept(memory.remember("Refreshing of tokens lives in src/api/auth.js, in rotate().")).id
    memory.remember("Retries are in src/api/http.js", files_modified=["src/api/http.js"])
    memory.remember("Lunch is at 12/13 o'clock and https://example.org/menu.html has the menu")
    found = check(memory, "files")
    assert found.ok
    assert found.detail.startswith("2 of the 3 newest memories are linked to no file, and 1 of")
    assert bare in found.detail
    assert "--files-modified" in found.advice
    assert not memory.list(file="src/api/auth.js")
    memory.update(bare, files_modified=["src/api/auth.js"])
    assert [row.id for row in memory.list(file="src/api/auth.js")] == [bare]
    assert "these name one" not in check(memory, "files").detail


@pytest.mark.spec("A-24")
def test_a_terminal_answers_all_four(tmp_path: Path) -> None:
    """The same from a command line: why-not, explain and doctor."""
    shared = ("--db", str(tmp_path / "store.db"), "--profile", "letsgo")

    def run(*words: str) -> str:
        result = CliRunner().invoke(main, [*words, *shared])
        assert result.exit_code == 0, result.output
        return " ".join(result.stdout.split())

    told = run("remember", "Refreshing of tokens lives in src/api/auth.js", "--json")
    row = json.loads(told)["memory"]["id"]
    assert "0.3" in run("why-not", "I looked at it")
    assert "recency halves every 21 days" in run("explain", "tokens", "--missing", row)
    shown = run("doctor")
    assert "0 pairs that say nearly the same" in shown
    assert row in shown


@pytest.mark.long
def test_looking_back_further_is_asked_for(tmp_path: Path) -> None:
    """Doctor looks at the newest hundred memories of a scope, with `deep` at more."""
    with opened(tmp_path / "store.db") as memory:
        for number in range(120):
            memory.remember(f"Locker {number} holds {number * 7} bolts")
        assert "of the 100 newest" in check(memory, "files").detail
        assert "of the 120 newest" in check(memory, "files", deep=True).detail
        assert "without an embedder" in check(memory, "duplicates").detail
