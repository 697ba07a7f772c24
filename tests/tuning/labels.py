"""A small store, questions about it, and a profile that answers them badly."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from engraphy import Memory

THINGS = [
    "lantern", "kayak", "violin", "telescope", "bicycle", "kettle", "ladder", "camera",
    "hammock", "anvil", "compass", "tent", "accordion", "microscope", "sledge", "loom",
]  # fmt: skip
PLACES = [
    "attic", "boathouse", "study", "garage", "cellar", "kitchen", "shed", "library",
    "garden", "forge", "hallway", "loft", "chapel", "laboratory", "barn", "workshop",
]  # fmt: skip
LOUD = """\
inherits = "default"

[score]
weights = { relevance = 0.3, recency = 0.05, importance = 1.0 }
min_share_of_best = 0.0
"""
"""What is important stands before what answers."""
RANGES = """\
[knobs]
"score.weights.importance" = { from = 0.0, to = 1.0, steps = 3 }
"fuse.saturation" = { from = 0.4, to = 2.4, steps = 3 }
"""


def filled(folder: Path) -> Path:
    """A store with, for each thing, where it is kept, and a more important one beside it."""
    store = folder / "m.db"
    with Memory(store, embedder="none") as memory:
        for thing, place in zip(THINGS, PLACES, strict=True):
            kept = f"The {thing} is kept in the {place}"
            memory.remember(kept, user="ada", importance=0.0)
            memory.remember(f"The {thing} was polished", user="ada", importance=1.0)
    return store


def rows() -> list[dict[str, Any]]:
    """A question for each thing, its answer by exact text."""
    pairs = zip(THINGS, PLACES, strict=True)
    return [
        {"question": f"Where is the {thing} kept?", "gold": [f"The {thing} is kept in the {place}"]}
        for thing, place in pairs
    ]


def written(file: Path, questions: Iterable[Mapping[str, Any]]) -> Path:
    """The questions as JSON Lines."""
    file.write_text("".join(f"{json.dumps(one)}\n" for one in questions), encoding="utf-8")
    return file


def noted(file: Path, text: str) -> Path:
    """A text file."""
    file.write_text(text, encoding="utf-8")
    return file
