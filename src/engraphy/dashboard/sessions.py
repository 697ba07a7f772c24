"""Sessions: which there were, and of one what was injected in each turn and what was captured."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.lately import soon
from engraphy.dashboard.one_memory import texts
from engraphy.dashboard.pages import gone_to, page
from engraphy.dashboard.visit import Visit
from engraphy.errors import InvalidInputError, UnknownSessionError
from engraphy.model import Kind, Memory, Receipt, SessionReport, State
from engraphy.model.overview import SessionLine

_PAGE = 40
_MOST = 200
_MOST_RECEIPTS = 500
_LOOKED = 3
_PATIENCE = 20.0
_STATES = tuple(state.value for state in State if state not in (State.ACTIVE, State.QUARANTINED))


class Happening(NamedTuple):
    """What happened at a moment of a session: something was injected, or captured."""

    at: int
    receipt: Receipt | None = None
    memory: Memory | None = None


class Row(NamedTuple):
    """A session in the list: in how many turns memories were injected, when it was last active, and
    a memory that tells what it was about, where one comes from it."""

    line: SessionLine
    turns: int
    last_at: int
    about: Memory | None


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
    told = visit.query("before")
    before = int(told) if told.isascii() and told.isdecimal() and len(told) < 19 else None
    lines = await visit.work(
        visit.memory.sessions, limit=_PAGE + 1, before=before, include=_STATES, **visit.scope
    )
    more, shown = len(lines) > _PAGE, lines[:_PAGE]
    given = await _given(visit)
    window = (shown[-1].last_at if more else 0, before or visit.now + 1)
    known = {one.session for one in shown}
    only = [
        name
        for name, turns in given.items()
        if name not in known and window[0] <= turns[0].at < window[1]
    ]
    rows = await visit.work(_rows, visit, shown, only, given)
    address = f"/sessions?before={shown[-1].last_at}" if more else ""
    first = "/sessions" if before else ""
    return page(visit, "sessions.html", sessions=rows, more=address, first=first)


async def _given(visit: Visit) -> dict[str, list[Receipt]]:
    """The receipts of each session, newest first; read once after each change, as the text of every
    memory in every receipt is."""
    verb = partial(visit.memory.receipts, limit=_MOST_RECEIPTS, **visit.scope)
    mark = await visit.work(visit.memory.latest)
    found = await soon(visit, "receipts", verb, mark=mark, seconds=_PATIENCE)
    made: dict[str, list[Receipt]] = {}
    for one in () if found is None else found.value:
        if one.session:
            made.setdefault(one.session, []).append(one)
    return made


def _rows(
    visit: Visit,
    lines: Sequence[SessionLine],
    only: Sequence[str],
    given: Mapping[str, list[Receipt]],
) -> list[Row]:
    """Rows of a page, the last active first: of the sessions that memories come from, and of those
    that `only` were asked for some."""
    made = [_row(line, given.get(line.session, []), _about(visit, line.session)) for line in lines]
    for name in only:
        # One that memories come from stands by them, on a page of its own.
        if _about(visit, name) is None:
            turns, report = given[name], _report(visit, name)
            line = SessionLine(
                session=name,
                memories=0,
                first_at=turns[-1].at,
                last_at=turns[0].at,
                status=None if report is None else report.status,
            )
            made.append(_row(line, turns, None))
    return sorted(made, key=lambda one: (-one.last_at, one.line.session))


def _row(line: SessionLine, turns: Sequence[Receipt], about: Memory | None) -> Row:
    last = max([line.last_at, *(one.at for one in turns)])
    return Row(line, sum(bool(one.lines) for one in turns), last, about)


def _about(visit: Visit, name: str) -> Memory | None:
    """The newest memory of a session that says what it was about: none that only sums it up, where
    there is another."""
    scope = {**visit.scope, "session": name}
    rows = visit.memory.list(limit=_LOOKED, include=_STATES, **scope)
    return next((one for one in rows if one.kind is not Kind.SUMMARY), rows[0] if rows else None)


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
    skipped = [one.memory_id for receipt in receipts for one in receipt.skipped]
    left = await visit.work(texts, visit.memory, skipped, visit.scope)
    injected = [(one.at, one.tokens) for one in reversed(receipts)]
    return page(
        visit,
        "session.html",
        name=name,
        report=report,
        parts=_parts(receipts, captured),
        working=working,
        holds=visit.memory.profile.working.items > 0,
        tokens=sum(one.tokens for one in receipts),
        injected=injected,
        left=left,
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
