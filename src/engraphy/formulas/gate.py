"""Thresholds: from a number to a word or a decision."""

from collections.abc import Sequence
from typing import Final

from engraphy.formulas._bounds import bounded, non_negative, unit

# Sums of weights such as 0.1 + 0.2 miss a threshold by rounding; this much is still "at" it.
TOLERANCE: Final = 1e-9


def reaches(*, score: float, threshold: float) -> bool:
    """Whether a score is at or above a threshold; rounding never decides.

    Formula: ``score >= threshold - 1e-9``
    Inputs: score and threshold in one unit.
    Range: true or false.
    Source: rows A-13 and C-02 (both gates are inclusive).

    >>> reaches(score=0.1 + 0.1 + 0.1, threshold=0.3), reaches(score=0.29, threshold=0.3)
    (True, False)
    """
    return bounded(score) >= bounded(threshold) - TOLERANCE


def prediction_error(*, similarity: float) -> float:
    """How much of a new text the closest memory does not predict.

    Formula: ``1 - similarity``
    Inputs: similarity in [0, 1] on the common scale to the closest active memory of the scope.
    Range: [0, 1], falling in similarity.
    Source: row D-07 (cognitive document, prediction-error gate).

    >>> prediction_error(similarity=0.75)
    0.25
    """
    return 1.0 - unit(similarity)


def prediction_error_action(
    *,
    similarity: float,
    importance: float,
    contradicts: bool = False,
    entity_overlap: float = 1.0,
    create_below: float = 0.70,
    update_from: float = 0.75,
    reinforce_above: float = 0.92,
    important_from: float = 0.6,
    entities_from: float = 0.5,
) -> str:
    """What to do with a new text, given the closest memory.

    Formula: contradicts: "supersede"; ``s > 0.92`` "reinforce"; ``s < 0.70`` "create"; entity
    overlap < 0.5 "create"; ``s >= 0.75`` "update"; importance >= 0.6 "create"; else "skip"
    Inputs: similarity s, importance and entity_overlap (Jaccard of the entity sets) in [0, 1];
    the five thresholds in [0, 1].
    Range: "create", "update", "reinforce", "skip" or "supersede".
    Source: row D-07 (thresholds are on similarity; contradiction is tested first and wins).

    >>> prediction_error_action(similarity=0.8, importance=0.5)
    'update'
    >>> prediction_error_action(similarity=0.72, importance=0.5)
    'skip'
    """
    near = unit(similarity)
    known = not reaches(score=reinforce_above, threshold=near)
    novel = not reaches(score=near, threshold=create_below)
    adds = reaches(score=near, threshold=update_from)
    alien = not reaches(score=unit(entity_overlap), threshold=entities_from)
    important = reaches(score=unit(importance), threshold=important_from)
    if contradicts:
        return "supersede"
    if known:
        return "reinforce"
    if novel or alien:
        return "create"
    if adds:
        return "update"
    return "create" if important else "skip"


def injection_style(
    *, confidence: float, full_from: float = 0.7, abbreviated_from: float = 0.4
) -> str:
    """How a hit enters the prompt.

    Formula: ``confidence >= 0.7`` "full"; ``>= 0.4`` "abbreviated"; else "skipped"
    Inputs: confidence in [0, 1], the composite divided by the attainable maximum.
    Range: "full", "abbreviated" or "skipped".
    Source: row D-27 (cognitive document, confidence-gated injection).

    >>> injection_style(confidence=0.7), injection_style(confidence=0.5)
    ('full', 'abbreviated')
    """
    sure = unit(confidence)
    full = reaches(score=sure, threshold=full_from)
    enough = reaches(score=sure, threshold=abbreviated_from)
    if full:
        return "full"
    return "abbreviated" if enough else "skipped"


def temporal_scale(
    *,
    age_minutes: float,
    task_from: float = 5.0,
    session_from: float = 30.0,
    project_above: float = 120.0,
) -> str:
    """The temporal scale that a memory of this age belongs to.

    Formula: ``< 5`` "immediate"; ``< 30`` "task"; ``<= 120`` "session"; else "project"
    Inputs: age_minutes >= 0; the three limits in minutes.
    Range: "immediate", "task", "session" or "project".
    Source: row A-17 (letsgo document, temporal scales).

    >>> temporal_scale(age_minutes=4), temporal_scale(age_minutes=300)
    ('immediate', 'project')
    """
    age = non_negative(age_minutes)
    limits = (non_negative(task_from), non_negative(session_from), non_negative(project_above))
    if age < limits[0]:
        return "immediate"
    if age < limits[1]:
        return "task"
    return "session" if age <= limits[2] else "project"


def quota_with_backfill(*, quotas: Sequence[int], available: Sequence[int]) -> tuple[int, ...]:
    """How many memories each scale gives when scales with too few leave places to the others.

    Formula: ``min(quota, available)`` each, then the places left over in order of the scales
    Inputs: quotas (1, 2, 1, 1) and available memories per scale, both >= 0, of equal length.
    Range: per scale [0, available]; together min(sum of quotas, sum of available).
    Source: row A-17 (letsgo document, allocation 1 + 2 + 1 + 1 = 5, with backfill).

    >>> quota_with_backfill(quotas=[1, 2, 1, 1], available=[0, 2, 9, 1])
    (0, 2, 2, 1)
    """
    if len(quotas) != len(available):
        raise ValueError(f"{len(quotas)} quotas for {len(available)} scales; one each is allowed")
    taken = [
        min(max(0, quota), max(0, there)) for quota, there in zip(quotas, available, strict=True)
    ]
    spare = sum(max(0, quota) for quota in quotas) - sum(taken)
    for place, there in enumerate(available):
        more = min(spare, max(0, there) - taken[place])
        taken[place] += more
        spare -= more
    return tuple(taken)


def relation_kind(
    *,
    shared_entities: float,
    word_overlap: float,
    same_kind: bool,
) -> tuple[str, float]:
    """The relation that two memories' overlap suggests, and how sure that is.

    Formula: ``shared_entities >= 2`` ("same_entity", 0.7); ``word_overlap > 0.3`` and
    ``shared_entities >= 1`` ("elaborates", 0.5); ``same_kind`` and ``word_overlap > 0.15``
    ("related_to", 0.4); else ("", 0)
    Inputs: shared_entities >= 0, a count; word_overlap in [0, 1].
    Range: the relation's name, or empty; confidence in [0, 0.7].
    Source: row D-13 (cognitive document, heuristic detection).

    >>> relation_kind(shared_entities=1, word_overlap=0.4, same_kind=False)
    ('elaborates', 0.5)
    """
    shared, overlap = non_negative(shared_entities), unit(word_overlap)
    if shared >= 2.0:
        return "same_entity", 0.7
    if shared >= 1.0 and overlap > 0.3:
        return "elaborates", 0.5
    if same_kind and overlap > 0.15:
        return "related_to", 0.4
    return "", 0.0
