"""Counts made into shares: precision, recall and F1 with 95 % intervals, and the bars they meet."""

import random
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from typing import Any

Row = dict[str, Any]
_Z = 1.959964
_SEED = 20240501
_SAMPLES = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A share of `n` things, in [0, 1], and its 95 % interval; None where there was nothing to
    take a share of. Also other measures, where `n` is how often they were taken."""

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int

    def row(self) -> Row:
        """As JSON."""
        between = None if self.low is None else [self.low, self.high]
        return {"value": self.value, "interval_95": between, "n": self.n}


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Some of a part's cases: what was counted of them, and the figures of that."""

    name: str
    counts: Mapping[str, float] = field(default_factory=dict)
    figures: Mapping[str, Figure] = field(default_factory=dict)

    def row(self) -> Row:
        """As JSON."""
        figures = {name: figure.row() for name, figure in self.figures.items()}
        return {"group": self.name, "counts": dict(self.counts), "figures": figures}


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """What a figure of a group should reach: at least `limit`, or at most."""

    group: str
    figure: str
    limit: float
    at_least: bool = True

    def row(self, groups: Sequence[Group]) -> Row | None:
        """The bar beside what was measured; None where that was not measured."""
        found = next((one for one in groups if one.name == self.group), None)
        if found is None or self.figure not in found.figures:
            return None
        value = found.figures[self.figure].value
        met = value is not None and (value >= self.limit if self.at_least else value <= self.limit)
        return {
            "group": self.group,
            "figure": self.figure,
            "limit": self.limit,
            "at_least": self.at_least,
            "measured": value,
            "met": met,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Tally:
    """One case: what was rightly found, wrongly found, missed, and rightly left alone."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0


def share(part: int, whole: int) -> Figure:
    """A share with Wilson's score interval (Wilson 1927)."""
    if not whole:
        return Figure(value=None, n=0)
    value, square = part / whole, _Z * _Z
    middle = (value + square / (2 * whole)) / (1 + square / whole)
    spread = sqrt(value * (1 - value) / whole + square / (4 * whole * whole))
    half = _Z * spread / (1 + square / whole)
    return Figure(value=value, low=max(0.0, middle - half), high=min(1.0, middle + half), n=whole)


def f1(tallies: Sequence[Tally]) -> Figure:
    """2 tp / (2 tp + fp + fn), with the bootstrap interval over the cases (seeded)."""
    kinds = Counter((one.tp, one.fp, one.fn) for one in tallies)
    value = _f1(kinds.items())
    if value is None:
        return Figure(value=None, n=len(tallies))
    draw = random.Random(_SEED)
    faces, weights = list(kinds), list(kinds.values())
    drawn = sorted(
        _f1(Counter(draw.choices(faces, weights=weights, k=len(tallies))).items()) or 0.0
        for _ in range(_SAMPLES)
    )
    low, high = drawn[int(0.025 * _SAMPLES)], drawn[int(0.975 * _SAMPLES) - 1]
    return Figure(value=value, low=low, high=high, n=len(tallies))


def scored(name: str, tallies: Sequence[Tally], **more: Figure) -> Group:
    """A group of cases with its counts, precision, recall and F1."""
    counts = {key: sum(getattr(one, key) for one in tallies) for key in ("tp", "fp", "fn", "tn")}
    tp, fp, fn = counts["tp"], counts["fp"], counts["fn"]
    figures = {
        "precision": share(tp, tp + fp),
        "recall": share(tp, tp + fn),
        "f1": f1(tallies),
        **more,
    }
    return Group(name=name, counts={"cases": len(tallies), **counts}, figures=figures)


def _f1(kinds: Iterable[tuple[tuple[int, int, int], int]]) -> float | None:
    right = wrong = 0
    for (tp, fp, fn), count in kinds:
        right += 2 * tp * count
        wrong += (fp + fn) * count
    return right / (right + wrong) if right + wrong else None
