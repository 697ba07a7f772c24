"""What time takes, each day of it once: retrieval strength, learned utility, importance.

Each rule counts from where it last counted to. A memory whose days are too few, or whose number
would not change, is left as it is, clock and all: its days are counted later.
"""

from collections.abc import Iterator
from typing import Final

from engraphy.dream.strength import days_since_access
from engraphy.formulas import (
    category_loss,
    decayed_importance,
    elapsed_days,
    utility_after_drift,
)
from engraphy.model import Change, Memory, Snapshot, Tier, Update, moved
from engraphy.profile import Profile
from engraphy.profile.dream import Decay
from engraphy.text.cues import pending

_DIGITS = 6
_OP: Final = "maintenance"


def decay(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """Retrieval strength falls by the rate of the kind times that of the tier for each day since
    the last access, re-statement or decay (D-41); storage strength never does, and what sleeps is
    frozen."""
    knobs = profile.dream.decay
    rates: dict[str, float] = dict(knobs.rates)  # type: ignore[arg-type]
    for memory in snapshot.memories:
        rate, held = rates.get(memory.kind.value, knobs.other), memory.retrieval_loss
        if rate == 0.0 or held >= 1.0:
            continue
        then = max(
            memory.recorded_at,
            memory.last_decayed_at or 0,
            memory.last_accessed_at or 0,
            memory.last_reinforced_at or 0,
        )
        days = elapsed_days(now=now, then=then)
        if days < knobs.least_days:
            continue
        lost = category_loss(rate_per_day=rate, multiplier=_multiplier(memory, knobs), days=days)
        total = round(min(1.0, held + lost), _DIGITS)
        if total != held:
            weaker = moved(memory, retrieval_loss=total, last_decayed_at=now)
            yield Update(memory=weaker, expected=memory, reason="days without use", op=_OP)


def _multiplier(memory: Memory, knobs: Decay) -> float:
    if memory.tier is Tier.SEMANTIC:
        return knobs.semantic
    return knobs.working if memory.tier is Tier.WORKING else knobs.episodic


def drift(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """The utility of what is not used goes back to the neutral 0.5 (D-43), a share of the way for
    each day since the last drift, use or report. What a rule of forgetting will judge by it stays
    as it was learned until then: a night's drift after another would lift it out of both rules."""
    rate, least = profile.dream.forget.drift_per_day, profile.dream.decay.least_days
    for memory in snapshot.memories:
        if memory.utility == 0.5 or _to_be_judged(memory, now, profile):
            continue
        then = max(memory.recorded_at, memory.last_drifted_at or 0, memory.last_accessed_at or 0)
        days = elapsed_days(now=now, then=then)
        if days < least:
            continue
        drifted = utility_after_drift(utility=memory.utility, days=days, rate_per_day=rate)
        if (left := round(drifted, _DIGITS)) != memory.utility:
            neutral = moved(memory, utility=left, last_drifted_at=now)
            yield Update(memory=neutral, expected=memory, reason="not used", op=_OP)


def _to_be_judged(memory: Memory, now: int, profile: Profile) -> bool:
    """Whether it is so useless that it sleeps once it was left alone for long enough; what rose in
    this very cycle and was left alone for longer drifts, so that another at once finds nothing."""
    if memory.pinned or memory.immutable or memory.flashbulb or pending(memory):
        return False
    knobs, below = profile.dream, [0.0]
    if "useless" in knobs.steps and memory.kind.value not in knobs.forget.permanent:
        below.append(knobs.forget.utility_below)
    waits = days_since_access(memory, now) < knobs.tiers.idle_days
    if "tiers" in knobs.steps and memory.tier is Tier.SEMANTIC and waits:
        below.append(knobs.tiers.utility_below)
    return memory.utility < max(below)


def lessen(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """Importance halves with every half-life since it was last lessened, or since the content
    changed (C-09). Two halves of a time take exactly what the whole takes, so nothing is rounded;
    reading goes on from there."""
    half_life, least = profile.dream.lessen.half_life_days, profile.dream.decay.least_days
    if half_life == 0.0:
        return
    for memory in snapshot.memories:
        days = elapsed_days(now=now, then=max(memory.updated_at, memory.last_decayed_at or 0))
        if days < least or memory.importance == 0.0:
            continue
        left = decayed_importance(
            importance=memory.importance, age_days=days, half_life_days=half_life
        )
        lesser = moved(memory, importance=left, last_decayed_at=now)
        yield Update(memory=lesser, expected=memory, reason="a part of its half-life", op=_OP)
