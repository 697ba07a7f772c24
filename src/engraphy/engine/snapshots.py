"""What a planner looks at beside its batch: fetched here, as the step asks for it."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from msgspec.structs import replace

from engraphy.dream.stages import Need, Stage
from engraphy.engine.parts import Engine
from engraphy.model import (
    Listing,
    Memory,
    NearPair,
    Scope,
    Sensitivity,
    Snapshot,
    State,
    View,
    WriteSource,
)

_NEAREST = 4
"""Neighbours of each memory that are looked at for redundancy."""
_MADE = 1_000
"""Memories that a step made before, which it is shown."""


def snapshot(
    engine: Engine, stage: Stage, memories: tuple[Memory, ...], scope: Scope, now: int, *, room: int
) -> Snapshot:
    """A batch and what the step asked for; far ends of pairs and relations as they stand. `room`:
    what is left of its cap."""
    found = Snapshot(memories=memories)
    if stage.tag:
        found = replace(found, made=made(engine, stage.tag, scope, now))
    if not stage.needs or not memories:
        return found
    ids = [memory.id for memory in memories]
    if "contradictions" in stage.needs:
        found = replace(found, contradictions=tuple(engine.store.contradictions(scope, ids)))
    if "pairs" in stage.needs and engine.embedder is not None:
        found = replace(found, pairs=_pairs(engine, scope, now, ids, room))
    if "coactivations" in stage.needs:
        least = max(1, engine.profile.dream.together)
        pairs_since = engine.store.coactivated(scope.tenant, ids, since=0, least=least)
        found = replace(found, coactivations=tuple(pairs_since))
    if "procedures" in stage.needs:
        found = replace(found, procedures=engine.store.procedures(scope.tenant, ids))
    return replace(found, others=_others(engine, found, scope, now, stage.needs))


def _pairs(
    engine: Engine, scope: Scope, now: int, ids: list[str], room: int
) -> tuple[NearPair, ...]:
    """The nearest pairs above the profile's cosine, no more than there is room for."""
    if not room or engine.embedder is None:
        return ()
    view, alike = _all(scope, now, {State.ACTIVE}), engine.profile.dream.forget.alike
    pairs = engine.store.nearest(view, ids, engine.embedder.model_id, _NEAREST)
    near = (pair for pair in pairs if pair.cosine > alike)
    order = sorted(near, key=lambda pair: (-pair.cosine, pair.first_id, pair.second_id))
    return tuple(order[:room])


def made(engine: Engine, tag: str, scope: Scope, now: int) -> tuple[Memory, ...]:
    """What a step made in exactly these walls and still stands, the newest first."""
    listing = Listing(tag=tag, limit=_MADE)
    rows = engine.store.page(_all(scope, now, {State.ACTIVE}), listing)
    own = (row for row in rows if row.write_source is WriteSource.DREAM)
    return tuple(row for row in own if _walls(row.scope) == scope)


def standing(engine: Engine, scope: Scope, ids: Sequence[str], now: int) -> dict[str, Memory]:
    """Memories of exactly these walls as they stand, in whatever state."""
    rows = engine.store.get(_all(scope, now, set(State)), list(ids))
    return {row.id: row for row in rows if _walls(row.scope) == scope}


@lru_cache(maxsize=256)
def _walls(scope: Scope) -> Scope:
    return scope if scope.session is None else replace(scope, session=None)


def _others(
    engine: Engine, found: Snapshot, scope: Scope, now: int, needs: frozenset[Need]
) -> dict[str, Memory]:
    own = {memory.id for memory in found.memories}
    far = sorted(set(_ends(found, needs)) - own)
    if not far:
        return {}
    return standing(engine, scope, far, now)


def _ends(found: Snapshot, needs: frozenset[Need]) -> Iterable[str]:
    for relation in found.contradictions:
        yield from (relation.source_id, relation.target_id)
    for pair in found.pairs:
        yield from (pair.first_id, pair.second_id)
    if "sources" in needs:
        for memory in found.memories:
            yield from memory.source_ids


def _all(scope: Scope, now: int, states: set[State]) -> View:
    return View(
        scope=scope, now=now, states=frozenset(states), sensitivities=frozenset(Sensitivity)
    )
