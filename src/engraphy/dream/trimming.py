"""Rule 5 of strategic forgetting: more than there is room for (D-44)."""

from collections.abc import Iterator

from engraphy.dream.forgetting import protected
from engraphy.formulas import excess, is_trimmable
from engraphy.model import Census, Snapshot, State, Update, moved
from engraphy.profile import Profile


def too_many(profile: Profile, census: Census) -> int:
    """How many active memories of one set of walls there are above the target, where they are more
    than the limit (0 = no limit)."""
    knobs = profile.dream.forget
    if not knobs.limit:
        return 0
    return excess(count=census.active, limit=knobs.limit, target=knobs.target)


def trim(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Update]:
    """What may sleep to make room: never what was delivered at or above the mean (BCM), nor what
    is too young, permanent, pinned, immutable or vivid. What was never delivered is not above any
    mean, also where nothing ever was."""
    knobs, mean = profile.dream.forget, snapshot.census.mean_accesses
    for memory in snapshot.memories:
        used = memory.access_count > 0
        if used and not is_trimmable(access_count=memory.access_count, threshold=mean):
            continue
        if memory.flashbulb or protected(memory, now, knobs):
            continue
        slept = moved(memory, state=State.DORMANT)
        reason = "there was no room for it"
        yield Update(memory=slept, expected=memory, reason=reason, op="state")


def by_uselessness(one: object) -> float:
    """The order of trimming: the least useful first, of those the least important."""
    assert isinstance(one, Update)
    return -(round(one.expected.utility, 6) * 1_000 + one.expected.importance)
