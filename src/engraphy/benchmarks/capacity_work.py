"""What a demand is made of: processor time, memory and disk, summed over tenants."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from engraphy.benchmarks.capacity_fit import Cost, Load, of_segments
from engraphy.benchmarks.capacity_tenants import Tenants

_THERE = "database_"
_BESIDE_SIGNS, _BESIDE_CODES = 8, 12
"""Bytes beside the signs of a vector (its number), and its codes (whose it is, its length)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Demand:
    """What is asked for, and what a node is.

    `writes`: the share of requests that write. `tail`: the exponent of Zipf's law for the sizes of
    tenants. `busy`: the share of a processor that is planned with. `hot`: the share of the data
    that should stay in the memory of its machine. `full`: of a disk that may be. `night_hours`: in
    which a day's maintenance of all tenants is done. `routed`: whether a tenant is sent to the same
    process again and again. `cores`, `ram_gb`, `disk_gb`: of a node.
    """

    memories: int
    qps: float
    tenants: int = 200
    replicas: int = 0
    writes: float = 0.2
    tail: float = 1.0
    busy: float = 0.6
    hot: float = 0.25
    full: float = 0.7
    night_hours: float = 8.0
    routed: bool = False
    cores: int = 8
    ram_gb: float = 32.0
    disk_gb: float = 1_000.0


@dataclass(frozen=True, slots=True)
class Model:
    """Fitted costs of one engine, what a request through a server costs beside them (milliseconds),
    how many dimensions a vector has, what a process held that answered (megabytes), the largest
    size that was measured, and how long a loop of five million sums took there (0: not told)."""

    engine: str
    costs: Mapping[str, Cost]
    serving_ms: float
    dim: int
    base_mb: float
    largest: int
    loop_ms: float = 0.0

    def at(self, name: str, load: Load) -> float:
        """A cost; 0 where it was not measured."""
        return self.costs[name].at(load) if name in self.costs else 0.0


@dataclass(slots=True)
class Work:
    """A demand over tenants by a model."""

    model: Model
    demand: Demand
    tenants: Tenants
    _groups: list[tuple[float, int]] = field(init=False)

    def __post_init__(self) -> None:
        self._groups = [*self.tenants.groups()]

    def _mean(self, name: str) -> float:
        """A cost in the mean of all requests: tenants are asked as often as they have memories."""
        whole = float(self.demand.memories)
        return sum(
            size * count / whole * self.model.at(name, Load(size, whole))
            for size, count in self._groups
        )

    def _largest(self, name: str) -> float:
        return self.model.at(name, Load(self.tenants.largest, float(self.demand.memories)))

    def per_call(self) -> dict[str, float]:
        """Milliseconds of processor time: in the mean of requests, and in the largest tenant."""
        names = ("recall_ms", "add_ms", "database_recall_ms", "database_add_ms")
        told = {name: self._mean(name) for name in names if name in self.model.costs}
        told |= {f"largest_{name}": self._largest(name) for name in told}
        loads = {f"{before}load_ms": self._loading(before) for before in ("", _THERE)}
        return {**told, "serving_ms": self.model.serving_ms, **loads}

    def cores(self) -> dict[str, float]:
        """Processors of the servers and of the database, with room left, and what each part of the
        work takes of them (without it)."""
        return self._cores(self._loading(), self._loading(_THERE))

    def _cores(self, loading: float, there: float) -> dict[str, float]:
        recalls, tells = self._rates()
        mean, serving = self._mean, self.model.serving_ms
        parts = {
            "recall": recalls * (mean("recall_ms") + loading) / 1e3,
            "write": tells * mean("add_ms") / 1e3,
            "requests": self.demand.qps * serving / 1e3,
            "nights": self._nights("night_ms"),
            "database_recall": recalls * (mean("database_recall_ms") + there) / 1e3,
            "database_write": tells * mean("database_add_ms") / 1e3,
            "database_nights": self._nights("database_night_ms"),
        }
        database = sum(part for name, part in parts.items() if name.startswith("database_"))
        servers = sum(parts.values()) - database
        busy = self.demand.busy
        return {"servers": servers / busy, "database": database / busy, **parts}

    def processes(self) -> int:
        """Processes of servers: each has one interpreter, which uses one processor."""
        return max(1, math.ceil(self.cores()["servers"]))

    def disk_gb(self) -> float:
        """Of all memories, indexes and journal included."""
        whole = float(self.demand.memories)
        return self.model.at("disk_mb", Load(whole, whole)) / 1e3

    def process_mb(self) -> float:
        """What one process holds: itself, and vectors of scopes, up to what it keeps; where one
        scope alone is more, that one while it is asked."""
        all_of_them = sum(self._bytes(size) * count for size, count in self._groups)
        held = min(all_of_them, _kept())
        return self.model.base_mb + max(held, self._bytes(self.tenants.largest)) / 1e6

    def kept_share(self) -> float:
        """The share of recalls whose vectors a process still holds."""
        return sum(kept * size for size, kept, _ in self._held()) / self.demand.memories

    def _held(self) -> Iterator[tuple[float, float, float]]:
        """(size, how many are held, how many are not) of tenants: the largest first, which are
        asked most, up to what a process keeps, or all of them together where tenants are routed.
        A scope that is more than one process keeps is read anew each time."""
        room = _kept()
        if self.demand.routed:
            room *= max(1, math.ceil(self._cores(0.0, 0.0)["servers"]))
        for size, count in self._groups:
            each, some = self._bytes(size), float(count)
            if each:
                some = min(some, room / each) if each <= _kept() else 0.0
            room -= some * each
            yield size, some, count - some

    def one_writer(self) -> float:
        """How busy those who write one after another are: of the whole file, or of the largest
        tenant of a database (0 to 1, and above where they are too many)."""
        _, tells = self._rates()
        if self.model.engine == "sqlite":
            return tells * self._mean("add_ms") / 1e3
        each = self._largest("add_ms") + self._largest("database_add_ms")
        return tells * self.tenants.largest / self.demand.memories * each / 1e3

    def _rates(self) -> tuple[float, float]:
        tells = self.demand.qps * self.demand.writes
        return self.demand.qps - tells, tells

    def _nights(self, name: str) -> float:
        """Processors for a day's maintenance of every tenant."""
        if name not in self.model.costs:
            return 0.0
        cost = self.model.costs[name]
        spent = sum(count * cost.at(Load(size, size)) for size, count in self._groups)
        return spent / 1e3 / (self.demand.night_hours * 3_600)

    def _loading(self, before: str = "") -> float:
        """Milliseconds of a recall that go into reading vectors which the process does not hold."""
        spent = sum(gone * size * self._reading(before, size) for size, _, gone in self._held())
        return spent / self.demand.memories

    def _reading(self, before: str, size: float) -> float:
        """Milliseconds of reading the vectors of a scope; of one whose codes are not kept, the
        signs alone."""
        cost = "vectors_ms" if size <= _coded() else "signs_ms"
        return self.model.at(f"{before}{cost}", Load(size, float(self.demand.memories)))

    def _codes(self) -> float:
        return self.model.dim + _BESIDE_CODES

    def _bytes(self, size: float) -> float:
        """What the vectors of a scope take in memory: signs and numbers, and codes of all but the
        larger scopes."""
        if not self.model.dim:
            return 0.0
        codes = self._codes() if size <= _coded() else 0
        return size * (_BESIDE_SIGNS + self.model.dim / 8 + codes)


def _kept() -> float:
    """Bytes of vectors that a process keeps."""
    return float(of_segments("KEPT_BYTES"))


def _coded() -> int:
    """Up to how many vectors a scope keeps codes."""
    return of_segments("CODED")
