"""Memories that sleep: a profile with the steps of a test, on a clock of its own."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.engine.conftest import Opening, clock, opening
from tests.engine.making import kept

from engraphy import Memory
from engraphy.model import DreamReport
from engraphy.model import Memory as Row
from engraphy.stores.sqlite.store import SqliteStore

__all__ = ["clock", "opening"]

Resting = Callable[..., Memory]
Beside = Callable[..., list[str]]
STATES = ("dormant", "archived", "superseded", "expired", "quarantined")


@pytest.fixture
def resting(opening: Opening) -> Resting:
    """Opens a memory whose cycle takes these steps: `resting("cluster", "abstract")`."""

    def make(*steps: str, profile: str = "cognitive", name: str = "store", **knobs: Any) -> Memory:
        dream = {"steps": list(steps), **knobs}
        return opening(name, profile=profile, overrides={"dream": dream})

    return make


def changed(report: DreamReport) -> dict[str, int]:
    """How many changes each step of a cycle made."""
    return {step.name: step.changed for step in report.steps}


def everything(memory: Memory, **scope: Any) -> list[Row]:
    """Every row of a scope, in any state, at any sensitivity."""
    leave: dict[str, Any] = {"allow_private": True, "allow_secret": True}
    return memory.list(include=STATES, limit=10_000, **leave, **scope)


def tagged(memory: Memory, tag: str, **scope: Any) -> list[Row]:
    """The active rows with a tag, at any sensitivity."""
    leave: dict[str, Any] = {"allow_private": True, "allow_secret": True}
    return memory.list(tag=tag, limit=1_000, **leave, **scope)


def course(memory: Memory) -> set[tuple[object, ...]]:
    """What a store holds, whatever the ids: to compare two stores."""
    rows = everything(memory)
    texts = {row.id: row.content for row in rows}
    return {
        (
            row.content,
            row.state,
            row.kind,
            row.tags,
            row.version,
            row.access_count,
            texts.get(row.superseded_by or ""),
            frozenset(texts.get(one, "") for one in row.source_ids),
        )
        for row in rows
    }


@pytest.fixture
def beside(opening: Opening, tmp_path: Path) -> Beside:
    """Brings texts into a memory side by side, however alike they are, as backups do; their ids."""
    numbers = count()

    def bring(memory: Memory, *said: str, **fields: Any) -> list[str]:
        ids = []
        for text in said:
            name = f"aside-{next(numbers)}"
            aside = opening(name)
            ids.append(kept(aside.remember(text, **fields)).id)
            aside.export(tmp_path / f"{name}.jsonl", everything=True)
            memory.import_(tmp_path / f"{name}.jsonl", trusted=True)
        return ids

    return bring


class KilledError(Exception):
    """What ends a process at a bad moment."""


@contextmanager
def killed_after(count: int) -> Iterator[None]:
    """Inside, a store writes so often, and then never again."""
    whole, left = SqliteStore.apply, [count]

    def apply(store: SqliteStore, *args: Any, **given: Any) -> Any:
        if not left[0]:
            raise KilledError
        left[0] -= 1
        return whole(store, *args, **given)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SqliteStore, "apply", apply)
        yield
