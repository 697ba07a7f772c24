"""What was measured of stores of a few sizes, as it is kept in a file."""

import json
import os
import platform
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks import capacity_calls, capacity_nights
from engraphy.benchmarks.capacity_fill import DiskPoints, Plan, in_a_database, in_files
from engraphy.benchmarks.capacity_fit import ALONE, Load, Point, SCAN, TURN
from engraphy.benchmarks.capacity_reading import read as read_vectors
from engraphy.errors import InvalidInputError, UnreadableFileError
from engraphy.providers.clock import now
from engraphy.providing import attribute, open_embedder
from engraphy.settings import settings

FORMAT, VERSION = "engraphy-capacity", 2
SMALLEST = 3_000
"""Under 2,000 vectors a scope is searched in another way, which costs something else."""
_SCANNED, _SCANS = (500_000, 1_000_000, 2_000_000), 9
"""Vectors whose signs are compared by themselves, and how often."""
_TURNED, _TURNS = (50_000, 100_000, 200_000), 3
"""The same of those whose signs are turned."""
_PERF = {"recall": "recall_ms", "add": "add_ms"}
Points = dict[str, list[Point]]
Progress = Callable[[str], None]


def measured(plan: Plan, tell: Progress) -> dict[str, Any]:
    """Every cost at every size, as a JSON object that `read` understands."""
    with TemporaryDirectory(dir=plan.folder) as name:
        folder = Path(name)
        disk: DiskPoints = {}
        if plan.database is None:
            stores = [*in_files(plan, folder, tell)]
        else:
            stores, disk = in_a_database(plan, folder, tell)
        loop = capacity_calls.called(stores)
        tell("asked and told in turn")
        read_vectors(stores)
        tell("vectors read anew, in turn")
        for store in stores:
            capacity_calls.held(store, folder)
        serving = capacity_calls.served(stores[0], folder)
        tell("opened anew, and asked through a server")
        if plan.nights:
            capacity_nights.slept(stores, folder)
            tell("nights, in turn")
    embedder = open_embedder(plan.embedder, settings(), now)
    dim = 0 if embedder is None else embedder.dim
    return {
        "format": FORMAT,
        "version": VERSION,
        "engine": "sqlite" if plan.database is None else "postgres",
        "embedder": plan.embedder,
        "dim": dim,
        "profile": "default",
        "machine": {
            "python": platform.python_version(),
            "system": platform.platform(),
            "processors": os.cpu_count(),
            "loop_ms": loop,
        },
        "sizes": [store.size for store in stores],
        "queries": plan.queries,
        "serving_ms": serving,
        "points": {
            cost: [
                [store.size, *point.load, point.value]
                for store in stores
                for point in store.points.get(cost, ())
            ]
            for cost in sorted({cost for store in stores for cost in store.points})
        }
        | disk
        | _scans(dim),
    }


def read(file: Path) -> dict[str, Any]:
    """What was measured before: of this command, or the JSON object of `engraphy bench perf`.
    Raises UnreadableFileError, InvalidInputError."""
    try:
        told = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UnreadableFileError(path=str(file), problem=str(error)) from error
    if isinstance(told, dict) and told.get("format") == FORMAT and told.get("version") == VERSION:
        return told
    if (
        isinstance(told, dict)
        and told.get("benchmark") == "perf"
        and told.get("engine") == "sqlite"
    ):
        return _of_perf(told)
    allowed = "what this version keeps (--again makes it), or `engraphy bench perf --out` of a file"
    raise InvalidInputError(field="measured", got=f"{file}, another file", allowed=allowed)


def points_of(told: Mapping[str, Any], sizes: Sequence[int] | None = None) -> Points:
    """The points of a file; where sizes are named of these only, and what was measured of none that
    can be left out. Raises InvalidInputError."""
    alone = ALONE.values()
    try:
        left_out = {*told["sizes"]} - {*(told["sizes"] if sizes is None else sizes)}
        return {
            cost: [
                Point(Load(scope, total), value)
                for size, scope, total, value in met
                if size not in left_out or cost in alone
            ]
            for cost, met in told["points"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        allowed = "rows of size, scope, total and value"
        raise InvalidInputError(field="points", got="unreadable", allowed=allowed) from error


def _scans(dim: int) -> dict[str, list[list[float]]]:
    """What comparing the signs of many vectors costs, and turning them; nothing where there are
    none."""
    if not dim:
        return {}
    scanned, turned = (
        attribute("engraphy.stores.relational.scanning", name) for name in ("scanned", "turned")
    )
    return {
        SCAN: [[rows, rows, rows, scanned(rows, dim, _SCANS)] for rows in _SCANNED],
        TURN: [[rows, rows, rows, turned(rows, dim, _TURNS)] for rows in _TURNED],
    }


def _of_perf(told: Mapping[str, Any]) -> dict[str, Any]:
    """The rows of one user who has everything, as points."""
    points: dict[str, list[list[float]]] = {}
    for row in told.get("rows", ()):
        size, name = row.get("size"), row.get("operation")
        if row.get("layout") != "one" or not size or size < SMALLEST:
            continue
        if name in _PERF:
            points.setdefault(_PERF[name], []).append([size, size, size, row["cpu_ms"]["mean"]])
        elif name == "load":
            points.setdefault("disk_mb", []).append(
                [size, size, size, row["mb_per_10000"] * size / 1e4]
            )
        elif name == "reading process" and row["megabytes"]:
            points.setdefault("process_mb", []).append([size, size, size, row["megabytes"]])
    embedder = open_embedder(told.get("embedder", "static"), settings(), now)
    return {
        **{name: told.get(name) for name in ("engine", "embedder", "profile", "machine")},
        "format": FORMAT,
        "version": VERSION,
        "dim": 0 if embedder is None else embedder.dim,
        "sizes": sorted({int(met[0]) for met in points.get("recall_ms", ())}),
        "queries": told.get("questions"),
        "serving_ms": None,
        "points": points,
    }
