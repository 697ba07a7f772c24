"""Maintenance: what the last cycles did, a try on a copy, one now, and back again."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import urlencode
from weakref import WeakKeyDictionary

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.charts import Bar, bars
from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.one_memory import texts
from engraphy.dashboard.pages import gone_to, page
from engraphy.dashboard.showing import plural
from engraphy.dashboard.visit import Visit
from engraphy.errors import InvalidInputError
from engraphy.model import DreamReport, Undone
from engraphy.model.granting import TokenRole
from engraphy.model.survey import Survey
from engraphy.serving.house import House

_SHOWN = 30
_LOOKED_UP = 1_000
_MOST_SEEN = 32
_TIERS = ("working", "episodic", "semantic")
_STATES = ("active", "dormant", "archived", "superseded", "expired", "quarantined")


class Pair(NamedTuple):
    """A count before and after."""

    label: str
    before: int
    after: int
    first: float
    second: float


class Seen(NamedTuple):
    """A cycle, and how the memory stood before and after it."""

    report: DreamReport
    before: Survey | None = None
    after: Survey | None = None


_Held = dict[tuple[str, str], Seen]
_seen: "WeakKeyDictionary[House, _Held]" = WeakKeyDictionary()
"""What was dreamt or tried lately, by tenant and key."""


def routes() -> list[BaseRoute]:
    """The list of cycles, one of them, and what an operator may do."""
    return [
        shows("/dreams", _listed, TokenRole.ADMIN),
        shows("/dreams/now", _now, TokenRole.ADMIN),
        shows("/dreams/one", _one, TokenRole.ADMIN),
        does("/dreams/try", _tried, TokenRole.ADMIN),
        does("/dreams/run", _run, TokenRole.ADMIN),
        does("/dreams/undo", _undone, TokenRole.ADMIN),
    ]


async def _listed(visit: Visit) -> Response:
    cycles = await visit.work(visit.memory.dreams, limit=_SHOWN)
    changes = [(f"{one.started_at}", one.changed) for one in reversed(cycles)]
    return page(visit, "dreams.html", cycles=cycles, changes=changes, most=_SHOWN)


async def _now(visit: Visit) -> Response:
    """How the memory stands; every row is read, so that it comes after the page."""
    survey = await visit.work(visit.memory.survey)
    return page(
        visit,
        "dreams_now.html",
        survey=survey,
        tiers=_counted(survey.by_tier, _TIERS),
        states=_counted(survey.by_state, _STATES),
        strengths=[
            (f"{step / 10:.1f} to {step / 10 + 0.1:.1f}", count)
            for step, count in enumerate(survey.by_strength)
        ],
    )


async def _one(visit: Visit) -> Response:
    """A cycle, or one that was only tried, with how the memory stood before and after it where
    this server saw that."""
    key = visit.query("run") or visit.query("tried")
    seen = _seen.get(visit.house, {}).get((visit.memory.tenant, key))
    if seen is not None:
        return await _page(visit, *seen)
    if visit.query("tried"):
        return gone_to(visit, "/dreams", "What was tried is no longer held: try it again.", "note")
    return await _page(visit, await _found(visit, key))


async def _tried(visit: Visit) -> Response:
    """The same on a copy; nothing is changed."""
    report = await visit.work(visit.memory.dream, dry_run=True)
    key = _hold(visit, f"{visit.now}", Seen(report))
    return gone_to(visit, f"/dreams/one?{urlencode({'tried': key})}")


async def _run(visit: Visit) -> Response:
    """One cycle now, with how the memory stood before and stands after it."""
    before = await visit.work(visit.memory.survey)
    report = await visit.work(visit.memory.dream)
    after = await visit.work(visit.memory.survey)
    if not report.run:
        return gone_to(visit, "/dreams", "No cycle is due.", "note")
    run = _hold(visit, report.run, Seen(report, before, after))
    told = "Dreamt: nothing had to be changed."
    if report.changed:
        told = f"Dreamt: {plural(report.changed, 'change')}."
    return gone_to(visit, f"/dreams/one?{urlencode({'run': run})}", told)


def _hold(visit: Visit, key: str, seen: Seen) -> str:
    """Keep what one page is to show, so that to look at it again does nothing again; the key."""
    held = _seen.setdefault(visit.house, {})
    held[visit.memory.tenant, key] = seen
    for old in list(held)[:-_MOST_SEEN]:
        del held[old]
    return key


async def _undone(visit: Visit) -> Response:
    """What undoing a cycle would do; with `sure`, the undoing."""
    run = visit.told("run")
    report = await _found(visit, run)
    sure = visit.told("sure") == "1"
    undone = await visit.work(visit.memory.undo, run=run, dry_run=not sure)
    if sure:
        _seen.get(visit.house, {}).pop((visit.memory.tenant, run), None)
        told = f"Undone: {_told(undone)}. It can itself be undone, in the journal."
        return gone_to(visit, f"/dreams/one?{urlencode({'run': run})}", told)
    return await _page(visit, report, undone=undone)


async def _found(visit: Visit, run: str) -> DreamReport:
    """The cycle of that id. Raises InvalidInputError."""
    cycles = await visit.work(visit.memory.dreams, limit=_LOOKED_UP)
    found = next((one for one in cycles if one.run == run), None)
    if found is None:
        raise InvalidInputError(field="run", got=repr(run)[:60], allowed="the id of a cycle")
    return found


def _told(undone: Undone) -> str:
    return (
        f"{len(undone.changed):,} changed back, {len(undone.restored):,} brought back, "
        f"{len(undone.removed):,} taken out, {len(undone.left):,} left alone"
    )


async def _page(
    visit: Visit,
    report: DreamReport,
    before: Survey | None = None,
    after: Survey | None = None,
    undone: Undone | None = None,
) -> Response:
    """The page of a cycle; examples stand in their words, where they are seen from here."""
    examples = [one.id for step in report.steps for one in step.examples]
    return page(
        visit,
        "dream.html",
        report=report,
        steps=bars([(step.name, step.changed) for step in report.steps if step.changed]),
        tiers=_pairs(before, after, "by_tier", _TIERS),
        states=_pairs(before, after, "by_state", _STATES),
        said=await visit.work(texts, visit.memory, examples, visit.scope),
        undone=undone,
        telling="" if undone is None else _told(undone),
    )


def _counted(held: Mapping[str, int], order: tuple[str, ...]) -> list[Bar]:
    return bars([(name, held[name]) for name in order if held.get(name)])


def _pairs(
    before: Survey | None, after: Survey | None, field: str, order: tuple[str, ...]
) -> list[Pair]:
    if before is None or after is None:
        return []
    old, new = getattr(before, field), getattr(after, field)
    most = max([*old.values(), *new.values(), 1])
    return [
        Pair(name, old.get(name, 0), new.get(name, 0), *_widths(old, new, name, most))
        for name in order
        if old.get(name) or new.get(name)
    ]


def _widths(
    old: Mapping[str, int], new: Mapping[str, int], name: str, most: int
) -> tuple[float, float]:
    return round(100 * old.get(name, 0) / most, 2), round(100 * new.get(name, 0) / most, 2)
