"""The one blend: every gate and every score is a weighted sum or a product with a floor."""

import math
from collections.abc import Collection, Mapping

from engraphy.formulas._bounds import non_negative, unit, weight


def weighted_sum(*, signals: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """The sum of the signals, each times its weight.

    Formula: ``sum(weights[name] * signals[name])``
    Inputs: signals in [0, 1] by name; weights in [0, 1e6] by name; a signal without a weight
    weighs 0, a weight without a signal adds nothing.
    Range: [0, sum of the weights], rising in every signal.
    Source: rows A-04, A-13, C-02, C-05, D-10 and D-24.

    >>> weighted_sum(signals={"match": 1.0, "trust": 0.5}, weights={"match": 0.6, "trust": 0.4})
    0.8
    """
    return math.fsum(
        weight(share) * unit(signals[name]) for name, share in weights.items() if name in signals
    )


def product_with_floor(
    *, signals: Mapping[str, float], weights: Mapping[str, float], floor: float = 0.0
) -> float:
    """The product of the signals; no signal pulls it lower than the floor would.

    Formula: ``product(max(floor, signals[name]) ** weights[name])``
    Inputs: signals in [0, 1] by name; weights (exponents) in [0, 1e6] by name, 0 is neutral;
    floor in [0, 1].
    Range: [0, 1], 1 without a weighted signal, rising in every signal.
    Source: row B-04 (layered document, product of three factors).

    >>> product_with_floor(signals={"a": 0.5, "b": 0.0}, weights={"a": 1, "b": 1}, floor=0.1)
    0.05
    """
    base = unit(floor)
    factors = (
        max(base, unit(signals[name])) ** weight(share)
        for name, share in weights.items()
        if name in signals
    )
    return unit(math.prod(factors))


def attainable_sum(*, weights: Mapping[str, float], names: Collection[str]) -> float:
    """The most that a weighted sum of the named signals can reach.

    Formula: ``sum(weights[name])`` over the names that are there
    Inputs: weights in [0, 1e6] by name; the names of the signals that this query can have.
    Range: [0, sum of the weights].
    Source: rows R-11 and D-27.

    >>> attainable_sum(weights={"match": 0.75, "trust": 0.25}, names=["match"])
    0.75
    """
    return math.fsum(weight(share) for name, share in weights.items() if name in names)


def share_of_attainable(*, score: float, attainable: float) -> float:
    """A score as a share of what is attainable for that query: a hit's score.

    Formula: ``score / attainable`` clamped to [0, 1], 0 where nothing is attainable
    Inputs: score and attainable >= 0 in one unit.
    Range: [0, 1], 1 at the attainable maximum, rising in score.
    Source: rows R-11 and D-27.

    >>> share_of_attainable(score=0.9, attainable=1.2)
    0.75
    """
    reached, most = non_negative(score), non_negative(attainable)
    return unit(reached / most) if most > 0.0 else 0.0


def blend(
    *,
    signals: Mapping[str, float],
    weights: Mapping[str, float],
    method: str = "sum",
    floor: float = 0.0,
) -> float:
    """Signals to one number: what gates compare and ranking sorts by.

    Formula: method "sum": ``weighted_sum / attainable_sum``; "product": ``product_with_floor``
    Inputs: signals in [0, 1] and weights in [0, 1e6] by name; a missing signal's weight goes to
    the others; floor in [0, 1] for the product.
    Range: [0, 1], rising in every signal; a weight of 0 is neutral.
    Source: rows R-11, A-04, A-13, B-04, C-02, C-05, D-10 and D-24.

    >>> blend(signals={"match": 1.0, "trust": 0.0}, weights={"match": 3, "trust": 1})
    0.75
    >>> blend(signals={"match": 0.5, "trust": 0.5}, weights={"match": 1, "trust": 1},
    ...       method="product")
    0.25
    """
    base = unit(floor)
    if method == "product":
        return product_with_floor(signals=signals, weights=weights, floor=base)
    if method != "sum":
        raise ValueError(f"method {method!r}; allowed are sum and product")
    return share_of_attainable(
        score=weighted_sum(signals=signals, weights=weights),
        attainable=attainable_sum(weights=weights, names=signals.keys()),
    )
