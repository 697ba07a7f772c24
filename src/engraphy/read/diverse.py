"""Different answers before more of the same (D-24): maximal marginal relevance over the best."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from engraphy.formulas import mmr_order
from engraphy.profile import Boost
from engraphy.read.select import Scored

_CODE = 4
Weights = Mapping[int, float]


def diversified(rows: Sequence[Scored], limit: int, knobs: Boost) -> list[Scored]:
    """`rows`, best first, with the first `limit` chosen so that each says something new; those
    not chosen stay behind them in their order."""
    if knobs.diversity >= 1.0:
        return list(rows)
    window = rows[: limit * max(2, knobs.overfetch)]
    texts = [_weights(row.measured.candidate.words) for row in window]
    known: dict[tuple[int, int], float] = {}

    def alike(one: int, other: int) -> float:
        pair = (one, other)
        found = known.get(pair)
        if found is None:
            found = _cosine(texts[one], texts[other])
            known[pair] = found = found if found >= knobs.alike_from else 0.0
        return found

    order = mmr_order(
        relevances=[row.score for row in window],
        similarity=alike,
        limit=limit,
        trade_off=knobs.diversity,
    )
    chosen = [
        replace(window[place], alike=max((alike(place, one) for one in order[:at]), default=0.0))
        for at, place in enumerate(order)
    ]
    taken = set(order)
    left = [row for place, row in enumerate(window) if place not in taken]
    return [*chosen, *left, *rows[len(window) :]]


def _weights(codes: bytes) -> Weights:
    """A text's tokens with their counts, at length 1."""
    counts = Counter(memoryview(codes[: len(codes) // _CODE * _CODE]).cast("I").tolist())
    length = math.sqrt(sum(count * count for count in counts.values()))
    return {token: count / length for token, count in counts.items()}


def _cosine(left: Weights, right: Weights) -> float:
    """`formulas.lexical_cosine` of two texts that are at length 1 already: it runs for thousands
    of pairs per recall."""
    # Summed exactly, so that the order in which a set is read moves nothing.
    return math.fsum([left[token] * right[token] for token in left.keys() & right.keys()])
