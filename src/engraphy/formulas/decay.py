"""What time takes away: half-life, e-fold and linear decay."""

import math
from typing import Final

from engraphy.formulas._bounds import LARGEST, SMALLEST, non_negative, positive, unit

MICROSECONDS_PER_DAY: Final = 86_400_000_000
_EXACT: Final = 2**53
"""Whole numbers up to here are floats without rounding."""


def elapsed_days(*, now: int, then: int) -> float:
    """Days between two instants; a clock that jumped back gives 0, never a negative age.

    Formula: ``max(0, now - then) / 86_400_000_000``
    Inputs: now, then: instants in microseconds UTC.
    Range: [0, largest float] days, rising in now.
    Source: rows R-11 and P-23.

    >>> elapsed_days(now=129_600_000_000, then=0)
    1.5
    >>> elapsed_days(now=0, then=129_600_000_000)
    0.0
    """
    lapsed = now - then
    # Hundreds of times per recall, and nearly always between the two.
    known = 0 <= lapsed <= _EXACT
    return (lapsed if known else non_negative(lapsed)) / MICROSECONDS_PER_DAY


def half_life_decay(*, age: float, half_life: float) -> float:
    """The share that is left after ``age``: exactly half of it after one half-life.

    Formula: ``0.5 ** (age / half_life)``
    Inputs: age >= 0 and half_life > 0 in the same unit; a half-life of 0 forgets at once.
    Range: [0, 1], 1 at age 0, falling in age.
    Source: row R-08 (half-life means half, whatever a document's formula spells).

    >>> half_life_decay(age=90, half_life=30)
    0.125
    """
    if 0.0 <= age <= LARGEST and SMALLEST <= half_life <= LARGEST:
        return float(0.5 ** (float(age) / float(half_life)))
    return float(0.5 ** (non_negative(age) / positive(half_life)))


def exponential_decay(*, age: float, e_fold: float) -> float:
    """The share that is left after ``age`` when 1/e of it is left after one e-fold.

    Formula: ``exp(-age / e_fold)``
    Inputs: age >= 0 and e_fold > 0 in the same unit; titans uses 30 days.
    Range: [0, 1], 1 at age 0, falling in age.
    Source: row C-05 (titans document, recency of the multi-signal formula).

    >>> round(exponential_decay(age=30, e_fold=30), 6)
    0.367879
    """
    return math.exp(-non_negative(age) / positive(e_fold))


def linear_decay(*, value: float, age: float, rate: float) -> float:
    """A value that loses the same amount in every unit of time, down to 0.

    Formula: ``max(0, value - rate * age)``
    Inputs: value in [0, 1]; age >= 0; rate >= 0 per unit of age.
    Range: [0, 1], ``value`` at age 0, falling in age and rate.
    Source: row A-18 (letsgo document, linear decay per day).

    >>> linear_decay(value=0.5, age=10, rate=0.02)
    0.3
    """
    return unit(unit(value) - non_negative(rate) * non_negative(age))


def recency(*, age_days: float, half_life_days: float = 21.0) -> float:
    """How recent a memory's content is: 1 now, one half after three weeks.

    Formula: ``0.5 ** (age_days / half_life_days)``
    Inputs: age_days >= 0 since updated_at; half_life_days > 0.
    Range: [0, 1], 1 at age 0, falling in age.
    Source: rows A-04 and R-08 (letsgo document, 21-day half-life).

    >>> recency(age_days=42)
    0.25
    """
    return half_life_decay(age=age_days, half_life=half_life_days)


def decayed_importance(
    *, importance: float, age_days: float, half_life_days: float = 30.0
) -> float:
    """Importance after some days: 1.0 is 0.5 at day 30, 0.25 at day 60, 0.125 at day 90.

    Formula: ``importance * 0.5 ** (age_days / half_life_days)``
    Inputs: importance in [0, 1]; age_days >= 0; half_life_days > 0.
    Range: [0, 1], ``importance`` at age 0, falling in age.
    Source: rows C-09 and R-08 (titans document, table of the 30-day half-life).

    >>> decayed_importance(importance=1.0, age_days=60)
    0.25
    """
    return unit(importance) * half_life_decay(age=age_days, half_life=half_life_days)
