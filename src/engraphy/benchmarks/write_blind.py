"""The cases of changed values that nobody who made a rule has read: they are reported apart."""

from engraphy.benchmarks.slot_hand import blind
from engraphy.benchmarks.write_part import Ground, Part
from engraphy.benchmarks.write_slots import measured


def measure(ground: Ground) -> Part:
    """All of them."""
    return measured(ground, blind())
