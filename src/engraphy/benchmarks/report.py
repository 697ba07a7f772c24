"""From rows to figures: means, intervals, groups and latency. A row's keys with a dot or an @ are
its figures."""

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from engraphy.benchmarks import metrics

Row = dict[str, Any]
T = TypeVar("T")


def names(rows: Sequence[Row]) -> list[str]:
    """The names of the figures that any row has."""
    return sorted({key for row in rows for key in row if "@" in key or "." in key})


def means(rows: Sequence[Row]) -> dict[str, float]:
    """The mean of each figure over the rows that have it."""
    return _grouped(rows, metrics.mean)


def intervals(rows: Sequence[Row]) -> dict[str, tuple[float, float]]:
    """The 95 % bootstrap interval of each mean."""
    return _grouped(rows, metrics.interval)


def by(rows: Sequence[Row], key: str) -> dict[str, dict[str, float]]:
    """Means and number of questions for each value of `key`."""
    groups: dict[str, list[Row]] = {}
    for row in rows:
        groups.setdefault(row[key], []).append(row)
    return {
        name: {**means(group), "questions": float(len(group))}
        for name, group in sorted(groups.items())
    }


def latency(milliseconds: Sequence[float]) -> dict[str, float]:
    """The 50th, 95th and 99th percentile."""
    shares = {"p50": 0.5, "p95": 0.95, "p99": 0.99}
    return {name: metrics.percentile(milliseconds, share) for name, share in shares.items()}


def _grouped(rows: Sequence[Row], of: Callable[[Sequence[float]], T]) -> dict[str, T]:
    return {
        name: of([row[name] for row in rows if row.get(name) is not None]) for name in names(rows)
    }
