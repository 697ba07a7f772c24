"""Strategic forgetting, one memory at a time (D-44): what is over, what proved useless."""

from collections.abc import Iterator

from engraphy.dream.strength import days_since_access
from engraphy.formulas import elapsed_days, is_retained, is_useless
from engraphy.model import Change, Memory, Snapshot, State, TemporalType, Update, moved
from engraphy.profile import Profile
from engraphy.profile.dream import Forgetting


def foresight(
    snapshot: Snapshot,
    now: int,
    profile: Profile,  # noqa: ARG001 - the shape of a planner
) -> Iterator[Change]:
    """Rule 2: what was announced for a time that is over is `expired` (D-51): out of the current
    view, still in the timeline."""
    for memory in snapshot.memories:
        until = memory.valid_until
        bounded = memory.temporal_type is TemporalType.TIME_BOUNDED
        if bounded and until is not None and until <= now and not memory.flashbulb:
            over = moved(memory, state=State.EXPIRED)
            yield Update(memory=over, expected=memory, reason="its time has passed", op="state")


def useless(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """Rule 3: what is of little use and long unused sleeps, once it is as old as its kind must
    be; not kinds that are permanent, and no flashbulb."""
    knobs = profile.dream.forget
    for memory in snapshot.memories:
        if memory.flashbulb or protected(memory, now, knobs):
            continue
        if is_useless(
            utility=memory.utility,
            idle_days=days_since_access(memory, now),
            utility_floor=knobs.utility_below,
            idle_from=knobs.idle_days,
        ):
            asleep = moved(memory, state=State.DORMANT)
            yield Update(memory=asleep, expected=memory, reason="useless and unused", op="state")


def protected(memory: Memory, now: int, knobs: Forgetting) -> bool:
    """Whether its kind keeps a memory from rules 3 and 5: for good, or until it is older."""
    kind = memory.kind.value
    if kind in knobs.permanent:
        return True
    days: dict[str, float] = dict(knobs.keep_days)  # type: ignore[arg-type]
    age = elapsed_days(now=now, then=memory.recorded_at)
    return is_retained(age_days=age, minimum_days=days.get(kind, knobs.other_keep_days))
