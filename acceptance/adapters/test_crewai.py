"""CrewAI: its unified memory over our storage, with vectors of our own making."""

from collections import Counter

import pytest
from crewai.memory.storage.backend import EmbeddingDimensionMismatchError, StorageBackend
from crewai.memory.types import MemoryRecord
from crewai.memory.unified_memory import Memory as CrewMemory

from engraphy.adapters.crewai import EngraphyStorage


def _vector(text, size=64):
    counts = Counter(hash_of(word) % size for word in text.lower().split())
    return [float(counts[place]) for place in range(size)]


def hash_of(word):
    """The same in every process."""
    return sum(ord(letter) * 31**place for place, letter in enumerate(word))


def _embed(texts):
    return [_vector(text) for text in texts]


def test_crews_remember_and_recall(memory):
    """The unified memory saves, recalls by its own vectors, lists scopes and forgets."""
    storage = EngraphyStorage(memory)
    assert isinstance(storage, StorageBackend)
    crew = CrewMemory(storage=storage, embedder=_embed)
    given = {"categories": ["food"], "importance": 0.5}
    crew.remember("Ann only drinks green tea", scope="/team/ann", **given)
    crew.remember("Bob lives on black coffee", scope="/team/bob", **given)
    crew.drain_writes()
    found = crew.recall("green tea", scope="/team/ann", depth="shallow")
    assert found[0].record.content == "Ann only drinks green tea"
    assert not any("Bob" in one.record.content for one in found)
    assert storage.list_scopes("/team") == ["/team/ann", "/team/bob"]
    assert storage.get_scope_info("/team").record_count == 2
    assert storage.list_categories("/") == {"food": 2}
    hits = memory.recall("what does Ann drink?", project="crewai")
    assert "green tea" in hits[0].memory.content
    assert crew.forget(scope="/team/ann") == 1
    assert storage.count() == 1


def test_records_come_back_as_they_were(memory):
    """Every field, and the vector; scopes end at segments; private words are not searched."""
    storage = EngraphyStorage(memory, user="ann")
    one = MemoryRecord(
        content="a secret plan", scope="/a/b", metadata={"n": 1}, embedding=[0.1, 0.2], private=True
    )
    storage.save([one, MemoryRecord(content="other", scope="/ab", embedding=[0.2, 0.1])])
    held = storage.get_record(one.id)
    assert (held, held.embedding) == (one, one.embedding)
    assert storage.count("/a") == 1
    assert [x.content for x, _ in storage.search([0.1, 0.2], metadata_filter={"n": 1})] == [
        "a secret plan"
    ]
    assert memory.recall("secret plan", user="ann", project="crewai") == []
    assert EngraphyStorage(memory, user="bob").count() == 0
    with pytest.raises(EmbeddingDimensionMismatchError):
        storage.save([MemoryRecord(content="x", embedding=[1.0])])
    storage.reset()
    assert storage.count() == 0
