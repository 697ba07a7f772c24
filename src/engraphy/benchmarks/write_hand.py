"""The cases of changed values that were written by hand, in the words people use and before the
rules: they are reported apart, and no bar is set for them."""

from engraphy.benchmarks.slot_hand import hand
from engraphy.benchmarks.write_part import Ground, Part
from engraphy.benchmarks.write_slots import measured


def measure(ground: Ground) -> Part:
    """All of them."""
    return measured(ground, hand())
