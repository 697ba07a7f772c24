"""Small talk goes to sleep, and what an agent said that nobody ever asked for (D-45).

Nothing is lost by it: what sleeps lends its words to the turns beside it, answers where nothing
awake does, and wakes when it is used. A memory that stays awake at its hour stays so: only
deliveries change what decides, and they speak for it.
"""

from collections.abc import Iterator

from engraphy.formulas import elapsed_days
from engraphy.model import (
    Change,
    Memory,
    Origin,
    PRIORITY_RANK,
    Priority,
    Snapshot,
    State,
    Update,
    WriteSource,
    moved,
)
from engraphy.profile import Profile
from engraphy.profile.dream import Fading
from engraphy.text.substance import substance


def fade(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """What was only overheard, says little, and was left alone for long sleeps.

    Never what somebody asked to be remembered, pinned, protected or marked as urgent, what proved
    useful, and no kind that the profile keeps.
    """
    knobs = profile.dream.fade
    for memory in snapshot.memories if knobs.older_than_days else ():
        if _may_sleep(memory, now, knobs) and worth(memory, knobs) < knobs.worth_below:
            asleep = moved(memory, state=State.DORMANT)
            reason = "small talk" if memory.origin is Origin.USER else "nobody asked for it"
            yield Update(memory=asleep, expected=memory, reason=reason, op="state")


def worth(memory: Memory, knobs: Fading) -> float:
    """What keeps a memory awake, in content words (0 and more): what it tells, and its uses."""
    uses = memory.access_count + memory.reinforcement_count
    used = knobs.delivery * uses
    share = 1.0 if memory.origin is Origin.USER else knobs.agent
    if share == 0.0 or used >= knobs.worth_below:
        return used
    told = substance(memory.content)
    if told.plain and memory.origin is Origin.USER:
        return used + knobs.worth_below
    words = told.words + knobs.name * told.names + knobs.number * told.numbers
    return used + share * words


def _may_sleep(memory: Memory, now: int, knobs: Fading) -> bool:
    return (
        memory.write_source is WriteSource.OBSERVER
        and memory.kind.value not in knobs.keep
        and memory.importance < knobs.importance_below
        and memory.success_count == 0
        and PRIORITY_RANK[memory.priority] < PRIORITY_RANK[Priority.HIGH]
        and not memory.protected
        and not memory.flashbulb
        and _idle(memory, now) >= knobs.older_than_days
    )


def _idle(memory: Memory, now: int) -> float:
    """Days since it was recorded, changed, told again or delivered, whichever was last."""
    moments = (memory.last_accessed_at, memory.last_reinforced_at)
    last = max(memory.recorded_at, memory.updated_at, *(one or 0 for one in moments))
    return elapsed_days(now=now, then=last)
