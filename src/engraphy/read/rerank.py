"""A second look at the best: what another model says of them, blended into their scores."""

from collections.abc import Mapping, Sequence
from math import isfinite

from msgspec.structs import replace

from engraphy.read.select import Scored


def blended(rows: Sequence[Scored], scores: Mapping[str, float], weight: float) -> list[Scored]:
    """The rows, best first; those with a score of the reranker (by id, any finite scale) change
    places among themselves.

    Both scores are spread over [0, 1], ours counts 1 - `weight`, and the sum is laid over the range
    of our own: nobody leaves it, so that cut-offs keep their meaning.
    """
    chosen = [row for row in rows if row.id in scores]
    if len(chosen) < 2 or not weight:
        return list(rows)
    own = _spread([row.score for row in chosen])
    given = _spread([scores[row.id] for row in chosen])
    low = min(row.score for row in chosen)
    width = max(row.score for row in chosen) - low
    moved = {
        row.id: _moved(row, low + width * ((1.0 - weight) * ours + weight * theirs))
        for row, ours, theirs in zip(chosen, own, given, strict=True)
    }
    found = (moved.get(row.id, row) for row in rows)
    return sorted(found, key=lambda row: (-row.score, -row.measured.candidate.seq))


def _spread(values: Sequence[float]) -> list[float]:
    low, high = min(values), max(values)
    # The difference of two finite numbers may be none.
    part = 1.0 if isfinite(high - low) else 0.5
    width = high * part - low * part
    return [(value * part - low * part) / width if high > low else 0.0 for value in values]


def _moved(row: Scored, score: float) -> Scored:
    return replace(row, score=score, rerank=score / row.score if row.score > 0.0 else 1.0)
