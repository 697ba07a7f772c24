"""The registry of capabilities (A-22): which parts of a memory a profile has."""

from collections.abc import Iterable
from typing import Any

import msgspec

from engraphy.profile.loading import as_tree, merged
from engraphy.profile.schema import Profile

STORE = "memory.store"
MEMORABILITY = "memory.memorability"
BOUNDARIES = "memory.boundaries"
TEMPORAL = "memory.temporal"
CONSOLIDATION = "memory.consolidation"
COMPRESSION = "memory.compression"
OPTIONAL = (MEMORABILITY, BOUNDARIES, TEMPORAL, CONSOLIDATION, COMPRESSION)
_STEPS = {CONSOLIDATION: "consolidate", COMPRESSION: "compress"}


def capabilities(profile: Profile) -> dict[str, bool]:
    """Each capability of document 000 by its name, and whether the profile has it.

    All but the store are optional: the gate without features keeps everything, sessions without
    boundaries have one segment, a dream without a step leaves that step out.
    """
    steps = {str(step) for step in (*profile.dream.steps, *profile.dream.after_session)}
    return {
        STORE: True,
        MEMORABILITY: bool(profile.gate.features),
        BOUNDARIES: profile.sessions.boundaries,
        TEMPORAL: any(layer.scales for layer in profile.inject.layers),
        CONSOLIDATION: _STEPS[CONSOLIDATION] in steps,
        COMPRESSION: _STEPS[COMPRESSION] in steps,
    }


def without(profile: Profile, names: Iterable[str]) -> dict[str, Any]:
    """The overrides under which the profile has none of these capabilities; the store stays."""
    dropped, told = set(names), dict[str, Any]()
    if MEMORABILITY in dropped:
        told["gate"] = {"features": {}}
    if BOUNDARIES in dropped:
        told["sessions"] = {"boundaries": False}
    if TEMPORAL in dropped:
        layers = msgspec.to_builtins(profile.inject.layers)
        told["inject"] = {"layers": [{**layer, "scales": {}} for layer in layers]}
    if gone := {_STEPS[name] for name in dropped & _STEPS.keys()}:
        dream = profile.dream
        told["dream"] = {
            "steps": [step for step in dream.steps if step not in gone],
            "after_session": [step for step in dream.after_session if step not in gone],
        }
    if CONSOLIDATION in dropped:
        # What is unimportant and unused is evicted by consolidation.
        told["dream"]["consolidate"] = {"evict_days": 0.0}
    return told


def lessened(profile: Profile, names: Iterable[str]) -> Profile:
    """The profile without these capabilities."""
    return msgspec.convert(merged(as_tree(profile), without(profile, names)), Profile)
