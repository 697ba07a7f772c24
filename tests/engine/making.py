"""A clock that ticks, and a memory on it."""

import json
from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy import Memory, Outcome
from engraphy.errors import EngraphyError
from engraphy.model import Memory as Row
from engraphy.stores.sqlite import open_store

DAY = 86_400_000_000
START = int(datetime(2026, 5, 1, 12, tzinfo=UTC).timestamp()) * 1_000_000
TOKEN = "ghp_abcdefghijklmnopqrstuvwxyz0123456789"


class Ticks:
    """Microseconds UTC that move by one second with every look, and when they are told to."""

    def __init__(self, start: int = START) -> None:
        self.now = start

    def __call__(self) -> int:
        self.now += 1_000_000
        return self.now

    def pass_days(self, days: float) -> None:
        """Let time pass."""
        self.now += round(days * DAY)


@cache
def empty() -> bytes:
    """The file of a store that holds nothing. Making its tables takes four times as long as
    opening one that has them; how they are made is for tests/stores to prove."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "store.db"
        open_store(str(file)).close()
        return file.read_bytes()


def opened(path: Path | str, clock: Ticks | None = None, **more: Any) -> Memory:
    """A memory without an embedder unless one is asked for. A new one begins as an empty store; an
    opening that is refused is tried where there is nothing, so that a test sees what it leaves."""
    file, given = Path(path), {"clock": clock or Ticks(), "embedder": "none", **more}
    if file.exists() or not file.parent.is_dir() or given.get("read_only"):
        return Memory(path, **given)
    file.write_bytes(empty())
    try:
        return Memory(path, **given)
    except EngraphyError:
        for left in file.parent.glob(f"{file.name}*"):
            left.unlink()
        return Memory(path, **given)


def bring(memory: Memory, texts: Iterable[str], **fields: Any) -> None:
    """Have these in a memory as another store's export would bring them: each its row, its words in
    the index and its line in the journal, without what understanding each costs. `user`: whose."""
    scope = {"tenant": str(memory.tenant), "user": fields.pop("user", None)}
    rows = [{"format": "engraphy-export", "version": 1}]
    for number, text in enumerate(texts):
        row = {"record": "memory", "id": f"brought-{number}", "content": text, **fields}
        rows.append({**row, "scope": {name: one for name, one in scope.items() if one}})
    with TemporaryDirectory() as folder:
        file = Path(folder) / "brought.jsonl"
        file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
        assert memory.import_(file, trusted=True).memories == len(rows) - 1


def kept(outcome: Outcome) -> Row:
    """The row of an outcome that has one."""
    assert outcome.memory is not None, outcome
    return outcome.memory


def texts(rows: Any) -> list[str]:
    """The contents of rows, or of hits."""
    return [getattr(row, "memory", row).content for row in rows]


def everything_said(memory: Memory, **scope: Any) -> set[str]:
    """Every text a scope sees in any state, at any sensitivity."""
    states = ("dormant", "archived", "superseded", "expired", "quarantined")
    rows = memory.list(include=states, limit=10_000, allow_private=True, allow_secret=True, **scope)
    return set(texts(rows))
