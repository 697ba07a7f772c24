"""The first page: what is remembered, how it grows, how well it is held, and how the store does."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import shows
from engraphy.dashboard.lately import soon
from engraphy.dashboard.pages import page
from engraphy.dashboard.visit import Visit
from engraphy.dream.picture import fading
from engraphy.dream.strength import days_since_access, retention
from engraphy.memory import Memory
from engraphy.model import MICROSECONDS_PER_DAY, Receipt, Scope, State
from engraphy.model import Memory as Row
from engraphy.model.granting import TokenRole
from engraphy.model.survey import Retained
from engraphy.serving.caller import WALLS

EVERY_STATE = tuple(state.value for state in State)
_PATIENCE = 0.12
"""Seconds that a page waits for what takes long; after them it shows itself without."""
_LONG = 20.0
_NEWEST = 6
_PLACES = _LATEST = 5
_RECEIPTS = 200
_SAMPLE = 300
_GROWTH_DAYS = 42
_SURVEYED_EVERY = 300 * 1_000_000
_STEPS = 10


class Held(NamedTuple):
    """How well memories are held: of how many, by tier, by retrieval strength in ten steps (the
    weakest first), how it falls over the next days, and whether only some were looked at."""

    total: int
    by_tier: dict[str, float]
    by_strength: tuple[int, ...]
    fading: list[float]
    curve: str
    sampled: bool


def routes() -> list[BaseRoute]:
    """The first page and its parts."""
    return [
        shows("/", _overview),
        shows("/overview/counts", _counts),
        shows("/overview/growth", _growth),
        shows("/overview/held", _held),
        shows("/overview/health", _health, TokenRole.ADMIN),
        shows("/overview/dreams", _dreams, TokenRole.ADMIN),
    ]


async def _overview(visit: Visit) -> Response:
    newest, receipts = await visit.work(glance, visit.memory, visit.scope)
    today = visit.now // MICROSECONDS_PER_DAY * MICROSECONDS_PER_DAY
    asked = [one for one in receipts if one.at >= today]
    injected = [one for one in asked if one.lines]
    stats, growth = await asyncio.gather(_stats(visit, _PATIENCE), _arrivals(visit, _PATIENCE))
    return page(
        visit,
        "overview.html",
        newest=newest,
        elsewhere=await _elsewhere(visit, empty=not newest),
        injected=injected,
        more=len(asked) == len(receipts) >= min(_RECEIPTS, visit.memory.profile.inject.receipts),
        tokens=sum(one.tokens for one in injected),
        last=[one for one in receipts if one.lines][:_LATEST],
        stats=None if stats is None else stats.value,
        growth=None if growth is None else growth.value,
    )


async def _elsewhere(visit: Visit, *, empty: bool) -> list[Scope]:
    """Where there is something, for who may know that and sees nothing here, or only what is kept
    for no project in particular: what agents keep stands behind walls of its own."""
    if not visit.surveys or (dict(visit.named) != visit.caller.walls and not empty):
        return []
    seconds = _LONG if empty else _PATIENCE
    # An operator who looks behind the same walls is told of more.
    name = f"walls of {sorted(visit.caller.walls.items())}"
    found = await soon(visit, name, visit.memory.walls, mark=await _mark(visit), seconds=seconds)
    places: Sequence[Scope] = () if found is None else found.value
    return [one for one in places if _walls(one) not in ({}, dict(visit.named))][:_PLACES]


def _walls(scope: Scope) -> dict[str, str]:
    """The walls that a place is behind, by name."""
    held = {wall: getattr(scope, wall) for wall in WALLS}
    return {wall: name for wall, name in held.items() if name}


def glance(memory: Memory, scope: dict[str, Any]) -> tuple[list[Row], list[Receipt]]:
    """What the first page shows in any case: the newest memories, and what was injected lately."""
    newest = memory.list(limit=_NEWEST, **scope)
    return newest, memory.receipts(limit=_RECEIPTS, **scope)


async def _counts(visit: Visit) -> Response:
    found = await _stats(visit, _LONG)
    stats = None if found is None else found.value
    return _part(visit, "counts", stats=stats)


async def _growth(visit: Visit) -> Response:
    found = await _arrivals(visit, _LONG)
    return _part(visit, "growth", growth=None if found is None else found.value)


def _part(visit: Visit, name: str, **values: Any) -> Response:
    """A part of the first page; by itself a page where nobody puts it into one."""
    return page(visit, "overview_part.html", part=f"overview_{name}.html", **values)


async def _stats(visit: Visit, seconds: float) -> Any:
    """Counts of what the caller sees, where they are had so soon."""
    verb = partial(visit.memory.stats, **visit.scope)
    return await soon(visit, "stats", verb, mark=await _mark(visit), seconds=seconds)


async def _arrivals(visit: Visit, seconds: float) -> Any:
    verb = partial(visit.memory.arrivals, days=_GROWTH_DAYS, **visit.scope)
    return await soon(visit, "arrivals", verb, mark=await _mark(visit), seconds=seconds)


async def _mark(visit: Visit) -> int:
    """Another number once something was written; never shown."""
    return await visit.work(visit.memory.latest)


async def _held(visit: Visit) -> Response:
    """How well everything is held: of the whole tenant for who looks after it, else of the newest
    that the caller sees."""
    if visit.governs:
        mark = visit.now // _SURVEYED_EVERY
        found = await soon(
            visit, "held", partial(_surveyed, visit.memory), mark=mark, seconds=_LONG
        )
    else:
        sampled = partial(_sampled, visit.memory, visit.scope, visit.now)
        found = await soon(visit, "held", sampled, mark=await _mark(visit), seconds=_LONG)
    return _part(visit, "held", found=found)


def _surveyed(memory: Memory) -> Held:
    told = memory.survey()
    tiers = {name: float(count) for name, count in sorted(told.by_tier.items())}
    fall = fading(told.sample, told.curve)
    return Held(sum(told.by_strength), tiers, told.by_strength, fall, told.curve, sampled=False)


def _sampled(memory: Memory, scope: dict[str, Any], now: int) -> Held:
    rows = memory.list(limit=_SAMPLE, **scope)
    curve = memory.profile.dream.decay.curve
    tiers, steps = dict[str, float](), [0] * _STEPS
    for row in rows:
        tiers[row.tier.value] = tiers.get(row.tier.value, 0.0) + 1
        steps[min(int(retention(row, curve, now) * _STEPS), _STEPS - 1)] += 1
    kept = [_retained(row, now) for row in rows]
    return Held(len(rows), tiers, tuple(steps), fading(kept, curve), curve, sampled=True)


def _retained(row: Row, now: int) -> Retained:
    age = days_since_access(row, now)
    return Retained(row.id, row.tier.value, age, row.stability, row.retrieval_loss)


async def _health(visit: Visit) -> Response:
    mark = await _mark(visit)
    found = await soon(visit, "doctor", visit.memory.doctor, mark=mark, seconds=_LONG)
    checks: Sequence[Any] = [] if found is None else found.value
    wrong = [one for one in checks if not one.ok]
    return _part(visit, "health", found=found, checks=checks, wrong=wrong)


async def _dreams(visit: Visit) -> Response:
    cycles = await visit.work(visit.memory.dreams, limit=3)
    return _part(visit, "dreams", cycles=cycles)
