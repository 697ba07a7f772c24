"""The most that somebody's writing may count as (P-10, D-71): whoever only speaks for an agent or a
tool is not heard as the user."""

from dataclasses import replace

from engraphy.model import Memory, ORIGIN_TRUST, Origin, SubTier, Tier
from engraphy.model.kinds import ORIGIN_SUB_TIER


def at_most(memory: Memory, most: Origin) -> Memory:
    """`memory` as it counts where nothing may count for more than `most`; an origin that is trusted
    no more than that stays."""
    if exceeds(memory.origin, most):
        tiered = memory.tier is Tier.EPISODIC
        sub_tier = ORIGIN_SUB_TIER.get(most, SubTier.OBSERVED) if tiered else memory.sub_tier
        memory = replace(memory, origin=most, sub_tier=sub_tier)
    trust = min(memory.trust, ORIGIN_TRUST[memory.origin])
    return memory if trust == memory.trust else replace(memory, trust=trust)


def exceeds(origin: Origin, most: Origin) -> bool:
    """Whether an origin is trusted more than another."""
    return ORIGIN_TRUST[origin] > ORIGIN_TRUST[most]
