"""Memories for a prompt: recall, the standing layer, packing; reinforced as delivered."""

from collections.abc import Sequence

from engraphy.engine.parts import Engine
from engraphy.engine.recall import recall, reinforce
from engraphy.model import (
    Context,
    Hit,
    Kind,
    Listing,
    Origin,
    PRIORITY_RANK,
    Priority,
    Receipt,
    Step,
    View,
)
from engraphy.profile import Layer
from engraphy.read.inject import block
from engraphy.read.query import unneeded
from engraphy.text.tokens import TOKENIZER

_STANDING_ROWS = 200


def context(engine: Engine, prompt: str, view: View, budget: int, recent: Sequence[str]) -> Context:
    """The block of memories for `prompt`, at most `budget` tokens by the stated tokenizer."""
    if (reason := unneeded(prompt)) is not None:
        step = Step(stage="gate", detail=reason)
        receipt = Receipt(
            query=prompt, budget=budget, tokens=0, tokenizer=TOKENIZER, skipped=(step,)
        )
        return Context(text="", tokens=0, hits=(), receipt=receipt)
    layers = engine.profile.inject.layers
    wanted = sum(layer.quota for layer in layers if layer.source == "relevant")
    sources = {
        "standing": _standing(engine, view, [x for x in layers if x.source == "standing"]),
        "relevant": recall(engine, prompt, view, wanted, touch=False) if wanted else [],
    }
    made = block(prompt, sources, recent, budget, engine.profile.inject)
    delivered = [hit.memory for hit in made.hits]
    reinforce(engine, delivered, view, f"context: {len(delivered)} injected")
    return made


def _standing(engine: Engine, view: View, layers: Sequence[Layer]) -> list[Hit]:
    """What is injected whatever the prompt says: the kinds of the standing layers, and of them only
    what the user said, so that no tool, page or agent speaks in every prompt (P-10)."""
    kinds = frozenset(Kind(kind) for layer in layers for kind in layer.kinds)
    if not kinds:
        return []
    listing = Listing(kinds=kinds, order="importance", limit=_STANDING_ROWS)
    least = min(PRIORITY_RANK[Priority(layer.min_priority)] for layer in layers)
    return [
        Hit(memory=memory, score=memory.importance, why={"standing": 1.0}, confidence=1.0)
        for memory in engine.store.page(view, listing)
        if memory.origin is Origin.USER and PRIORITY_RANK[memory.priority] >= least
    ]
