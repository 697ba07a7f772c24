"""Retrieval scores, what is added to them, and what they are divided by."""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final

from engraphy.formulas._bounds import at_least, bounded, non_negative, unit
from engraphy.formulas.blend import blend
from engraphy.formulas.gate import reaches

MATCH_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {"match": 0.55, "recency": 0.20, "importance": 0.15, "trust": 0.10}
)
RECALL_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {"recency": 0.30, "importance": 0.40, "relevance": 0.30}
)
COMPOSITE_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {"similarity": 0.40, "activation": 0.30, "importance": 0.15, "rank_fusion": 0.15}
)
RETRIEVAL_WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {"semantic": 0.6, "utility": 0.2, "importance": 0.2}
)


def match_score(
    *,
    match: float,
    recency: float,
    importance: float,
    trust: float,
    weights: Mapping[str, float] = MATCH_WEIGHTS,
) -> float:
    """The score of match, recency, importance and trust; below 0.35 a hit is dropped.

    Formula: ``0.55 * match + 0.20 * recency + 0.15 * importance + 0.10 * trust``
    Inputs: the four signals in [0, 1]; weights by signal, divided by their sum.
    Range: [0, 1], rising in every signal.
    Source: row A-04 (letsgo document, scored retrieval).

    >>> match_score(match=1.0, recency=0.5, importance=0.4, trust=1.0)
    0.81
    """
    signals = {"match": match, "recency": recency, "importance": importance, "trust": trust}
    return blend(signals=signals, weights=weights)


def recall_score(
    *,
    recency: float,
    importance: float,
    relevance: float,
    weights: Mapping[str, float] = RECALL_WEIGHTS,
) -> float:
    """The score of recency, importance (the stored surprise) and relevance.

    Formula: ``0.30 * recency + 0.40 * importance + 0.30 * relevance``
    Inputs: the three signals in [0, 1]; weights by signal, divided by their sum.
    Range: [0, 1], rising in every signal.
    Source: row C-05 (titans document, multi-signal formula).

    >>> recall_score(recency=1.0, importance=0.5, relevance=0.0)
    0.5
    """
    signals = {"recency": recency, "importance": importance, "relevance": relevance}
    return blend(signals=signals, weights=weights)


def contextual_score(*, type_weight: float, decay: float, reinforcement: float) -> float:
    """The score of a contextual memory: its kind, its age and how often it was recalled.

    Formula: ``type_weight * decay * reinforcement``
    Inputs: type_weight and decay in [0, 1]; reinforcement in [1, 4] from ``reinforcement_factor``.
    Range: [0, 4], rising in all three; below 0.1 a memory is archived.
    Source: rows B-04 and B-10 (layered document, layer B).

    >>> contextual_score(type_weight=0.8, decay=0.5, reinforcement=2.0)
    0.8
    """
    return unit(type_weight) * unit(decay) * bounded(reinforcement, 1.0, 4.0)


def composite_score(
    *,
    similarity: float | None,
    activation: float,
    importance: float,
    rank_fusion: float | None,
    weights: Mapping[str, float] = COMPOSITE_WEIGHTS,
) -> float:
    """The hybrid search's score before boosts; an index that is missing passes its weight on.

    Formula: ``0.40 * similarity + 0.30 * activation + 0.15 * importance + 0.15 * rank_fusion``,
    divided by the weights of the signals that are there
    Inputs: the signals in [0, 1], None where there is no such index; weights by signal.
    Range: [0, 1], rising in every signal.
    Source: row D-24 (cognitive document, weighted composite).

    >>> round(composite_score(similarity=1, activation=0.5, importance=0.5, rank_fusion=1), 3)
    0.775
    >>> composite_score(similarity=None, activation=1, importance=1, rank_fusion=1)
    1.0
    """
    signals = {
        "similarity": similarity,
        "activation": activation,
        "importance": importance,
        "rank_fusion": rank_fusion,
    }
    there = {name: signal for name, signal in signals.items() if signal is not None}
    return blend(signals=there, weights=weights)


def weighted_retrieval_score(
    *,
    semantic: float,
    utility: float,
    importance: float,
    weights: Mapping[str, float] = RETRIEVAL_WEIGHTS,
) -> float:
    """The score used where there is no vector index: relevance dominates.

    Formula: ``0.6 * semantic + 0.2 * utility + 0.2 * importance``
    Inputs: the three signals in [0, 1]; weights by signal, divided by their sum.
    Range: [0, 1], rising in every signal.
    Source: row D-26 (cognitive document, weighted retrieval score).

    >>> weighted_retrieval_score(semantic=1.0, utility=0.5, importance=0.5)
    0.8
    """
    signals = {"semantic": semantic, "utility": utility, "importance": importance}
    return blend(signals=signals, weights=weights)


def entity_boost(*, matches: float, each: float = 0.1, limit: float = 8.0) -> float:
    """What matching entities add to a score.

    Formula: ``each * min(matches, limit)``
    Inputs: matches >= 0 of the query's entities; each in [0, 1]; limit in [0, 8], because no
    observation has more.
    Range: [0, 8], 0 without a match, rising in matches.
    Source: rows D-24 and D-04 (cognitive document, entity boost).

    >>> entity_boost(matches=2)
    0.2
    """
    return unit(each) * min(non_negative(matches), bounded(limit, 0.0, 8.0))


def episode_boost(*, same_session: bool, boost: float = 0.15) -> float:
    """What a memory of the same session's episode adds to its score.

    Formula: ``boost`` for the same session, else 0
    Inputs: boost in [0, 1].
    Range: [0, 1].
    Source: row D-24 (cognitive document, episode boost).

    >>> episode_boost(same_session=True)
    0.15
    """
    gain = unit(boost)
    return gain if same_session else 0.0


def co_activation_boost(*, count: float, threshold: float = 3.0, boost: float = 0.05) -> float:
    """What a memory gains from having often been delivered together with another hit.

    Formula: ``boost`` for ``count >= threshold``, else 0
    Inputs: count >= 0 of the pair's joint deliveries; threshold >= 0; boost in [0, 1].
    Range: [0, 1], rising in count.
    Source: row D-24 (cognitive document, co-activation tracking); Hebb 1949.

    >>> co_activation_boost(count=3), co_activation_boost(count=2)
    (0.05, 0.0)
    """
    gain = unit(boost)
    return gain if at_least(count, threshold) else 0.0


def utility_boost(*, utility: float, boost: float) -> float:
    """What a memory's utility adds to its score under the query's intent.

    Formula: ``boost * utility``
    Inputs: utility in [0, 1]; boost in [0, 1], 0.2 factual and general, 0.3 entity profile,
    0 elsewhere, which is neutral.
    Range: [0, 1], rising in both.
    Source: rows D-21 and D-26 (cognitive document, router's table).

    >>> utility_boost(utility=0.5, boost=0.2)
    0.1
    """
    return unit(boost) * unit(utility)


def mood_factor(*, same_mood: bool, factor: float = 1.1) -> float:
    """What a score is multiplied with when the memory's mood is the user's.

    Formula: ``factor`` for the same valence, else 1
    Inputs: factor in [1, 10].
    Range: [1, 10]; 1 is neutral.
    Source: row D-12 (cognitive document, mood-congruent retrieval); Bower 1981.

    >>> mood_factor(same_mood=True), mood_factor(same_mood=False)
    (1.1, 1.0)
    """
    gain = bounded(factor, 1.0, 10.0)
    return gain if same_mood else 1.0


def confidence_factor(*, confidence: float, threshold: float = 0.3, penalty: float = 0.5) -> float:
    """What a score is multiplied with because of its source's confidence.

    Formula: ``penalty`` for ``confidence < threshold``, else 1
    Inputs: all in [0, 1].
    Range: [0, 1], rising in confidence; 1 is neutral.
    Source: row D-15 (cognitive document, uncertainty tracking); the penalty is the product's own.

    >>> confidence_factor(confidence=0.29), confidence_factor(confidence=0.3)
    (0.5, 1.0)
    """
    lowered = unit(penalty)
    return 1.0 if reaches(score=unit(confidence), threshold=unit(threshold)) else lowered


def boosted_score(
    *, score: float, additions: Sequence[float] = (), factors: Sequence[float] = ()
) -> float:
    """A score with everything that is added to it, then everything it is multiplied with.

    Formula: ``(score + sum(additions)) * product(factors)``
    Inputs: score and additions in [0, 1e6]; factors in [0, 10]; none is neutral.
    Range: [0, 1e12], rising in every input. The attainable maximum is the same formula on the
    maxima; ``share_of_attainable`` divides by it.
    Source: rows D-24, D-27 and R-11.

    >>> round(boosted_score(score=0.5, additions=[0.1, 0.15], factors=[1.1]), 3)
    0.825
    """
    terms = (score, *additions)
    total = math.fsum(bounded(term, 0.0, 1e6) for term in terms)
    return min(total * math.prod(bounded(factor, 0.0, 10.0) for factor in factors), 1e12)
