"""A recall that is narrowed to where memories apply and to what they may cost (B-08, B-11)."""

from collections.abc import Iterator, Sequence

from msgspec import structs
from msgspec.structs import replace

from engraphy.engine.layers import scoped
from engraphy.engine.parts import Engine
from engraphy.engine.recall import delivered, search
from engraphy.engine.reinforcing import reinforce
from engraphy.model import Hit, View
from engraphy.read.query import unneeded
from engraphy.text.tokens import estimate_tokens

_REACH = 1_000
_EVERY = 1_000_000


def narrowed(
    engine: Engine,
    query: str,
    view: View,
    limit: int | None,
    *,
    path: str | None,
    budget: int | None,
    touch: bool,
    least: float | None = None,
) -> list[Hit]:
    """The best `limit` memories for a query: only those whose globs hold `path`, no more than cost
    `budget` tokens together, none that scores below `least` (the profile's `min_score` where not
    given). What is delivered is reinforced when `touch`."""
    if least is not None:
        engine = _accepting(engine, least)
    if engine.profile.search.gate and unneeded(query) is not None:
        return []
    with engine.store.at_once():
        hits = _found(engine, query, view, limit, path)
    if budget is not None:
        hits = list(_affordable(hits, budget))
    if touch:
        reinforce(engine, [hit.memory for hit in hits], view, f"recall: {len(hits)} hits")
    return hits


def _found(
    engine: Engine, query: str, view: View, limit: int | None, path: str | None
) -> list[Hit]:
    found = search(engine, query, view, limit, reach=0 if path is None else _REACH)
    if path is not None:
        bound = {row.id for row in scoped(engine, path, view, _EVERY)}
        found = replace(found, rows=tuple(row for row in found.rows if row.id in bound))
    return delivered(engine, found)


def _accepting(engine: Engine, least: float) -> Engine:
    profile = engine.profile
    score = structs.replace(profile.score, min_score=least)
    return replace(engine, profile=structs.replace(profile, score=score))


def _affordable(hits: Sequence[Hit], budget: int) -> Iterator[Hit]:
    """The best that fit: one too long is left out, and the next one tried."""
    left = budget
    for hit in hits:
        cost = estimate_tokens(hit.memory.content)
        if cost <= left:
            left -= cost
            yield hit
