"""What a full store lets go of, and what is too old to be kept (A-08, A-18, C-10).

What is proposed here is removed and can be brought back; nothing pinned or immutable is proposed.
"""

from collections.abc import Collection, Iterable, Iterator

from engraphy.dream.strength import days_since_access
from engraphy.formulas import elapsed_days, eviction_key, is_stale
from engraphy.model import Change, Memory, Remove, Snapshot
from engraphy.profile import Profile

CAP = "cap: more memories than write.max_memories"


def over_cap(
    rows: Iterable[Memory], count: int, cap: int, spared: Collection[str] = ()
) -> list[Memory]:
    """Of `rows` those that go where `count` memories stand and `cap` may (0 = any number): those
    delivered least, then updated first, then least important; never one of `spared` (A-08)."""
    over = count - cap if cap else 0
    free = [one for one in rows if not _kept(one) and one.id not in spared]
    return sorted(free, key=_order)[: max(0, over)]


def _order(memory: Memory) -> tuple[tuple[float, float, float], str]:
    key = eviction_key(
        access_count=memory.access_count,
        updated_at=memory.updated_at,
        importance=memory.importance,
    )
    return key, memory.id


def _kept(memory: Memory) -> bool:
    return memory.pinned or memory.immutable


def prune(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """What was recorded longer ago than `dream.max_age_days` (C-10), and what is so unimportant and
    so long unused that consolidation evicts it (A-18)."""
    for memory in snapshot.memories:
        if _kept(memory):
            continue
        if too_old(memory, now, profile):
            yield Remove(id=memory.id, expected=memory, reason="prune: it is too old")
        elif _stale(memory, now, profile):
            reason = "prune: neither important nor used"
            yield Remove(id=memory.id, expected=memory, reason=reason)


def too_old(memory: Memory, now: int, profile: Profile) -> bool:
    """Whether a memory was recorded longer ago than a profile keeps any."""
    days = profile.dream.max_age_days
    return bool(days) and elapsed_days(now=now, then=memory.recorded_at) > days


def _stale(memory: Memory, now: int, profile: Profile) -> bool:
    knobs = profile.dream.consolidate
    return bool(knobs.evict_days) and is_stale(
        importance=memory.importance,
        idle_days=days_since_access(memory, now),
        importance_to=knobs.evict_at,
        idle_from=knobs.evict_days,
    )
