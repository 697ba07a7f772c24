"""Speed through the public verbs, on memories made in code, beside what the machine could do.

CPU time is this process's (or the child's) user and system time; wall time is what a caller
waits. Memories are loaded by `engraphy import` from generated exports, everything else is the verb
itself, in a process that did not load them.
"""

import json
import os
import platform
import random
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks import perf_limits
from engraphy.benchmarks.perf_bars import bars, metrics
from engraphy.benchmarks.perf_data import LAYOUTS, Zipf, memories, write_parts
from engraphy.benchmarks.perf_meter import CLI, Times, child, child_with_memory
from engraphy.benchmarks.perf_writer import writers
from engraphy.memory import Memory
from engraphy.providers.clock import now
from engraphy.providing import open_embedder
from engraphy.settings import settings

SIZES = (1_000, 10_000, 100_000)
_COLD_RUNS = 10
_WARM = 3
_PAGE = 4_096
_OPEN = "import sys; from engraphy import Memory; Memory(sys.argv[1], embedder=sys.argv[2]).close()"
_READ = """
import json, sys
from engraphy import Memory
with Memory(sys.argv[1], embedder=sys.argv[2]) as memory:
    for query, user in json.load(open(sys.argv[3], encoding="utf-8")):
        memory.recall(query, user=user, touch=False)
        memory.context(query, user=user)
"""
Row = dict[str, Any]
Progress = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to measure: how many memories, questions and writing processes, and where."""

    sizes: Sequence[int] = SIZES
    queries: int = 200
    processes: int = 4
    embed: bool = True
    folder: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ground:
    """A loaded store and the questions asked of it, (text, user) each."""

    plan: Plan
    file: Path
    size: int
    layout: str
    asked: Sequence[tuple[str, str]]
    rows_in_scope: float
    """Mean number of memories in the scope of a question."""

    @property
    def embedder(self) -> str:
        return "static" if self.plan.embed else "none"

    def row(self, operation: str, times: Times, **more: object) -> Row:
        made: Row = {
            "size": self.size,
            "layout": self.layout,
            "operation": operation,
            "calls": len(times.wall),
            **times.summary(),
            **more,
        }
        for kind in ("cpu_ms", "wall_ms"):
            if f"limit_{kind}" in made:
                made["ratio"] = made[kind]["p50"] / made[f"limit_{kind}"]
        return made


def run(plan: Plan, progress: Progress | None = None) -> dict[str, Any]:
    """Every size in both layouts; one JSON object as every benchmark's, with the bars."""
    tell = progress or (lambda _: None)
    rows: list[Row] = []
    for size in sorted(plan.sizes):
        for layout in LAYOUTS:
            with TemporaryDirectory(dir=plan.folder) as folder:
                rows += _measured(plan, Path(folder), size, layout, tell)
    largest = [row for row in rows if row["size"] == max(plan.sizes)]
    digest = next(row["sha256"] for row in largest if row["operation"] == "load")
    recall = next(row for row in largest if row["operation"] == "recall" and row["layout"] == "one")
    return {
        "benchmark": "perf",
        "data_sha256": digest,
        "data": "made in code from one seed",
        "engine": "sqlite",
        "embedder": "static" if plan.embed else "none",
        "profile": settings().profile,
        "questions": plan.queries,
        "metrics": metrics(largest),
        "latency_ms": {name: recall["wall_ms"][name] for name in ("p50", "p95", "p99")},
        "bars": bars(largest),
        "machine": {
            "python": platform.python_version(),
            "system": platform.platform(),
            "processors": os.cpu_count(),
            "writing_processes": plan.processes,
        },
        "rows": rows,
    }


def _measured(plan: Plan, folder: Path, size: int, layout: str, tell: Progress) -> Iterator[Row]:
    file = folder / "perf.db"
    parts, digest = write_parts(folder, memories(size, layout))
    ground = _ground(plan, file, size, layout)
    loading = _loaded(ground, parts)
    megabytes = file.stat().st_size / 1e6 / size * 10_000
    tell(f"{size:,} memories, layout {layout}: loaded in {loading.wall[0] / 1_000:.1f} s")
    yield ground.row("load", loading, mb_per_10000=megabytes, sha256=digest)
    yield from _cold(ground)
    yield _reading(ground, folder)
    floor = _floor(ground)
    yield from _warm(ground, floor)


def _loaded(ground: _Ground, parts: Iterable[Path]) -> Times:
    """What it takes to import all parts, each in a process of its own: what an import leaves on the
    heap would slow what follows."""
    store = ["--trusted", "--db", str(ground.file), "--embedder", ground.embedder]
    taken = Times()
    for part in parts:
        one = child([*CLI, "import", str(part), *store], runs=1, warm=0)
        taken.cpu.extend(one.cpu)
        taken.wall.extend(one.wall)
        part.unlink()
    return Times([sum(taken.cpu)], [sum(taken.wall)])


def _ground(plan: Plan, file: Path, size: int, layout: str) -> _Ground:
    """Questions about memories of the store, so that large scopes are asked as often as they
    hold memories."""
    source, draw = Zipf(seed=11), random.Random(13)
    chosen = [draw.choice(range(size)) for _ in range(plan.queries)]
    wanted, counts = set(chosen), Counter[str]()
    kept: dict[int, tuple[str, str]] = {}
    # Only what is asked about is held: a million texts would slow every collection of garbage.
    for number, row in enumerate(memories(size, layout)):
        user = str(row.scope.user)
        counts[user] += 1
        if number in wanted:
            kept[number] = (row.content, user)
    asked = [kept[number] for number in chosen]
    return _Ground(
        plan=plan,
        file=file,
        size=size,
        layout=layout,
        asked=[(source.question(text), user) for text, user in asked],
        rows_in_scope=sum(counts[user] for _, user in asked) / len(asked),
    )


def _cold(ground: _Ground) -> Iterator[Row]:
    """From the start of a process to its end."""
    query, user = ground.asked[0]
    recall = [*CLI, "recall", query, "--user", user, "--db", str(ground.file), "--json"]
    start = child([*CLI, "--version"], runs=_COLD_RUNS)
    yield ground.row("start of engraphy", start)
    opening = [CLI[0], "-c", _OPEN, str(ground.file), ground.embedder]
    yield ground.row("cold open", child(opening, runs=_COLD_RUNS))
    if ground.plan.embed:
        yield ground.row("cold recall", child(recall, runs=_COLD_RUNS))
    yield ground.row("cold recall, no embedder", child([*recall, "--no-embed"], runs=_COLD_RUNS))


def _reading(ground: _Ground, folder: Path) -> Row:
    """What a process holds that opens the store and answers every question."""
    questions = folder / "asked.json"
    questions.write_text(json.dumps(ground.asked), encoding="utf-8")
    command = [CLI[0], "-c", _READ, str(ground.file), ground.embedder, str(questions)]
    times, megabytes = child_with_memory(command)
    return ground.row("reading process", times, megabytes=megabytes)


def _floor(ground: _Ground) -> Row:
    """The least a recall must do: read its scope's sign bits, count its words' postings."""
    counted = perf_limits.postings(ground.file, ground.asked)
    cpu = sum(counted.cpu) / len(counted.cpu)
    floor = {"postings_ms": cpu, "bits_ms": 0.0}
    if ground.plan.embed:
        bits = perf_limits.sign_bits(round(ground.rows_in_scope), 128)
        floor["bits_ms"] = sum(bits.cpu) / len(bits.cpu)
    return floor


def _warm(ground: _Ground, floor: Row) -> Iterator[Row]:
    with Memory(ground.file, embedder=ground.embedder) as memory:
        for query, user in ground.asked[:_WARM]:
            memory.recall(query, user=user, touch=False)
        limit = {"limit": floor, "limit_cpu_ms": floor["postings_ms"] + floor["bits_ms"]}
        embedding = _embedding(ground)
        yield from _recalls(ground, memory, embedding, limit)
        yield ground.row("context", _each(ground, memory.context).less(embedding), **limit)
        adding, wal = _adds(ground, memory)
        fsync = perf_limits.fsyncs(ground.file.parent, wal, ground.plan.queries)
        waits = fsync.summary()["wall_ms"]["p50"]
        at_best = {"fsync_ms": waits, "bytes": wal, "cpu_ms": perf_limits.ADD_CPU}
        yield ground.row("add", adding, limit=at_best, limit_wall_ms=waits + perf_limits.ADD_CPU)
        if ground.plan.processes:
            yield from _beside_writers(ground, memory)


def _each(ground: _Ground, verb: Callable[..., object], **options: bool) -> Times:
    times = Times()
    for query, user in ground.asked:
        times.call(verb, query, user=user, **options)
    return times


def _recalls(
    ground: _Ground, memory: Memory, embedding: Times, more: Mapping[str, object]
) -> Iterator[Row]:
    """`recall` as it is called by default (deliveries are counted, in one durable write), and
    without the counting; each without the query's embedding, and with it."""
    for name, touch in (("recall", True), ("recall, uncounted", False)):
        times = _each(ground, memory.recall, touch=touch)
        yield ground.row(name, times.less(embedding), **more)
        if ground.plan.embed:
            yield ground.row(f"{name} + embedding", times)


def _embedding(ground: _Ground) -> Times:
    """What the vector of each question costs by itself."""
    times = Times()
    embedder = open_embedder(ground.embedder, settings(), now)
    for query, _ in ground.asked:
        if embedder is None:
            times.call(_nothing)
        else:
            times.call(embedder.embed_query, query)
    return times


def _nothing() -> None:
    """What a question costs where there is no embedder."""


def _adds(ground: _Ground, memory: Memory) -> tuple[Times, int]:
    """Single durable `remember` calls, and the bytes one appends to the write-ahead log."""
    source, times, grown = Zipf(seed=17), Times(), []
    log = Path(f"{ground.file}-wal")
    for _ in range(_WARM):
        memory.remember(source.statement(), user=ground.asked[0][1])
    for _, user in ground.asked:
        before, text = _size(log), source.statement()
        times.call(memory.remember, text, user=user)
        grown.append(_size(log) - before)
    # Once the log is full SQLite writes it again from its start, and it no longer grows.
    growing = [size for size in grown if size > 0]
    return times, round(median(growing)) if growing else _PAGE


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _beside_writers(ground: _Ground, memory: Memory) -> Iterator[Row]:
    count = ground.plan.processes
    with writers(ground.file, count, ground.embedder) as written:
        times = _each(ground, memory.recall)
    search = times.less(_embedding(ground))
    yield ground.row(f"recall beside {count} writers", search)
    yield ground.row(f"add by each of {count} writers", written)
