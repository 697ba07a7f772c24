"""What a night costs: a whole cycle over memories made in code, beside somebody who writes.

Each cycle runs as `engraphy dream` in a process of its own, and goes on where its time was over
(600 seconds a sitting) until it is whole. The first one finds everything that is to be done; the
second, a night later, finds what a night leaves. Writers are measured alone, and while the first
cycle runs: the difference is what they waited for it.
"""

import os
import platform
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks.perf_data import LAYOUTS, memories, write_export
from engraphy.benchmarks.perf_meter import CLI, child, child_with_memory
from engraphy.benchmarks.perf_writer import writers
from engraphy.memory import Memory
from engraphy.model import Kind, MICROSECONDS_PER_DAY, Tier
from engraphy.model import Memory as Row
from engraphy.providers.clock import now

SIZES = (10_000, 100_000)
_SEED = 23
_YEAR = 365 * MICROSECONDS_PER_DAY
_ENTITIES = 400
_KINDS = (
    *(Kind.FACT, Kind.FACT, Kind.FACT, Kind.DECISION, Kind.PREFERENCE, Kind.CORRECTION),
    *(Kind.PLAN, Kind.WORKFLOW, Kind.ENTITY, Kind.EPISODE),
)
_DUPLICATES = 0.05
_BARRED = 100_000
"""The number of memories that the bars of a cycle are told for."""
_NIGHT = """
import sys
from engraphy import Memory
from engraphy.providers.clock import now
later = int(sys.argv[4]) * 86_400_000_000
with Memory(sys.argv[1], profile=sys.argv[2], embedder=sys.argv[3],
            clock=lambda: now() + later) as memory:
    reports = [memory.dream()]
    while reports[-1].finished_at is None:
        reports.append(memory.dream())
changed = sum(report.changed for report in reports)
open(sys.argv[5], "w").write(f"{changed} {len(reports)}")
"""
Result = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to measure: how many memories, in which layouts, under which profile, and where."""

    sizes: Sequence[int] = SIZES
    layouts: Sequence[str] = LAYOUTS
    profile: str = "default"
    embed: bool = True
    folder: str | None = None


def lived(count: int, layout: str, end: int) -> Iterator[Row]:
    """Memories spread over the year before `end` (microseconds UTC), with kinds, entities,
    importance and use; one in twenty says what another said."""
    draw, said = random.Random(_SEED), ""
    for number, row in enumerate(memories(count, layout)):
        at = end - _YEAR + _YEAR * number // count
        used = min(50, int(draw.paretovariate(1.2)) - 1)
        content = f"{said} {number % 7}" if said and draw.random() < _DUPLICATES else row.content
        said = row.content
        yield replace(
            row,
            content=content,
            kind=draw.choice(_KINDS),
            entities=tuple(f"entity://thing/e{_entity(draw)}" for _ in range(draw.randint(0, 3))),
            importance=round(draw.betavariate(2, 3), 3),
            utility=round(draw.betavariate(4, 4), 3),
            stability=round(draw.lognormvariate(1.5, 1.0), 3),
            tier=Tier.SEMANTIC if draw.random() < _DUPLICATES else Tier.EPISODIC,
            access_count=used,
            last_accessed_at=at + draw.randrange(max(1, end - at)) if used else None,
            valid_from=at,
            recorded_at=at,
            updated_at=at,
        )


def _entity(draw: random.Random) -> int:
    return min(_ENTITIES, int(draw.paretovariate(0.6)))


def run(plan: Plan, progress: Callable[[str], None] | None = None) -> Result:
    """Every size in both layouts; one JSON object as every benchmark's, with the bars."""
    tell = progress or (lambda _: None)
    rows: list[Result] = []
    for size in sorted(plan.sizes):
        for layout in plan.layouts:
            with TemporaryDirectory(dir=plan.folder) as folder:
                rows.append(_measured(plan, Path(folder), size, layout))
                tell(_line(rows[-1]))
    return {
        "benchmark": "rest",
        "data": "made in code from one seed",
        "engine": "sqlite",
        "embedder": "static" if plan.embed else "none",
        "profile": plan.profile,
        "machine": {"python": platform.python_version(), "processors": os.cpu_count()},
        "bars": _bars(rows),
        "rows": rows,
    }


def _line(row: Result) -> str:
    first = row["first night"]
    return (
        f"{row['size']:,} memories, layout {row['layout']}: {first['seconds']:.1f} s, "
        f"{first['changed']:,} changed; then {row['second night']['seconds']:.1f} s"
    )


def _measured(plan: Plan, folder: Path, size: int, layout: str) -> Result:
    file, export = folder / "rest.db", folder / "export.jsonl"
    embedder = "static" if plan.embed else "none"
    write_export(export, lived(size, layout, now()))
    child(
        [*CLI, "import", str(export), "--trusted", "--db", str(file), "--embedder", embedder],
        runs=1,
        warm=0,
    )
    export.unlink()
    with writers(file, 1, embedder) as alone:
        pass
    loaded = _bytes(file)
    with writers(file, 1, embedder) as beside:
        first = _night(plan, file, 0, folder)
    after = _bytes(file)
    second = _night(plan, file, 1, folder)
    with Memory(file, embedder=embedder) as memory:
        stats = memory.stats(user="u0", allow_private=True, allow_secret=True)
    return {
        "size": size,
        "layout": layout,
        "first night": first | {"grown_mb": (after - loaded) / 1e6},
        "second night": second | {"grown_mb": (_bytes(file) - after) / 1e6},
        "states": stats.by_state,
        "writer alone": alone.summary(),
        "writer beside": {
            **beside.summary(),
            "longest_ms": max(beside.wall),
            "adds": len(beside.wall),
        },
    }


def _night(plan: Plan, file: Path, days: int, folder: Path) -> Result:
    told = folder / "told"
    embedder = "static" if plan.embed else "none"
    command = [CLI[0], "-c", _NIGHT, str(file), plan.profile, embedder, str(days), str(told)]
    times, megabytes = child_with_memory(command)
    changed, sittings = told.read_text(encoding="utf-8").split()
    return {
        "seconds": times.wall[0] / 1_000,
        "cpu_seconds": times.cpu[0] / 1_000,
        "megabytes": megabytes,
        "changed": int(changed),
        "sittings": int(sittings),
    }


def _bytes(file: Path) -> int:
    return sum(one.stat().st_size for one in (file, Path(f"{file}-wal")) if one.exists())


def _bars(rows: Sequence[Result]) -> list[Result]:
    """A cycle over 100,000 in 120 s and 500 MB, a writer's p95 beside it of 50 ms, and a cost per
    memory that does not grow with their number, however large that is."""
    sizes = {row["size"] for row in rows}
    barred = max((size for size in sizes if size <= _BARRED), default=min(sizes))
    largest = [row for row in rows if row["size"] == barred]
    night = "first night"
    made = [
        ("a cycle", max(row[night]["seconds"] for row in largest), 120.0, "s"),
        ("memory of a cycle", max(row[night]["megabytes"] for row in largest), 500.0, "MB"),
        ("a writer beside it, wall p95", _waits(largest), 50.0, "ms"),
    ]
    if len(sizes) > 1:
        made.append(("cost per memory, largest to smallest", _growth(rows), 1.5, "times"))
    return [
        {"name": name, "measured": value, "limit": limit, "unit": unit, "met": value < limit}
        for name, value, limit, unit in made
    ]


def _waits(rows: Sequence[Result]) -> float:
    return float(max(row["writer beside"]["wall_ms"]["p95"] for row in rows))


def _growth(rows: Sequence[Result]) -> float:
    found = []
    for layout in {row["layout"] for row in rows}:
        same = sorted((row for row in rows if row["layout"] == layout), key=lambda row: row["size"])
        costs = [row["first night"]["cpu_seconds"] / row["size"] for row in (same[0], same[-1])]
        found.append(costs[1] / costs[0])
    return float(max(found))
