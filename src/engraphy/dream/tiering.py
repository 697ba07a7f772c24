"""Promotion and demotion between tiers (D-46), and what a promoted memory holds."""

from collections.abc import Iterator

from engraphy.dream.strength import days_since_access
from engraphy.formulas import elapsed_days, is_demoted, is_promoted
from engraphy.model import Change, Kind, Memory, Snapshot, State, SubTier, Tier, Update, moved
from engraphy.profile import Profile
from engraphy.profile.dream import Tiering
from engraphy.text.knowing import tells_a_rule, tells_a_way

_WAYS = frozenset({Kind.PROCEDURE, Kind.WORKFLOW})


def tiers(snapshot: Snapshot, now: int, profile: Profile) -> Iterator[Change]:
    """What proved itself rises from episodic to semantic; a semantic one that is idle and useless
    goes to sleep, unless it is a flashbulb. Pinned ones may rise, immutable ones never move."""
    knobs, shared = profile.dream.tiers, snapshot.census.entities
    for memory in snapshot.memories:
        if memory.tier is Tier.SEMANTIC:
            if not memory.flashbulb and _is_demoted(memory, knobs, now):
                asleep = moved(memory, state=State.DORMANT)
                yield Update(memory=asleep, expected=memory, reason="idle and useless", op="state")
        elif memory.tier is Tier.EPISODIC:
            together = max((shared.get(one, 0) for one in memory.entities), default=0)
            if reason := _promoted(memory, together, knobs, now):
                risen = moved(memory, tier=Tier.SEMANTIC, sub_tier=sub_tier(memory))
                yield Update(memory=risen, expected=memory, reason=reason, op="maintenance")


def _is_demoted(memory: Memory, knobs: Tiering, now: int) -> bool:
    return is_demoted(
        idle_days=days_since_access(memory, now),
        utility=memory.utility,
        idle_from=knobs.idle_days,
        utility_below=knobs.utility_below,
    )


def _promoted(memory: Memory, together: int, knobs: Tiering, now: int) -> str:
    """Which rule promotes a memory; '' where none does."""
    if not is_promoted(
        access_count=memory.access_count,
        utility=memory.utility,
        age_days=elapsed_days(now=now, then=memory.recorded_at),
        entity_memories=together,
        access_from=knobs.access_from,
        utility_from=knobs.utility_from,
        age_from=knobs.age_days,
        entity_from=knobs.entity_from,
    ):
        return ""
    if memory.access_count >= knobs.access_from:
        return "often delivered"
    return "told by several" if together >= knobs.entity_from else "useful for days"


def sub_tier(memory: Memory) -> SubTier:
    """What a semantic memory holds: a rule, a way to do something, or a fact."""
    if memory.kind is Kind.PATTERN or tells_a_rule(memory.content):
        return SubTier.SCHEMATIC
    if memory.kind in _WAYS or tells_a_way(memory.content):
        return SubTier.PROCEDURAL
    return SubTier.FACTUAL
