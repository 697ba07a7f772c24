"""From measured costs to nodes, memory and disk: what so many memories and requests need.

What drives a cost is the scope that is asked, not the total: a question reads the vectors behind
its walls, and the walls here are tenants. So everything is summed over tenants, each asked as often
as it has memories.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from engraphy.benchmarks.capacity_fill import Plan
from engraphy.benchmarks.capacity_fit import Cost, compared, costs
from engraphy.benchmarks.capacity_measure import measured, points_of
from engraphy.benchmarks.capacity_tenants import Placing, SHARDS, Spread, Tenants
from engraphy.benchmarks.capacity_work import Demand, Model, Work
from engraphy.errors import InvalidInputError

TOLERANCE = 0.25
"""How far a foretold cost may be off at a size that was not fitted."""
_NEEDED = ("recall_ms", "add_ms", "disk_mb", "process_mb")
_MOST_NODES = 4_096


def model_of(told: Mapping[str, Any], sizes: Sequence[int] | None = None) -> Model:
    """The model of what was measured, at these sizes only where they are named. Raises
    InvalidInputError."""
    fit = costs(points_of(told, sizes))
    missing = [name for name in _NEEDED if name not in fit]
    if missing:
        allowed = "a file with recall, add, disk and process at three sizes"
        raise InvalidInputError(field="measured", got=f"without {missing[0]}", allowed=allowed)
    return Model(
        engine=str(told["engine"]),
        costs=fit,
        serving_ms=float(told.get("serving_ms") or 0.0),
        dim=int(told.get("dim") or 0),
        base_mb=max(point.value for point in points_of(told)["process_mb"]),
        largest=max(told["sizes"]),
        loop_ms=float((told.get("machine") or {}).get("loop_ms") or 0.0),
    )


def scaled(model: Model, loop_ms: float) -> Model:
    """The model on a machine where a loop of five million sums takes so many milliseconds: all
    processor time in proportion to it. Raises InvalidInputError."""
    if not model.loop_ms:
        allowed = "none: what was measured does not tell the speed of its machine; measure again"
        raise InvalidInputError(field="loop ms", got=loop_ms, allowed=allowed)
    times = loop_ms / model.loop_ms
    costs = {
        name: Cost({part: value * times for part, value in cost.parts.items()})
        if name.endswith("_ms")
        else cost
        for name, cost in model.costs.items()
    }
    return replace(model, costs=costs, serving_ms=model.serving_ms * times, loop_ms=loop_ms)


def checked(plan: Plan, size: int, tell: Callable[[str], None]) -> dict[str, Any]:
    """What was measured at the sizes of a plan and at a bigger one in turn, and what the model of
    the former foretells of the latter. Raises InvalidInputError."""
    if size <= max(plan.sizes):
        allowed = f"more than {max(plan.sizes)}, the largest that is fitted"
        raise InvalidInputError(field="check size", got=size, allowed=allowed)
    told = measured(replace(plan, sizes=[*plan.sizes, size]), tell)
    return {**told, "check": compared_at(told, size)}


def compared_at(told: Mapping[str, Any], size: int) -> dict[str, Any]:
    """The largest size that was measured beside what the others foretell of it."""
    others = [one for one in told["sizes"] if one != size]
    known = points_of(told, others)
    met = {
        cost: [point for point in points if point not in known.get(cost, ())]
        for cost, points in points_of(told, [size]).items()
    }
    rows = compared(costs(known), met)
    return {
        "size": size,
        "fitted_at": others,
        "tolerance": TOLERANCE,
        "rows": rows,
        "kept": all(abs(row["off"]) <= TOLERANCE for row in rows),
    }


def needed(model: Model, demand: Demand) -> dict[str, Any]:
    """What a demand comes to. Raises InvalidInputError where the engine cannot have it."""
    if model.engine == "sqlite" and demand.replicas:
        allowed = "0 with sqlite (a file has backups, no standby); more with --engine postgres"
        raise InvalidInputError(field="replicas", got=demand.replicas, allowed=allowed)
    tenants = Tenants(demand.memories, demand.tenants, demand.tail)
    work = Work(model, demand, tenants)
    found = {
        "engine": model.engine,
        "demand": asdict(demand),
        "costs": {name: cost.parts for name, cost in model.costs.items()},
        "largest_measured": model.largest,
        "loop_ms": model.loop_ms,
        "tenants": _shape(tenants),
        "per_call": work.per_call(),
        "cores": work.cores(),
        "disk_gb": work.disk_gb(),
        "process_mb": work.process_mb(),
        "processes": work.processes(),
        "kept_share": work.kept_share(),
        "one_writer": work.one_writer(),
        "new_per_day": demand.qps * demand.writes * 86_400,
    }
    return found | (_one_machine(work) if model.engine == "sqlite" else _many(work, tenants))


def _shape(tenants: Tenants) -> dict[str, float]:
    count, size = tenants.holding(0.5)
    return {
        "largest": tenants.largest,
        "largest_share": tenants.largest / tenants.memories,
        "middle": tenants.middle,
        "half_of_memories_in": count,
        "asked_p50": size,
        "asked_mean": tenants.mean_where_asked(),
    }


def _one_machine(work: Work) -> dict[str, Any]:
    """A file is on one machine: whether one of the wanted kind does."""
    demand = work.demand
    ram = (work.processes() * work.process_mb() + demand.hot * work.disk_gb() * 1e3) / 1e3
    asks = {
        "cores": (work.cores()["servers"], demand.cores),
        "ram_gb": (ram, demand.ram_gb),
        "disk_gb": (work.disk_gb() / demand.full, demand.disk_gb),
        "one_writer": (work.one_writer(), demand.busy),
    }
    return {
        "nodes": {"servers": 1, "database": 0, "standby": 0},
        "fits": all(wanted <= has for wanted, has in asks.values()),
        "asks": _asks(asks),
    }


def _many(work: Work, tenants: Tenants) -> dict[str, Any]:
    """Servers that hold no state, and as many nodes of a database as the fullest asks for."""
    demand = work.demand
    by_cores = work.cores()["servers"] / demand.cores
    by_ram = work.processes() * work.process_mb() / 1e3 / demand.ram_gb
    servers = max(1, math.ceil(max(by_cores, by_ram)))
    whole = {
        "cores": (work.cores()["database"], demand.cores),
        "ram_gb": (demand.hot * work.disk_gb(), demand.ram_gb),
        "disk_gb": (work.disk_gb() / demand.full, demand.disk_gb),
    }
    least = math.ceil(max(wanted / has for wanted, has in whole.values()))
    spread = _spread(tenants, max(1, least), whole)
    share = spread.fullest_node
    asks = {name: (wanted * share, has) for name, (wanted, has) in whole.items()}
    asks["one_writer"] = (work.one_writer(), demand.busy)
    return {
        "nodes": {
            "servers": servers,
            "database": spread.nodes,
            "standby": spread.nodes * demand.replicas,
        },
        "least_nodes": max(1, least),
        "fits": all(wanted <= has for wanted, has in asks.values()),
        "asks": _asks(asks),
        "spread": asdict(spread),
    }


def _spread(tenants: Tenants, least: int, whole: Mapping[str, tuple[float, float]]) -> Spread:
    """The fewest nodes of which the fullest has room, from `least` on; where none has, as the
    largest tenant alone is too much, those from which on it does not become better."""
    shards = max(SHARDS, min(_MOST_NODES, 4 * 2 ** math.ceil(math.log2(max(1, least)))))
    placing = Placing(tenants, shards)
    best = placing.over(min(least, shards))
    for nodes in _more(least, shards):
        if all(wanted * best.fullest_node <= has for wanted, has in whole.values()):
            break
        found = placing.over(nodes)
        if found.fullest_node < best.fullest_node * _BETTER:
            best = found
    return best


_BETTER = 0.98


def _more(least: int, shards: int) -> Sequence[int]:
    """Numbers of nodes to try: one more each, and a fiftieth more where there are many."""
    tried, nodes = [], least + 1
    while nodes <= shards:
        tried.append(nodes)
        nodes = max(nodes + 1, nodes * 51 // 50)
    return tried


def _asks(asks: Mapping[str, tuple[float, float]]) -> dict[str, dict[str, float]]:
    return {name: {"needs": wanted, "has": has} for name, (wanted, has) in asks.items()}
