"""The page of one memory: its texts, how it is held, what it is tied to, what happened to it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from markupsafe import Markup
from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.diffing import difference
from engraphy.dashboard.doors import shows
from engraphy.dashboard.keeping import retained, validity
from engraphy.dashboard.lately import soon
from engraphy.dashboard.memories import KINDS
from engraphy.dashboard.pages import page
from engraphy.dashboard.visit import Visit
from engraphy.errors import NotFoundError
from engraphy.memory import Memory
from engraphy.model import (
    Deed,
    Episode,
    Fact,
    Kind,
    Origin,
    Procedure,
    Relation,
    RelationType,
    Scope,
    Sensitivity,
    Version,
)
from engraphy.model import Memory as Row
from engraphy.record import Record, names

ADDRESS = "/memories/{id}"
LEVELS = tuple(one.value for one in Sensitivity)
TYPES = tuple(one.value for one in RelationType)
_MOST_TIES = 40
_MOST_TEXTS = 100
_MOST_FACTS = 50
_DEEDS, _MOST_DEEDS = 15, 5_000
_PATIENCE = 20.0
_SHOWN = ("id", "content", "title", "scope", "channels", "metadata")


_Text = tuple[int, str, str, int | None, str]


class Edition(NamedTuple):
    """One text of a memory: its number, since when another stands in its place, and its difference
    to the one before it."""

    version: int
    content: str
    title: str
    replaced_at: int | None
    reason: str
    difference: Markup | None


class Tie(NamedTuple):
    """A relation of a memory, and what is at its other end."""

    relation: Relation
    other: Row | None
    outward: bool


class Everything(Record, frozen=True, kw_only=True):
    """What the page shows of one memory."""

    memory: Row
    editions: tuple[Edition, ...]
    ties: tuple[Tie, ...]
    facts: Sequence[Fact]
    procedure: Procedure | None
    episode: Episode | None
    curve: str


def routes() -> list[BaseRoute]:
    """The page, and what happened to the memory."""
    return [shows(ADDRESS, _shown), shows(ADDRESS + "/deeds", _deeds)]


async def _shown(visit: Visit) -> Response:
    known = visit.request.path_params["id"]
    try:
        told = await visit.work(everything, visit.memory, known, await reach(visit, known))
    except NotFoundError:
        return await _lapsed(visit, known)
    return page(
        visit,
        "memory.html",
        told=told,
        memory=told.memory,
        retention=retained(told.memory, told.curve, visit.now),
        validity=validity(told.memory, visit.now),
        fields=fields(told.memory),
        levels=_levels(visit),
        kinds=KINDS,
        types=TYPES,
        trusted=told.memory.origin is Origin.USER,
    )


async def reach(visit: Visit, known: str) -> dict[str, Any]:
    """The scope in which a memory is looked for: what the caller sees and, where a profile makes a
    wall of it (C-12), its session."""
    try:
        found = await visit.work(visit.memory.where, known, **visit.caller.walls)
    except NotFoundError:
        return visit.scope
    held = found.conversation
    return visit.scope if held is None else {**visit.scope, "session": held}


async def _lapsed(visit: Visit, id: str) -> Response:
    """What a memory said that no read shows any more, as its time is over (A-07)."""
    scope = await reach(visit, id)
    try:
        row = await visit.work(visit.memory.get, id, touch=False, include=("expired",), **scope)
    except NotFoundError:
        return await elsewhere(visit, id)
    return page(visit, "memory_expired.html", memory=row, fields=fields(row))


async def elsewhere(visit: Visit, id: str) -> Response:
    """What is told where the walls that were chosen hide a memory: the place to look for it, where
    the caller may look there. Raises NotFoundError."""
    found: Scope = await visit.work(visit.memory.where, id, **visit.caller.walls)
    named = {wall: getattr(found, wall) or "" for wall in ("user", "agent", "project")}
    if {wall: name for wall, name in named.items() if name} == dict(visit.named):
        raise NotFoundError(id=id)
    # Of what is above its clearance a caller learns nothing, not even where it stands.
    seen = {**{wall: name or None for wall, name in named.items()}, **visit.caller.leave()}
    await visit.work(visit.memory.get, id, touch=False, session=found.conversation, **seen)
    return page(visit, "memory_elsewhere.html", 404, id=id, named=named)


def everything(memory: Memory, id: str, scope: Mapping[str, Any]) -> Everything:
    """All that the page shows; looking is no access. Raises NotFoundError."""
    row = memory.get(id, touch=False, **scope)
    return Everything(
        memory=row,
        editions=editions(row, memory.history(id, **scope)),
        ties=_ties(memory, row, scope),
        facts=memory.facts(source_id=id, current=False, limit=_MOST_FACTS, **scope),
        procedure=memory.steps(id, **scope) if row.kind is Kind.PROCEDURE else None,
        episode=memory.outcome(id, **scope) if row.kind is Kind.EPISODE else None,
        curve=memory.profile.dream.decay.curve,
    )


def editions(row: Row, versions: Sequence[Version]) -> tuple[Edition, ...]:
    """The texts of a memory, newest first."""
    told: list[_Text] = [
        (one.version, one.content, one.title, one.replaced_at, one.reason) for one in versions
    ]
    told.append((row.version, row.content, row.title, None, ""))
    earlier: list[str | None] = [None, *(one[1] for one in told)]
    made = [
        Edition(*one, None if before is None else difference(before, one[1]))
        for before, one in zip(earlier, told, strict=False)
    ]
    return tuple(reversed(made))


def _ties(memory: Memory, row: Row, scope: Mapping[str, Any]) -> tuple[Tie, ...]:
    """The relations of a memory; its other ends are only looked at."""
    made = []
    for one in memory.links(row.id, **scope)[:_MOST_TIES]:
        outward = one.source_id == row.id
        made.append(
            Tie(one, glimpse(memory, one.target_id if outward else one.source_id, scope), outward)
        )
    return tuple(made)


def texts(memory: Memory, ids: Iterable[str], scope: Mapping[str, Any]) -> dict[str, str]:
    """What those memories say that may be seen, by id, of the first so many."""
    wanted = list(dict.fromkeys(filter(None, ids)))[:_MOST_TEXTS]
    rows = [glimpse(memory, one, scope) for one in wanted]
    return {row.id: row.content for row in rows if row is not None}


def glimpse(memory: Memory, id: str, scope: Mapping[str, Any]) -> Row | None:
    """A memory, where it may be seen; this is no access."""
    try:
        return memory.get(id, touch=False, **scope)
    except NotFoundError:
        return None


def fields(row: Row) -> list[tuple[str, Any]]:
    """Every other field that has a value, by name."""
    told = ((name, getattr(row, name)) for name in names(row) if name not in _SHOWN)
    return [(name, value) for name, value in told if value not in (None, (), "")]


def _levels(visit: Visit) -> tuple[str, ...]:
    """The sensitivities that a caller may give: none that it could not see itself."""
    allowed = visit.caller.leave()
    seen = {"public": True, "private": allowed["allow_private"], "secret": allowed["allow_secret"]}
    return tuple(level for level in LEVELS if seen[level])


async def _deeds(visit: Visit) -> Response:
    """What happened to it, newest first; over a long journal it takes its time."""
    known = visit.request.path_params["id"]

    scope = await reach(visit, known)

    def told() -> list[Deed]:
        return visit.memory.deeds(known, **scope)

    mark = await visit.work(visit.memory.latest)
    found = await soon(visit, f"deeds {known}", told, mark=mark, seconds=_PATIENCE)
    deeds = [] if found is None else found.value[::-1]
    shown = visit.number("show", _DEEDS, _MOST_DEEDS)
    return page(
        visit,
        "memory_deeds.html",
        id=known,
        found=found,
        deeds=deeds[:shown],
        more=max(0, len(deeds) - shown),
    )
