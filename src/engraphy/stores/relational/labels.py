"""Labels: elements of lists, and speakers, in a table of their own for exact lookups."""

from collections.abc import Iterator
from typing import Any

from engraphy.model.memory import Memory
from engraphy.stores.relational.batch import Batch, Stored

LABELLED = frozenset({"tags", "concepts", "entities", "files_read", "files_modified", "speaker"})
"""The columns of `memories` that labels are made from."""


def add(batch: Batch, seq: int, scope_id: int, memory: Memory) -> None:
    """Write the labels of a memory."""
    for bound in _bound(seq, scope_id, memory):
        batch.put("insert_label", bound)


def remove(batch: Batch, stored: Stored) -> None:
    """Take out the labels of a memory as it is stored."""
    for bound in _bound(stored.seq, int(stored.row["scope_id"] or 0), stored.memory):
        batch.put("delete_label", bound)


def _bound(seq: int, scope_id: int, memory: Memory) -> Iterator[dict[str, Any]]:
    for label, value in _labels(memory):
        yield {"scope_id": scope_id, "label": label, "value": value, "seq": seq}


def _labels(memory: Memory) -> Iterator[tuple[str, str]]:
    yield from (("tag", tag) for tag in memory.tags)
    yield from (("concept", concept) for concept in memory.concepts)
    yield from (("entity", entity) for entity in memory.entities)
    yield from (("file", path) for path in (*memory.files_read, *memory.files_modified))
    if memory.speaker:
        yield "speaker", memory.speaker
