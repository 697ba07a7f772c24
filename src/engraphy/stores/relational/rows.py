"""Memories as rows of the table `memories`, and rows as memories."""

import json
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from operator import itemgetter
from typing import Any

import msgspec

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
from engraphy.stores.relational.damage import DamagedValueError, decoding

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
_REALS = frozenset(
    {field.name for field in fields(Memory) if isinstance(field.default, float)}
    | set(Channels._fields)
)
_APART = {"scope": ("scope_id", "session"), "channels": Channels._fields}

COLUMNS: tuple[str, ...] = (
    *(column for field in fields(Memory) for column in _APART.get(field.name, (field.name,))),
    "content_hash",
    "checksum",
)
"""Every column of `memories` but its key `seq`."""

UNCHECKED = frozenset({
    "access_count", "last_accessed_at", "retrieval_loss", "stability", "difficulty",
    "storage_strength", "last_strengthened_at",
})  # fmt: skip
"""Columns without a checksum: what reading moves, of several rows at once and in SQL, which has no
function for it."""
NEVER_CHECKED = 0x656E6772_61706879
"""What stands for a checksum where an engine looks after its own pages, and a row is older."""

SELECTED = ", ".join(f"m.{column}" for column in COLUMNS)
WALLS_SELECTED = ", ".join(f"s.{wall}" for wall in ("tenant", *WALLS))

_PLAIN = tuple(
    field.name
    for field in fields(Memory)
    if field.name not in {*_APART, *VOCABULARIES, *LISTS, *FLAGS}
)
_SIZE, _END = len(COLUMNS), len(COLUMNS) + 1 + len(WALLS)
"""Where the walls of a result line begin and end."""
_EMPTY_LIST = "[]"
_FIELDS = tuple(field.name for field in fields(Memory))
_PLACES = {column: place for place, column in enumerate(COLUMNS)}
_UNTOLD = frozenset({"scope_id", "content_hash", "checksum"})
"""What the journal does not tell of a row, and no field of a memory is made of."""
_ID, _HASH, _SESSION, _SUM = (
    _PLACES[name] for name in ("id", "content_hash", "session", "checksum")
)
CHECKED = tuple(
    name for name in COLUMNS if name not in UNCHECKED | {"scope_id", "content", "checksum"}
)
"""Columns that a checksum covers: the content by its hash, and not where a row lives, which an
index and the journal tell (P-05)."""
_SCOPE, _CHANNELS, _METADATA = map(_FIELDS.index, ("scope", "channels", "metadata"))
_fields_of = itemgetter(*(_PLACES[_APART.get(name, (name,))[0]] for name in _FIELDS))
"""The value of each field, or of the first column that it is made of."""
_channels_of = itemgetter(*(_PLACES[name] for name in Channels._fields))
_checked_of = itemgetter(*(_PLACES[name] for name in CHECKED))
_CHECKED_PLACES = {column: place for place, column in enumerate(CHECKED)}
_ENUM_PLACES = tuple(
    (_FIELDS.index(name), {member.value: member for member in vocabulary}, vocabulary)
    for name, vocabulary in VOCABULARIES.items()
)
_LIST_PLACES, _FLAG_PLACES = (tuple(map(_FIELDS.index, names)) for names in (LISTS, FLAGS))
_PUT = tuple(getattr(Memory, name).__set__ for name in _FIELDS)


def _plain(value: object) -> object:
    """What a subclass of a plain type says."""
    for kind in (str, float, int):
        if isinstance(value, kind):
            return kind(value)
    raise TypeError(type(value).__name__)


_packed = msgspec.msgpack.Encoder(enc_hook=_plain).encode
"""MessagePack: one form for each value, at a tenth of what its JSON takes."""


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
    row["checksum"] = checksum(row)
    return row


def checksum(row: Mapping[str, Any]) -> int:
    """CRC-32 over what a row says when it is read again: a number where its column has numbers,
    without a sign of zero."""
    return zlib.crc32(_packed([_as_read(name, row[name]) for name in CHECKED]))


def _as_read(name: str, value: Any) -> Any:
    if name in _REALS:
        return float(value) + 0.0
    return int(value) if isinstance(value, float) else value


def is_right(row: Mapping[str, Any]) -> bool:
    """Whether hash and checksum are those of what a row says. Raises what a value raises that its
    column cannot hold."""
    return bool(
        row["content_hash"] == content_hash(row["content"])
        and row["checksum"] in (checksum(row), NEVER_CHECKED)
    )


def told(row: Mapping[str, Any], memory: Memory) -> dict[str, Any]:
    """A row as the journal tells it: without default values, numbers of scopes and hashes."""
    kept: dict[str, Any] = {
        name: value
        for name, value in row.items()
        if name not in _UNTOLD and not (name in DEFAULTS and value == DEFAULTS[name])
    }
    walls = {wall: getattr(memory.scope, wall) for wall in WALLS}
    return kept | {wall: name for wall, name in walls.items() if name is not None}


def to_memory(row: Mapping[str, Any], walls: Sequence[str | None]) -> Memory:
    """The memory of a row; `walls` are the tenant and the walls of its scope."""
    return _made([None if column in _UNTOLD else row[column] for column in COLUMNS], walls)


def from_tuple(found: Sequence[Any]) -> Memory:
    """The memory of a result line `SELECTED, WALLS_SELECTED`."""
    return from_tuples([found])[0]


def from_tuples(found: Iterable[Sequence[Any]]) -> list[Memory]:
    """The memories of result lines `SELECTED, WALLS_SELECTED`."""
    with decoding("a memory"):
        return [_checked(line) for line in found]


def _checked(found: Sequence[Any]) -> Memory:
    memory = _made(found, found[_SIZE:_END])
    if found[_HASH] != content_hash(memory.content):
        raise DamagedValueError(f"the content of {memory.id} is not what was written")
    # What does not fit at once may be a row that has none, or a zero with a sign.
    if found[_SUM] != zlib.crc32(_packed(_checked_of(found))) and not is_right(
        dict(zip(COLUMNS, found, strict=False))
    ):
        raise DamagedValueError(f"a field of {memory.id} is not what was written")
    return memory


def moved(line: Sequence[Any], after: Mapping[str, Any]) -> list[Any]:
    """A result line `SELECTED` once these columns say this, with its checksum. Raises
    DamagedValueError where the line is not what was written."""
    told, checked = list(line), list(_checked_of(line))
    with decoding("a memory"):
        fits = told[_SUM] == zlib.crc32(_packed(checked))
        if not (fits or is_right(dict(zip(COLUMNS, told, strict=True)))):
            raise DamagedValueError(f"a field of {told[_ID]} is not what was written")
    for name, value in after.items():
        told[_PLACES[name]] = read = _as_read(name, value)
        if name in _CHECKED_PLACES:
            checked[_CHECKED_PLACES[name]] = read
    # What did not fit may have a zero with a sign.
    told[_SUM] = (
        zlib.crc32(_packed(checked)) if fits else checksum(dict(zip(COLUMNS, told, strict=True)))
    )
    return told


def id_of(line: Sequence[Any]) -> str:
    """The id of a result line `SELECTED`."""
    return str(line[_ID])


def values_of(line: Sequence[Any], names: Iterable[str]) -> tuple[Any, ...]:
    """What these columns of a result line `SELECTED` say."""
    return tuple(line[_PLACES[name]] for name in names)


def sum_of(line: Sequence[Any]) -> int:
    """The checksum of a result line `SELECTED`."""
    return int(line[_SUM])


def _made(found: Sequence[Any], walls: Sequence[str | None]) -> Memory:
    """The memory of values in the order of COLUMNS. Written out: dozens are read per recall."""
    values = list(_fields_of(found))
    for place, members, vocabulary in _ENUM_PLACES:
        # The call of an enum is slow, and only needed for what it does not know.
        values[place] = members.get(values[place]) or vocabulary(values[place])
    for place in _LIST_PLACES:
        told = values[place]
        values[place] = () if told == _EMPTY_LIST else tuple(json.loads(told))
    for place in _FLAG_PLACES:
        values[place] = bool(values[place])
    if values[_METADATA]:
        values[_METADATA] = tuple((key, value) for key, value in values[_METADATA])
    values[_SCOPE] = _scope(found[_SESSION], *walls)
    values[_CHANNELS] = Channels(*_channels_of(found))
    memory = object.__new__(Memory)
    # What the `__init__` of a frozen dataclass does, at a third of its price.
    for put, value in zip(_PUT, values):  # noqa: B905 - of one table, dozens per recall
        put(memory, value)
    return memory


@lru_cache(maxsize=1_024)
def _scope(session: str | None, tenant: str | None, *walls: str | None) -> Scope:
    named = dict(zip(WALLS, walls, strict=True))
    return Scope(tenant=Tenant(tenant or ""), session=session, **named)


def _defaults() -> Row:
    memory = Memory(id="", scope=Scope(tenant=Tenant("")), content="")
    row = to_row(memory, 0)
    return {name: value for name, value in row.items() if name not in {"id", "content", *_UNTOLD}}


DEFAULTS = _defaults()
"""Column values that the journal leaves out. They are the DEFAULT clauses of the schema, which
never change (a test compares them), so that old entries keep their meaning."""
