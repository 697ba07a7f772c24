"""Speed of the public verbs over a database of PostgreSQL on this machine: what the client and the
server take of a processor together, and what a caller waits.

An empty database is filled with memories made here, of 200 users with a heavy tail. Who asks are
the user with the most memories (26 %) and those with about 1.5 % each. Writers are processes of
their own: `python -m engraphy.benchmarks.perf_database PLACE TENANT EMBEDDER SECONDS`.
"""

import json
import random
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

from engraphy.benchmarks.perf_data import Zipf, memories, write_parts
from engraphy.benchmarks.perf_meter import CLI, Times, child
from engraphy.memory import Memory

Row = dict[str, Any]
Progress = Callable[[str], None]
GROUPS = ("largest", "mid")
_LIMITS = {"largest": (35.0, 150.0), "mid": (15.0, 40.0)}
"""Milliseconds of CPU at the 95th percentile, at 100,000 memories and at a million."""
_USUAL = 100_000
"""Up to twice as many are held to the bars of that size."""
_WRITES = 500.0
"""Durable writes per second."""
_LEAST, _MOST = 0.01, 0.02
_WARM = 5
_SECONDS = 10.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """Which database, how many memories where it is empty, how many questions of each group, how
    many processes that write."""

    place: str
    size: int = 100_000
    queries: int = 200
    processes: int = 8
    embed: bool = True

    @property
    def embedder(self) -> str:
        """What the memories are embedded with."""
        return "static" if self.embed else "none"


def run(plan: Plan, progress: Progress | None = None) -> Row:
    """One JSON object as every benchmark's, with the bars."""
    tell = progress or (lambda _: None)
    with Memory(plan.place, embedder=plan.embedder) as memory:
        if not memory.walls():
            _fill(plan, tell)
        users = {str(one.user) for one in memory.walls() if one.user is not None}
        held = {user: memory.stats(user=user).total for user in sorted(users)}
        size = sum(held.values())
        rows: list[Row] = []
        for group, chosen in _groups(held, size).items():
            asked = _asked(memory, chosen, plan.queries)
            tell(f"{size:,} memories, {group}: {len(asked)} questions of {len(chosen)} users")
            rows += _measured(memory, group, asked)
    rows += [_written(plan, tenants) for tenants in (1, plan.processes) if plan.processes]
    return {
        "benchmark": "perf",
        "engine": "postgres",
        "size": size,
        "embedder": plan.embedder,
        "profile": "default",
        "metrics": {
            f"{row['group']}.{row['operation']}.{clock}.p95": row[clock]["p95"]
            for row in rows
            for clock in ("cpu_ms", "wall_ms")
            if clock in row
        },
        "bars": list(_bars(rows, size)),
        "rows": rows,
    }


def _fill(plan: Plan, tell: Progress) -> None:
    with TemporaryDirectory() as folder:
        parts, _ = write_parts(Path(folder), memories(plan.size, "tail"))
        for part in parts:
            to = ["--trusted", "--db", plan.place, "--embedder", plan.embedder]
            times = child([*CLI, "import", str(part), *to], runs=1, warm=0)
            tell(f"imported {part.name} in {times.wall[0] / 1_000:.0f} s")


def _groups(held: dict[str, int], size: int) -> dict[str, list[str]]:
    largest = max(held, key=lambda user: held[user])
    mid = [user for user, count in held.items() if _LEAST < count / size < _MOST]
    return {"largest": [largest], **({"mid": mid} if mid else {})}


def _asked(memory: Memory, users: Sequence[str], count: int) -> list[tuple[str, str]]:
    """(question, user) about memories of these users."""
    source, draw = Zipf(seed=11), random.Random(13)
    texts = {user: [one.content for one in memory.list(user=user, limit=500)] for user in users}
    chosen = (draw.choice(users) for _ in range(count))
    return [(source.question(draw.choice(texts[user])), user) for user in chosen]


def _measured(memory: Memory, group: str, asked: Sequence[tuple[str, str]]) -> Iterator[Row]:
    for query, user in asked[:_WARM]:
        memory.recall(query, user=user)
    for name, verb, options in (
        ("recall", memory.recall, {"touch": True}),
        ("recall, uncounted", memory.recall, {"touch": False}),
        ("context", memory.context, {}),
    ):
        times, server = Times(), Backends(urlsplit(memory.path).path.rpartition("/")[2])
        client, backends = [], []
        for query, user in asked:
            before = server.spent()
            times.call(verb, query, user=user, **options)
            client.append(times.cpu.pop())
            backends.append(server.spent() - before)
            times.cpu.append(client[-1] + backends[-1])
        yield {
            "group": group,
            "operation": name,
            "calls": len(asked),
            **times.summary(),
            "client_cpu_ms": sum(client) / len(client),
            "server_cpu_ms": sum(backends) / len(backends),
        }


class Backends:
    """The processor time of the server's processes for one database on this machine (Linux:
    /proc)."""

    def __init__(self, database: str) -> None:
        self._database = database
        self._processes: list[Path] = []
        self.look()

    def look(self) -> None:
        """Count those too that have begun meanwhile, with all that they took."""
        named = (one for one in Path("/proc").iterdir() if one.name.isdecimal())
        self._processes = [one for one in named if _serves(one, self._database)]

    def spent(self) -> float:
        """Milliseconds since they began."""
        return sum(_spent(one) for one in self._processes)


def _serves(process: Path, database: str) -> bool:
    try:
        title = process.joinpath("cmdline").read_text(errors="replace")
    except OSError:
        return False
    return title.startswith("postgres:") and f" {database} " in title


def _spent(process: Path) -> float:
    try:
        return int(process.joinpath("schedstat").read_text().split()[0]) / 1e6
    except OSError:
        return 0.0


def _written(plan: Plan, tenants: int) -> Row:
    """Durable `remember` calls of many processes at once, for one tenant or for each its own."""
    me = [sys.executable, "-m", "engraphy.benchmarks.perf_database", plan.place]
    running = [
        subprocess.Popen(
            [*me, f"bench-{number % tenants}", plan.embedder, str(_SECONDS)],
            stdout=subprocess.PIPE,
        )
        for number in range(plan.processes)
    ]
    told = [json.loads(process.communicate()[0]) for process in running]
    cpu, wall = ([ms for one in told for ms in one[clock]] for clock in ("cpu", "wall"))
    times = Times(cpu, wall)
    return {
        "group": f"{plan.processes} writers, {tenants} tenants",
        "operation": "add",
        "calls": len(times.wall),
        "per_second": sum(len(one["wall"]) / one["seconds"] for one in told),
        **times.summary(),
    }


def _bars(rows: Sequence[Row], size: int) -> Iterator[Row]:
    for row in rows:
        if row["operation"] == "recall":
            limit = _LIMITS[row["group"]][size > 2 * _USUAL]
            measured = row["cpu_ms"]["p95"]
            name = f"recall, {row['group']} scope, CPU p95 of client and server"
            yield _bar(name, limit, measured, "ms", met=measured < limit, size=size)
    told = [row["per_second"] for row in rows if "per_second" in row]
    if told:
        name, fastest = "durable writes", max(told)
        yield _bar(name, _WRITES, fastest, "per second", met=fastest >= _WRITES, size=size)


def _bar(name: str, limit: float, measured: float, unit: str, *, met: bool, size: int) -> Row:
    told = {"name": name, "limit": limit, "measured": measured, "unit": unit}
    return {**told, "met": met, "promised": True, "size": size}


def main(place: str, tenant: str, embedder: str, seconds: str) -> None:
    """Remember for so many seconds; what each took, on standard output."""
    source, times = Zipf(random.SystemRandom().randrange(2**30)), Times()
    with Memory(place, tenant=tenant, embedder=embedder) as memory:
        memory.remember(source.statement(), user="warm")
        begun = perf_counter()
        while perf_counter() - begun < float(seconds):
            times.call(memory.remember, source.statement(), user=f"u{len(times.wall) % 5}")
        took = perf_counter() - begun
    json.dump({"cpu": times.cpu, "wall": times.wall, "seconds": took}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
