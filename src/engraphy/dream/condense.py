"""Old memories of one category in one memory, where a caller asks for it (A-01, R-04)."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engraphy.dream.ripe import (
    category_of,
    instructs,
    notes_of,
    oldest_first,
    ripe,
    told_by,
)
from engraphy.model import Kind, Memory, Sensitivity
from engraphy.profile import Condense
from engraphy.record import Record
from engraphy.text.gist import gist


class Group(Record, frozen=True, kw_only=True):
    """Memories of one category and one sensitivity, oldest first."""

    category: str
    members: tuple[Memory, ...]


def groups(
    memories: Iterable[Memory], knobs: Condense, *, before: int, default_ttl_days: float
) -> list[Group]:
    """What is condensed together: per category and sensitivity the ripe memories that last changed
    before `before`, where they are more than `above`, at most `most` in a group."""
    found: dict[tuple[str, Sensitivity], list[Memory]] = {}
    for memory in memories:
        old = memory.updated_at < before and ripe(memory, default_ttl_days=default_ttl_days)
        if old and not instructs(memory):
            found.setdefault((category_of(memory), memory.sensitivity), []).append(memory)
    return [
        Group(category=category, members=members)
        for (category, _), rows in sorted(found.items())
        if len(rows) > knobs.above
        for members in even(sorted(rows, key=oldest_first), knobs.most)
    ]


def even(rows: Sequence[Memory], most: int) -> Iterator[tuple[Memory, ...]]:
    """Runs of about the same length, none longer than `most`."""
    runs = -(-len(rows) // most)
    size = -(-len(rows) // runs)
    for start in range(0, len(rows), size):
        yield tuple(rows[start : start + size])


def condensed(group: Group, knobs: Condense, *, id: str, now: int) -> Memory:
    """The memory that tells a group: a head, then one line per memory with its day, oldest
    first."""
    rows = group.members
    written = gist(notes_of(rows), group.category, chars=knobs.chars, line_chars=knobs.line_chars)
    memory = told_by(rows, written.text, Kind.SUMMARY, now=now, importance=knobs.importance)
    return replace(memory, id=id, category=group.category)
