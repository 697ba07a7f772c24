"""Sessions: which there were, and of one what was injected in each turn and what was captured."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.pages import gone_to, page
from engraphy.dashboard.visit import Visit
from engraphy.errors import InvalidInputError, UnknownSessionError
from engraphy.model import Memory, Receipt, SessionReport, State

_PAGE = 40
_MOST = 200
_STATES = tuple(state.value for state in State if state not in (State.ACTIVE, State.QUARANTINED))


class Happening(NamedTuple):
    """What happened at a moment of a session: something was injected, or captured."""

    at: int
    receipt: Receipt | None = None
    memory: Memory | None = None


class Part(NamedTuple):
    """What happened on one topic; `segment`: its number, '' where none is known."""

    segment: str
    happenings: tuple[Happening, ...]


def routes() -> list[BaseRoute]:
    """The list, one session, and its end."""
    return [
        shows("/sessions", _listed),
        shows("/sessions/one", _one),
        shows("/sessions/{name:path}", _by_name),
        does("/sessions/end", _ended),
    ]


async def _listed(visit: Visit) -> Response:
    before = visit.query("before")
    told = await visit.work(
        visit.memory.sessions,
        limit=_PAGE + 1,
        before=int(before) if before.isascii() and before.isdecimal() else None,
        **visit.scope,
    )
    shown = told[:_PAGE]
    more = f"/sessions?before={shown[-1].last_at}" if len(told) > _PAGE else ""
    return page(
        visit, "sessions.html", sessions=shown, more=more, first="/sessions" if before else ""
    )


async def _by_name(visit: Visit) -> Response:
    """A session by its name in the path; its own page has the name behind the question mark, where
    any name can stand."""
    return gone_to(visit, f"/sessions/one?{urlencode({'name': visit.request.path_params['name']})}")


async def _one(visit: Visit) -> Response:
    name = visit.query("name")
    if not name:
        raise InvalidInputError(field="name", got="nothing", allowed="a session's name")
    scope = {**visit.scope, "session": name}
    receipts = await visit.work(visit.memory.receipts, limit=_MOST, **scope)
    captured = await visit.work(visit.memory.list, limit=_MOST, include=_STATES, **scope)
    working = await visit.work(visit.memory.working, name, **visit.scope)
    report = await visit.work(_report, visit, name)
    injected = [(one.at, one.tokens) for one in reversed(receipts)]
    return page(
        visit,
        "session.html",
        name=name,
        report=report,
        parts=_parts(receipts, captured),
        working=working,
        tokens=sum(one.tokens for one in receipts),
        injected=injected,
        receipts=receipts,
        captured=captured,
    )


def _report(visit: Visit, name: str) -> SessionReport | None:
    """What was done in a session; None where it was never begun as one."""
    try:
        return visit.memory.session(name, **visit.walls)
    except UnknownSessionError:
        return None


def _parts(receipts: Sequence[Receipt], captured: Sequence[Memory]) -> list[Part]:
    """All that happened, in its order, cut where the topic changed."""
    found = [Happening(one.at, receipt=one) for one in receipts]
    found += [Happening(one.recorded_at, memory=one) for one in captured]
    found.sort(key=lambda one: one.at)
    told: list[tuple[str, Happening]] = []
    segment = next((number for one in found if (number := _segment(one))), "")
    for one in found:
        segment = _segment(one) or segment
        told.append((segment, one))
    return [
        Part(number, tuple(one for _, one in of))
        for number, of in groupby(told, key=lambda pair: pair[0])
    ]


def _segment(one: Happening) -> str:
    return dict(one.memory.metadata).get("segment", "") if one.memory is not None else ""


async def _ended(visit: Visit) -> Response:
    name = visit.told("name")
    await visit.work(visit.memory.end_session, name, **visit.walls)
    return gone_to(visit, f"/sessions/one?{urlencode({'name': name})}", "The session was closed.")
