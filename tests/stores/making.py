"""What the tests of the SQLite store write."""

from pathlib import Path
from typing import Any

from engraphy.model.change import Change, Insert, VectorRow
from engraphy.model.memory import Memory
from engraphy.model.query import View
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.sqlite import SqliteStore, open_store

TENANT = Tenant("t")
HERE = Scope(tenant=TENANT)
NOW = 1_767_225_600_000_000
MODEL = "toy"


def opened(folder: Path, **options: Any) -> SqliteStore:
    """The store of a folder."""
    return open_store(str(folder / "store.db"), **options)


def made(id: str, content: str = "", **given: Any) -> Memory:
    """A memory with a content of its own."""
    times = {"valid_from": NOW, "recorded_at": NOW, "updated_at": NOW}
    return Memory(id=id, content=content or f"words of {id}", **({"scope": HERE} | times | given))


def seen(scope: Scope = HERE, **given: Any) -> View:
    """A view of one second later."""
    return View(**({"scope": scope, "now": NOW + 1_000_000} | given))


def write(store: SqliteStore, *changes: Change, now: int = NOW) -> tuple[int, ...]:
    """Apply changes."""
    return store.apply(TENANT, changes, now=now, actor="test")


def insert(store: SqliteStore, *memories: Memory) -> None:
    """Insert memories without vectors."""
    write(store, *(Insert(memory=memory) for memory in memories))


def with_vector(memory: Memory, *numbers: float) -> Insert:
    """The insertion of a memory with one vector."""
    return Insert(memory=memory, vector=VectorRow(model_id=MODEL, parts=(numbers,)))
