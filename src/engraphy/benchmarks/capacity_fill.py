"""Stores of a few sizes to measure: copies of a file that grows, or tenants of one database.

One user of each store has nearly all memories, another the first few, a third one here and there:
so what grows with the walls that are asked is told from what grows with the file, and what lies
side by side from what is scattered.
"""

import random
import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from engraphy.benchmarks.capacity_calls import FEW, FEW_ROWS, MANY, SOME, Store
from engraphy.benchmarks.perf_data import Zipf, memories, write_export
from engraphy.benchmarks.perf_meter import CLI, child
from engraphy.benchmarks.perf_rest import lived
from engraphy.memory import Memory
from engraphy.model import Memory as Row
from engraphy.providers.clock import now
from engraphy.providing import attribute

_SCATTERED = 12
"""One of so many memories is of the user who has one here and there."""
_SEED = 29
_DISK = {"disk_mb": "database", "disk_rows_mb": "rows", "disk_index_mb": "indexes"}
DiskPoints = dict[str, list[list[float]]]
"""(size, scope, total, megabytes) by cost."""
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Sizes to measure at; questions for each; `database`: an empty PostgreSQL, in place of files
    in `folder`; `nights`: whether maintenance is measured too."""

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


def in_files(plan: Plan, folder: Path, tell: Progress) -> Iterator[Store]:
    """A file that grows, of which each size is a copy."""
    rows, grown, total = _rows(max(plan.sizes)), folder / "grown.db", 0
    for size in sorted(plan.sizes):
        place = str(folder / f"of-{size}.db")
        _imported(plan, folder, islice(rows, size - total), grown, "default")
        total = size
        shutil.copy(grown, place)
        store = _store(plan, place, "default", size)
        with Memory(place, embedder=plan.embedder) as memory:
            store.met("disk_mb", memory.stats(user=MANY).file_bytes / 1e6)
        tell(f"{size:,} memories are there")
        yield store


def in_a_database(plan: Plan, folder: Path, tell: Progress) -> tuple[list[Store], DiskPoints]:
    """Tenants of a file, brought into the database at once, as importing them there takes ten times
    as long; and what the database takes before and after."""
    assert plan.database is not None
    sizes, file = sorted(plan.sizes), folder / "tenants.db"
    room = attribute("engraphy.stores.postgres.measuring", "room")
    Memory(plan.database, embedder="none").close()
    taken = [(0, room(plan.database))]
    for size in sizes:
        _imported(plan, folder, _rows(size), file, f"size-{size}")
        tell(f"{size:,} memories are there")
    child([*CLI, "migrate", str(file), plan.database], runs=1, warm=0)
    taken.append((sum(sizes), room(plan.database)))
    tell("they are in the database")
    disk = {
        cost: [[total, total, total, getattr(told, part) / 1e6] for total, told in taken]
        for cost, part in _DISK.items()
    }
    return [_store(plan, plan.database, f"size-{size}", size) for size in sizes], disk


def _store(plan: Plan, place: str, tenant: str, size: int) -> Store:
    held, source = Counter(_owners(size)), Zipf(seed=size)
    every = {user: max(1, held[user] // plan.queries) for user in (MANY, FEW)}
    asked: dict[str, list[str]] = {user: [] for user in every}
    met: Counter[str] = Counter()
    # Questions all over the store; no two stores are asked the same.
    for row, user in zip(memories(size, "one"), _owners(size), strict=True):
        if user in every:
            if met[user] % every[user] == 0 and len(asked[user]) < plan.queries:
                asked[user].append(source.question(row.content))
            met[user] += 1
    return Store(place, tenant, plan.embedder, size, dict(held), asked)


def _imported(plan: Plan, folder: Path, rows: Iterable[Row], into: Path, tenant: str) -> None:
    export = folder / "part.jsonl"
    write_export(export, iter(rows))
    to = ["--trusted", "--db", str(into), "--tenant", tenant, "--embedder", plan.embedder]
    child([*CLI, "import", str(export), *to], runs=1, warm=0)


def _owners(size: int) -> Iterator[str]:
    """Whose each memory is."""
    draw = random.Random(_SEED)
    for number in range(size):
        scattered = draw.randrange(_SCATTERED) == 0
        yield FEW if number < FEW_ROWS else SOME if scattered else MANY


def _rows(size: int) -> Iterator[Row]:
    for row, user in zip(lived(size, "one", now()), _owners(size), strict=True):
        yield replace(row, scope=replace(row.scope, user=user))
