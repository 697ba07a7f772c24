"""How well a memory is held: the two strengths of D-40, and since when it was left alone."""

from engraphy.formulas import elapsed_days, retrievability
from engraphy.model import Memory


def days_since_access(memory: Memory, now: int) -> float:
    """Days since it was last delivered, or recorded where it never was."""
    return elapsed_days(now=now, then=memory.last_accessed_at or memory.recorded_at)


def retention(memory: Memory, curve: str, now: int) -> float:
    """Retrieval strength in [0, 1]: the curve since the last access, less what category decay took
    off it (D-41), which is what the curve says of a stability that is shorter by as much."""
    age = days_since_access(memory, now)
    held = retrievability(age_days=age, stability=memory.stability, curve=curve)
    return max(0.0, held - memory.retrieval_loss)
