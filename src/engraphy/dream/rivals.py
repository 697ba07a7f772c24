"""Two memories where one is enough: contradictions, near neighbours, variants."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engraphy.dream.ripe import FIRM, MADE
from engraphy.model import Kind, Memory, Merge, Relation, Snapshot, State, Update, moved
from engraphy.model.federating import vicarious
from engraphy.profile import Profile
from engraphy.text.bags import alike, content_words, linked
from engraphy.text.guards import differs
from engraphy.text.similarity import near_duplicate

_EVENTS = MADE | {Kind.EPISODE, Kind.PROCEDURE}
"""Two of these that read alike are two all the same."""
_VARIANTS_FROM = 0.6
"""Jaccard index of the words from which two texts may be variants of each other."""


def contradictions(
    snapshot: Snapshot,
    now: int,  # noqa: ARG001 - the shape of a planner
    profile: Profile,  # noqa: ARG001 - the shape of a planner
) -> Iterator[Update]:
    """Rule 1: of two memories that contradict each other the older one sleeps, unless it is vivid,
    or the newer one is less trusted or not firmly said: doubt is no reason to forget."""
    held = {one.id: one for one in snapshot.memories} | dict(snapshot.others)
    moved: set[str] = set()
    for relation in snapshot.contradictions:
        older, newer = _by_age(relation, held) or (None, None)
        if older is None or newer is None or older.id in moved or newer.id in moved:
            continue
        if older.flashbulb or newer.trust < older.trust or newer.evidence not in FIRM:
            continue
        moved.add(older.id)
        yield _asleep(older, "a newer memory contradicts it")


def _by_age(relation: Relation, held: dict[str, Memory]) -> tuple[Memory, Memory] | None:
    ends = [held.get(relation.source_id), held.get(relation.target_id)]
    living = [one for one in ends if one is not None and one.state is State.ACTIVE]
    if len(living) < len(ends):
        return None
    older, newer = sorted(living, key=lambda one: (one.valid_from, one.recorded_at, one.id))
    return older, newer


def redundancy(
    snapshot: Snapshot,
    now: int,  # noqa: ARG001 - the shape of a planner
    profile: Profile,  # noqa: ARG001 - the shape of a planner
) -> Iterator[Update]:
    """Rule 4: of two memories whose vectors nearly agree the less useful one sleeps, unless a
    number, a name, a negation or the like differs (R-09), or either is an event of its own."""
    held = {one.id: one for one in snapshot.memories} | dict(snapshot.others)
    moved: set[str] = set()
    for pair in snapshot.pairs:
        ends = [held[one] for one in (pair.first_id, pair.second_id) if one in held]
        if len(ends) < 2 or not moved.isdisjoint(one.id for one in ends):
            continue
        less = min(ends, key=_usefulness)
        if _interchangeable(*ends) and not less.flashbulb and not differs(*_texts(ends)):
            moved.add(less.id)
            yield _asleep(less, "another memory says nearly the same and is of more use")


def _usefulness(memory: Memory) -> tuple[float, int, float, int, str]:
    used = memory.access_count + memory.reinforcement_count
    return memory.utility, used, memory.importance, memory.valid_from, memory.id


def _texts(ends: Sequence[Memory]) -> tuple[str, str]:
    return ends[0].content, ends[1].content


def _interchangeable(one: Memory, other: Memory) -> bool:
    """Whether one could stand for the other: of the same kind, origin and speaker, as sensitive,
    as firmly said, and for no other time or place."""
    return all(_same_use(memory) for memory in (one, other)) and _marks(one) == _marks(other)


def _same_use(memory: Memory) -> bool:
    own = memory.state is State.ACTIVE and not vicarious(memory)
    return own and memory.kind not in _EVENTS


def _marks(memory: Memory) -> tuple[object, ...]:
    return (
        memory.kind,
        memory.origin,
        memory.speaker,
        memory.sensitivity,
        memory.evidence,
        memory.valid_until,
        memory.scope_globs,
    )


def _asleep(memory: Memory, reason: str) -> Update:
    slept = moved(memory, state=State.DORMANT)
    return Update(memory=slept, expected=memory, reason=reason, op="state")


def dedup(
    snapshot: Snapshot,
    now: int,  # noqa: ARG001 - the shape of a planner
    profile: Profile,  # noqa: ARG001 - the shape of a planner
) -> Iterator[Merge]:
    """Variants of one text become one memory: the newest supersedes the others and takes over how
    often they were used (B-10). Nothing that differs in a number, a name, a negation or the like
    is a variant (R-09)."""
    rows = [one for one in snapshot.memories if _same_use(one) and not one.protected]
    bags = [content_words(one.content) for one in rows]
    pairs = (
        (first, second)
        for first, second in alike(bags, _VARIANTS_FROM)
        if _marks(rows[first]) == _marks(rows[second])
        and near_duplicate(rows[first].content, rows[second].content)
    )
    for group in linked(len(rows), pairs):
        *older, newest = sorted((rows[place] for place in group), key=_told_last)
        yield from _joined(newest, [one for one in older if _variant(one, newest)])


def _told_last(memory: Memory) -> tuple[int, int, str]:
    return memory.valid_from, memory.recorded_at, memory.id


def _variant(one: Memory, newest: Memory) -> bool:
    # Variants of variants may have wandered off.
    return near_duplicate(one.content, newest.content)


def _joined(newest: Memory, older: Sequence[Memory]) -> Iterator[Merge]:
    if not older:
        return
    every = (newest, *older)
    accessed = [one.last_accessed_at for one in every if one.last_accessed_at is not None]
    memory = replace(
        newest,
        importance=max(one.importance for one in every),
        utility=max(one.utility for one in every),
        stability=max(one.stability for one in every),
        storage_strength=max(one.storage_strength for one in every),
        access_count=sum(one.access_count for one in every),
        settled_access_count=sum(one.settled_access_count for one in every),
        reinforcement_count=sum(one.reinforcement_count for one in every),
        success_count=sum(one.success_count for one in every),
        failure_count=sum(one.failure_count for one in every),
        last_accessed_at=max(accessed, default=None),
        tags=tuple(dict.fromkeys(tag for one in every for tag in one.tags)),
    )
    reason = "variants of one text are one memory"
    yield Merge(memory=memory, sources=tuple(older), reason=reason, replaces=newest)
