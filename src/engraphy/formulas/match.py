"""How well a memory matches a query, brought to [0, 1]."""

import math
from collections.abc import Sequence
from itertools import pairwise

from engraphy.formulas._bounds import bounded, non_negative, positive, same_length, unit, weight


def bm25_match(*, bm25: float, k: float = 1.0) -> float:
    """SQLite's negative ``bm25()`` as a match: strictly better is never scored lower.

    Formula: ``b / (b + k)`` with ``b = max(0, -bm25)``
    Inputs: bm25 as SQLite gives it (lower is better); k > 0, the b that scores one half.
    Range: [0, 1], 0 for no match, falling in bm25.
    Source: row R-01; BM25: Robertson and Zaragoza 2009.

    >>> bm25_match(bm25=-3.0)
    0.75
    """
    b, half = non_negative(-bm25), positive(k)
    return unit(1.0 / (1.0 + half / b)) if b > 0.0 else 0.0


def relative_match(*, bm25: float, best: float) -> float:
    """A ``bm25()`` as a share of the best one of the same query.

    Formula: ``max(0, -bm25) / max(0, -best)``, 0 when the best is no match
    Inputs: bm25 and best as SQLite gives them (lower is better).
    Range: [0, 1], 1 for the best, falling in bm25.
    Source: row R-01 (the second form).

    >>> relative_match(bm25=-2.0, best=-8.0)
    0.25
    """
    b, top = non_negative(-bm25), non_negative(-best)
    return unit(b / top) if top > 0.0 else 0.0


def keyword_hit_ratio(*, hits: float, terms: float) -> float:
    """The share of the query's keywords found; the match where full text finds nothing.

    Formula: ``hits / terms``, 0 for a query without keywords
    Inputs: hits >= 0 and terms >= 0, counts of distinct keywords.
    Range: [0, 1], rising in hits.
    Source: row A-04 (letsgo document, match quality).

    >>> keyword_hit_ratio(hits=3, terms=4)
    0.75
    """
    found, total = non_negative(hits), non_negative(terms)
    return unit(found / total) if total > 0.0 else 0.0


def reciprocal_rank(*, rank: float, k: float = 60.0) -> float:
    """What one list contributes to reciprocal rank fusion.

    Formula: ``1 / (k + rank + 1)``
    Inputs: rank >= 0 (0 is the first place); k >= 0.
    Range: [0, 1], falling in rank.
    Source: row D-24 (cognitive document); Cormack, Clarke and Buettcher 2009.

    >>> reciprocal_rank(rank=3, k=60)
    0.015625
    """
    return 1.0 / (non_negative(k) + non_negative(rank) + 1.0)


def reciprocal_rank_fusion(
    *,
    ranks: Sequence[float | None],
    weights: Sequence[float] | None = None,
    k: float = 60.0,
) -> float:
    """Reciprocal rank fusion divided by its maximum, which is first place in every list.

    Formula: ``sum(w / (k + rank + 1)) / sum(w / (k + 1))``
    Inputs: one rank per list that was searched, None where the list does not hold the memory;
    weights in [0, 1e6], 1 each by default.
    Range: [0, 1], 1 for first in every list.
    Source: row D-24 (normalised, so that its 0.15 means 0.15); Cormack et al. 2009.

    >>> reciprocal_rank_fusion(ranks=[0, 0])
    1.0
    >>> reciprocal_rank_fusion(ranks=[0, None])
    0.5
    """
    shares = [weight(w) for w in weights] if weights is not None else [1.0] * len(ranks)
    same_length(len(ranks), len(shares), "ranks and weights")
    total, first = math.fsum(shares), reciprocal_rank(rank=0.0, k=k)
    if total <= 0.0:
        return 0.0
    terms = (
        share * (reciprocal_rank(rank=rank, k=k) / first)
        for rank, share in zip(ranks, shares, strict=True)
        if rank is not None
    )
    return unit(math.fsum(terms) / total)


def min_max(*, value: float, low: float, high: float) -> float:
    """A score's place between the lowest and the highest of its list.

    Formula: ``(value - low) / (high - low)``; where all are equal, 1 for ``value >= high``, else 0
    Inputs: value, low and high in one unit.
    Range: [0, 1], rising in value.
    Source: design of retrieval (scores are normalised per list before they are summed).

    >>> min_max(value=3.0, low=1.0, high=5.0)
    0.5
    """
    # Halves, because the distance of two large floats of opposite sign overflows.
    bottom, top, place = bounded(low) / 2.0, bounded(high) / 2.0, bounded(value) / 2.0
    if top <= bottom:
        return 1.0 if place >= top else 0.0
    return unit((place - bottom) / (top - bottom))


def inverse_document_frequency(*, documents: float, containing: float) -> float:
    """How telling a word is: rare words weigh more.

    Formula: ``ln(1 + (documents - containing + 0.5) / (containing + 0.5))``
    Inputs: documents and containing in [0, 1e15], counts; containing <= documents.
    Range: [0, 36], rising in documents, falling in containing.
    Source: design of models (idf from the store itself); Robertson and Zaragoza 2009.

    >>> round(inverse_document_frequency(documents=100, containing=1), 4)
    4.2097
    """
    found = bounded(containing, 0.0, 1e15)
    total = max(bounded(documents, 0.0, 1e15), found)
    return math.log1p((total - found + 0.5) / (found + 0.5))


def max_sim(*, cosines: Sequence[float], weights: Sequence[float], floor: float = 0.3) -> float:
    """Late interaction: every query token's best cosine in the memory, weighted by idf.

    Formula: ``sum(w * max(0, cosine - floor)) / sum(w)``, 0 without a weight
    Inputs: one best cosine in [-1, 1] and one weight (idf) >= 0 per query token; floor in [0, 1].
    Range: [0, 1 - floor], rising in every cosine.
    Source: design of models (MaxSim); Khattab and Zaharia 2020.

    >>> max_sim(cosines=[1.0, 0.3], weights=[2.0, 2.0])
    0.35
    """
    same_length(len(cosines), len(weights), "cosines and weights")
    shares = [weight(w) for w in weights]
    total, base = math.fsum(shares), unit(floor)
    if total <= 0.0:
        return 0.0
    terms = (
        share * max(0.0, bounded(cosine, -1.0, 1.0) - base)
        for cosine, share in zip(cosines, shares, strict=True)
    )
    return bounded(math.fsum(terms) / total, 0.0, 1.0 - base)


def calibrated_similarity(*, cosine: float, knots: Sequence[tuple[float, float]]) -> float:
    """An embedder's cosine on the common scale that all thresholds refer to.

    Formula: linear between the knots ``(cosine, common)``, constant outside of them
    Inputs: cosine in [-1, 1]; at least one knot, cosines rising, common values in [0, 1].
    Range: [0, 1], rising in cosine where the knots rise.
    Source: design of models (calibration per embedder).

    >>> calibrated_similarity(cosine=0.5, knots=[(0.0, 0.0), (0.4, 0.5), (0.6, 0.9)])
    0.7
    """
    if not knots:
        raise ValueError("calibration has no knots; at least one (cosine, common) pair is allowed")
    place = bounded(cosine, -1.0, 1.0)
    pairs = [(bounded(x, -1.0, 1.0), unit(y)) for x, y in knots]
    if place <= pairs[0][0]:
        return pairs[0][1]
    for (left, start), (right, end) in pairwise(pairs):
        if place <= right:
            return unit(start + (end - start) * min_max(value=place, low=left, high=right))
    return pairs[-1][1]
