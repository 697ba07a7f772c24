"""The bars of speed: what was promised, what was measured, whether it is met."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Bar:
    """At most `limit` of one figure of one operation; the worst layout counts.

    `path`: where the figure stands in a row. `promised`: by the issue, not only by the design.
    `beyond`: the limit for more than 100,000 memories, where it is another.
    """

    name: str
    operation: str
    path: tuple[str, ...]
    limit: float
    unit: str = "ms"
    promised: bool = True
    beyond: float | None = None

    def limit_of(self, size: int) -> float:
        """The limit for so many memories."""
        return self.limit if self.beyond is None or size <= _USUAL else self.beyond


_USUAL = 100_000
_P95 = ("cpu_ms", "p95")
BARS = (
    Bar(name="recall, CPU p95", operation="recall", path=_P95, limit=10.0, beyond=50.0),
    Bar(
        name="recall without counting, CPU p95",
        operation="recall, uncounted",
        path=_P95,
        limit=10.0,
        beyond=50.0,
    ),
    Bar(name="context, CPU p95", operation="context", path=_P95, limit=10.0, beyond=50.0),
    Bar(
        name="memory of a reading process",
        operation="reading process",
        path=("megabytes",),
        limit=1_000.0,
        unit="MB",
    ),
    Bar(name="durable add, CPU p95", operation="add", path=_P95, limit=10.0),
    Bar(name="cold recall, CPU p50", operation="cold recall", path=("cpu_ms", "p50"), limit=600.0),
    Bar(
        name="cold recall, no embedder, CPU p50",
        operation="cold recall, no embedder",
        path=("cpu_ms", "p50"),
        limit=250.0,
    ),
    Bar(
        name="cold open, CPU p50",
        operation="cold open",
        path=("cpu_ms", "p50"),
        limit=350.0,
        promised=False,
    ),
    Bar(
        name="file per 10,000",
        operation="load",
        path=("mb_per_10000",),
        limit=14.0,
        unit="MB",
        promised=False,
    ),
)


def bars(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Every bar that the rows (of one size) measured, against the worst layout."""
    found = ((bar, _figures(rows, bar)) for bar in BARS)
    return [
        {
            "name": bar.name,
            "limit": bar.limit_of(rows[0]["size"]),
            "measured": max(figures),
            "unit": bar.unit,
            "met": max(figures) < bar.limit_of(rows[0]["size"]),
            "promised": bar.promised,
            "size": rows[0]["size"],
        }
        for bar, figures in found
        if figures
    ]


def metrics(rows: Sequence[Row]) -> dict[str, float]:
    """One number per operation, layout and clock: the 95th percentile in milliseconds."""
    return {
        f"{row['layout']}.{row['operation']}.{clock}.p95": row[clock]["p95"]
        for row in rows
        for clock in ("cpu_ms", "wall_ms")
        if clock in row
    }


def _figures(rows: Sequence[Row], bar: Bar) -> list[float]:
    return [_at(row, bar.path) for row in rows if row["operation"] == bar.operation]


def _at(row: Row, path: Sequence[str]) -> float:
    value: Any = row
    for key in path:
        value = value[key]
    return float(value)
