"""What one call costs: stores of all sizes are asked in turn, question by question, so that what
else the machine does meets all of them alike. Figures are milliseconds of processor time."""

import asyncio
import json
import signal
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean
from time import process_time
from urllib.parse import urlsplit

from engraphy.benchmarks.capacity_fit import Load, Point
from engraphy.benchmarks.perf_data import Zipf
from engraphy.benchmarks.perf_database import Backends
from engraphy.benchmarks.perf_meter import CLI, child_with_memory
from engraphy.benchmarks.perf_wire import Wire, free_port
from engraphy.memory import Memory
from engraphy.model import MICROSECONDS_PER_DAY
from engraphy.providers.clock import now

MANY, FEW, SOME = "u0", "u1", "u2"
"""Who has nearly all memories, who the first few, and who one here and there among them."""
FEW_ROWS = 400
"""Memories of the user with a few."""
_WARM = 3
_READY_SECONDS = 300.0
_LOOK_SECONDS, _MOST_LOOKS, _IDLE = 0.5, 60, 20.0
_LOOP = 500_000
_CUT = 0.1
"""The share of calls on either end that does not count: a neighbour, or the collector."""
_READ = """
import json, sys
from engraphy import Memory
place, tenant, embedder, questions, user, other = sys.argv[1:]
with Memory(other, embedder=embedder) as memory:
    for text in ("I take the bus to work", "I take the tram to work now"):
        memory.remember(text)
with Memory(place, tenant=tenant, embedder=embedder) as memory:
    for query in json.load(open(questions, encoding="utf-8")):
        memory.recall(query, user=user, touch=False)
"""


@dataclass(slots=True)
class Store:
    """A store of one size, how many memories each user has of it, the questions asked of it by
    user, and what was met."""

    place: str
    tenant: str
    embedder: str
    size: int
    held: dict[str, int]
    asked: dict[str, list[str]]
    points: dict[str, list[Point]] = field(default_factory=dict)

    def met(self, cost: str, value: float, user: str | None = None) -> None:
        """Note a cost of one user, or of the whole; one of nothing cannot be compared and is
        none."""
        scope = self.size if user is None else self.held[user]
        if value > 0:
            load = Load(float(scope), float(self.size))
            self.points.setdefault(cost, []).append(Point(load, value))

    def opened(self, days: int = 0) -> Memory:
        """Its memory, so many days later."""
        later = days * MICROSECONDS_PER_DAY
        clock = (lambda: now() + later) if days else None
        return Memory(self.place, tenant=self.tenant, embedder=self.embedder, clock=clock)

    def backends(self) -> Backends | None:
        """The processes that a server has for it now; None where it is a file."""
        is_database = "://" in self.place
        return Backends(urlsplit(self.place).path.rpartition("/")[2]) if is_database else None


@dataclass(slots=True)
class Meter:
    """What calls took here and at the server."""

    server: Backends | None
    here: list[float] = field(default_factory=list)
    there: list[float] = field(default_factory=list)

    def call(self, run: Callable[[], object], *, connects: bool = False) -> None:
        """Run it, and note it; `connects`: it opens connections of its own."""
        before = self.server.spent() if self.server else 0.0
        began = process_time()
        run()
        self.here.append((process_time() - began) * 1e3)
        if self.server:
            if connects:
                self.server.look()
            self.there.append(self.server.spent() - before)

    def note(self, store: Store, cost: str, user: str | None = None) -> None:
        """The mean of what was met, into the points of a store."""
        store.met(cost, trimmed(self.here), user)
        if self.there:
            store.met(f"database_{cost}", trimmed(self.there), user)


def trimmed(values: Sequence[float]) -> float:
    """The mean without the tenth on either end."""
    cut = int(len(values) * _CUT)
    return fmean(sorted(values)[cut : len(values) - cut])


def loop() -> float:
    """Milliseconds of a processor for a loop of five million sums: how fast this machine is."""
    began, total = process_time(), 0
    for number in range(_LOOP):
        total += number
    return (process_time() - began) * 1e3 * (5_000_000 / _LOOP)


def called(stores: Sequence[Store]) -> float:
    """`recall` and `remember` as they are called by default, of either user of every store; and
    `loop`, between them: the speed of the machine meanwhile."""
    with ExitStack() as stack:
        memories = [stack.enter_context(store.opened()) for store in stores]
        for store, memory in zip(stores, memories, strict=True):
            for user in (MANY, FEW):
                for query in store.asked[user][:_WARM]:
                    memory.recall(query, user=user)
                    memory.remember(f"{query} {user}", user=user)
        places = [
            (store, memory, user)
            for store, memory in zip(stores, memories, strict=True)
            for user in (MANY, FEW)
        ]
        meters = [(Meter(store.backends()), Meter(store.backends())) for store, _, _ in places]
        source, loops = Zipf(seed=17), list[float]()
        for number in range(len(stores[0].asked[MANY])):
            for (store, memory, user), (asking, telling) in zip(places, meters, strict=True):
                query = store.asked[user][number % len(store.asked[user])]
                asking.call(partial(memory.recall, query, user=user))
                # What was said to one store would be analysed and embedded by then for the next.
                telling.call(partial(memory.remember, source.statement(), user=user))
            loops.append(loop())
        for (store, _, user), (asking, telling) in zip(places, meters, strict=True):
            asking.note(store, "recall_ms", user)
            telling.note(store, "add_ms", user)
    return trimmed(loops)


def held(store: Store, folder: Path) -> None:
    """The most that a process held which answered every question about the large scope, and was
    told of a change before: what is loaded once, when it is first needed, would else be met by
    chance, in large stores rather."""
    questions = folder / "asked.json"
    questions.write_text(json.dumps(store.asked[MANY]), encoding="utf-8")
    words = [store.place, store.tenant, store.embedder, str(questions), MANY]
    words.append(str(folder / "other.db"))
    _, megabytes = child_with_memory([CLI[0], "-c", _READ, *words])
    store.met("process_mb", megabytes, MANY)


def served(store: Store, folder: Path) -> float | None:
    """What a request through the server costs beyond the verb: the time of its process, less that
    of the same questions here. None where the platform does not tell it, and where the machine is
    too busy for the server to begin: nothing else of what was measured should be lost with it."""
    if not Path("/proc/self/stat").exists():
        return None
    with store.opened() as memory:
        token = memory.grant("capacity", role="admin").token
        questions = store.asked[FEW]
        here = Meter(None)
        for query in questions[:_WARM]:
            memory.recall(query, user=FEW)
        for query in questions:
            here.call(partial(memory.recall, query, user=FEW))
    try:
        spent = asyncio.run(_asked(store, token, folder / "server.log"))
    except TimeoutError:
        return None
    return max(0.0, spent - fmean(here.here))


async def _asked(store: Store, token: str, log: Path) -> float:
    """Milliseconds of the server's process for each request."""
    port = free_port()
    command = [*CLI, "serve", "--port", str(port), "--db", store.place, "--no-dreams"]
    with log.open("wb") as said:
        server = await asyncio.create_subprocess_exec(
            *command, "--embedder", store.embedder, stdout=said, stderr=said
        )
    wire = Wire(port, token)
    try:
        await wire.ready(_READY_SECONDS)
        for query in store.asked[FEW][:_WARM]:
            await wire.ask("POST", "/v1/recall", {"query": query, "user": FEW})
        # A server ends connections that stand idle.
        wire.close()
        before = await _still(server.pid)
        for query in store.asked[FEW]:
            await wire.ask("POST", "/v1/recall", {"query": query, "user": FEW})
        return (_ticks(server.pid) - before) / len(store.asked[FEW])
    finally:
        wire.close()
        if server.returncode is None:
            server.send_signal(signal.SIGTERM)
            await server.wait()


async def _still(process: int) -> float:
    """What a process has taken once it takes nothing more: what a server does as it begins."""
    last = _ticks(process)
    for _ in range(_MOST_LOOKS):
        await asyncio.sleep(_LOOK_SECONDS)
        last, before = _ticks(process), last
        if last - before <= _IDLE:
            break
    return last


def _ticks(process: int) -> float:
    """Milliseconds that a process has taken, all its threads together (Linux: a hundredth of a
    second is the smallest part)."""
    told = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(told[11]) + int(told[12])) * 10.0
