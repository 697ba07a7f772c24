"""A memory, the unit that is remembered: every field of the whole specification."""

import types
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from itertools import compress
from operator import attrgetter, is_not
from typing import Any, NamedTuple

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
from engraphy.model.scope import Scope, WALLS
from engraphy.record import Record

MICROSECONDS_PER_DAY = 86_400_000_000
STRONGLY_HELD = 8.0
"""Storage strength (1 to 10) from which a text is never rewritten (D-09)."""


class Channels(NamedTuple):
    """The four channels of importance (D-10), each in [0, 1]."""

    novelty: float = 0.5
    arousal: float = 0.0
    reward: float = 0.5
    attention: float = 0.5


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Memory:
    """One memory. Times are integer microseconds UTC; scores are in [0, 1] unless said otherwise.

    Three clocks (R-03): `updated_at` is when the content changed, `last_accessed_at` when it was
    last delivered to an agent, `last_decayed_at` when maintenance last ran over it.
    """

    id: str
    scope: Scope
    content: str
    # what it is
    kind: Kind = Kind.FACT
    title: str = ""
    subtitle: str = ""
    context: str = ""
    category: str = ""
    speaker: str = ""
    tags: tuple[str, ...] = ()
    concepts: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    files_read: tuple[str, ...] = ()
    files_modified: tuple[str, ...] = ()
    scope_globs: tuple[str, ...] = ()
    metadata: tuple[tuple[str, str], ...] = ()
    priority: Priority = Priority.NORMAL
    discovery_tokens: int = 0
    # where it comes from
    origin: Origin = Origin.USER
    write_source: WriteSource = WriteSource.MANUAL
    data_source: DataSource = DataSource.USER_MESSAGE
    evidence: Evidence = Evidence.STATED
    source_ids: tuple[str, ...] = ()
    trust: float = 1.0
    source_confidence: float = 1.0
    sensitivity: Sensitivity = Sensitivity.PUBLIC
    # how much it matters
    importance: float = 0.5
    channels: Channels = field(default_factory=Channels)
    utility: float = 0.5
    valence: float = 0.0
    """Emotional valence in [-1, 1]."""
    emotional_arousal: float = 0.0
    emotion: EmotionCategory = EmotionCategory.NEUTRAL
    flashbulb: bool = False
    # how well it is held
    stability: float = 1.0
    """FSRS stability in days, (0, 36500]."""
    difficulty: float = 5.0
    """FSRS difficulty in [1, 10]."""
    storage_strength: float = 1.0
    """Dual strength (D-40) in [1, 10]; never decays."""
    retrieval_loss: float = 0.0
    """Retrieval strength lost to category decay (D-41) since the last access, in [0, 1]."""
    tier: Tier = Tier.EPISODIC
    sub_tier: SubTier = SubTier.PERSONAL
    temporal_scale: TemporalScale = TemporalScale.IMMEDIATE
    # where in its life it is
    state: State = State.ACTIVE
    pinned: bool = False
    immutable: bool = False
    temporal_type: TemporalType = TemporalType.PERSISTENT
    valid_from: int = 0
    """When it became true: the message's own time where one is known."""
    valid_until: int | None = None
    """When it stops being true; None while it holds."""
    expires_at: int | None = None
    """When its time to live ends (A-07); None = never."""
    recorded_at: int = 0
    """When the store learned it."""
    updated_at: int = 0
    last_accessed_at: int | None = None
    last_decayed_at: int | None = None
    last_reinforced_at: int | None = None
    last_rehearsed_at: int | None = None
    """When maintenance last rehearsed it (D-49): no delivery, and no access."""
    last_strengthened_at: int | None = None
    """When a delivery last counted as a retrieval of its own (D-40): several close together count
    once."""
    last_drifted_at: int | None = None
    """Up to when utility has drifted, or when a use that moved it was reported (D-43)."""
    access_count: int = 0
    settled_access_count: int = 0
    """How many of its accesses maintenance has taken into account (A-18)."""
    reinforcement_count: int = 0
    success_count: int = 0
    failure_count: int = 0
    superseded_by: str | None = None
    supersedes: str | None = None
    version: int = 1

    def __repr__(self) -> str:
        """What a person looks for: which one, what it says, whose it is, and whether it holds.
        All fields are in `dataclasses.asdict`."""
        walls = getattr(self, "scope", None)
        told: dict[str, object] = {name: getattr(self, name, None) for name in _SHOWN}
        told |= {wall: getattr(walls, wall, None) for wall in WALLS}
        told |= {name: getattr(self, name, None) for name in _SHOWN_IF}
        shown = (
            f"{name}={str(value)!r}" if isinstance(value, StrEnum) else f"{name}={value!r}"
            for name, value in told.items()
            if value is not None and value != _SHOWN_IF.get(name)
        )
        return f"Memory({', '.join(shown)})"

    @property
    def protected(self) -> bool:
        """Whether no heuristic may rewrite or retire it: pinned, immutable, strongly held."""
        return self.pinned or self.immutable or self.storage_strength >= STRONGLY_HELD

    @property
    def tells_others(self) -> bool:
        """Whether it was made to tell several memories: no single statement is a newer version of
        it."""
        made = self.write_source in {WriteSource.DREAM, WriteSource.SESSION}
        return made and self.kind in {Kind.SUMMARY, Kind.PATTERN}


_SHOWN = ("id", "content", "kind")
_SHOWN_IF = {
    "state": State.ACTIVE,
    "sensitivity": Sensitivity.PUBLIC,
    "pinned": False,
    "immutable": False,
    "superseded_by": None,
    "version": 1,
}
"""What is shown where it is another than this."""

_PUT = {name: getattr(Memory, name).__set__ for name in Memory.__dataclass_fields__}


class _Access(NamedTuple):
    """The fields that memories of a class hold, and how they are written and read, in one order."""

    fields: tuple[str, ...]
    puts: Mapping[str, Any]
    values: Callable[[Memory], tuple[Any, ...]]


def _accessed(fields: Iterable[str]) -> _Access:
    names = tuple(name for name in _PUT if name in fields)
    return _Access(names, {name: _PUT[name] for name in names}, attrgetter(*names))


_ACCESS: dict[type[Memory], _Access] = {Memory: _accessed(tuple(_PUT))}


@cache
def part_of(fields: frozenset[str]) -> type[Memory]:
    """The class of memories of which only these fields (two or more) were read. To ask one for
    another field is an AttributeError, never a default value that nobody wrote."""
    part: type[Memory] = types.new_class("Part", (Memory,), exec_body=_without_dict)
    _ACCESS[part] = _accessed(fields)
    return part


def _without_dict(body: dict[str, Any]) -> None:
    body["__slots__"] = ()


def filled(kind: type[Memory], values: Iterable[Any]) -> Memory:
    """A memory of its values in the order of the fields of its class, all of them: what the
    `__init__` of a frozen dataclass does, at a fraction of its price."""
    new: Memory = object.__new__(kind)
    for put, value in zip(_ACCESS[kind].puts.values(), values):  # noqa: B905 - hundreds of thousands a night
        put(new, value)
    return new


def moved(memory: Memory, **changes: Any) -> Memory:
    """A memory with other values, as `dataclasses.replace` makes it, but quickly and of a part as
    well. Raises ValueError where a part does not hold the field."""
    kind = type(memory)
    _, puts, values = _ACCESS[kind]
    new = filled(kind, values(memory))
    for name, value in changes.items():
        if name not in puts:
            raise ValueError(f"{name} was not read")
        puts[name](new, value)
    return new


def differing(held: Memory, wanted: Memory) -> tuple[str, ...]:
    """The fields in which two memories of one class differ."""
    fields, _, values = _ACCESS[type(held)]
    there, here = values(held), values(wanted)
    # Nearly all of them are the same objects.
    others = compress(zip(fields, there, here, strict=True), map(is_not, there, here))
    return tuple(name for name, one, other in others if one != other)


class Version(Record, frozen=True, kw_only=True):
    """One earlier text of a memory, kept when it was updated (D-09)."""

    memory_id: str
    version: int
    content: str
    title: str
    replaced_at: int
    reason: str
