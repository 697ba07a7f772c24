"""Ranking metrics and their bootstrap intervals; each name says what it is."""

import random
from collections.abc import Sequence
from math import ceil, nan

DEFINITIONS = {
    "hit@k": "share of questions with any gold item in the top k",
    "rec@k": "mean share of the gold items that are in the top k",
    "all@k": "share of questions with every gold item in the top k",
    "mrr": "mean of 1 / place of the first gold item (0 where none came back)",
    "update.above_stale": "share of changed values whose new statement stands above the old one",
    "stale@10": "share of changed values whose old statement is still in the top 10",
    "unmarked.stale@10": "share of changed values whose old statement is in the top 10 without a "
    "mark (Hit.newer) that names a memory of the new one",
}
_SEED = 20240501
_SAMPLES = 1_000


def hit(ranked: Sequence[str], gold: frozenset[str], k: int) -> float:
    """1 where any gold item is in the top k, else 0."""
    return float(not gold.isdisjoint(ranked[:k]))


def recall(ranked: Sequence[str], gold: frozenset[str], k: int) -> float:
    """Share of the gold items in the top k."""
    return len(gold.intersection(ranked[:k])) / len(gold)


def complete(ranked: Sequence[str], gold: frozenset[str], k: int) -> float:
    """1 where every gold item is in the top k, else 0."""
    return float(gold.issubset(ranked[:k]))


def reciprocal(ranked: Sequence[str], gold: frozenset[str]) -> float:
    """1 / place of the first gold item, 0 where none came back."""
    return next((1.0 / place for place, one in enumerate(ranked, 1) if one in gold), 0.0)


def mean(values: Sequence[float]) -> float:
    """The mean; NaN of nothing."""
    return sum(values) / len(values) if values else nan


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % bootstrap interval of the mean (1,000 seeded resamples of the questions)."""
    if not values:
        return nan, nan
    draw = random.Random(_SEED)
    size = len(values)
    means = sorted(sum(draw.choices(values, k=size)) / size for _ in range(_SAMPLES))
    return means[int(0.025 * _SAMPLES)], means[int(0.975 * _SAMPLES) - 1]


def interval_of_groups(groups: Sequence[Sequence[float]]) -> tuple[float, float]:
    """The same of values that come in groups, which are resampled whole: what is asked of one thing
    ten times is no ten witnesses. Of groups of one it is `interval`."""
    if not groups:
        return nan, nan
    draw = random.Random(_SEED)
    sums = [(sum(one), len(one)) for one in groups]
    means = []
    for _ in range(_SAMPLES):
        drawn = draw.choices(sums, k=len(sums))
        means.append(sum(one for one, _ in drawn) / sum(size for _, size in drawn))
    means.sort()
    return means[int(0.025 * _SAMPLES)], means[int(0.975 * _SAMPLES) - 1]


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile, `share` in [0, 1]; NaN of nothing."""
    if not values:
        return nan
    ordered = sorted(values)
    return ordered[max(0, ceil(share * len(ordered)) - 1)]
