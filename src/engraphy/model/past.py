"""What the journal tells: lines as values, what was taken out, what a store held at a moment."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct, field

from engraphy.model.federating import Publication, Subscription
from engraphy.model.granting import Grant
from engraphy.model.memory import Memory, Version
from engraphy.model.records import (
    CoActivation,
    Episode,
    Fact,
    JournalEntry,
    JournalOp,
    Procedure,
    Relation,
)
from engraphy.record import Record

Fields = Mapping[str, Any]
"""Values by the names of a memory's fields; those of its scope and channels by dotted names."""


class LineFilter(Record, frozen=True, kw_only=True):
    """Which lines of the journal; None and 0 = any. `since` <= at < `until` in microseconds UTC;
    `after` < number <= `upto`; `target`: a line that is about this memory or fact."""

    actor: str | None = None
    op: JournalOp | None = None
    since: int | None = None
    until: int | None = None
    target: str | None = None
    reason: str | None = None
    """How its reason begins."""
    after: int = 0
    upto: int | None = None
    newest: bool = True
    """The newest first, else the oldest."""
    limit: int = 100


class Removed(Record, frozen=True, kw_only=True):
    """A memory that was taken out, whole: its row and what stood beside it. `along`: facts that
    went with it; `linked`: facts that only lost their link to it."""

    memory: Memory
    versions: tuple[Version, ...] = ()
    relations: tuple[Relation, ...] = ()
    coactivations: tuple[CoActivation, ...] = ()
    episode: Episode | None = None
    procedure: Procedure | None = None
    along: tuple[str, ...] = ()
    linked: tuple[str, ...] = ()


class Past(Record, frozen=True, kw_only=True):
    """One line of the journal as values: what it changed, from what to what.

    `moved`: of each memory the fields as (before, after). `inserted` and `restored`: a memory that
    came to be; `removed`: one that was taken out. `factor`: what the stability of `ids` was
    multiplied by; `counted`: how much counters went up. Of what stands beside memories the former
    and the new value, None where there is none. A line whose text was forgotten tells nothing.
    """

    entry: JournalEntry
    ids: tuple[str, ...] = ()
    moved: Mapping[str, tuple[Fields, Fields]] = field(default_factory=dict)
    inserted: Memory | None = None
    restored: Removed | None = None
    removed: Removed | None = None
    factor: float = 1.0
    counted: Mapping[str, float] = field(default_factory=dict)
    pull: tuple[float, float] = (0.0, 0.0)
    """The share by which utility was drawn towards a value in [0, 1], and that value."""
    relation: tuple[Relation | None, Relation | None] | None = None
    fact: tuple[Fact | None, Fact | None] | None = None
    episode: tuple[Episode | None, Episode | None] | None = None
    procedure: tuple[Procedure | None, Procedure | None] | None = None
    delivered: bool = False
    """It only tells that memories were delivered: nothing to take back."""


class Replayed(Struct, dict=True, weakref=True):
    """What a journal says a store held, once the line `seq` was written."""

    seq: int = 0
    memories: dict[str, Memory] = field(default_factory=dict)
    versions: dict[str, list[Version]] = field(default_factory=dict)
    relations: dict[tuple[str, str, str], Relation] = field(default_factory=dict)
    coactivations: dict[tuple[str, str], CoActivation] = field(default_factory=dict)
    facts: dict[str, Fact] = field(default_factory=dict)
    episodes: dict[str, Episode] = field(default_factory=dict)
    procedures: dict[str, Procedure] = field(default_factory=dict)
    grants: dict[str, Grant] = field(default_factory=dict)
    shared: dict[str, Publication | Subscription] = field(default_factory=dict)
    apart: dict[tuple[str, str, str], Relation] = field(default_factory=dict)
    """Relations of which an end is removed: they return with it."""
    away: set[str] = field(default_factory=set)
    """Ids of memories that are removed, where what stands now is told."""
