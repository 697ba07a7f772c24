"""Memories as rows of the table `memories`, and rows as memories."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import fields
from enum import StrEnum
from hashlib import sha256
from operator import itemgetter
from typing import Any

from engraphy.model.kinds import (
    DataSource,
    EmotionCategory,
    Evidence,
    Kind,
    Origin,
    Priority,
    Sensitivity,
    State,
    SubTier,
    TemporalScale,
    TemporalType,
    Tier,
    WriteSource,
)
from engraphy.model.memory import Channels, Memory
from engraphy.model.scope import Scope, Tenant, WALLS
from engraphy.stores.sqlite.damage import DamagedValueError, decoding

WOKEN_BY_DELIVERY = frozenset({State.DORMANT, State.ARCHIVED})
WOKEN_BY_RESTATEMENT = WOKEN_BY_DELIVERY | {State.EXPIRED}
AWAKE = State.ACTIVE

Value = str | int | float | bytes | None
Row = dict[str, Value]
"""Column name to value."""

VOCABULARIES: dict[str, type[StrEnum]] = {
    "kind": Kind,
    "priority": Priority,
    "origin": Origin,
    "write_source": WriteSource,
    "data_source": DataSource,
    "evidence": Evidence,
    "sensitivity": Sensitivity,
    "emotion": EmotionCategory,
    "tier": Tier,
    "sub_tier": SubTier,
    "temporal_scale": TemporalScale,
    "state": State,
    "temporal_type": TemporalType,
}
LISTS = (
    "tags",
    "concepts",
    "entities",
    "files_read",
    "files_modified",
    "scope_globs",
    "source_ids",
    "metadata",
)
FLAGS = ("flashbulb", "pinned", "immutable")
_APART = {"scope": ("scope_id", "session"), "channels": Channels._fields}

COLUMNS: tuple[str, ...] = (
    *(column for field in fields(Memory) for column in _APART.get(field.name, (field.name,))),
    "content_hash",
)
"""Every column of `memories` but its key `seq`."""

SELECTED = ", ".join(f"m.{column}" for column in COLUMNS)
WALLS_SELECTED = ", ".join(f"s.{wall}" for wall in ("tenant", *WALLS))

_PLAIN = tuple(
    field.name
    for field in fields(Memory)
    if field.name not in {*_APART, *VOCABULARIES, *LISTS, *FLAGS}
)
_plain_of, _channels_of = itemgetter(*_PLAIN), itemgetter(*Channels._fields)
_EMPTY_LIST = "[]"
_MEMBERS = {
    name: {member.value: member for member in vocabulary}
    for name, vocabulary in VOCABULARIES.items()
}


def content_hash(text: str) -> bytes:
    """SHA-256 of a content: the key of dedup inside one scope and sensitivity."""
    return sha256(text.encode("utf-8")).digest()


def to_json(values: Sequence[Any]) -> str:
    """A list as JSON text."""
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")) if values else _EMPTY_LIST


def to_row(memory: Memory, scope_id: int) -> Row:
    """The row of a memory that lives in the scope with this number."""
    row: Row = {name: getattr(memory, name) for name in _PLAIN}
    for name in VOCABULARIES:
        row[name] = str(getattr(memory, name))
    for name in LISTS:
        row[name] = to_json(getattr(memory, name))
    for name in FLAGS:
        row[name] = int(getattr(memory, name))
    row.update(zip(Channels._fields, memory.channels, strict=True))
    row["scope_id"] = scope_id
    row["session"] = memory.scope.session
    row["content_hash"] = content_hash(memory.content)
    return row


def told(row: Mapping[str, Any], memory: Memory) -> dict[str, Any]:
    """A row as the journal tells it: without default values, numbers of scopes and hashes."""
    kept: dict[str, Any] = {
        name: value
        for name, value in row.items()
        if name not in {"scope_id", "content_hash"}
        and not (name in DEFAULTS and value == DEFAULTS[name])
    }
    walls = {wall: getattr(memory.scope, wall) for wall in WALLS}
    return kept | {wall: name for wall, name in walls.items() if name is not None}


def to_memory(row: Mapping[str, Any], walls: Sequence[str | None]) -> Memory:
    """The memory of a row; `walls` are the tenant and the walls of its scope."""
    values: dict[str, Any] = dict(zip(_PLAIN, _plain_of(row), strict=True))
    for name, members in _MEMBERS.items():
        # The call of an enum is slow, and only needed for what it does not know.
        values[name] = members.get(row[name]) or VOCABULARIES[name](row[name])
    for name in LISTS:
        values[name] = () if row[name] == _EMPTY_LIST else tuple(json.loads(row[name]))
    for name in FLAGS:
        values[name] = bool(row[name])
    if values["metadata"]:
        values["metadata"] = tuple((key, value) for key, value in values["metadata"])
    tenant, user, agent, project, conversation = walls
    values["scope"] = Scope(
        tenant=Tenant(tenant or ""),
        user=user,
        agent=agent,
        project=project,
        session=row["session"],
        conversation=conversation,
    )
    values["channels"] = Channels(*_channels_of(row))
    return Memory(**values)


def from_tuple(found: Sequence[Any]) -> Memory:
    """The memory of a result line `SELECTED, WALLS_SELECTED`."""
    size = len(COLUMNS)
    with decoding("a memory"):
        row = dict(zip(COLUMNS, found[:size], strict=True))
        memory = to_memory(row, found[size : size + 1 + len(WALLS)])
        if row["content_hash"] != content_hash(memory.content):
            raise DamagedValueError(f"the content of {memory.id} is not what was written")
    return memory


def _defaults() -> Row:
    memory = Memory(id="", scope=Scope(tenant=Tenant("")), content="")
    row = to_row(memory, 0)
    return {
        name: value
        for name, value in row.items()
        if name not in {"id", "content", "content_hash", "scope_id"}
    }


DEFAULTS = _defaults()
"""Column values that the journal leaves out. They are the DEFAULT clauses of the schema, which
never change (a test compares them), so that old entries keep their meaning."""
