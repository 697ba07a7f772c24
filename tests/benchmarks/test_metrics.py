"""Ranking metrics and reports, against values worked out by hand."""

from math import isnan

import pytest

from engraphy.benchmarks import metrics, report

GOLD = frozenset({"b", "d"})
RANKED = ["a", "b", "c", "d", "e"]


def test_hit_recall_and_all_differ() -> None:
    """Hit@k is any gold item, rec@k the share of them, all@k every one."""
    found = [
        (
            metrics.hit(RANKED, GOLD, k),
            metrics.recall(RANKED, GOLD, k),
            metrics.complete(RANKED, GOLD, k),
        )
        for k in (1, 2, 3, 4)
    ]
    assert found == [(0, 0, 0), (1, 0.5, 0), (1, 0.5, 0), (1, 1, 1)]


def test_the_reciprocal_rank_is_of_the_first_gold_item() -> None:
    """MRR takes 1 / place of the first gold item, 0 where none came back."""
    assert metrics.reciprocal(RANKED, GOLD) == 0.5
    assert metrics.reciprocal(RANKED, frozenset({"z"})) == 0.0
    assert metrics.reciprocal([], GOLD) == 0.0


def test_percentiles_are_by_nearest_rank() -> None:
    """The p-th percentile of n values is the ceil(p n)-th smallest."""
    values = [float(value) for value in range(100, 0, -1)]
    assert [metrics.percentile(values, share) for share in (0.5, 0.95, 0.99)] == [50, 95, 99]
    assert metrics.percentile([3.0], 0.5) == 3.0
    assert metrics.percentile([1.0, 2.0], 0.5) == 1.0
    assert isnan(metrics.percentile([], 0.5))


def test_the_interval_holds_the_mean_and_repeats() -> None:
    """The bootstrap interval is seeded, holds the mean, and is a point for equal values."""
    values = [0.0] * 30 + [1.0] * 70
    low, high = metrics.interval(values)
    assert (low, high) == metrics.interval(values)
    # The standard error of a share of .7 over 100 questions is .0458: 1.96 of them either way.
    assert low == pytest.approx(0.61, abs=0.03)
    assert high == pytest.approx(0.79, abs=0.03)
    assert metrics.interval([0.25] * 9) == (0.25, 0.25)


def test_a_mean_is_over_the_rows_that_have_the_figure() -> None:
    """A figure that a row lacks counts neither as 0 nor as a question."""
    rows = [
        {"case": "x", "turn.mrr": 1.0, "ms": 7.0},
        {"case": "x", "turn.mrr": 0.0, "stale@10": 1.0},
        {"case": "y", "turn.mrr": 0.5},
    ]
    assert report.means(rows) == {"stale@10": 1.0, "turn.mrr": 0.5}
    assert report.by(rows, "case") == {
        "x": {"stale@10": 1.0, "turn.mrr": 0.5, "questions": 2.0},
        "y": {"turn.mrr": 0.5, "questions": 1.0},
    }


def test_what_is_asked_of_one_thing_often_is_one_witness() -> None:
    """Values that come in groups are resampled by group: nine of one group say no more than one of
    it. Groups of one give what `interval` gives."""
    values = [0.0, 1.0, 0.5, 0.25, 0.0, 1.0]
    assert metrics.interval_of_groups([[one] for one in values]) == metrics.interval(values)
    often = [[1.0] * 9, *([0.0] for _ in range(9))]
    assert metrics.interval([one for group in often for one in group])[0] > 0.2
    assert metrics.interval_of_groups(often)[0] == 0.0
