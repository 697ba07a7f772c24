"""What stands in the block of a prompt that is a task."""

import pytest
from tests.engine.conftest import Opening

from engraphy import Memory

NOTED = (
    "Read src/models.py class Invoice(Base)",
    "Ran uv init invoicer: installed 38 packages",
    "Changed src/main.py from fastapi import FastAPI",
    "Read src/routes.py router of invoices",
    "Tests of the due date are flaky around midnight",
    "We moved from neon to our own machines last week",
)
RULE = "I prefer pytest over unittest"


def lines(memory: Memory, prompt: str) -> list[str]:
    """What stands in the block because it bears on the prompt."""
    block = memory.context(prompt)
    named = {hit.memory.id: hit.memory.content for hit in block.hits}
    return [named[one.memory_id] for one in block.receipt.lines if one.layer == "relevant"]


@pytest.mark.long
def test_what_shares_no_word_with_a_task_stays_out(opening: Opening) -> None:
    """A task is to be done and asks for nothing that was said: what only seems near to it is left
    out, as it is not where the knob is neutral; what a convention says of such work stays in."""
    told = opening(embedder="static")
    loose = opening("loose", embedder="static", overrides={"inject": {"task_from": 0.0}})
    for memory in (told, loose):
        for one in (*NOTED, RULE):
            memory.remember(one)
    assert lines(loose, "fix the typo in README")
    assert lines(told, "fix the typo in README") == []
    assert RULE in lines(told, "write a unit test")
    assert lines(told, "which tests are flaky?") == lines(loose, "which tests are flaky?")
