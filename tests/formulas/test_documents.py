"""The figures that the documents and rows state, computed here a second time by hand."""

import math
from fractions import Fraction
from typing import Any

import pytest

from engraphy import formulas


def near(value: float) -> Any:
    """Equal to nine digits."""
    return pytest.approx(value, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize(("day", "left"), [(0, 1.0), (30, 0.5), (60, 0.25), (90, 0.125)])
def test_importance_halves_every_30_days(day: int, left: float) -> None:
    """C-09: 1.0, 0.5 at day 30, 0.25 at day 60, 0.125 at day 90."""
    assert formulas.decayed_importance(importance=1.0, age_days=day) == left


@pytest.mark.parametrize(("day", "left"), [(0, 1.0), (21, 0.5), (42, 0.25), (210, 2.0**-10)])
def test_recency_halves_every_21_days(day: int, left: float) -> None:
    """A-04: recency has a half-life of 21 days, and half means half."""
    assert formulas.recency(age_days=day) == left


def test_recency_of_recall_is_an_e_fold() -> None:
    """C-05: exp(-days / 30), so 1/e is left after 30 days."""
    assert formulas.exponential_decay(age=30, e_fold=30) == near(1 / math.e)


@pytest.mark.parametrize("age", [0, 1, 9, 90, 900])
@pytest.mark.parametrize("stability", [1, 10, 365])
def test_document_curve(age: int, stability: int) -> None:
    """D-40: R = (1 + t/(9S)) to the power of -2, checked with fractions."""
    exact = Fraction(9 * stability, 9 * stability + age) ** 2
    value = formulas.document_retention(age_days=age, stability=stability)
    assert value == near(float(exact))


def test_category_decay_lowers_retention_by_the_loss() -> None:
    """D-41: retention falls by rate x multiplier x days on top of the curve, on either curve."""
    loss = formulas.category_loss(rate_per_day=0.005, multiplier=3, days=10)
    for curve in formulas.RETENTION_CURVES:
        before = formulas.retrievability(age_days=12, stability=20, curve=curve)
        stability = formulas.shortened_stability(stability=20, age_days=12, loss=loss, curve=curve)
        after = formulas.retrievability(age_days=12, stability=stability, curve=curve)
        assert before - after == near(0.15)


@pytest.mark.parametrize(
    ("rate", "multiplier", "loss"),
    [(0, 10, 0), (0.005, 10, 0.05), (0.02, 3, 0.06), (0.05, 1, 0.05), (0.05, 0, 0)],
)
def test_daily_loss(rate: float, multiplier: float, loss: float) -> None:
    """D-41: the four rates, times 10 working, 3 episodic, 1 semantic, 0 frozen."""
    value = formulas.category_loss(rate_per_day=rate, multiplier=multiplier, days=1)
    assert value == near(loss)


def test_storage_grows_more_when_retrieval_was_hard() -> None:
    """D-40: 8 of 10 is reached after 9 hard retrievals or 24 easy ones; it never passes 10."""
    needed = {}
    for recalled in (0.3, 0.9):
        storage, count = 1.0, 0
        while storage < 8:
            storage = formulas.grown_storage(storage=storage, retrievability=recalled)
            count += 1
        needed[recalled] = count
    assert needed == {0.3: 9, 0.9: 24}
    assert formulas.grown_storage(storage=10, retrievability=0) == 10


def test_hits_within_an_hour_count_once() -> None:
    """D-40: ten hits in 45 minutes count once; an hour apart they all count."""
    assert formulas.spaced_hits(hours=[n * 0.075 for n in range(10)]) == 1
    assert formulas.spaced_hits(hours=[float(n) for n in range(10)]) == 10
    assert formulas.spaced_hits(hours=[5.0, 0.0]) == 2


def test_activation_units() -> None:
    """D-25: in the document's seconds a day-old memory scores .003, in days one half."""
    second = 1 / 86_400
    old = formulas.activation(access_count=1, age_days=1, unit_days=second, floor_days=second)
    assert old == near(1 / (1 + math.sqrt(86_400)))
    assert round(old, 3) == 0.003
    assert formulas.activation(access_count=1, age_days=1) == 0.5


def test_activation_floor_is_an_hour() -> None:
    """D-25: younger than an hour counts as an hour."""
    assert formulas.base_level(access_count=1, age_days=0) == near(math.log(24) / 2)


def test_channels() -> None:
    """D-10: .25 novelty, .30 arousal, .25 reward, .20 attention, each on its own."""
    names = ("novelty", "arousal", "reward", "attention")
    alone = {
        name: formulas.importance_score(**{**dict.fromkeys(names, 0.0), name: 1.0})
        for name in names
    }
    assert alone == {"novelty": 0.25, "arousal": 0.30, "reward": 0.25, "attention": 0.20}


@pytest.mark.parametrize(("boost", "expected"), [(0.1, 0.35), (0.7, 0.35), (1.3, 0.65), (9, 0.65)])
def test_encoding_boost(boost: float, expected: float) -> None:
    """D-10: the boost counts from 0.7 to 1.3."""
    halves = dict.fromkeys(("novelty", "arousal", "reward", "attention"), 0.5)
    assert formulas.importance_score(**halves, boost=boost) == near(expected)


@pytest.mark.parametrize(
    ("importance", "level"),
    [(1, "critical"), (0.8, "critical"), (0.79, "high"), (0.6, "high"), (0.59, "normal"),
     (0.4, "normal"), (0.39, "low"), (0, "low")],
)  # fmt: skip
def test_priorities(importance: float, level: str) -> None:
    """D-10: critical from .8, high from .6, normal from .4, else low."""
    assert formulas.priority_level(importance=importance) == level


def test_surprise_factors() -> None:
    """C-02: .40, .25, .20, .10, .05, each on its own."""
    names = ("novelty", "contradiction", "specificity", "emphasis", "context_switch")
    alone = [formulas.surprise_score(**{**dict.fromkeys(names, 0.0), name: 1.0}) for name in names]
    assert alone == [0.40, 0.25, 0.20, 0.10, 0.05]


def test_memorability_dimensions() -> None:
    """A-13: .25, .25, .30, .20, each on its own; .30 passes the gate."""
    names = ("substance", "salience", "distinctiveness", "type_weight")
    alone = [
        formulas.memorability_score(**{**dict.fromkeys(names, 0.0), name: 1.0}) for name in names
    ]
    assert alone == [0.25, 0.25, 0.30, 0.20]
    even = formulas.memorability_score(**dict.fromkeys(names, 0.3))
    assert formulas.reaches(score=even, threshold=0.30)


def test_match_weights() -> None:
    """A-04: .55 match, .20 recency, .15 importance, .10 trust, each on its own."""
    names = ("match", "recency", "importance", "trust")
    alone = [formulas.match_score(**{**dict.fromkeys(names, 0.0), name: 1.0}) for name in names]
    assert alone == [0.55, 0.20, 0.15, 0.10]


def test_recall_weights() -> None:
    """C-05: .30 recency, .40 importance, .30 relevance, each on its own."""
    names = ("recency", "importance", "relevance")
    alone = [formulas.recall_score(**{**dict.fromkeys(names, 0.0), name: 1.0}) for name in names]
    assert alone == [near(0.30), near(0.40), near(0.30)]


def test_composite_weights() -> None:
    """D-24: .40 similarity, .30 activation, .15 importance, .15 fusion, each on its own."""
    names = ("similarity", "activation", "importance", "rank_fusion")
    alone = [formulas.composite_score(**{**dict.fromkeys(names, 0.0), name: 1.0}) for name in names]
    assert alone == [near(0.40), near(0.30), near(0.15), near(0.15)]


def test_missing_index_passes_its_weight_on() -> None:
    """D-24: without a vector index the others fill the range; none of their order changes."""
    score = formulas.composite_score(
        similarity=None, activation=0.6, importance=0.6, rank_fusion=0.6
    )
    assert score == near(0.6)


def test_exact_day_old_match_is_injected_in_full() -> None:
    """D-27: similarity 1, one access a day ago and first place reach .7 even at importance 0."""
    old = formulas.activation(access_count=1, age_days=1)
    composite = formulas.composite_score(similarity=1, activation=old, importance=0, rank_fusion=1)
    assert formulas.injection_style(confidence=composite) == "full"


@pytest.mark.parametrize("worse", [-0.1, -1.0, -9.0])
def test_better_match_scores_higher(worse: float) -> None:
    """R-01: SQLite's bm25 is negative and lower is better; the match is strictly monotone."""
    assert formulas.bm25_match(bm25=worse - 0.01) > formulas.bm25_match(bm25=worse)


@pytest.mark.parametrize(
    ("similarity", "importance", "action"),
    [(0.0, 0.1, "create"), (0.69, 0.1, "create"), (0.70, 0.6, "create"), (0.70, 0.59, "skip"),
     (0.749, 0.59, "skip"), (0.75, 0.1, "update"), (0.92, 0.1, "update"),
     (0.921, 0.1, "reinforce"), (1.0, 0.1, "reinforce")],
)  # fmt: skip
def test_prediction_error_bands(similarity: float, importance: float, action: str) -> None:
    """D-07: the four bands, each edge on its own side."""
    found = formulas.prediction_error_action(similarity=similarity, importance=importance)
    assert found == action


@pytest.mark.parametrize("similarity", [0.0, 0.72, 0.8, 0.99])
def test_contradiction_wins(similarity: float) -> None:
    """D-07: a contradiction supersedes, whatever the similarity."""
    found = formulas.prediction_error_action(
        similarity=similarity, importance=0, contradicts=True, entity_overlap=0
    )
    assert found == "supersede"


@pytest.mark.parametrize(
    ("similarity", "action"),
    [(0.70, "create"), (0.8, "create"), (0.92, "create"), (0.93, "reinforce")],
)
def test_other_entities_are_another_memory(similarity: float, action: str) -> None:
    """D-07: entity sets with Jaccard below .5 create in .70 to .92, not above."""
    found = formulas.prediction_error_action(
        similarity=similarity, importance=0, entity_overlap=0.49
    )
    assert found == action


@pytest.mark.parametrize(
    ("minutes", "scale"),
    [(0, "immediate"), (4.99, "immediate"), (5, "task"), (29.99, "task"), (30, "session"),
     (120, "session"), (120.01, "project")],
)  # fmt: skip
def test_temporal_scales(minutes: float, scale: str) -> None:
    """A-17: below 5 minutes, below 30, up to 2 hours, beyond."""
    assert formulas.temporal_scale(age_minutes=minutes) == scale


@pytest.mark.parametrize(
    ("confidence", "style"),
    [(0.7, "full"), (0.699, "abbreviated"), (0.4, "abbreviated"), (0.399, "skipped")],
)
def test_confidence_bands(confidence: float, style: str) -> None:
    """D-27: full from .7, abbreviated from .4, else skipped."""
    assert formulas.injection_style(confidence=confidence) == style
