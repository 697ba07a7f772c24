"""Self-amplifying replay (A-18): what is used gains importance, what is not loses it."""

from collections.abc import Iterator

from engraphy.formulas import (
    consolidated_importance,
    elapsed_days,
    neglected_importance,
)
from engraphy.model import Change, Memory, Snapshot, Update, moved
from engraphy.profile import Profile

_DIGITS = 6


def consolidate(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """Importance grows with the logarithm of the accesses that no run has taken into account, and
    without any falls by the day since the last access or run."""
    for memory in snapshot.memories:
        if (update := _settled(memory, now, profile)) is not None:
            yield update


def _settled(memory: Memory, now: int, profile: Profile) -> Update | None:
    knobs, held = profile.dream.consolidate, memory.importance
    accesses = memory.access_count - memory.settled_access_count
    if accesses > 0:
        gained = consolidated_importance(importance=held, accesses=accesses, rate=knobs.gain)
        grown = moved(
            memory,
            importance=gained,
            settled_access_count=memory.access_count,
            last_decayed_at=now,
        )
        return Update(memory=grown, expected=memory, reason="used", op="maintenance")
    days = elapsed_days(now=now, then=_fresh(memory))
    if days < profile.dream.decay.least_days:
        return None
    share = 0.5 if memory.kind.value in knobs.half else 1.0
    left = neglected_importance(
        importance=held, idle_days=days, rate_per_day=knobs.decay, share=share
    )
    if (lost := round(left, _DIGITS)) == held:
        return None
    lesser = moved(memory, importance=lost, last_decayed_at=now)
    return Update(memory=lesser, expected=memory, reason="days without use", op="maintenance")


def _fresh(memory: Memory) -> int:
    """Until when its days are counted: the last access, run or change."""
    last = (memory.recorded_at, memory.updated_at, memory.last_accessed_at, memory.last_decayed_at)
    return max(one or 0 for one in last)
