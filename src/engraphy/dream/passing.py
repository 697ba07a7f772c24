"""What passes with time: what is over expires, what proved durable moves up a scale."""

from collections.abc import Iterator

from engraphy.model import (
    Change,
    Memory,
    Snapshot,
    State,
    TemporalScale,
    TemporalType,
    Update,
    moved,
)
from engraphy.profile import Profile

_SCALES = tuple(TemporalScale)


def expire(
    snapshot: Snapshot,
    now: int,
    profile: Profile,  # noqa: ARG001 - the shape of a planner
) -> Iterator[Change]:
    """Memories whose time to live or announced date has passed become `expired` (A-07, D-51): out
    of the current view, still in the timeline. Pinned ones stay."""
    for memory in snapshot.memories:
        if not memory.pinned and _over(memory, now):
            gone = moved(memory, state=State.EXPIRED, last_decayed_at=now)
            yield Update(memory=gone, expected=memory, reason="its time has passed", op="state")


def _over(memory: Memory, now: int) -> bool:
    ends = [memory.expires_at]
    if memory.temporal_type is TemporalType.TIME_BOUNDED and not memory.flashbulb:
        ends.append(memory.valid_until)
    return any(end is not None and end <= now for end in ends)


def promote(
    snapshot: Snapshot,
    now: int,  # noqa: ARG001 - the shape of a planner
    profile: Profile,
) -> Iterator[Change]:
    """What proved durable moves up to the temporal scale that its deliveries have earned, one for
    every `inject.promote_every` of them (A-17): immediate, task, session, project. Nothing moves
    down, and no clock moves."""
    every = profile.inject.promote_every
    for memory in snapshot.memories if every else ():
        earned = min(memory.access_count // every, len(_SCALES) - 1)
        if earned > _SCALES.index(memory.temporal_scale):
            scale = _SCALES[earned]
            risen = moved(memory, temporal_scale=scale)
            reason = f"it proved durable: {scale.value}"
            yield Update(memory=risen, expected=memory, reason=reason, op="maintenance")
