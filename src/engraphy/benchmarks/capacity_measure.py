"""Stores of a few sizes, and what was measured of them as it is kept in a file.

One user of each store has nearly all memories, another a few: so what grows with the walls that are
asked is told from what grows with the file.
"""

import json
import os
import platform
import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks import capacity_calls
from engraphy.benchmarks.capacity_calls import FEW, FEW_ROWS, MANY, Store
from engraphy.benchmarks.capacity_fit import Load, Point, SCAN
from engraphy.benchmarks.perf_data import Zipf, memories, write_export
from engraphy.benchmarks.perf_meter import CLI, child
from engraphy.benchmarks.perf_rest import lived
from engraphy.errors import InvalidInputError, UnreadableFileError
from engraphy.memory import Memory
from engraphy.model import Memory as Row
from engraphy.providers.clock import now
from engraphy.providing import attribute, open_embedder
from engraphy.settings import settings

FORMAT, VERSION = "engraphy-capacity", 1
SMALLEST = 2_500
"""Under 2,000 vectors a scope is searched in another way, which costs something else."""
_SCANNED, _SCANS = (500_000, 1_000_000, 2_000_000), 9
"""Vectors whose signs are compared by themselves, and how often."""
_PERF = {"recall": "recall_ms", "add": "add_ms"}
Points = dict[str, list[Point]]
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Sizes to measure at; questions for each; `database`: an empty PostgreSQL, in place of files
    in `folder`; `nights`: whether maintenance is measured too (two cycles of each)."""

    sizes: Sequence[int]
    queries: int = 60
    embed: bool = True
    nights: bool = True
    database: str | None = None
    folder: str | None = None

    @property
    def embedder(self) -> str:
        """What memories are embedded with."""
        return "static" if self.embed else "none"


def measured(plan: Plan, tell: Progress) -> dict[str, Any]:
    """Every cost at every size, as a JSON object that `read` understands."""
    with TemporaryDirectory(dir=plan.folder) as name:
        folder = Path(name)
        stores = [*_filled(plan, folder, tell)]
        capacity_calls.called(stores)
        tell("asked and told in turn")
        for store in stores:
            capacity_calls.opened(store)
            capacity_calls.held(store, folder)
        serving = capacity_calls.served(stores[0], folder)
        tell("opened anew, and asked through a server")
        for store in stores if plan.nights else ():
            capacity_calls.slept(store)
            tell(f"two nights of {store.size:,} memories")
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
    allowed = "what `engraphy capacity` keeps, or `engraphy bench perf --out` of a file"
    raise InvalidInputError(field="measured", got=f"{file}, another file", allowed=allowed)


def points_of(told: Mapping[str, Any], sizes: Sequence[int] | None = None) -> Points:
    """The points of a file; of these sizes only, where they are named. Raises InvalidInputError."""
    try:
        return {
            cost: [
                Point(Load(scope, total), value)
                for size, scope, total, value in met
                if sizes is None or size in sizes or cost == SCAN
            ]
            for cost, met in told["points"].items()
        }
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        allowed = "rows of size, scope, total and value"
        raise InvalidInputError(field="points", got="unreadable", allowed=allowed) from error


def _scans(dim: int) -> dict[str, list[list[float]]]:
    """What comparing the signs of many vectors costs; nothing where there are none."""
    if not dim:
        return {}
    scanned = attribute("engraphy.stores.relational.scanning", "scanned")
    return {SCAN: [[rows, rows, rows, scanned(rows, dim, _SCANS)] for rows in _SCANNED]}


def _filled(plan: Plan, folder: Path, tell: Progress) -> Iterator[Store]:
    """A file that grows, of which each size is a copy; in a database each size is a tenant."""
    rows, grown, total = _rows(max(plan.sizes)), folder / "grown.db", 0
    for size in sorted(plan.sizes):
        place, tenant = str(folder / f"of-{size}.db"), "default"
        if plan.database is not None:
            place, tenant, rows = plan.database, f"size-{size}", _rows(size)
        into = plan.database or str(grown)
        count = size if plan.database else size - total
        _imported(plan, folder, islice(rows, count), into, tenant)
        total += count
        if plan.database is None:
            shutil.copy(grown, place)
        asked = {user: _questions(plan, user, size) for user in (MANY, FEW)}
        store = Store(place, tenant, plan.embedder, size, total, asked)
        with Memory(place, tenant=tenant, embedder=plan.embedder) as memory:
            store.met("disk_mb", memory.stats(user=MANY).file_bytes / 1e6)
        tell(f"{size:,} memories are there")
        yield store


def _imported(plan: Plan, folder: Path, rows: Iterator[Row], into: str, tenant: str) -> None:
    export = folder / "part.jsonl"
    write_export(export, rows)
    to = ["--trusted", "--db", into, "--tenant", tenant, "--embedder", plan.embedder]
    child([*CLI, "import", str(export), *to], runs=1, warm=0)


def _rows(size: int) -> Iterator[Row]:
    """So many memories: the first few of one user, the rest of another."""
    for number, row in enumerate(lived(size, "one", now())):
        user = FEW if number < FEW_ROWS else MANY
        yield replace(row, scope=replace(row.scope, user=user))


def _questions(plan: Plan, user: str, size: int) -> list[str]:
    """Questions about memories of a user, all over the store; no two stores are asked the same."""
    source = Zipf(seed=size)
    first, last = (0, FEW_ROWS) if user == FEW else (FEW_ROWS, size)
    step = max(1, (last - first) // plan.queries)
    rows = islice(memories(size, "one"), first, last, step)
    return [source.question(row.content) for row in islice(rows, plan.queries)]


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
