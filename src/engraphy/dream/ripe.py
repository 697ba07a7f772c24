"""What may be put together at rest, and the memory that tells it (R-04)."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from engraphy.model import (
    DataSource,
    Evidence,
    Kind,
    MICROSECONDS_PER_DAY,
    Memory,
    ORIGIN_TRUST,
    State,
    SubTier,
    Tier,
    WriteSource,
)
from engraphy.text.heading import Note
from engraphy.text.injection import injection_signals
from engraphy.text.rewrite import shortened

FIRM = frozenset({Evidence.STATED, Evidence.OBSERVED, Evidence.INFERRED})
MADE = frozenset({Kind.SUMMARY, Kind.PATTERN})
"""Kinds that are put together already."""
THEME, COMPRESSED, PATTERN = "theme", "compressed", "pattern"
CATEGORY, RECURRING, MINED = "category summary", "recurring", "mined"
"""The tags of what is made at rest, by which it is found again."""
_TAGS = frozenset({THEME, COMPRESSED, PATTERN, CATEGORY, RECURRING, MINED})
_APART = MADE | {Kind.EPISODE, Kind.PROCEDURE}
_MOST_ITEMS = 64
_TITLE = 80


def category_of(memory: Memory) -> str:
    """The category of a memory: its kind where it was given none."""
    return memory.category or memory.kind.value


def ripe(memory: Memory, *, default_ttl_days: float) -> bool:
    """Whether it may be told by another memory in its place.

    Left alone is what is put together already, an event, a workflow, protected, vivid, supposed or
    quoted, or ends at a time of its own. What instructs is left out by `obeyable`, which reads it.
    """
    return (
        memory.state is State.ACTIVE
        and memory.kind not in _APART
        and memory.evidence in FIRM
        and memory.valid_until is None
        and not memory.protected
        and not memory.flashbulb
        and not _ends_early(memory, default_ttl_days)
    )


def _ends_early(memory: Memory, default_ttl_days: float) -> bool:
    """Whether it was given a shorter life than others have: no summary may tell it any longer."""
    if memory.expires_at is None:
        return False
    usual = round(default_ttl_days * MICROSECONDS_PER_DAY)
    return not usual or memory.expires_at < max(memory.recorded_at, memory.updated_at) + usual


def instructs(memory: Memory) -> bool:
    """Whether its text gives orders to whoever reads it."""
    return bool(injection_signals(memory.content))


def oldest_first(memory: Memory) -> tuple[int, str]:
    """The order in which memories are told."""
    return memory.valid_from, memory.id


def notes_of(rows: Sequence[Memory]) -> list[Note]:
    """Memories as the writer of summaries reads them."""
    return [
        Note(
            text=body(row),
            at=row.valid_from,
            title="" if row.kind in MADE else row.title,
            speaker=row.speaker,
            entities=row.entities,
            weight=row.importance,
        )
        for row in rows
    ]


def body(memory: Memory) -> str:
    """Its text; of one that was put together only its lines, without the head."""
    if memory.kind not in MADE or memory.write_source is not WriteSource.DREAM:
        return memory.content
    return "\n".join(
        line.removeprefix("- ") for line in memory.content.split("\n")[1:] if line[:2] == "- "
    )


def told_by(
    rows: Sequence[Memory], text: str, kind: Kind, *, now: int, importance: float
) -> Memory:
    """The memory that tells memories (oldest first), without an id.

    It comes from the least trusted origin among them, holds all their files, tags and concepts,
    and is of a session where all of them are. It is as old as the newest of them, as it says
    nothing newer (R-03). What it inherits beside that is `inheriting`'s.
    """
    origin = min((row.origin for row in rows), key=ORIGIN_TRUST.__getitem__)
    sessions = {row.scope.session for row in rows}
    speakers = {row.speaker for row in rows}
    return Memory(
        id="",
        scope=replace(rows[0].scope, session=sessions.pop() if len(sessions) == 1 else None),
        content=text,
        kind=kind,
        category=rows[0].category,
        title=shortened(text.partition("\n")[0].rstrip(".:"), _TITLE),
        speaker=speakers.pop() if len(speakers) == 1 and kind not in MADE else "",
        tags=tuple(tag for tag in _all(rows, lambda row: row.tags) if tag not in _TAGS),
        concepts=_all(rows, lambda row: row.concepts),
        entities=_all(rows, lambda row: row.entities),
        files_read=_all(rows, lambda row: row.files_read),
        files_modified=_all(rows, lambda row: row.files_modified),
        discovery_tokens=sum(row.discovery_tokens for row in rows),
        origin=origin,
        write_source=WriteSource.DREAM,
        data_source=DataSource.SYSTEM,
        evidence=Evidence.OBSERVED,
        source_ids=tuple(dict.fromkeys(one for row in rows for one in row.source_ids)),
        trust=ORIGIN_TRUST[origin],
        sensitivity=rows[0].sensitivity,
        importance=max(importance, *(row.importance for row in rows)),
        stability=max(row.stability for row in rows),
        tier=Tier.SEMANTIC,
        sub_tier=SubTier.FACTUAL,
        valid_from=max(row.valid_from for row in rows),
        recorded_at=now,
        updated_at=max(row.updated_at for row in rows),
    )


def _all(rows: Sequence[Memory], items: Callable[[Memory], tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for row in rows for item in items(row)))[:_MOST_ITEMS]
