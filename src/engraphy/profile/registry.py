"""The registry of capabilities (A-22): which parts of a memory a profile has."""

from engraphy.profile.schema import Profile


def capabilities(profile: Profile) -> dict[str, bool]:
    """Each capability of document 000 by its name, and whether the profile has it.

    All but the store are optional: the gate without features keeps everything, sessions without
    boundaries have one segment, a dream without a step leaves that step out.
    """
    steps = {str(step) for step in (*profile.dream.steps, *profile.dream.after_session)}
    return {
        "memory.store": True,
        "memory.memorability": bool(profile.gate.features),
        "memory.boundaries": profile.sessions.boundaries,
        "memory.temporal": any(layer.scales for layer in profile.inject.layers),
        "memory.consolidation": "consolidate" in steps,
        "memory.compression": "compress" in steps,
    }
