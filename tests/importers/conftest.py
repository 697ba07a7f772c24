"""A memory that holds something already, and what it holds."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.engine.making import START, Ticks, opened

from engraphy import Memory

LATER = START + 400 * 86_400_000_000
"""After everything in the samples."""


def rows(memory: Memory) -> list[dict[str, Any]]:
    """Every row that a memory holds, of all walls: memories, versions, links and facts. When a
    row was written last is not of it: undoing is writing."""
    file = Path(f"{memory.path}.jsonl")
    memory.export(file, everything=True, allow_private=True, allow_secret=True)
    told = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return [row | {"updated_at": 0} for row in told]


def said(memory: Memory) -> list[tuple[str, ...]]:
    """What the memories say, without what differs from run to run: ids, and moments of writing."""
    names = ("content", "state", "kind", "valid_from", "reinforcement_count", "stability", "scope")
    held = [row for row in rows(memory) if row.get("record") == "memory"]
    return sorted(tuple(str(row[name]) for name in names) for row in held)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """What the user said before any import: some of it is told again, or otherwise, by samples."""
    with opened(tmp_path / "store.db", Ticks(LATER)) as found:
        found.remember("I live in Oslo.", at="2020-01-01", project="shop-d4673e1e")
        found.remember("My garden is in Utrecht and it faces north.", at="2020-01-01")
        yield found


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One memory for the tests of a module that keep to a project of their own."""
    with opened(tmp_path_factory.mktemp("shared") / "store.db", Ticks(LATER)) as found:
        yield found
