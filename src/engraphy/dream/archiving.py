"""What decayed to next to nothing is kept apart (B-09, B-10): searchable, and never injected."""

from collections.abc import Iterator

from engraphy.formulas import (
    contextual_score,
    elapsed_days,
    half_life_decay,
    reinforcement_factor,
)
from engraphy.model import Change, Memory, Snapshot, State, Update, moved
from engraphy.profile import Profile


def archive(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """A memory whose kind weight x decay x reinforcement fell under the threshold is archived."""
    below = profile.dream.archive.below
    for memory in snapshot.memories if below else ():
        if score(memory, profile, now) < below:
            gone = moved(memory, state=State.ARCHIVED)
            yield Update(memory=gone, expected=memory, reason="its score decayed", op="state")


def score(memory: Memory, profile: Profile, now: int) -> float:
    """What is left of a memory, in [0, 4]: half with every half-life since it was last delivered,
    said again or changed, more the oftener it was (B-04, B-09)."""
    weights = profile.inject.type_weights
    fresh = max(
        memory.recorded_at,
        memory.updated_at,
        memory.last_accessed_at or 0,
        memory.last_reinforced_at or 0,
    )
    idle = elapsed_days(now=now, then=fresh)
    return contextual_score(
        type_weight=weights.get(memory.kind.value, weights.get("fact", 1.0)),
        decay=half_life_decay(age=idle, half_life=profile.dream.archive.half_life_days),
        reinforcement=reinforcement_factor(count=memory.access_count + memory.reinforcement_count),
    )
