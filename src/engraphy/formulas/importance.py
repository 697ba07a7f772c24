"""What is worth keeping: importance, surprise, memorability, density."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engraphy.formulas._bounds import bounded, non_negative, unit
from engraphy.formulas.blend import blend
from engraphy.formulas.gate import reaches

IMPORTANCE_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {"novelty": 0.25, "arousal": 0.30, "reward": 0.25, "attention": 0.20}
)
SURPRISE_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "novelty": 0.40,
        "contradiction": 0.25,
        "specificity": 0.20,
        "emphasis": 0.10,
        "context_switch": 0.05,
    }
)
MEMORABILITY_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {"substance": 0.25, "salience": 0.25, "distinctiveness": 0.30, "type_weight": 0.20}
)


def importance_score(
    *,
    novelty: float,
    arousal: float,
    reward: float,
    attention: float,
    boost: float = 1.0,
    weights: Mapping[str, float] = IMPORTANCE_WEIGHTS,
) -> float:
    """Importance from four channels, times the encoding boost.

    Formula: ``(0.25 * novelty + 0.30 * arousal + 0.25 * reward + 0.20 * attention) * boost``
    Inputs: the channels in [0, 1]; boost in [0.7, 1.3], 1 is neutral; weights by channel.
    Range: [0, 1], rising in every channel and in boost.
    Source: row D-10 (cognitive document, multi-channel importance).

    >>> importance_score(novelty=1.0, arousal=0.5, reward=0.0, attention=1.0)
    0.6
    """
    channels = {"novelty": novelty, "arousal": arousal, "reward": reward, "attention": attention}
    return unit(blend(signals=channels, weights=weights) * bounded(boost, 0.7, 1.3))


def priority_level(
    *,
    importance: float,
    critical_from: float = 0.8,
    high_from: float = 0.6,
    normal_from: float = 0.4,
) -> str:
    """The priority that an importance stands for.

    Formula: ``>= 0.8`` "critical"; ``>= 0.6`` "high"; ``>= 0.4`` "normal"; else "low"
    Inputs: importance in [0, 1]; the three limits in [0, 1].
    Range: "critical", "high", "normal" or "low".
    Source: row D-10 (cognitive document, priority levels).

    >>> priority_level(importance=0.8), priority_level(importance=0.39)
    ('critical', 'low')
    """
    limits = {"critical": critical_from, "high": high_from, "normal": normal_from}
    held = unit(importance)
    reached = [name for name, least in limits.items() if reaches(score=held, threshold=least)]
    return reached[0] if reached else "low"


def surprise_score(
    *,
    novelty: float,
    contradiction: float,
    specificity: float,
    emphasis: float,
    context_switch: float,
    weights: Mapping[str, float] = SURPRISE_WEIGHTS,
) -> float:
    """How surprising a statement is: what the surprise gate compares with its threshold.

    Formula: ``0.40 * novelty + 0.25 * contradiction + 0.20 * specificity + 0.10 * emphasis +
    0.05 * context_switch``
    Inputs: the five factors in [0, 1]; weights by factor.
    Range: [0, 1], rising in every factor.
    Source: row C-02 (titans document, surprise score); Titans: Behrouz, Zhong and Mirrokni 2024.

    >>> surprise_score(novelty=1, contradiction=1, specificity=0.5, emphasis=0, context_switch=0)
    0.75
    """
    factors = {
        "novelty": novelty,
        "contradiction": contradiction,
        "specificity": specificity,
        "emphasis": emphasis,
        "context_switch": context_switch,
    }
    return blend(signals=factors, weights=weights)


def memorability_score(
    *,
    substance: float,
    salience: float,
    distinctiveness: float,
    type_weight: float,
    weights: Mapping[str, float] = MEMORABILITY_WEIGHTS,
) -> float:
    """How memorable an observation is: what the capture gate compares with 0.30.

    Formula: ``0.25 * substance + 0.25 * salience + 0.30 * distinctiveness + 0.20 * type_weight``
    Inputs: the four dimensions in [0, 1]; weights by dimension.
    Range: [0, 1], rising in every dimension.
    Source: row A-13 (letsgo document, selective encoding).

    >>> memorability_score(substance=1, salience=0, distinctiveness=1, type_weight=0.5)
    0.65
    """
    dimensions = {
        "substance": substance,
        "salience": salience,
        "distinctiveness": distinctiveness,
        "type_weight": type_weight,
    }
    return blend(signals=dimensions, weights=weights)


def information_density(
    *,
    entities: float,
    facts: float,
    temporal: float,
    corrections: float,
    statement: bool = False,
) -> float:
    """How much new information a message holds; below 2 it is skipped.

    Formula: ``entities + facts + temporal + corrections``, at least 2 for a statement
    Inputs: counts >= 0 of unique entities, facts, temporal and correction signals; statement is
    true for a preference, correction or decision.
    Range: [0, 4e6], rising in every count.
    Source: row D-02 (cognitive document, information density).

    >>> information_density(entities=0, facts=0, temporal=0, corrections=0, statement=True)
    2.0
    """
    counts = (entities, facts, temporal, corrections)
    return max(sum(bounded(count, 0.0, 1e6) for count in counts), 2.0 if statement else 0.0)


def evidence_confidence(*, base: float, evidence: float, step: float = 0.25) -> float:
    """A classification's confidence: its base, raised by every further piece of evidence.

    Formula: ``1 - (1 - base) * (1 - step) ** (evidence - 1)``, 0 without evidence
    Inputs: base in [0, 1] (correction .4, decision .35, preference .3, fact .25); evidence >= 0,
    the number of patterns that matched; step in [0, 1], the share of the doubt that one removes.
    Range: [0, 1], ``base`` at one piece, rising in base and evidence.
    Source: row D-03; the rise (a noisy-or) is the product's own.

    >>> round(evidence_confidence(base=0.4, evidence=2), 2)
    0.55
    """
    pieces = non_negative(evidence)
    doubt = (1.0 - unit(base)) * (1.0 - unit(step)) ** max(0.0, pieces - 1.0)
    return unit(1.0 - doubt) if pieces >= 1.0 else 0.0


def is_flashbulb(*, arousal: float, threshold: float = 0.8) -> bool:
    """Whether an event is a flashbulb memory: vivid, pinned, kept.

    Formula: ``arousal >= threshold``
    Inputs: arousal and threshold in [0, 1].
    Range: true or false.
    Source: row D-12 (cognitive document); Brown and Kulik 1977.

    >>> is_flashbulb(arousal=0.8)
    True
    """
    return reaches(score=unit(arousal), threshold=threshold)


def flashbulb_importance(*, importance: float, floor: float = 0.9) -> float:
    """The importance of a flashbulb memory: at least 0.9.

    Formula: ``max(importance, floor)``
    Inputs: importance and floor in [0, 1].
    Range: [0, 1], never below floor, rising in importance.
    Source: row D-12 (cognitive document); Brown and Kulik 1977.

    >>> flashbulb_importance(importance=0.4)
    0.9
    """
    return max(unit(importance), unit(floor))
