"""For those who test with engraphy, or write an engine for it. Needs pytest and hypothesis."""

from engraphy.testing.conformance import StoreConformance
from engraphy.testing.doubles import CountedIds, ScriptedModel, TickingClock, ToyEmbedder

__all__ = [
    "CountedIds",
    "ScriptedModel",
    "StoreConformance",
    "TickingClock",
    "ToyEmbedder",
]
