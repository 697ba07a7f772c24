"""Old memories of one category in one memory: their own sentences, no model (A-01, R-04)."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from engraphy.model import (
    DataSource,
    Evidence,
    Kind,
    MICROSECONDS_PER_DAY,
    Memory,
    ORIGIN_TRUST,
    Sensitivity,
    State,
    SubTier,
    WriteSource,
)
from engraphy.profile import Condense
from engraphy.text.datafiles import table
from engraphy.text.density import density
from engraphy.text.injection import injection_signals
from engraphy.text.language import language
from engraphy.text.moments import iso
from engraphy.text.rewrite import shortened
from engraphy.text.split import sentences
from engraphy.write.synthesis import protected

_FIRM = frozenset({Evidence.STATED, Evidence.OBSERVED, Evidence.INFERRED})
_MOST_ITEMS = 64
_TITLE = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Memories of one category and one sensitivity, oldest first."""

    category: str
    members: tuple[Memory, ...]


def category_of(memory: Memory) -> str:
    """The category of a memory: its kind where it was given none."""
    return memory.category or memory.kind.value


def groups(
    memories: Iterable[Memory], knobs: Condense, *, before: int, default_ttl_days: float
) -> list[Group]:
    """What is condensed together: per category and sensitivity the memories that last changed
    before `before`, where they are more than `above`, at most `most` in a group.

    Left alone is what is condensed already, protected, supposed or quoted, ends at a time of its
    own, or instructs.
    """
    found: dict[tuple[str, Sensitivity], list[Memory]] = {}
    for memory in memories:
        if memory.updated_at < before and _ripe(memory, default_ttl_days):
            found.setdefault((category_of(memory), memory.sensitivity), []).append(memory)
    return [
        Group(category=category, members=members)
        for (category, _), rows in sorted(found.items())
        if len(rows) > knobs.above
        for members in _even(sorted(rows, key=_order), knobs.most)
    ]


def _even(rows: Sequence[Memory], most: int) -> Iterator[tuple[Memory, ...]]:
    """Runs of about the same length, none longer than `most`."""
    runs = -(-len(rows) // most)
    size = -(-len(rows) // runs)
    for start in range(0, len(rows), size):
        yield tuple(rows[start : start + size])


def _order(memory: Memory) -> tuple[int, str]:
    return memory.valid_from, memory.id


def _ripe(memory: Memory, default_ttl_days: float) -> bool:
    return (
        memory.state is State.ACTIVE
        and memory.kind is not Kind.SUMMARY
        and memory.evidence in _FIRM
        and memory.valid_until is None
        and not protected(memory)
        and not _ends_early(memory, default_ttl_days)
        and not injection_signals(memory.content)
    )


def _ends_early(memory: Memory, default_ttl_days: float) -> bool:
    """Whether it was given a shorter life than others have: no summary may tell it any longer."""
    if memory.expires_at is None:
        return False
    usual = round(default_ttl_days * MICROSECONDS_PER_DAY)
    return not usual or memory.expires_at < max(memory.recorded_at, memory.updated_at) + usual


def condensed(group: Group, knobs: Condense, *, id: str, now: int) -> Memory:
    """The memory that tells a group: a head, then one line per memory with its day, oldest first.

    It comes from the least trusted origin among them, holds all their files, tags and concepts,
    and is of a session where all of them are. What it inherits beside that is `inheriting`'s.
    """
    rows = group.members
    lines = list(dict.fromkeys(_line(row, knobs.line_chars) for row in rows))
    words = table("condense")["tr" if language(" ".join(lines)) == "tr" else "en"]
    start, end = _day(rows[0]), _day(rows[-1])
    head = words["day" if start == end else "head"].format(
        category=group.category, count=len(rows), start=start, end=end
    )
    origin = min((row.origin for row in rows), key=ORIGIN_TRUST.__getitem__)
    sessions = {row.scope.session for row in rows}
    return Memory(
        id=id,
        scope=replace(rows[0].scope, session=sessions.pop() if len(sessions) == 1 else None),
        content="\n".join([head, *(f"- {line}" for line in lines)]),
        kind=Kind.SUMMARY,
        category=group.category,
        title=shortened(head.rstrip("."), _TITLE),
        tags=_all(rows, lambda row: row.tags),
        concepts=_all(rows, lambda row: row.concepts),
        entities=_all(rows, lambda row: row.entities),
        files_read=_all(rows, lambda row: row.files_read),
        files_modified=_all(rows, lambda row: row.files_modified),
        discovery_tokens=sum(row.discovery_tokens for row in rows),
        origin=origin,
        write_source=WriteSource.DREAM,
        data_source=DataSource.SYSTEM,
        evidence=Evidence.OBSERVED,
        trust=ORIGIN_TRUST[origin],
        importance=max(knobs.importance, *(row.importance for row in rows)),
        sub_tier=SubTier.FACTUAL,
        valid_from=now,
        recorded_at=now,
        updated_at=now,
    )


def _line(row: Memory, most: int) -> str:
    said = told(row.content, most)
    own = row.title.rstrip(" .…")
    named = own and not " ".join(row.content.split()).startswith(own[: len(own) // 2 + 1])
    return f"{_day(row)}: {f'{own}: ' if named else ''}{said}"


def told(text: str, most: int) -> str:
    """A text in at most `most` characters: whole where it fits, else the sentences that tell most
    (numbers, names, times, facts), in their own order."""
    whole = " ".join(text.split())
    if len(whole) <= most:
        return whole
    parts = [" ".join(part.split()) for part in sentences(text)]
    best = sorted(range(len(parts)), key=lambda place: -_weight(parts[place]))
    taken: list[int] = []
    room = most
    for place in best:
        if len(parts[place]) <= room:
            taken.append(place)
            room -= len(parts[place]) + 1
    if not taken:
        return shortened(parts[best[0]] if parts else whole, most)
    return " ".join(parts[place] for place in sorted(taken))


def _weight(sentence: str) -> float:
    """How much a sentence tells: what it holds, a number counting as much as a name."""
    numbers = sum(any(map(str.isdigit, word)) for word in sentence.split())
    return density(sentence).total + numbers


def _day(row: Memory) -> str:
    return str(iso(row.valid_from))[:10]


def _all(rows: Sequence[Memory], items: Callable[[Memory], tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(item for row in rows for item in items(row)))[:_MOST_ITEMS]
