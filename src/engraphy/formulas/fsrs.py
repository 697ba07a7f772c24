"""FSRS-6, the Free Spaced Repetition Scheduler: stability, difficulty, ratings 1 to 4.

Ratings: 1 again (forgotten), 2 hard, 3 good, 4 easy. Equal to the ``fsrs`` package on whole days
as long as a stability stays below the cap; days may be fractions here.
"""

import math
from collections.abc import Sequence
from typing import Final

from engraphy.formulas._bounds import bounded, non_negative, unit

STABILITY_MIN: Final = 0.001
STABILITY_MAX: Final = 36_500.0
FSRS_WEIGHTS: Final[tuple[float, ...]] = (
    *(0.212, 1.2931, 2.3065, 8.2956, 6.4133, 0.8334, 3.0194),
    *(0.001, 1.8722, 0.1666, 0.796, 1.4835, 0.0614, 0.2629),
    *(1.6483, 0.6014, 1.8729, 0.5425, 0.0912, 0.0658, 0.1542),
)
_LOWEST: Final[tuple[float, ...]] = (
    *(0.001, 0.001, 0.001, 0.001, 1.0, 0.001, 0.001),
    *(0.001, 0.0, 0.0, 0.001, 0.001, 0.001, 0.001),
    *(0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.1),
)
_HIGHEST: Final[tuple[float, ...]] = (
    *(100.0, 100.0, 100.0, 100.0, 10.0, 4.0, 4.0),
    *(0.75, 4.5, 0.8, 3.5, 5.0, 0.25, 0.9),
    *(4.0, 1.0, 6.0, 2.0, 2.0, 0.8, 0.8),
)


def fsrs_retrievability(
    *, age_days: float, stability: float, decay: float = FSRS_WEIGHTS[20]
) -> float:
    """The probability that a memory is recalled some days after its last review.

    Formula: ``(1 + F * age_days / stability) ** -decay`` with ``F = 0.9 ** (-1 / decay) - 1``
    Inputs: age_days >= 0; stability in [0.001, 36500] days; decay (w20) in [0.1, 0.8].
    Range: [0, 1], 1 at age 0, 0.9 at age = stability, falling in age.
    Source: row D-40 (curve fsrs6); FSRS-6, Open Spaced Repetition.

    >>> round(fsrs_retrievability(age_days=10, stability=10), 9)
    0.9
    """
    power = bounded(decay, _LOWEST[20], _HIGHEST[20])
    factor = 0.9 ** (-1.0 / power) - 1.0
    return float((1.0 + factor * (non_negative(age_days) / _stability(stability))) ** -power)


def fsrs_initial_stability(*, rating: int, weights: Sequence[float] = FSRS_WEIGHTS) -> float:
    """The stability that a first review gives.

    Formula: ``w[rating - 1]``
    Inputs: rating 1 to 4; weights w0 to w20.
    Range: [0.001, 100] days, rising in rating with the default weights.
    Source: row D-40; FSRS-6, Open Spaced Repetition.

    >>> fsrs_initial_stability(rating=3)
    2.3065
    """
    return _weights(weights)[_rating(rating) - 1]


def fsrs_initial_difficulty(*, rating: int, weights: Sequence[float] = FSRS_WEIGHTS) -> float:
    """The difficulty that a first review gives.

    Formula: ``w4 - exp(w5 * (rating - 1)) + 1``
    Inputs: rating 1 to 4; weights w0 to w20.
    Range: [1, 10], falling in rating.
    Source: row D-40; FSRS-6, Open Spaced Repetition.

    >>> fsrs_initial_difficulty(rating=1)
    6.4133
    """
    return _difficulty(_raw_initial_difficulty(_rating(rating), _weights(weights)))


def fsrs_next_difficulty(
    *, difficulty: float, rating: int, weights: Sequence[float] = FSRS_WEIGHTS
) -> float:
    """The difficulty after a review: damped towards 10, drawn back to an easy first review's.

    Formula: ``w7 * D0(4) + (1 - w7) * (D - w6 * (rating - 3) * (10 - D) / 9)``
    Inputs: difficulty D in [1, 10]; rating 1 to 4; weights w0 to w20.
    Range: [1, 10], falling in rating.
    Source: row D-40; FSRS-6, Open Spaced Repetition.

    >>> round(fsrs_next_difficulty(difficulty=5.0, rating=3), 6)
    4.990228
    """
    w = _weights(weights)
    old = _difficulty(difficulty)
    moved = old - w[6] * (_rating(rating) - 3) * (10.0 - old) / 9.0
    return _difficulty(w[7] * _raw_initial_difficulty(4, w) + (1.0 - w[7]) * moved)


def fsrs_recall_stability(
    *,
    stability: float,
    difficulty: float,
    retrievability: float,
    rating: int,
    weights: Sequence[float] = FSRS_WEIGHTS,
) -> float:
    """The stability after a successful review a day or more later; it never falls.

    Formula: ``S * (1 + exp(w8) * (11 - D) * S ** -w9 * (exp((1 - R) * w10) - 1) * hard * easy)``
    with ``hard = w15`` for rating 2 and ``easy = w16`` for rating 4, else 1
    Inputs: stability S in [0.001, 36500] days; difficulty D in [1, 10]; retrievability R in [0, 1];
    rating 2 to 4; weights w0 to w20.
    Range: [0.001, 36500] days, S at R = 1, falling in R and D.
    Source: row D-40; FSRS-6, Open Spaced Repetition.

    >>> round(fsrs_recall_stability(stability=10, difficulty=5, retrievability=0.9, rating=3), 4)
    32.0267
    """
    w = _weights(weights)
    old = _stability(stability)
    bonus = {2: w[15], 3: 1.0, 4: w[16]}.get(_rating(rating))
    if bonus is None:
        raise ValueError("rating 1 is a failed review; allowed are 2 hard, 3 good, 4 easy")
    spacing = math.exp((1.0 - unit(retrievability)) * w[10]) - 1.0
    growth = math.exp(w[8]) * (11.0 - _difficulty(difficulty)) * old ** -w[9] * spacing * bonus
    return _stability(old * (1.0 + growth))


def fsrs_forget_stability(
    *,
    stability: float,
    difficulty: float,
    retrievability: float,
    weights: Sequence[float] = FSRS_WEIGHTS,
) -> float:
    """The stability after a failed review (rating 1).

    Formula: ``min(w11 * D ** -w12 * ((S + 1) ** w13 - 1) * exp((1 - R) * w14),
    S / exp(w17 * w18))``
    Inputs: stability S in [0.001, 36500] days; difficulty D in [1, 10]; retrievability R in [0, 1];
    weights w0 to w20.
    Range: [0.001, 36500] days, never above S, falling in R and D.
    Source: row D-40; FSRS-6, Open Spaced Repetition.

    >>> round(fsrs_forget_stability(stability=10, difficulty=5, retrievability=0.9), 4)
    1.392
    """
    w = _weights(weights)
    old = _stability(stability)
    spacing = math.exp((1.0 - unit(retrievability)) * w[14])
    kept = w[11] * _difficulty(difficulty) ** -w[12] * ((old + 1.0) ** w[13] - 1.0) * spacing
    return _stability(min(kept, old / math.exp(w[17] * w[18])))


def fsrs_short_term_stability(
    *, stability: float, rating: int, weights: Sequence[float] = FSRS_WEIGHTS
) -> float:
    """The stability after a review on the same day; only rating 1 lowers it.

    Formula: ``S * exp(w17 * (rating - 3 + w18)) * S ** -w19``, the factor at least 1 from rating 2
    Inputs: stability S in [0.001, 36500] days; rating 1 to 4; weights w0 to w20.
    Range: [0.001, 36500] days, rising in rating and S.
    Source: row D-40; FSRS-6, Open Spaced Repetition.

    >>> round(fsrs_short_term_stability(stability=1.0, rating=3), 6)
    1.05072
    """
    w = _weights(weights)
    old = _stability(stability)
    factor = math.exp(w[17] * (_rating(rating) - 3 + w[18])) * old ** -w[19]
    return _stability(old * (max(1.0, factor) if rating >= 2 else factor))


def fsrs_next_stability(
    *,
    stability: float,
    difficulty: float,
    age_days: float,
    rating: int,
    weights: Sequence[float] = FSRS_WEIGHTS,
) -> float:
    """The stability after a review ``age_days`` after the last one, whatever its rating.

    Formula: ``fsrs_short_term_stability`` before one day, then ``fsrs_forget_stability`` for rating
    1 and ``fsrs_recall_stability`` for the others, at the retrievability of that age
    Inputs: stability in [0.001, 36500] days; difficulty in [1, 10]; age_days >= 0; rating 1 to 4.
    Range: [0.001, 36500] days, falling in difficulty.
    Source: row D-40; FSRS-6, Open Spaced Repetition.

    >>> round(fsrs_next_stability(stability=10, difficulty=5, age_days=10, rating=3), 4)
    32.0267
    """
    w, held, hard = _weights(weights), _stability(stability), _difficulty(difficulty)
    recalled = fsrs_retrievability(age_days=age_days, stability=held, decay=w[20])
    if non_negative(age_days) < 1.0:
        return fsrs_short_term_stability(stability=held, rating=rating, weights=w)
    if _rating(rating) == 1:
        return fsrs_forget_stability(
            stability=held, difficulty=hard, retrievability=recalled, weights=w
        )
    return fsrs_recall_stability(
        stability=held, difficulty=hard, retrievability=recalled, rating=rating, weights=w
    )


def _raw_initial_difficulty(rating: int, w: Sequence[float]) -> float:
    return w[4] - math.exp(w[5] * (rating - 1)) + 1.0


def _stability(value: float) -> float:
    return bounded(value, STABILITY_MIN, STABILITY_MAX)


def _difficulty(value: float) -> float:
    return bounded(value, 1.0, 10.0)


def _rating(rating: int) -> int:
    if rating not in (1, 2, 3, 4):
        raise ValueError(f"rating {rating!r}; allowed are 1 again, 2 hard, 3 good, 4 easy")
    return rating


def _weights(weights: Sequence[float]) -> Sequence[float]:
    if weights is FSRS_WEIGHTS:
        return weights
    if len(weights) != len(FSRS_WEIGHTS):
        raise ValueError(f"{len(weights)} FSRS weights; 21 (w0 to w20) are allowed")
    return tuple(map(bounded, weights, _LOWEST, _HIGHEST))
