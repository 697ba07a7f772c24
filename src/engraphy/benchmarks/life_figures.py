"""From lived stories to figures: recall against the twin, rows awake, spread, stale values, nights.

A paired figure is dreaming minus never forgetting, question by question, in points of a hundred.
"""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from engraphy.benchmarks import metrics
from engraphy.benchmarks.life_replay import KS, Lived
from engraphy.dream.strength import retention
from engraphy.model import Memory as Row
from engraphy.model import State
from engraphy.profile import Profile

FIGURES = (*(f"rec@{k}" for k in KS), "mrr")
LIVING = frozenset({State.ACTIVE, State.DORMANT, State.ARCHIVED})
DEFINITIONS = {
    "dream, twin": "the same story in a memory that dreams at night, and in one that never does",
    "difference": "mean over the questions of dream minus twin, in points of a hundred, with the "
    "95 % interval of 1,000 seeded resamples of the questions",
    "along the way": "every other question, in the month its evidence was complete, and those "
    "about a changed value every month from then on; they count as deliveries",
    "at the end": "all questions, a year after the first turn; they count as nothing",
    "fresh": "at the end, only questions that were not asked along the way",
    "fewer_active": "1 - active rows of the dreaming memory / active rows of its twin; both went "
    "through the same gates",
    "retention": "on the curve of the profile since the last delivery, less what decay "
    "took; of what is active, dormant or archived",
    "bytes_per_night": "how much larger than its twin's the file became, of each dream",
    "lines_per_night": "lines of the journal about single memories",
    "strengthened": "old values, of those superseded, whose stability, utility or count "
    "of deliveries rose afterwards",
}
_EDGES = {
    "stability": (1.0, 2.0, 4.0, 7.0, 14.0, 30.0, 60.0, 120.0, 365.0),
}
_TENTHS = tuple(round(0.1 * place, 1) for place in range(1, 10))
_NOTHING, _WHOLE, _HELD = 1e-3, 0.999, 0.95


def compared(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Both means of each figure and their paired difference in points, with its interval."""
    found: dict[str, Any] = {"questions": len(rows)}
    for name in FIGURES:
        pairs = [(row[f"dream.{name}"], row[f"twin.{name}"]) for row in rows]
        points = [100.0 * (dream - twin) for dream, twin in pairs]
        found[name] = {
            "dream": metrics.mean([dream for dream, _ in pairs]),
            "twin": metrics.mean([twin for _, twin in pairs]),
            "difference": metrics.mean(points),
            "interval_95": metrics.interval(points),
            "better": sum(point > 0 for point in points),
            "worse": sum(point < 0 for point in points),
        }
    return found


def questions(lived: Sequence[Lived]) -> dict[str, Any]:
    """The comparison along the way, at the end, and at the end for what was never asked before."""
    rows = [row for one in lived for row in one.asked]
    end = [row for row in rows if row["when"] == "at the end"]
    return {
        "along the way": compared([row for row in rows if row["when"] == "along the way"]),
        "at the end": compared(end),
        "fresh": compared([row for row in end if row["fresh"]]),
    }


def awake(lived: Sequence[Lived]) -> dict[str, Any]:
    """How many rows are in which state, and how many fewer are active than in the twins."""
    states = Counter(row.state.value for one in lived for row in one.rows)
    twin = Counter(row.state.value for one in lived for row in one.twin)
    share = 1.0 - states["active"] / twin["active"] if twin["active"] else 0.0
    return {"dream": dict(states), "twin": dict(twin), "fewer_active": share}


def spread(lived: Sequence[Lived], profile: Profile) -> dict[str, Any]:
    """Histograms of ten bins over what lives, and how much is piled up at the ends."""
    read: dict[str, Callable[[Row, int], float]] = {
        "importance": lambda row, _: row.importance,
        "utility": lambda row, _: row.utility,
        "stability": lambda row, _: row.stability,
        "retention": lambda row, now: retention(row, profile.dream.decay.curve, now),
    }
    rows = [(row, one.ended_at) for one in lived for row in one.rows if row.state in LIVING]
    values = {name: [of(row, now) for row, now in rows] for name, of in read.items()}
    held = [value >= _HELD for value in values["retention"]]
    return {
        "memories": len(rows),
        **{name: _histogram(name, found) for name, found in values.items()},
        "retention_from_95": metrics.mean([float(one) for one in held]),
    }


def _histogram(name: str, values: Sequence[float]) -> dict[str, Any]:
    edges = _EDGES.get(name, _TENTHS)
    bins = [0] * (len(edges) + 1)
    for value in values:
        bins[bisect_right(edges, value)] += 1
    ends = [float(value <= _NOTHING) for value in values], [float(v >= _WHOLE) for v in values]
    told: dict[str, Any] = {"edges": list(edges), "counts": bins}
    if name in _EDGES:
        return told
    return told | {"at_0": metrics.mean(ends[0]), "at_1": metrics.mean(ends[1])}


def stale(lived: Sequence[Lived]) -> dict[str, Any]:
    """How many old values were superseded, and how many of those grew afterwards."""
    rows = [row for one in lived for row in one.stale]
    ended = [row for row in rows if row["state"] == "superseded"]
    return {
        "changes": sum(len(one.story.shifts) for one in lived),
        "old_memories": len(rows),
        "superseded": len(ended),
        "strengthened": sum(bool(row["grew"]) for row in ended),
        "grew": dict(Counter(name for row in ended for name in row["grew"])),
        "states": dict(Counter(row["state"] for row in rows)),
    }


def nights(lived: Sequence[Lived]) -> dict[str, Any]:
    """What the dreams cost, and what the files came to."""
    rows = [row for one in lived for row in one.nights]
    steps: Counter[str] = Counter()
    for row in rows:
        steps.update({k.removeprefix("step "): int(v) for k, v in row.items() if k[:5] == "step "})
    grown = sum(one.bytes - one.twin_bytes for one in lived)
    return {
        "dreams": len(rows),
        "cpu_s": sum(row["cpu_s"] for row in rows),
        "cpu_ms_per_night": 1_000.0 * metrics.mean([row["cpu_s"] for row in rows]),
        "changed_per_night": metrics.mean([row["changed"] for row in rows]),
        "lines_per_night": metrics.mean([row["lines"] for row in rows]),
        "bytes_per_night": grown / len(rows) if rows else 0.0,
        "megabytes": sum(one.bytes for one in lived) / 1e6,
        "twin_megabytes": sum(one.twin_bytes for one in lived) / 1e6,
        "changed_by_step": dict(steps),
    }
