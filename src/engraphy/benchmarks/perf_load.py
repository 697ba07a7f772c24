"""A server under load: many clients at once that ask and tell, and what is left after it is killed.

The server is `engraphy serve` in a process of its own; the clients share the processors with it, as
there are no others. Every acknowledged write is looked for at the end.
"""

import asyncio
import json
import os
import random
import signal
from collections import Counter
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from engraphy.benchmarks.perf_data import Zipf, memories, write_parts
from engraphy.benchmarks.perf_meter import CLI, child
from engraphy.benchmarks.perf_wire import Wire, free_port
from engraphy.benchmarks.report import latency
from engraphy.errors import EngraphyError
from engraphy.memory import Memory

Progress = Callable[[str], None]
_READY_SECONDS = 120.0
_QUESTIONS = 2_000
_AGAIN = 0.2


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How much load, on how many memories. `kill`: end the server in the middle as a power cut of
    the process would, and start it again. `store`: a copy of this file, in place of a new one."""

    size: int = 100_000
    clients: int = 50
    seconds: float = 60.0
    writes: float = 0.2
    kill: bool = False
    embed: bool = True
    folder: str | None = None
    store: str | None = None

    @property
    def embedder(self) -> str:
        """The server's."""
        return "static" if self.embed else "none"


@dataclass(slots=True)
class _Heard:
    """What the clients heard."""

    recalls: list[float] = field(default_factory=list)
    writes: list[float] = field(default_factory=list)
    kept: list[tuple[str, str]] = field(default_factory=list)
    """(id, user) of every acknowledged write."""
    errors: Counter[int] = field(default_factory=Counter)
    broken: int = 0
    """Requests without an answer: none, unless the server is killed."""


def run(plan: Plan, progress: Progress | None = None) -> dict[str, Any]:
    """One run; one JSON object as every benchmark's."""
    tell = progress or (lambda _: None)
    with TemporaryDirectory(dir=plan.folder) as name:
        file, digest = _store(plan, Path(name), tell)
        with Memory(file, embedder=plan.embedder) as memory:
            token = memory.grant("load", role="admin").token
        told = asyncio.run(_run(plan, file, token, _questions(plan)))
    tell(f"{told['requests']:,} requests, {told['errors']} errors, {told['lost']} lost")
    return {
        "benchmark": "load",
        "data_sha256": digest,
        "data": "made in code from one seed",
        "engine": "sqlite",
        "embedder": plan.embedder,
        "profile": "default",
        "questions": told["requests"],
        "metrics": told,
        "latency_ms": told["recall_ms"],
        "bars": [],
        "machine": {"processors": os.cpu_count(), "clients": plan.clients},
        "rows": [],
    }


def _store(plan: Plan, folder: Path, tell: Progress) -> tuple[Path, str]:
    file = folder / "load.db"
    if plan.store is not None:
        with Memory(plan.store, embedder=plan.embedder) as memory:
            memory.backup(file)
        return file, "a store of the caller's"
    parts, digest = write_parts(folder, memories(plan.size, "tail"))
    store = ["--trusted", "--db", str(file), "--embedder", plan.embedder]
    for part in parts:
        child([*CLI, "import", str(part), *store], runs=1, warm=0)
    tell(f"{plan.size:,} memories loaded")
    return file, digest


def _questions(plan: Plan) -> list[tuple[str, str]]:
    """(question, user) of memories spread over the store."""
    source, step = Zipf(seed=11), max(1, plan.size // _QUESTIONS)
    return [
        (source.question(row.content), str(row.scope.user))
        for number, row in enumerate(memories(plan.size, "tail"))
        if number % step == 0
    ]


async def _run(
    plan: Plan, file: Path, token: str, questions: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    port, heard = free_port(), _Heard()
    async with _server(plan, file, port) as first:
        until = perf_counter() + plan.seconds
        asking = [
            asyncio.create_task(
                _client(
                    plan,
                    Wire(port, token),
                    number=number,
                    questions=questions,
                    until=until,
                    heard=heard,
                )
            )
            for number in range(plan.clients)
        ]
        if not plan.kill:
            before = _cpu(first.pid)
            await asyncio.gather(*asking)
            spent = None if before is None else (_cpu(first.pid) or before) - before
            told = await _told(plan, heard, Wire(port, token))
            return {**told, "server_cpu_ms": _each(spent, told["requests"])}
        await asyncio.sleep(plan.seconds / 2)
        first.kill()
        await first.wait()
        async with _server(plan, file, port):
            await asyncio.gather(*asking)
            return await _told(plan, heard, Wire(port, token))


async def _client(
    plan: Plan,
    wire: Wire,
    *,
    number: int,
    questions: Sequence[tuple[str, str]],
    until: float,
    heard: _Heard,
) -> None:
    """One client: one request after the other, each of a new draw."""
    draw, source = random.Random(number), Zipf(seed=1_000 + number)
    while perf_counter() < until:
        question, user = draw.choice(questions)
        writes = draw.random() < plan.writes
        path = "/v1/memories" if writes else "/v1/recall"
        body = {"content": source.statement()} if writes else {"query": question}
        begun = perf_counter()
        try:
            status, data = await wire.ask("POST", path, {**body, "user": user})
        except OSError:
            heard.broken += 1
            await asyncio.sleep(_AGAIN)
            continue
        took = (perf_counter() - begun) * 1e3
        if status != 200:
            heard.errors[status] += 1
        elif writes:
            heard.writes.append(took)
            heard.kept.append((json.loads(data)["memory"]["id"], user))
        else:
            heard.recalls.append(took)
    wire.close()


async def _told(plan: Plan, heard: _Heard, wire: Wire) -> dict[str, Any]:
    """The figures, and how many acknowledged writes are gone."""
    lost = 0
    for kept, user in heard.kept:
        status, _ = await wire.ask("GET", f"/v1/memories/{kept}?user={user}")
        lost += status != 200
    wire.close()
    requests = len(heard.recalls) + len(heard.writes)
    return {
        "requests": requests,
        "requests_per_second": requests / plan.seconds,
        "recall_ms": latency(heard.recalls),
        "write_ms": latency(heard.writes),
        "errors": sum(heard.errors.values()),
        "statuses": {str(status): count for status, count in sorted(heard.errors.items())},
        "without_answer": heard.broken,
        "acknowledged": len(heard.kept),
        "lost": lost,
    }


def _cpu(process: int) -> float | None:
    """Seconds of CPU of a process and its threads so far; None where the platform tells none."""
    file = Path(f"/proc/{process}/stat")
    if not file.exists():
        return None
    fields = file.read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _each(seconds: float | None, requests: int) -> float | None:
    """Milliseconds of the server's CPU for each request: what a busy machine does not change."""
    return seconds * 1e3 / requests if seconds is not None and requests else None


@asynccontextmanager
async def _server(plan: Plan, file: Path, port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    command = [*CLI, "serve", "--port", str(port), "--db", str(file), "--no-dreams"]
    with (file.parent / "server.log").open("ab") as log:
        started = await asyncio.create_subprocess_exec(
            *command, "--embedder", plan.embedder, stdout=log, stderr=log
        )
    try:
        wire = Wire(port, "")
        try:
            await wire.ready(_READY_SECONDS)
        except TimeoutError as error:
            late = f"The server did not answer within {_READY_SECONDS:g} s: the machine is too busy"
            raise EngraphyError(f"{late} for a measurement.") from error
        wire.close()
        yield started
    finally:
        if started.returncode is None:
            started.send_signal(signal.SIGTERM)
            await started.wait()
