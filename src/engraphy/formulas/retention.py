"""How much of a memory is still within reach, and how deeply it is stored."""

import math
from collections.abc import Sequence
from types import MappingProxyType
from typing import Final

from engraphy.formulas._bounds import at_least, bounded, non_negative, unit
from engraphy.formulas.fsrs import FSRS_WEIGHTS, STABILITY_MAX, STABILITY_MIN

STORAGE_MIN: Final = 1.0
STORAGE_MAX: Final = 10.0
# Both curves are (1 + factor * age / stability) ** -power.
RETENTION_CURVES: Final = MappingProxyType(
    {
        "document": (1.0 / 9.0, 2.0),
        "fsrs6": (0.9 ** (-1.0 / FSRS_WEIGHTS[20]) - 1.0, FSRS_WEIGHTS[20]),
    }
)


def document_retention(*, age_days: float, stability: float) -> float:
    """The cognitive document's retention: a power law with a heavy tail.

    Formula: ``(1 + age_days / (9 * stability)) ** -2``
    Inputs: age_days >= 0 since the last access; stability in [0.001, 36500] days.
    Range: [0, 1], 1 at age 0, 0.81 at age = stability, falling in age.
    Source: row D-40 (cognitive document, retention formula).

    >>> round(document_retention(age_days=10, stability=10), 9)
    0.81
    """
    return retrievability(age_days=age_days, stability=stability, curve="document")


def retrievability(*, age_days: float, stability: float, curve: str = "document") -> float:
    """Retention on the curve that a profile names.

    Formula: ``(1 + factor * age_days / stability) ** -power``, factor and power of the curve
    Inputs: age_days >= 0; stability in [0.001, 36500] days; curve "document" or "fsrs6".
    Range: [0, 1], 1 at age 0, falling in age.
    Source: row D-40; FSRS-6, Open Spaced Repetition.

    >>> round(retrievability(age_days=10, stability=10, curve="fsrs6"), 9)
    0.9
    """
    factor, power = _curve(curve)
    spent = non_negative(age_days) / bounded(stability, STABILITY_MIN, STABILITY_MAX)
    return float((1.0 + factor * spent) ** -power)


def retention_interval(*, target: float, stability: float, curve: str = "document") -> float:
    """The days after which retention has fallen to ``target``.

    Formula: ``stability / factor * (target ** (-1 / power) - 1)``
    Inputs: target in [0.01, 1]; stability in [0.001, 36500] days; curve "document" or "fsrs6".
    Range: [0, 36500] days, falling in target.
    Source: row D-49 (when a memory falls below 0.3); FSRS-6's interval, not rounded.

    >>> round(retention_interval(target=0.9, stability=10, curve="fsrs6"), 9)
    10.0
    """
    factor, power = _curve(curve)
    held = bounded(stability, STABILITY_MIN, STABILITY_MAX)
    days = held / factor * (bounded(target, 0.01, 1.0) ** (-1.0 / power) - 1.0)
    return bounded(days, 0.0, STABILITY_MAX)


def category_loss(*, rate_per_day: float, multiplier: float, days: float) -> float:
    """What a category's decay takes off the retrieval strength in one maintenance run.

    Formula: ``min(1, rate_per_day * multiplier * days)``
    Inputs: rate_per_day >= 0 (0, .005, .02, .05); multiplier >= 0 of the tier (10, 3, 1, 0 is
    frozen); days >= 0 since the last run, or since the last access where that was later.
    Range: [0, 1], 0 at rate 0 and at multiplier 0, rising in all three.
    Source: row D-41 (cognitive document, category decay and tier multipliers).

    >>> category_loss(rate_per_day=0.005, multiplier=3, days=10)
    0.15
    """
    # Each step is bounded, because 0 times an infinite product would be NaN.
    daily = bounded(non_negative(rate_per_day) * non_negative(multiplier))
    return unit(daily * non_negative(days))


def shortened_stability(
    *, stability: float, age_days: float, loss: float, curve: str = "document"
) -> float:
    """The effective stability at which retention is ``loss`` lower than it is now.

    Formula: S' with ``R(age_days, S') = max(0, R(age_days, S) - loss)``, that is
    ``factor * age_days / (R' ** (-1 / power) - 1)``
    Inputs: stability in [0.001, 36500] days; age_days >= 0; loss in [0, 1]; curve by name.
    Range: [0.001, 36500] days, never above ``stability``, equal to it at loss 0, falling in loss.
    Source: row D-41 (loss of retrieval strength, never of storage strength).

    >>> shorter = shortened_stability(stability=10, age_days=10, loss=0.15)
    >>> round(document_retention(age_days=10, stability=shorter), 9)
    0.66
    """
    held = bounded(stability, STABILITY_MIN, STABILITY_MAX)
    factor, power = _curve(curve)
    age, share = non_negative(age_days), unit(loss)
    if age == 0.0 or share == 0.0:
        return held
    target = retrievability(age_days=age, stability=held, curve=curve) - share
    # Same as target ** (-1 / power) - 1; the lowest target keeps it below the largest float.
    odds = math.expm1(-math.log(max(target, 1e-30)) / power)
    return bounded(factor * age / odds, STABILITY_MIN, held) if odds > 0.0 else held


def grown_storage(
    *, storage: float, retrievability: float, gain: float = 1.6, base: float = 0.25
) -> float:
    """Storage strength after a spaced, successful retrieval: harder retrievals teach more.

    Formula: ``storage + gain * (base + 1 - retrievability) * (10 - storage) / 9``
    Inputs: storage in [1, 10]; retrievability in [0, 1] just before the retrieval; gain >= 0;
    base >= 0, what even an easy retrieval adds.
    Range: [1, 10], never below ``storage``, falling in retrievability.
    Source: row D-40 (dual strength); new theory of disuse: Bjork and Bjork 1992. The numbers are
    the product's own: 8 of 10 after 9 retrievals at 0.3, after 24 at 0.9.

    >>> round(grown_storage(storage=1.0, retrievability=0.5), 2)
    2.2
    """
    held = bounded(storage, STORAGE_MIN, STORAGE_MAX)
    step = non_negative(gain) * min(non_negative(base) + 1.0 - unit(retrievability), 1e6)
    return bounded(held + min(step, 9.0) * (STORAGE_MAX - held) / 9.0, held, STORAGE_MAX)


def is_spaced(*, hours_since: float, gap_hours: float = 1.0) -> bool:
    """Whether a hit counts: several within an hour count once.

    Formula: ``hours_since >= gap_hours``
    Inputs: hours_since >= 0 since the last hit that counted; gap_hours >= 0.
    Range: true or false; a clock that jumped back gives false.
    Source: rows D-28 and D-40.

    >>> is_spaced(hours_since=0.5), is_spaced(hours_since=1.0)
    (False, True)
    """
    return at_least(hours_since, gap_hours)


def spaced_hits(*, hours: Sequence[float], gap_hours: float = 1.0) -> int:
    """How many of the hits count when several within an hour count once.

    Formula: hits that are ``gap_hours`` or more after the last one that counted; the first counts
    Inputs: hours of the hits from any start, in any order; gap_hours >= 0.
    Range: [0, number of hits], at least 1 for one hit or more, falling in gap_hours.
    Source: row D-40.

    >>> spaced_hits(hours=[0.0, 0.2, 0.9, 1.0, 5.0])
    3
    """
    gap, counted, last = non_negative(gap_hours), 0, 0.0
    for hour in sorted(map(bounded, hours)):
        if counted == 0 or is_spaced(hours_since=hour - last, gap_hours=gap):
            counted += 1
            last = hour
    return counted


def _curve(name: str) -> tuple[float, float]:
    if name not in RETENTION_CURVES:
        raise ValueError(f"curve {name!r}; allowed are {', '.join(RETENTION_CURVES)}")
    return RETENTION_CURVES[name]
