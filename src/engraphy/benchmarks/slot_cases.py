"""The slot set of `engraphy bench write`: values that change, and all that only looks like it.

`hand()` are written by hand, in the words people use.
"""

from engraphy.benchmarks.slot_hand import hand
from engraphy.benchmarks.slot_shapes import (
    DuplicatePair,
    Language,
    RELATIONS,
    Relation,
    SUPERSEDING,
    SlotCase,
    SlotMessage,
    says,
)

__all__ = [
    "RELATIONS",
    "SUPERSEDING",
    "DuplicatePair",
    "Language",
    "Relation",
    "SlotCase",
    "SlotMessage",
    "hand",
    "says",
]
