"""Maintenance as named decisions: `(snapshot, now) -> changes`, nothing written here."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from engraphy.model import Change, Memory, State, TemporalType, Update

Planner = Callable[[Iterable[Memory], int], Iterator[Change]]


def expire(memories: Iterable[Memory], now: int) -> Iterator[Change]:
    """Active memories whose time to live or announced date has passed become `expired` (A-07,
    D-51): out of the current view, still in the timeline. Pinned ones stay."""
    for memory in memories:
        if memory.state is State.ACTIVE and not memory.pinned and _over(memory, now):
            gone = replace(memory, state=State.EXPIRED, last_decayed_at=now)
            yield Update(memory=gone, expected=memory, reason="its time has passed", op="state")


def _over(memory: Memory, now: int) -> bool:
    ends = [memory.expires_at]
    if memory.temporal_type is TemporalType.TIME_BOUNDED:
        ends.append(memory.valid_until)
    return any(end is not None and end <= now for end in ends)


PLANNERS: Mapping[str, Planner] = {"expire": expire}
