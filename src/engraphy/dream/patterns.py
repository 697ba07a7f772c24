"""What is told beside its sources: patterns, a summary for each category, what recurs."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from engraphy.dream.ripe import (
    CATEGORY,
    FIRM,
    MADE,
    PATTERN,
    RECURRING,
    THEME,
    category_of,
    instructs,
    notes_of,
    oldest_first,
    told_by,
)
from engraphy.model import Kind, MICROSECONDS_PER_DAY, Memory, Merge, Snapshot, WriteSource
from engraphy.profile import Profile
from engraphy.text.bags import alike, linked, telling_stems
from engraphy.text.gist import gist, recurring
from engraphy.text.guards import differs
from engraphy.text.split import sentences
from engraphy.text.telling import idle, leans, substance

_SECOND = MICROSECONDS_PER_DAY // 86_400
_PATTERN_SHARE = 4
_SHORTLIST = 16
"""Memories of a category that are read for its summary, those that matter and tell most."""
_LEAST_WORDS = 3
"""Telling words of a statement that may recur."""
_MOST_SENTENCES = 12
_LESSON = "Lesson: "


def made_now(memory: Memory, now: int, profile: Profile) -> bool:  # noqa: ARG001 - the shape
    """Whether `abstract` looks at a memory: a theme of this very cycle."""
    return THEME in memory.tags and memory.recorded_at == now and _by_dream(memory)


def _by_dream(memory: Memory) -> bool:
    return memory.write_source is WriteSource.DREAM


def abstract(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Merge]:
    """A pattern of each theme that was just made: how often and in which rhythm it recurs, and what
    most of its memories have in common (D-47). No theme has two."""
    told_already = {one for row in snapshot.made for one in row.source_ids}
    knobs = profile.dream.cluster
    for theme in snapshot.memories:
        sources = [snapshot.others[one] for one in theme.source_ids if one in snapshot.others]
        if theme.id in told_already or not sources:
            continue
        rows = sorted(sources, key=oldest_first)
        subject = theme.title.partition(":")[0]
        size = knobs.chars // _PATTERN_SHARE
        written = recurring(
            notes_of(rows), subject, chars=size, line_chars=profile.condense.line_chars
        )
        memory = told_by(
            [theme], written.text, Kind.PATTERN, now=now, importance=knobs.pattern_importance
        )
        memory = replace(memory, tags=(*memory.tags, PATTERN))
        yield Merge(
            memory=memory,
            sources=(theme,),
            reason="what recurs in a theme",
            keep_sources=True,
            skill="abstraction",
        )


def by_size(one: object) -> float:
    """The order of abstraction: the largest clusters first."""
    assert isinstance(one, Merge)
    return float(len(one.memory.source_ids))


def of_a_category(memory: Memory, now: int, profile: Profile) -> bool:
    """Whether a summary of its category may tell a memory."""
    made = memory.kind in MADE and not (_by_dream(memory) and CATEGORY not in memory.tags)
    ends = memory.valid_until
    return (
        bool(profile.dream.summaries.above)
        and not made
        and memory.kind not in {Kind.PATTERN, Kind.PROCEDURE}
        and memory.evidence in FIRM
        and (ends is None or ends > now)
    )


def to_be_told(snapshot: Snapshot, now: int, profile: Profile) -> bool:
    """Whether the summary of a category is due: there is none yet, or it is no longer fresh."""
    knobs, rows = profile.dream.summaries, snapshot.memories
    held = _summary_of(rows[0], snapshot.made)
    if held is None:
        return snapshot.total >= knobs.above
    return not _fresh(held, rows, now, knobs.debounce_seconds)


def summaries(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Merge]:
    """One summary for each category that has enough active memories (D-48), told anew, not beside
    the one there is, when what it tells has changed; not sooner than the debounce allows."""
    knobs = profile.dream.summaries
    rows = snapshot.memories
    shown = _shortlist(rows) if to_be_told(snapshot, now, profile) else []
    if not shown:
        return
    category, held = category_of(rows[0]), _summary_of(rows[0], snapshot.made)
    written = gist(
        notes_of(shown),
        category,
        chars=knobs.chars,
        line_chars=profile.condense.line_chars,
        total=snapshot.total,
        by_name=True,
    )
    if held is not None and held.content == written.text:
        return
    told = tuple(shown[place] for place in written.told)
    memory = told_by(told, written.text, Kind.SUMMARY, now=now, importance=knobs.importance)
    memory = replace(memory, category=category, tags=(CATEGORY,), updated_at=now)
    yield Merge(
        memory=memory if held is None else _retold(held, memory),
        sources=told,
        reason="the summary of a category",
        keep_sources=True,
        replaces=held,
        skill="consolidation",
    )


def _shortlist(rows: Sequence[Memory]) -> list[Memory]:
    best = sorted(rows, key=lambda one: -(one.importance * 8 + substance(one.content)))
    safe = (one for one in best if not instructs(one))
    return sorted(islice(safe, _SHORTLIST), key=oldest_first)


def _summary_of(like: Memory, made: Sequence[Memory]) -> Memory | None:
    category = category_of(like)
    for row in made:
        if row.category == category and row.sensitivity is like.sensitivity:
            return row
    return None


def _fresh(held: Memory, rows: Sequence[Memory], now: int, seconds: float) -> bool:
    """Whether a summary was told just now, or tells what still stands and nothing came since."""
    if 0 <= now - held.updated_at < seconds * _SECOND:
        return True
    there = {one for row in rows for one in (row.id, *row.source_ids)}
    newest = max(max(row.recorded_at, row.updated_at) for row in rows)
    return newest <= held.updated_at and there.issuperset(held.source_ids)


def _retold(held: Memory, new: Memory) -> Memory:
    """The summary there is, with the text of the new one and what follows from its sources."""
    return replace(
        held,
        content=new.content,
        title=new.title,
        entities=new.entities,
        concepts=new.concepts,
        files_read=new.files_read,
        files_modified=new.files_modified,
        origin=new.origin,
        trust=new.trust,
        source_confidence=new.source_confidence,
        evidence=new.evidence,
        scope_globs=new.scope_globs,
        source_ids=new.source_ids,
        importance=new.importance,
    )


def is_event(memory: Memory, now: int, profile: Profile) -> bool:  # noqa: ARG001 - the shape
    """Whether `recur` looks at a memory."""
    return memory.kind is Kind.EPISODE and memory.evidence in FIRM


def recur(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Merge]:
    """What several episodes say in nearly the same words becomes a fact of its own, linked to
    them (B-10); what they say with another number, name or negation does not (R-09). A fact that
    stands already is linked to further episodes, not told twice."""
    knobs = profile.dream.archive
    if not knobs.episodes:
        return
    said = list(_statements(snapshot.memories))
    bags = [telling_stems(text) for _, text in said]
    pairs = (
        (first, second)
        for first, second in alike(bags, knobs.alike)
        if said[first][0].id != said[second][0].id
        and _together(said[first][0]) == _together(said[second][0])
        and not differs(said[first][1], said[second][1])
    )
    held = {one: row for row in snapshot.made for one in (row.content,)}
    groups = linked(len(said), pairs)
    alone = set(range(len(said))).difference(*groups)
    for group in (*groups, *([place] for place in sorted(alone))):
        text, rows = _same([said[place] for place in group])
        times = sum(map(_told, rows))
        if times >= knobs.episodes:
            yield from _learned(text, rows, _stands(held, text, rows), now, times)


def _told(episode: Memory) -> int:
    """How often an event was told: in the same words it stays one memory, and recurs all the
    same."""
    return 1 + episode.reinforcement_count


def _together(memory: Memory) -> tuple[str, ...]:
    return memory.sensitivity.value, memory.origin.value, memory.speaker


def _statements(rows: Sequence[Memory]) -> Iterator[tuple[Memory, str]]:
    for row in rows:
        if instructs(row):
            continue
        for part in islice(sentences(row.content), _MOST_SENTENCES):
            text = " ".join(part.removeprefix(_LESSON).split())
            text = text[:1].upper() + text[1:]
            if len(telling_stems(text)) >= _LEAST_WORDS and not leans(text) and not idle(text):
                yield row, text


def _same(said: Sequence[tuple[Memory, str]]) -> tuple[str, list[Memory]]:
    """The statement that has most in common with the others, and the episodes that say it."""
    bags = [telling_stems(text) for _, text in said]
    common = [sum(len(one & other) - len(one ^ other) for other in bags) for one in bags]
    text = said[max(range(len(said)), key=lambda place: (common[place], -place))][1]
    rows = {row.id: row for row, other in said if not differs(text, other)}
    return text, sorted(rows.values(), key=oldest_first)


def _stands(held: dict[str, Memory], text: str, rows: Sequence[Memory]) -> Memory | None:
    ids = {row.id for row in rows}
    if text in held:
        return held[text]
    for row in held.values():
        if not ids.isdisjoint(row.source_ids) and not differs(text, row.content):
            return row
    return None


def _learned(
    text: str, rows: Sequence[Memory], held: Memory | None, now: int, times: int
) -> Iterator[Merge]:
    importance = max(row.importance for row in rows)
    if any(row.content == text for row in rows):
        # Two memories of the same words never stand side by side.
        text = text.removesuffix(".") if text.endswith(".") else f"{text}."
    memory = told_by(rows, text, Kind.FACT, now=now, importance=importance)
    memory = replace(memory, category="", tags=(RECURRING,))
    reason = f"it recurs in {times} episodes"
    if held is None:
        yield Merge(memory=memory, sources=tuple(rows), reason=reason, keep_sources=True)
    elif not {row.id for row in rows} <= set(held.source_ids):
        more = replace(held, source_ids=(*held.source_ids, *memory.source_ids))
        yield Merge(
            memory=more, sources=tuple(rows), reason=reason, keep_sources=True, replaces=held
        )
