"""What maintenance strengthens: flashbulbs once, what was used together, what is nearly lost."""

from collections.abc import Iterator
from typing import Final

from engraphy.dream.strength import retention
from engraphy.formulas import (
    elapsed_days,
    flashbulb_stability,
    is_endangered,
    rehearsed_stability,
    retrievability,
    strengthened_stability,
)
from engraphy.model import Change, Memory, Snapshot, Update, moved
from engraphy.profile import Profile

_OP: Final = "maintenance"


def emotions(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """Emotional consolidation: a flashbulb memory grows stronger in its first cycle, and in no
    other."""
    factor = profile.dream.flashbulb_factor
    for memory in snapshot.memories if factor > 1.0 else ():
        if memory.flashbulb and memory.last_rehearsed_at is None:
            stability = flashbulb_stability(stability=memory.stability, factor=factor)
            yield _firmer(memory, stability, "a flashbulb memory", now)


def replay(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """What was often delivered together, and was so again since the last cycle began, grows
    stronger: once, in however many pairs it is."""
    knobs = profile.dream
    if not knobs.together or knobs.replay_factor == 1.0:
        return
    paired = {
        end
        for pair in snapshot.coactivations
        if snapshot.since < pair.last_at <= now and pair.count >= knobs.together
        for end in (pair.first_id, pair.second_id)
    }
    for memory in snapshot.memories:
        if memory.id in paired:
            stability = strengthened_stability(
                stability=memory.stability, factor=knobs.replay_factor
            )
            yield _firmer(memory, stability, "often used together", now)


def rehearse(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """What is about to be lost is rehearsed (D-49). What a rehearsal has strengthened is left
    until the curve alone has taken it that far again, so that one that is never used does not
    grow by every night."""
    knobs, curve = profile.dream.rehearse, profile.dream.decay.curve
    for memory in snapshot.memories:
        held = retention(memory, curve, now)
        if not is_endangered(retrievability=held, threshold=knobs.below):
            continue
        if (last := memory.last_rehearsed_at) is not None:
            days = elapsed_days(now=now, then=last)
            known = retrievability(age_days=days, stability=memory.stability, curve=curve)
            rested = days >= knobs.least_days
            if not rested or not is_endangered(retrievability=known, threshold=knobs.below):
                continue
        stability = rehearsed_stability(stability=memory.stability, factor=knobs.factor)
        if stability != memory.stability:
            yield _firmer(memory, stability, "about to be lost", now)


def _firmer(memory: Memory, stability: float, reason: str, now: int) -> Update:
    firmer = moved(memory, stability=stability, last_rehearsed_at=now)
    return Update(memory=firmer, expected=memory, reason=reason, op=_OP)


def by_importance(proposal: object) -> float:
    """The rank of a rehearsal: what matters most first."""
    return proposal.memory.importance if isinstance(proposal, Update) else 0.0
