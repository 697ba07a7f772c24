"""The slot set of `engraphy bench write`: values that change, and all that only looks like it.

`hand()` are written by hand, in the words people use; `generated()` are made from wordings and
values, by a seed. Neither was made with the rules at hand that it measures.
"""

from engraphy.benchmarks.slot_duplicates import pairs
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
from engraphy.benchmarks.slot_templates import made

__all__ = [
    "RELATIONS",
    "SEED",
    "SUPERSEDING",
    "DuplicatePair",
    "Language",
    "Relation",
    "SlotCase",
    "SlotMessage",
    "duplicates",
    "generated",
    "hand",
    "says",
]

SEED = 20261128


def generated(seed: int = SEED) -> tuple[SlotCase, ...]:
    """The cases made by a seed, English first: the same every time."""
    return (*made("en", seed), *made("tr", seed))


def duplicates(seed: int = SEED) -> tuple[DuplicatePair, ...]:
    """The pairs of statements made by a seed, English first: the same every time."""
    return (*pairs("en", seed), *pairs("tr", seed))
