"""The ground that every part of the conformance suite stands on."""

import itertools
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import ClassVar

import pytest

from engraphy.model.change import Change, Insert, VectorRow
from engraphy.model.memory import Memory
from engraphy.model.query import Term, View
from engraphy.model.scope import Tenant
from engraphy.ports import Store
from engraphy.testing.contract.making import MODEL, T0, TENANT

ACTOR = "suite"


class Suite:
    """What a subclass gives: `open_store`, and False for each thing its engine leaves out."""

    has_text_search: ClassVar[bool] = True
    has_vector_search: ClassVar[bool] = True
    has_backup: ClassVar[bool] = True
    has_files: ClassVar[bool] = True
    """What was written is there when the same place is opened again."""
    has_maintenance: ClassVar[bool] = True
    """Cycles, walks and what else maintenance asks."""
    has_removal: ClassVar[bool] = True
    """What is removed can be brought back, and the journal is told as values."""
    has_grants: ClassVar[bool] = True
    """Access tokens."""
    vector_tolerance: ClassVar[float] = 0.02
    """How far a cosine may be from the exact one (quantised vectors)."""

    _tenants = itertools.count()

    def open_store(self, place: Path) -> Store:
        """Open the engine on an existing, empty folder, or on what it left there before."""
        raise NotImplementedError(f"{type(self).__name__} does not override open_store")

    def terms(self, text: str) -> list[Term]:
        """Query terms for plain lower-case words, which every engine indexes as they are."""
        return [Term(term=word, surface=word) for word in text.split()]

    def content_hash(self, memory: Memory) -> str:
        """The dedup key of a memory's text: SHA-256 of its UTF-8 bytes."""
        return sha256(memory.content.encode("utf-8")).hexdigest()

    @pytest.fixture
    def store(self, tmp_path: Path) -> Iterator[Store]:
        """An empty store of the engine under test."""
        store = self.open_store(tmp_path)
        yield store
        store.close()

    def fresh_tenant(self) -> Tenant:
        """A tenant nobody has used: an empty store within a store."""
        return Tenant(f"tenant-{next(self._tenants)}")

    def needs(self, what: str) -> None:
        """Skip where the engine leaves `what` out (a name without its `has_`)."""
        if not getattr(self, f"has_{what}"):
            pytest.skip(f"this engine has no {what.replace('_', ' ')}")


def write(
    store: Store, *changes: Change, now: int = T0, tenant: Tenant = TENANT, actor: str = ACTOR
) -> tuple[int, ...]:
    """Apply changes as the suite."""
    return store.apply(tenant, changes, now=now, actor=actor)


def insert(store: Store, *memories: Memory, now: int = T0) -> None:
    """Insert memories without vectors, each into the tenant of its scope."""
    for tenant in dict.fromkeys(memory.scope.tenant for memory in memories):
        rows = [Insert(memory=memory) for memory in memories if memory.scope.tenant == tenant]
        write(store, *rows, now=now, tenant=tenant)


def embedded(memory: Memory, *parts: Sequence[float], model_id: str = MODEL) -> Insert:
    """The insertion of a memory with its vectors."""
    return Insert(
        memory=memory,
        vector=VectorRow(model_id=model_id, parts=tuple(tuple(part) for part in parts)),
    )


def one(store: Store, view: View, id: str) -> Memory:
    """The memory `id`, which the view must show."""
    found = store.get(view, [id])
    assert [memory.id for memory in found] == [id], f"{id} is not visible"
    return found[0]


def ids_of(rows: Sequence[Memory]) -> list[str]:
    """The ids of memories, in their order."""
    return [memory.id for memory in rows]
