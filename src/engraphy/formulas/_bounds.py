"""The input rule that every formula of this room shares (row R-11).

A number outside its stated range counts as the nearest end of the range, an infinite one as the
largest finite float, and NaN raises ValueError: it has no nearest end.
"""

import math
from typing import Final

LARGEST: Final = math.nextafter(math.inf, 0.0)
SMALLEST: Final = math.nextafter(0.0, 1.0)
WEIGHT_MAX: Final = 1e6  # sums of weights stay exact far from overflow


def bounded(value: float, low: float = -LARGEST, high: float = LARGEST) -> float:
    """The number of [low, high] nearest to ``value``; ValueError for NaN.

    >>> bounded(float("inf"), 0.0, 10.0)
    10.0
    """
    if low <= value <= high:
        return float(value)
    number = float(min(max(value, low), high))
    if math.isnan(number):
        raise ValueError("an input is NaN; allowed is any finite or infinite number")
    return number


def unit(value: float) -> float:
    """``value`` clamped to [0, 1]."""
    return bounded(value, 0.0, 1.0)


def non_negative(value: float) -> float:
    """``value``, or 0 for anything below: the age of a clock that jumped back is 0."""
    return bounded(value, 0.0)


def positive(value: float) -> float:
    """``value``, or the smallest float above 0: for divisors such as a half-life."""
    return bounded(value, SMALLEST)


def at_least(value: float, limit: float) -> bool:
    """Whether a count or an age has reached its limit."""
    return non_negative(value) >= non_negative(limit)


def weight(value: float) -> float:
    """A weight, clamped to [0, 1e6]."""
    return bounded(value, 0.0, WEIGHT_MAX)


def same_length(left: int, right: int, names: str) -> None:
    """ValueError unless both lengths agree."""
    if left != right:
        raise ValueError(
            f"{names} differ in length ({left} and {right}); one entry each is allowed"
        )
