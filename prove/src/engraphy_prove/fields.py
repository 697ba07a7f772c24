"""Memories with something in every field, and where in a file each field of theirs stands."""

import random
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from enum import StrEnum
from typing import Any

from engraphy.model.change import Change, Reinforce, Settle, Tally, Touch, Update
from engraphy.model.kinds import State
from engraphy.model.memory import Channels, Memory
from engraphy.stores.relational.rows import DEFAULTS, LISTS, UNCHECKED, VOCABULARIES
from engraphy.stores.sqlite.pages import Image, TABLE_LEAF
from engraphy_prove.workload import T0, word

_KEPT = frozenset({
    "id", "scope", "content", "title", "origin", "version", "state", "immutable", "channels",
    "metadata", "superseded_by", "supersedes",
})  # fmt: skip
_STATES = (State.ACTIVE, State.DORMANT, State.ARCHIVED)
_LATEST = 10**15
_LOCAL = 4053
"""Bytes of a row that stand on one page of 4096, of which 8 are its checksum."""
_WIDTHS = (0, 1, 2, 3, 4, 6, 8, 8, 0, 0)
"""Bytes of a value, by the type that its record tells."""
_TEXTS = 12
_ID = 1
Said = tuple[object, ...]


def said(memory: Memory) -> Said:
    """What a memory says in every field that has a second witness."""
    return tuple(getattr(memory, name) for name in _WITNESSED)


def counted(memory: Memory) -> Said:
    """What a memory says in the fields that deliveries move."""
    return tuple(getattr(memory, name) for name in ("id", *sorted(UNCHECKED)))


def at_first(memory: Memory) -> Said:
    """The same of one that was never delivered: what a repair makes of counts nothing tells."""
    return (memory.id, *(DEFAULTS[name] for name in sorted(UNCHECKED)))


_WITNESSED = tuple(one.name for one in fields(Memory) if one.name not in UNCHECKED)


def moves(chance: random.Random, rows: Sequence[Memory]) -> Iterator[list[Change]]:
    """Writes of each sort that moves fields: an update, then what counts from what stands."""
    held = [_varied(chance, row) for row in rows]
    yield [Update(memory=new, expected=old) for old, new in zip(rows, held, strict=True)]
    names = [row.id for row in held]
    yield [Touch(ids=tuple(names[::3]), revive=True)]
    yield [Reinforce(id=name, revive=True) for name in names[::4]]
    yield [Tally(id=name, successes=2, failures=1, utility_rate=0.5) for name in names[::5]]


def settled(rows: Sequence[Memory]) -> Settle:
    """What maintenance writes of rows as they stand."""
    told = [(row, replace(row, importance=row.importance / 2)) for row in rows[::2]]
    return Settle(rows=tuple(told))


def _varied(chance: random.Random, memory: Memory) -> Memory:
    told: dict[str, Any] = {
        one.name: _value(chance, one.name, getattr(memory, one.name))
        for one in fields(Memory)
        if one.name not in _KEPT
    }
    return replace(
        memory,
        **told,
        state=chance.choice(_STATES),
        channels=Channels(*(chance.random() for _ in Channels._fields)),
        metadata=((word(chance), word(chance)),),
        superseded_by=chance.choice([None, word(chance)]),
        supersedes=chance.choice([None, word(chance)]),
    )


def _value(chance: random.Random, name: str, held: object) -> object:
    if name in VOCABULARIES:
        return chance.choice(list[StrEnum](VOCABULARIES[name]))
    if name in LISTS:
        return tuple(word(chance, 6) for _ in range(chance.randint(0, 3)))
    if isinstance(held, bool):
        return chance.random() < 0.5
    if isinstance(held, float):
        # Stability and difficulty begin at 1.
        return 1.0 if name in UNCHECKED - {"retrieval_loss"} else chance.random()
    if isinstance(held, str):
        return chance.choice(["", word(chance)])
    if name.endswith("_count") or name == "discovery_tokens":
        return chance.randrange(100)
    return T0 + chance.randrange(_LATEST) if chance.random() < 0.8 or held is not None else None


def places(data: bytes, columns: Sequence[str], ids: Mapping[str, object]) -> dict[str, list[int]]:
    """Where in a file the values of memories stand, by column: each of its bytes, and those that
    tell its type."""
    image, found = Image(data), defaultdict[str, list[int]](list)
    for number in range(1, image.count + 1):
        if image.kind(number) == TABLE_LEAF and number > 1:
            page, begin = image.page(number), (number - 1) * image.size
            for at in range(int.from_bytes(page[3:5])):
                cell = int.from_bytes(page[8 + 2 * at : 10 + 2 * at])
                for name, where in _record(page, cell, columns, ids):
                    found[name] += [begin + one for one in where]
    return found


def _record(
    page: bytes, cell: int, columns: Sequence[str], ids: Mapping[str, object]
) -> Iterator[tuple[str, list[int]]]:
    size, at = _number(page, cell)
    _, at = _number(page, at)
    end, types = _number(page, at)
    body, told = at + end, list[tuple[int, int, int, int]]()
    while types < at + end and size <= _LOCAL:
        kind, after = _number(page, types)
        width = _WIDTHS[kind] if kind < len(_WIDTHS) else max(0, kind - _TEXTS) // 2
        told.append((types, after, body, body + width))
        types, body = after, body + width
    if len(told) == len(columns) and page[slice(*told[_ID][2:])].decode() in ids:
        for name, (first, last, start, stop) in zip(columns, told, strict=True):
            yield name, [*range(first, last), *range(start, stop)]


def _number(page: bytes, at: int) -> tuple[int, int]:
    """A number of SQLite's, of seven bits a byte, and where it ends; longer ones do not occur."""
    value = 0
    while page[at] & 128:
        value, at = (value | page[at] & 127) << 7, at + 1
    return value | page[at], at + 1
