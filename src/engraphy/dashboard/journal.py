"""The journal: who changed what, when and why; whether it is whole; one line undone."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, get_args
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.browser import known_as
from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.lately import soon
from engraphy.dashboard.one_memory import texts
from engraphy.dashboard.pages import gone_to, page
from engraphy.dashboard.showing import plural
from engraphy.dashboard.visit import Visit
from engraphy.errors import InvalidInputError
from engraphy.model import Audit, JournalOp, Undone
from engraphy.model.granting import TokenRole

_PAGE = 60
_PATIENCE, _LONG = 0.15, 60.0
"""Seconds that a page, and the part of it that comes later, waits for the whole journal."""
_OPS = sorted(get_args(JournalOp))
_TEXTS = ("actor", "target", "since", "until")


def routes() -> list[BaseRoute]:
    """Its pages, naming a moment, undoing a line."""
    return [
        shows("/journal", _listed, TokenRole.ADMIN),
        shows("/journal/undo", _asked, TokenRole.ADMIN),
        does("/journal/undo", _undone, TokenRole.ADMIN),
        does("/journal/snapshot", _named, TokenRole.ADMIN),
    ]


async def _listed(visit: Visit) -> Response:
    told = {name: visit.query(name) for name in _TEXTS}
    op = visit.chosen("op", _OPS)
    wanted: dict[str, Any] = {name: value for name, value in told.items() if value}
    if op:
        wanted["op"] = op
    before = _line(visit.query("before")) if visit.query("before") else None
    here = {**wanted, **({} if before is None else {"before": before})}
    found = await _audited(visit, here)
    entries = () if found is None else found.entries
    lines = entries[:_PAGE]
    more = ""
    if len(entries) > _PAGE:
        more = f"/journal?{urlencode({**wanted, 'before': lines[-1].line})}"
    first = f"/journal?{urlencode(wanted)}" if before else ""
    points = await _points(visit)
    return page(
        visit,
        "journal.html",
        audit=found,
        lines=lines,
        told=told,
        op=op,
        ops=_OPS,
        points=points[:_PAGE],
        more=more,
        first=first,
        here=f"/journal?{urlencode({**here, 'wait': 1})}",
        names=await _names(visit),
    )


async def _names(visit: Visit) -> dict[str, str]:
    """What the tokens are called that lines are told as done by."""
    grants = await visit.work(visit.memory.grants)
    return {f"token:{one.id}": known_as(one) for one in grants}


async def _points(visit: Visit) -> Sequence[Any]:
    """The moments that have a name: looked for among all lines, so once until one is added."""
    mark = await visit.work(visit.memory.latest)
    found = await soon(visit, "points", visit.memory.snapshots, mark=mark, seconds=_LONG)
    return () if found is None else found.value


async def _audited(visit: Visit, wanted: Mapping[str, Any]) -> Audit | None:
    """The lines, once the whole journal was checked; None where that takes longer than a page."""
    verb = partial(visit.memory.audit, limit=_PAGE + 1, **wanted)
    mark = await visit.work(visit.memory.latest)
    seconds = _LONG if visit.query("wait") else _PATIENCE
    found = await soon(visit, f"audit {sorted(wanted.items())}", verb, mark=mark, seconds=seconds)
    return None if found is None else found.value


async def _asked(visit: Visit) -> Response:
    """What undoing a line would do."""
    change = _line(visit.query("change"))
    undone = await visit.work(visit.memory.undo, change, dry_run=True)
    ids = (*undone.changed, *undone.restored, *undone.removed)
    said = await visit.work(texts, visit.memory, ids, visit.scope)
    return page(visit, "undo.html", undone=undone, change=change, said=said, telling=_told(undone))


def _told(undone: Undone) -> str:
    """What undoing would do, in words."""
    parts = {
        "change back": undone.changed,
        "bring back": undone.restored,
        "take out": undone.removed,
    }
    told = [
        f"{name} {plural(len(ids), 'memory', 'memories')}" for name, ids in parts.items() if ids
    ]
    if undone.beside:
        told.append(f"change {plural(undone.beside, 'fact or relation', 'facts or relations')}")
    return f"It would {' and '.join(told)}." if told else "It would change nothing any more."


async def _undone(visit: Visit) -> Response:
    change = _line(visit.told("change"))
    undone = await visit.work(visit.memory.undo, change)
    done = len(undone.changed) + len(undone.restored) + len(undone.removed)
    return gone_to(
        visit,
        "/journal",
        f"Line {change} was undone: {plural(done, 'memory', 'memories')}, {undone.beside} beside.",
    )


async def _named(visit: Visit) -> Response:
    point = await visit.work(visit.memory.snapshot, visit.told("name").strip())
    return gone_to(visit, "/journal", f"This moment is named {point.name}.")


def _line(told: str) -> int:
    """The number of a line. Raises InvalidInputError."""
    if not told.isascii() or not told.isdecimal() or len(told) > 18:
        raise InvalidInputError(field="line", got=repr(told)[:40], allowed="a line's number")
    return int(told)
