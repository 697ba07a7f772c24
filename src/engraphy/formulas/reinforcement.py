"""What use gives back: boosts of importance, stability and score."""

import math

from engraphy.formulas._bounds import at_least, bounded, non_negative, unit
from engraphy.formulas.decay import linear_decay
from engraphy.formulas.fsrs import STABILITY_MAX, STABILITY_MIN
from engraphy.formulas.gate import reaches


def reinforcement_factor(*, count: float, limit: float = 4.0) -> float:
    """How much repeated recall counts: it grows, but one loud memory cannot drown the rest.

    Formula: ``min(limit, 1 + log2(max(1, count)))``
    Inputs: count >= 0 of reinforcements; limit >= 1.
    Range: [1, limit], 1 up to one reinforcement, 4 from eight, rising in count.
    Source: row B-04 (deviates from the layered document's unbounded count).

    >>> [reinforcement_factor(count=n) for n in (0, 1, 2, 4, 8, 1000)]
    [1.0, 1.0, 2.0, 3.0, 4.0, 4.0]
    """
    return min(bounded(limit, 1.0), 1.0 + math.log2(max(1.0, non_negative(count))))


def consolidated_importance(*, importance: float, accesses: float, rate: float = 0.03) -> float:
    """Importance of a memory that was accessed since the last consolidation.

    Formula: ``min(1, importance + rate * ln(1 + accesses))``
    Inputs: importance in [0, 1]; accesses >= 0 since the last run; rate >= 0.
    Range: [0, 1], ``importance`` at no access, rising in accesses.
    Source: row A-18 (letsgo document, self-amplifying replay).

    >>> round(consolidated_importance(importance=0.5, accesses=9), 4)
    0.5691
    """
    return unit(unit(importance) + non_negative(rate) * math.log1p(non_negative(accesses)))


def neglected_importance(
    *, importance: float, idle_days: float, rate_per_day: float = 0.02, share: float = 1.0
) -> float:
    """Importance of a memory that was not accessed since the last consolidation.

    Formula: ``max(0, importance - rate_per_day * share * idle_days)``
    Inputs: importance in [0, 1]; idle_days >= 0 since the last access or the last run, whichever
    is later; rate_per_day >= 0; share in [0, 1], 0.5 for decisions and discoveries.
    Range: [0, 1], ``importance`` at 0 days, falling in idle_days.
    Source: row A-18 (letsgo document, age-based decay).

    >>> neglected_importance(importance=0.5, idle_days=10, share=0.5)
    0.4
    """
    rate = non_negative(rate_per_day) * unit(share)
    return linear_decay(value=importance, age=idle_days, rate=rate)


def strengthened_stability(*, stability: float, factor: float) -> float:
    """A stability times a factor, within FSRS's bounds.

    Formula: ``min(36500, stability * factor)``
    Inputs: stability in [0.001, 36500] days; factor >= 1, 1 is neutral.
    Range: [0.001, 36500] days, never below ``stability``, rising in both.
    Source: row R-11 (stability is capped).

    >>> strengthened_stability(stability=10, factor=1.5)
    15.0
    """
    held = bounded(stability, STABILITY_MIN, STABILITY_MAX)
    return bounded(held * bounded(factor, 1.0), STABILITY_MIN, STABILITY_MAX)


def hebbian_stability(*, stability: float, rate: float = 0.02) -> float:
    """Stability of a memory delivered together with others: 2 percent more.

    Formula: ``min(36500, stability * (1 + rate))``
    Inputs: stability in [0.001, 36500] days; rate >= 0; once per pair and hour.
    Range: [0.001, 36500] days, never below ``stability``.
    Source: row D-28 (cognitive document, Hebbian co-activation); Hebb 1949.

    >>> hebbian_stability(stability=100)
    102.0
    """
    return strengthened_stability(stability=stability, factor=1.0 + non_negative(rate))


def neighbour_stability(*, stability: float, hops: int = 1, rate: float = 0.02) -> float:
    """Stability of a memory related to an accessed one: 2 percent more at one hop.

    Formula: ``min(36500, stability * (1 + rate))`` at one hop, unchanged at any other
    Inputs: stability in [0.001, 36500] days; hops along relations; rate >= 0.
    Range: [0.001, 36500] days, never below ``stability``.
    Source: row D-50 (cognitive document, spreading activation); A-MEM: Xu et al. 2025.

    >>> neighbour_stability(stability=100), neighbour_stability(stability=100, hops=2)
    (102.0, 100.0)
    """
    near = hebbian_stability(stability=stability, rate=rate)
    return near if hops == 1 else strengthened_stability(stability=stability, factor=1.0)


def rehearsed_stability(*, stability: float, factor: float = 1.5) -> float:
    """Stability of an endangered memory after a rehearsal.

    Formula: ``min(36500, stability * 1.5)``
    Inputs: stability in [0.001, 36500] days; factor >= 1.
    Range: [0.001, 36500] days, never below ``stability``.
    Source: rows D-42 and D-49 (cognitive document); testing effect: Roediger and Karpicke 2006.

    >>> rehearsed_stability(stability=2)
    3.0
    """
    return strengthened_stability(stability=stability, factor=factor)


def captured_stability(*, stability: float, factor: float = 1.3) -> float:
    """Stability of a weak memory that a strong one of the same session captured.

    Formula: ``min(36500, stability * 1.3)``
    Inputs: stability in [0.001, 36500] days; factor >= 1; once each.
    Range: [0.001, 36500] days, never below ``stability``.
    Source: row D-11 (cognitive document); synaptic tagging: Frey and Morris 1997.

    >>> captured_stability(stability=10)
    13.0
    """
    return strengthened_stability(stability=stability, factor=factor)


def flashbulb_stability(*, stability: float, factor: float = 1.5) -> float:
    """Stability of a flashbulb memory.

    Formula: ``min(36500, stability * 1.5)``
    Inputs: stability in [0.001, 36500] days; factor >= 1.
    Range: [0.001, 36500] days, never below ``stability``.
    Source: row D-12 (cognitive document); Brown and Kulik 1977.

    >>> flashbulb_stability(stability=4)
    6.0
    """
    return strengthened_stability(stability=stability, factor=factor)


def is_endangered(*, retrievability: float, threshold: float = 0.3) -> bool:
    """Whether a memory is about to be lost and due for rehearsal.

    Formula: ``retrievability < threshold``
    Inputs: both in [0, 1].
    Range: true or false.
    Source: rows D-42 and D-49 (cognitive document, rehearsal and testing effect).

    >>> is_endangered(retrievability=0.29), is_endangered(retrievability=0.3)
    (True, False)
    """
    return not reaches(score=unit(retrievability), threshold=threshold)


def needs_tag(*, importance: float, below: float = 0.5) -> bool:
    """Whether a new memory is weak enough for a synaptic tag.

    Formula: ``importance < below``
    Inputs: both in [0, 1].
    Range: true or false.
    Source: row D-11 (cognitive document); synaptic tagging: Frey and Morris 1997.

    >>> needs_tag(importance=0.49), needs_tag(importance=0.5)
    (True, False)
    """
    return not reaches(score=unit(importance), threshold=below)


def captures_tag(
    *, importance: float, tag_age_hours: float, strong_from: float = 0.7, ttl_hours: float = 4.0
) -> bool:
    """Whether a new memory is strong enough, and a tag young enough, for capture.

    Formula: ``importance >= strong_from and tag_age_hours <= ttl_hours``
    Inputs: importance in [0, 1]; tag_age_hours >= 0; the two limits.
    Range: true or false.
    Source: row D-11 (cognitive document); synaptic tagging: Frey and Morris 1997.

    >>> captures_tag(importance=0.7, tag_age_hours=3.9)
    True
    """
    strong = reaches(score=unit(importance), threshold=strong_from)
    return at_least(ttl_hours, tag_age_hours) and strong
