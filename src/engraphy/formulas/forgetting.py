"""What may leave: eviction, trimming and the protection from both."""

import math
from collections.abc import Sequence

from engraphy.formulas._bounds import at_least, bounded, non_negative, unit
from engraphy.formulas.decay import half_life_decay
from engraphy.formulas.gate import reaches


def working_memory_score(
    *,
    importance: float,
    age_minutes: float,
    access_count: float,
    half_life_minutes: float = 30.0,
    access_gain: float = 0.1,
) -> float:
    """How strongly working memory holds an item; the lowest is evicted first.

    Formula: ``importance * 0.5 ** (age_minutes / 30) * (1 + 0.1 * access_count)``
    Inputs: importance in [0, 1]; age_minutes >= 0 since the last access; access_count in [0, 1e9];
    half_life_minutes > 0; access_gain in [0, 1e6].
    Range: [0, 1e16], rising in importance and access_count, falling in age.
    Source: rows D-31 and R-08 (cognitive document, eviction score, whose exp(-age / 30) halves at
    21 minutes); Miller 1956.

    >>> working_memory_score(importance=0.5, age_minutes=30, access_count=10)
    0.5
    """
    fresh = half_life_decay(age=age_minutes, half_life=half_life_minutes)
    used = 1.0 + bounded(access_gain, 0.0, 1e6) * bounded(access_count, 0.0, 1e9)
    return min(unit(importance) * fresh * used, 1e16)


def eviction_key(
    *, access_count: float, updated_at: float, importance: float
) -> tuple[float, float, float]:
    """The order in which a full store lets memories go; the smallest key leaves first.

    Formula: ``(access_count, updated_at, importance)``, compared from left to right
    Inputs: access_count >= 0; updated_at in any one unit of time; importance in [0, 1].
    Range: three finite numbers, each rising in its input.
    Source: row A-08 (letsgo document, eviction priority).

    >>> eviction_key(access_count=0, updated_at=9, importance=1) < eviction_key(
    ...     access_count=1, updated_at=2, importance=0)
    True
    """
    return non_negative(access_count), bounded(updated_at), unit(importance)


def is_stale(
    *,
    importance: float,
    idle_days: float,
    importance_to: float = 0.05,
    idle_from: float = 90.0,
) -> bool:
    """Whether consolidation evicts a memory.

    Formula: ``importance <= importance_to and idle_days >= idle_from``
    Inputs: importance in [0, 1]; idle_days >= 0 since the last access.
    Range: true or false.
    Source: row A-18 (letsgo document, eviction at 0.05 after 90 days unaccessed).

    >>> is_stale(importance=0.05, idle_days=90), is_stale(importance=0.06, idle_days=90)
    (True, False)
    """
    low = reaches(score=importance_to, threshold=unit(importance))
    return at_least(idle_days, idle_from) and low


def bcm_threshold(*, access_counts: Sequence[float]) -> float:
    """The sliding threshold: the mean access count; what is at or above it is not trimmed.

    Formula: ``mean(access_counts)``, 0 for none
    Inputs: access counts in [0, 1e9].
    Range: [0, 1e9], between the smallest and the largest count.
    Source: row D-44 (cognitive document); Bienenstock, Cooper and Munro 1982.

    >>> bcm_threshold(access_counts=[0, 1, 5])
    2.0
    """
    if not access_counts:
        return 0.0
    return math.fsum(bounded(count, 0.0, 1e9) for count in access_counts) / len(access_counts)


def is_trimmable(*, access_count: float, threshold: float) -> bool:
    """Whether capacity trimming may take a memory.

    Formula: ``access_count < threshold``
    Inputs: access_count >= 0; threshold >= 0 from ``bcm_threshold``.
    Range: true or false; never true at or above the threshold.
    Source: row D-44 (BCM); Bienenstock, Cooper and Munro 1982.

    >>> is_trimmable(access_count=1, threshold=2.0), is_trimmable(access_count=2, threshold=2.0)
    (True, False)
    """
    return not at_least(access_count, threshold)


def excess(*, count: int, limit: int = 500, target: int = 450) -> int:
    """How many rows a trim takes: none up to the limit, then down to the target.

    Formula: ``count - min(target, limit)`` if ``count > limit`` else 0
    Inputs: count, limit and target >= 0; 500 to 450 for memories, 1000 to 900 for relations.
    Range: [0, count].
    Source: rows D-13 and D-44 (cognitive document, capacity trim and pruning).

    >>> excess(count=500), excess(count=501)
    (0, 51)
    """
    most = max(0, limit)
    return count - min(max(0, target), most) if count > most else 0


def is_retained(*, age_days: float, minimum_days: float) -> bool:
    """Whether a category's minimum retention still protects a memory.

    Formula: ``age_days < minimum_days``
    Inputs: age_days >= 0 since it was recorded; minimum_days >= 0, infinite is permanent.
    Range: true or false.
    Source: row D-44 (cognitive document, minimum retention: 45, 14 and 7 days, or permanent).

    >>> is_retained(age_days=44, minimum_days=45), is_retained(age_days=45, minimum_days=45)
    (True, False)
    """
    return not at_least(age_days, minimum_days) or minimum_days == math.inf
