"""The walk over relations, entities and joint deliveries (D-21, D-75), hop by hop, each through the
view's own gate (R-05); and what is often delivered together with what was found."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct, field
from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.pooling import pooled
from engraphy.engine.relating import addresses
from engraphy.model import Candidate, Step, View
from engraphy.read.graph import Walk, Web, asked_about, edge_weights, named, shares
from engraphy.read.measure import Pool, distinct
from engraphy.read.select import Scored, ranked
from engraphy.read.signals import Frame
from engraphy.record import Record

Vector = Sequence[float] | None

_MOST_NAMES = 24
"""Entities per hop whose memories are looked up, those of the best memories first."""


class Reach(Record, frozen=True, kw_only=True):
    """How far a walk of a view sees, and what its edges weigh; `model`, `vector`: what candidates
    are compared with."""

    engine: Engine
    view: View
    weights: Mapping[str, float]
    model: str | None = None
    vector: Vector = None


class _Seen(Struct):
    """What a walk met so far: the web, the light rows, the names that were looked up."""

    web: Web
    rows: dict[str, Candidate] = field(default_factory=dict)
    names: set[str] = field(default_factory=set)


def walked(
    engine: Engine, pool: Pool, frame: Frame, view: View, near: tuple[str | None, Vector]
) -> Pool:
    """The pool with where the walk led and what it brought in; as it is where the question is not
    walked. `near`: the model and the vector that candidates are compared with."""
    asked, profile = pool.asked, engine.profile
    found = edge_weights(asked, profile.graph)
    if found is None:
        return pool
    kind, weights = found
    seeds = ranked(pool, frame, profile.fuse, profile.search)[: profile.graph.seeds]
    model, vector = near
    reach = Reach(engine=engine, view=view, weights=weights, model=model, vector=vector)
    led, rows = _walk(reach, kind, asked.text, seeds)
    known = {one.id for one in pool.candidates}
    more = pooled(engine, asked, pool.text, [row for row in rows if row.id not in known])
    similarity = {**pool.lists.similarity, **more.lists.similarity}
    return replace(
        pool,
        candidates=(*pool.candidates, *more.candidates),
        lists=replace(pool.lists, similarity=similarity),
        soft=(*pool.soft, *more.soft),
        weighed=pool.weighed | led.brought,
        walk=led,
    )


def steps(pool: Pool) -> tuple[Step, ...]:
    """What a walk tells of itself."""
    walk = pool.walk
    if walk is None:
        return ()
    detail = f"{walk.asked}: {walk.reached} memories by links and names"
    return (Step(stage="walk", detail=detail),)


def _walk(
    reach: Reach, kind: str, question: str, seeds: Sequence[Scored]
) -> tuple[Walk, list[Candidate]]:
    """The walk from the best hits and from what the question names, and the light rows of the best
    of what else it met."""
    knobs = reach.engine.profile.graph
    starts = _starts(question)
    seen = _Seen(web=Web(), rows={row.id: row.measured.candidate for row in seeds})
    edge, names = list(seen.rows), starts
    for _ in range(knobs.hops):
        edge, names = _hop(reach, seen, edge, names), []
    scores = {row.id: row.score for row in seeds}
    found = shares(seen.web, scores, starts, knobs)
    others = sorted(seen.rows.keys() - scores.keys(), key=lambda one: (-found.get(one, 0.0), one))
    brought = others[: knobs.brought]
    led = Walk(asked=kind, reached=len(seen.rows), shares=found, brought=frozenset(brought))
    return led, [seen.rows[one] for one in brought]


def often_together(engine: Engine, view: View, ids: Sequence[str]) -> frozenset[str]:
    """Both ends of every pair that was often delivered together and has one end among `ids`
    (D-24)."""
    knobs = engine.profile.boost
    if not knobs.together or not ids:
        return frozenset()
    pairs = engine.store.coactivations(view, ids, knobs.together_from)
    return frozenset(end for one in pairs for end in (one.first_id, one.second_id))


def _starts(question: str) -> list[str]:
    """The entities and speakers that a question names."""
    about = asked_about(question)
    spelled = [] if about is None else [*addresses(about), about, about.title()]
    return distinct([*named(question), *spelled])


def _hop(reach: Reach, seen: _Seen, edge: Sequence[str], names: Sequence[str]) -> list[str]:
    """One step from the memories of the edge and from names; the memories that are new."""
    knobs, store = reach.engine.profile.graph, reach.engine.store
    for one in edge:
        for entity in seen.rows[one].entities:
            seen.web.name(one, entity, knobs.entity)
    looked = distinct([*names, *(name for one in edge for name in seen.rows[one].entities)])
    looked = [name for name in looked if name not in seen.names][:_MOST_NAMES]
    seen.names.update(looked)
    told = store.labelled(reach.view, looked, knobs.each) if knobs.entity else []
    linked = _linked(reach, edge)
    near = distinct([*(end for ends in linked for end in ends), *(one for _, one in told)])
    new = [one for one in near if one not in seen.rows][: knobs.nodes - len(seen.rows)]
    rows = store.candidates(reach.view, new, model_id=reach.model, vector=reach.vector)
    seen.rows |= {row.id: row for row in rows}
    for name, one in told:
        if one in seen.rows:
            seen.web.name(one, name, knobs.entity)
    for (one, other), weight in linked.items():
        if one in seen.rows and other in seen.rows:
            seen.web.join(one, other, weight)
    return [row.id for row in rows]


def _linked(reach: Reach, edge: Collection[str]) -> dict[tuple[str, str], float]:
    """The edges from these memories to others: relations, the surest first, then what was often
    delivered together."""
    knobs, store, ids = reach.engine.profile.graph, reach.engine.store, list(edge)
    weighed = {name: weight for name, weight in reach.weights.items() if weight}
    found = store.relations(reach.view, ids, types=frozenset(weighed)) if weighed else []
    linked: dict[tuple[str, str], float] = {}
    for one in sorted(found, key=lambda one: -weighed[one.type.value] * one.confidence):
        ends = (one.source_id, one.target_id)
        linked[ends] = linked.get(ends, 0.0) + weighed[one.type.value] * one.confidence
    if knobs.together:
        least = reach.engine.profile.boost.together_from
        for pair in store.coactivations(reach.view, ids, least):
            linked.setdefault((pair.first_id, pair.second_id), knobs.together)
    return linked
