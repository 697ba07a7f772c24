"""Blocks, receipts and working memory from the command line: in JSON and for people."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engraphy.cli import main

Run = Callable[..., Any]
PROMPT = "where do herons nest?"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """Run a command over one store with two memories; with `code` the expected exit code."""
    environment = {"NO_COLOR": "1", "COLUMNS": "80", "ENGRAPHY_HOME": str(tmp_path)}
    runner = CliRunner(env=environment | {"ENGRAPHY_EMBEDDER": "none"})

    def call(*words: str, code: int = 0) -> Any:
        result = runner.invoke(main, [*words], catch_exceptions=False)
        assert result.exit_code == code, result.output
        return json.loads(result.stdout) if "--json" in words and code == 0 else result

    call("remember", "Herons nest in the reeds of the lake")
    call("remember", "Always whisper near herons", "--kind", "policy")
    return call


def test_a_block_in_another_format(run: Run) -> None:
    """--format chooses how it reads; the choices are told where one is unknown."""
    block = run("context", PROMPT, "--format", "json", "--json")
    assert block["placement"] == "tail"
    (line,) = block["text"].split("\n")[1:-1]
    assert len(json.loads(line)["memories"]) == 2
    assert run("context", PROMPT, "--format", "system", "--json")["placement"] == "system"
    assert "assistant_preamble" in run("context", PROMPT, "--format", "xml", code=2).output


def test_a_long_line_of_a_block_stays_one_line(run: Run) -> None:
    """What is to be pasted into a prompt is not wrapped at the width of the terminal."""
    text = "Herons nest in the reeds, " + "behind the old mill, " * 8
    run("remember", text.strip(" ,"))
    assert text.strip(" ,") in run("context", "herons in the reeds behind the old mill?").output


def test_receipts_are_told(run: Run) -> None:
    """When, into which conversation, what it cost, which memories with layer and style, and what
    was left out."""
    assert "Nothing was injected" in run("receipts").output
    run("context", PROMPT, "--conversation", "monday")
    run("context", PROMPT, "--conversation", "monday")
    shown = run("receipts").output
    assert "into monday, memory-context" in shown
    assert "Herons nest in the reeds of the lake" in shown
    assert "left out (given)" in shown
    assert "standing" in shown
    assert "of 1000 tokens" in shown
    (newest, oldest) = run("receipts", "--json")["receipts"]
    assert (len(newest["lines"]), len(oldest["lines"])) == (1, 2)
    assert newest["at"] >= oldest["at"]
    assert len(run("receipts", "-n", "1", "--json")["receipts"]) == 1


def test_a_chat_gets_its_block(run: Run) -> None:
    """Messages in and messages out, as JSON; what is no JSON is an error that says so."""
    chat = json.dumps([{"role": "user", "content": PROMPT}])
    made = run("inject", chat, "--format", "system", "--json")
    assert [one["role"] for one in made["messages"]] == ["system", "user"]
    assert "</memory-context>" in run("inject", chat).output
    assert "a JSON list of messages" in run("inject", "[{", code=2).output


def test_a_missing_memory_is_explained(run: Run) -> None:
    """The stage that dropped it stands in the answer, and nothing is kept of the question."""
    rows = run("list", "--json")["memories"]
    reeds = next(row["id"] for row in rows if "reeds" in row["content"])
    shown = run("explain-context", PROMPT, "--missing", reeds, "--budget", "20").output
    assert "dropped at budget" in shown
    found = run("explain-context", PROMPT, "--missing", reeds, "--recent", "x", "--json")
    assert found["missing"]["stage"] == "delivered"
    assert (
        "not missing: it is injected" in run("explain-context", PROMPT, "--missing", reeds).output
    )
    assert run("receipts", "--json") == {"receipts": []}


def test_working_memory_is_shown(run: Run) -> None:
    """What a session is about, with a mark at what is worth keeping longer."""
    profile = ("--profile", "cognitive")
    told = ("The lake is deep and cold", "--session", "s", "--importance", "0.9")
    run("remember", *told, *profile)
    assert "keep The lake is deep and cold" in run("working", "s", *profile).output
    (item,) = run("working", "s", *profile, "--json")["items"]
    assert item["promotable"] is True
    assert "Nothing is in mind" in run("working", "t", *profile).output
