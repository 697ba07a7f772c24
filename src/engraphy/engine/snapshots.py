"""What a planner looks at beside its batch: fetched here, as the step asks for it."""

from collections.abc import Iterable
from dataclasses import replace

from engraphy.dream.stages import Stage
from engraphy.engine.parts import Engine
from engraphy.model import Memory, Scope, Sensitivity, Snapshot, State, View

_NEAREST = 4
"""Neighbours of each memory that are looked at for redundancy."""


def snapshot(
    engine: Engine, stage: Stage, memories: tuple[Memory, ...], scope: Scope, now: int
) -> Snapshot:
    """A batch and what the step asked for; far ends of pairs and relations as they stand."""
    found = Snapshot(memories=memories)
    if not stage.needs or not memories:
        return found
    ids = [memory.id for memory in memories]
    if "contradictions" in stage.needs:
        found = replace(found, contradictions=tuple(engine.store.contradictions(scope, ids)))
    if "pairs" in stage.needs and engine.embedder is not None:
        view = _all(scope, now, {State.ACTIVE})
        pairs = engine.store.nearest(view, ids, engine.embedder.model_id, _NEAREST)
        found = replace(found, pairs=tuple(pairs))
    if "coactivations" in stage.needs:
        least = max(1, engine.profile.dream.together)
        pairs_since = engine.store.coactivated(ids, since=0, least=least)
        found = replace(found, coactivations=tuple(pairs_since))
    if "procedures" in stage.needs:
        found = replace(found, procedures=engine.store.procedures(ids))
    return replace(found, others=_others(engine, found, scope, now))


def _others(engine: Engine, found: Snapshot, scope: Scope, now: int) -> dict[str, Memory]:
    own = {memory.id for memory in found.memories}
    far = sorted(set(_ends(found)) - own)
    if not far:
        return {}
    rows = engine.store.get(_all(scope, now, set(State)), far)
    return {memory.id: memory for memory in rows if replace(memory.scope, session=None) == scope}


def _ends(found: Snapshot) -> Iterable[str]:
    for relation in found.contradictions:
        yield from (relation.source_id, relation.target_id)
    for pair in found.pairs:
        yield from (pair.first_id, pair.second_id)
    for together in found.coactivations:
        yield from (together.first_id, together.second_id)


def _all(scope: Scope, now: int, states: set[State]) -> View:
    return View(
        scope=scope, now=now, states=frozenset(states), sensitivities=frozenset(Sensitivity)
    )
