"""How long what is written stays, where nobody said."""

from dataclasses import replace

from engraphy.model import MICROSECONDS_PER_DAY, Memory
from engraphy.profile import Write


def lasting(memory: Memory, knobs: Write) -> Memory:
    """Once it is weighed: the profile's time to live (A-07); what is pinned, by its caller or as a
    flashbulb, has no end."""
    days = knobs.default_ttl_days
    if not days or memory.expires_at is not None or memory.pinned:
        return memory
    expires = max(memory.recorded_at, memory.updated_at) + round(days * MICROSECONDS_PER_DAY)
    return replace(memory, expires_at=expires)
