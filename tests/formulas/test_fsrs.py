"""Our FSRS-6 equals the `fsrs` package on whole days, to 1e-9."""

import math
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import fsrs
import pytest
from fsrs.scheduler import LOWER_BOUNDS_PARAMETERS, UPPER_BOUNDS_PARAMETERS
from hypothesis import given
from hypothesis import strategies as st

from engraphy import formulas

START = datetime(2026, 1, 1, tzinfo=UTC)
OTHER_WEIGHTS = (
    *(0.4, 1.1, 3.1, 15.0, 7.1, 0.5, 1.4, 0.01, 1.5, 0.1, 1.0),
    *(1.9, 0.1, 0.3, 2.2, 0.2, 2.9, 0.5, 0.6, 0.1, 0.3),
)
REVIEWS = st.lists(
    st.tuples(st.sampled_from([0, 0, 1, 2, 3, 7, 20, 90, 400]), st.sampled_from([1, 2, 3, 4])),
    min_size=1,
    max_size=12,
)


def theirs(weights: Sequence[float]) -> fsrs.Scheduler:
    """The package's scheduler without learning steps and without chance."""
    return fsrs.Scheduler(
        parameters=weights, learning_steps=(), relearning_steps=(), enable_fuzzing=False
    )


def same(ours: float, other: float | None) -> bool:
    """Equal to 1e-9, relative or absolute."""
    return other is not None and math.isclose(ours, other, rel_tol=1e-9, abs_tol=1e-9)


def test_default_weights_are_the_published_ones() -> None:
    """The 21 default weights are those of the package."""
    assert fsrs.Scheduler().parameters == formulas.FSRS_WEIGHTS


@pytest.mark.parametrize("weights", [formulas.FSRS_WEIGHTS, OTHER_WEIGHTS])
@given(reviews=REVIEWS)
def test_histories(weights: Sequence[float], reviews: list[tuple[int, int]]) -> None:
    """Over any history the stability, difficulty, retrievability and next interval are equal."""
    scheduler, card, now = theirs(weights), fsrs.Card(), START
    rating = reviews[0][1]
    stability = formulas.fsrs_initial_stability(rating=rating, weights=weights)
    difficulty = formulas.fsrs_initial_difficulty(rating=rating, weights=weights)
    card, _ = scheduler.review_card(card, fsrs.Rating(rating), now)
    for days, rating in reviews[1:]:
        now += timedelta(days=days)
        recalled = formulas.fsrs_retrievability(
            age_days=days, stability=stability, decay=weights[20]
        )
        assert same(recalled, scheduler.get_card_retrievability(card, now))
        stability = formulas.fsrs_next_stability(
            stability=stability,
            difficulty=difficulty,
            age_days=days,
            rating=rating,
            weights=weights,
        )
        difficulty = formulas.fsrs_next_difficulty(
            difficulty=difficulty, rating=rating, weights=weights
        )
        card, _ = scheduler.review_card(card, fsrs.Rating(rating), now)
        capped = min(card.stability or 0.0, formulas.STABILITY_MAX)
        assert same(stability, capped)
        assert same(difficulty, card.difficulty)
        card.stability = capped


@given(stability=st.floats(0.001, 36_000), target=st.floats(0.7, 0.97))
def test_intervals(stability: float, target: float) -> None:
    """The days to a wanted retention, rounded and at least 1, are the package's interval."""
    scheduler = fsrs.Scheduler(
        desired_retention=target, learning_steps=(), relearning_steps=(), enable_fuzzing=False
    )
    card = fsrs.Card(
        state=fsrs.State.Review, stability=stability, difficulty=5.0, last_review=START
    )
    card, _ = scheduler.review_card(card, fsrs.Rating.Good, START)
    ours = formulas.retention_interval(
        target=target, stability=card.stability or 0.0, curve="fsrs6"
    )
    days = (card.due - START).days
    assert days == max(1, round(ours)) or abs(ours - days) == pytest.approx(0.5)


@given(days=st.integers(0, 40_000), stability=st.floats(0.001, 36_500))
def test_curve_by_name(days: int, stability: float) -> None:
    """The curve named fsrs6 is FSRS-6's with the published decay."""
    card = fsrs.Card(stability=stability, difficulty=5.0, last_review=START)
    theirs_now = fsrs.Scheduler().get_card_retrievability(card, START + timedelta(days=days))
    ours = formulas.retrievability(age_days=days, stability=stability, curve="fsrs6")
    assert same(ours, theirs_now)


@given(rating=st.integers(-5, 9).filter(lambda rating: rating not in {1, 2, 3, 4}))
def test_unknown_rating_is_refused(rating: int) -> None:
    """A rating outside 1 to 4 is an error that names the four."""
    with pytest.raises(ValueError, match="1 again, 2 hard, 3 good, 4 easy"):
        formulas.fsrs_initial_stability(rating=rating)


def test_failed_review_has_its_own_formula() -> None:
    """Rating 1 is no recall: the recall formula refuses it."""
    with pytest.raises(ValueError, match="failed review"):
        formulas.fsrs_recall_stability(stability=1, difficulty=5, retrievability=0.5, rating=1)


def test_weights_are_21() -> None:
    """Another number of weights is an error."""
    with pytest.raises(ValueError, match="3 FSRS weights; 21"):
        formulas.fsrs_initial_stability(rating=1, weights=(1.0, 2.0, 3.0))


@given(weights=st.lists(st.floats(allow_nan=False), min_size=21, max_size=21))
def test_any_weights_stay_in_range(weights: list[float]) -> None:
    """Weights count as the nearest published bound: stability and difficulty stay in range."""
    for rating in (1, 2, 3, 4):
        stability = formulas.fsrs_next_stability(
            stability=10, difficulty=5, age_days=30, rating=rating, weights=weights
        )
        difficulty = formulas.fsrs_next_difficulty(difficulty=5, rating=rating, weights=weights)
        assert formulas.STABILITY_MIN <= stability <= formulas.STABILITY_MAX
        assert 1 <= difficulty <= 10


@pytest.mark.parametrize(
    ("beyond", "bounds"),
    [(-math.inf, LOWER_BOUNDS_PARAMETERS), (math.inf, UPPER_BOUNDS_PARAMETERS)],
)
@pytest.mark.parametrize("place", range(21))
def test_weights_count_within_published_bounds(
    place: int, beyond: float, bounds: tuple[float, ...]
) -> None:
    """A weight beyond its published bound counts as the bound."""

    def results(weight: float) -> list[float]:
        weights = list(formulas.FSRS_WEIGHTS)
        weights[place] = weight
        found = [
            formulas.fsrs_next_stability(
                stability=2, difficulty=4, age_days=days, rating=rating, weights=weights
            )
            for rating in (1, 2, 3, 4)
            for days in (0, 3)
        ]
        for rating in (1, 2, 3, 4):
            found.append(formulas.fsrs_initial_stability(rating=rating, weights=weights))
            found.append(formulas.fsrs_initial_difficulty(rating=rating, weights=weights))
        return found

    assert results(beyond) == results(bounds[place])
