"""The one table of signals every profile's score is blended from."""

from collections.abc import Callable, Mapping

import msgspec

from engraphy.formulas import (
    activation,
    bm25_match,
    elapsed_days,
    half_life_decay,
    reciprocal_rank_fusion,
)
from engraphy.model import Candidate
from engraphy.profile import Boost, Route, Score
from engraphy.read.lifts import Lift
from engraphy.record import Record


class Frame(Record, frozen=True, kw_only=True):
    """What all candidates of a query share: the moment, the knobs, and the route of its intent."""

    now: int
    knobs: Score
    boost: Boost
    route: Route | None = None


class Measured(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """A candidate with what this query measured of it.

    `relevance`: the fused share in [0, 1]; `coverage`: the share of the query's words that it
    holds, the rare ones counting more; `ranks`: its place (from 0) in each list that was
    searched, None where it is not in it; `counted`: what each of these lists counts, None for all
    the same; `walked`: how often a walk over the graph came by, in
    [0, 1]; `hits`: the share of the query's words that it holds where full text found nothing;
    `lift`: what is added to the blend of signals, None for nothing.
    """

    candidate: Candidate
    frame: Frame
    relevance: float
    bm25: float
    similarity: float
    soft: float
    ranks: tuple[int | None, ...]
    counted: tuple[float, ...] | None = None
    coverage: float = 0.0
    walked: float = 0.0
    hits: float = 0.0
    lift: Lift | None = None


Signal = Callable[[Measured], float]


def _relevance(one: Measured) -> float:
    return one.relevance


def _match(one: Measured) -> float:
    # The formula takes SQLite's sign, by which lower is better; ours is positive.
    return bm25_match(bm25=-one.bm25) if one.bm25 > 0.0 else one.hits


def _coverage(one: Measured) -> float:
    return one.coverage


def _similarity(one: Measured) -> float:
    return one.similarity


def _soft_match(one: Measured) -> float:
    return one.soft


def _recency(one: Measured) -> float:
    row = one.candidate
    accessed = one.frame.knobs.recency_clock == "accessed" and row.last_accessed_at
    then = row.last_accessed_at if accessed and row.last_accessed_at else row.updated_at
    age = elapsed_days(now=one.frame.now, then=then)
    return half_life_decay(age=age, half_life=one.frame.knobs.recency_half_life_days)


def _importance(one: Measured) -> float:
    row, half_life = one.candidate, one.frame.knobs.importance_half_life_days
    if not half_life:
        return row.importance
    # Maintenance has taken its part of the half-life up to when it last ran.
    then = max(row.updated_at, row.last_decayed_at or 0)
    age = elapsed_days(now=one.frame.now, then=then)
    return row.importance * half_life_decay(age=age, half_life=half_life)


def _trust(one: Measured) -> float:
    return one.candidate.trust


def _utility(one: Measured) -> float:
    return one.candidate.utility


def _activation(one: Measured) -> float:
    row = one.candidate
    then = row.last_accessed_at if row.last_accessed_at is not None else row.updated_at
    return activation(
        access_count=row.access_count,
        age_days=elapsed_days(now=one.frame.now, then=then),
        unit_days=one.frame.knobs.activation_unit_days,
        floor_days=one.frame.knobs.activation_floor_days,
    )


def _reciprocal_rank(one: Measured) -> float:
    return reciprocal_rank_fusion(ranks=one.ranks, weights=one.counted)


def _graph(one: Measured) -> float:
    return one.walked


SIGNALS: Mapping[str, Signal] = {
    "relevance": _relevance,
    "match": _match,
    "coverage": _coverage,
    "similarity": _similarity,
    "soft_match": _soft_match,
    "recency": _recency,
    "importance": _importance,
    "trust": _trust,
    "utility": _utility,
    "activation": _activation,
    "reciprocal_rank": _reciprocal_rank,
    "graph": _graph,
}


def measured(one: Measured) -> dict[str, float]:
    """The signals that the profile weighs, by name."""
    return {name: SIGNALS[name](one) for name in one.frame.knobs.weights}
