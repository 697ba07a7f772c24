"""What happened, day by day; and how one subject changed."""

from itertools import groupby
from typing import Any, NamedTuple
from urllib.parse import urlencode

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.charts import place
from engraphy.dashboard.doors import shows
from engraphy.dashboard.pages import page
from engraphy.dashboard.showing import day, meant
from engraphy.dashboard.visit import Visit
from engraphy.model import Kind, MICROSECONDS_PER_DAY, State, TimelineEntry

_MOST = 60
_KINDS = [kind.value for kind in Kind]
_STATES = [State.SUPERSEDED.value, State.DORMANT.value, State.ARCHIVED.value, State.EXPIRED.value]
_FILTERS = ("category", "tag", "file", "speaker", "entity")
_LEAST = 0.8
"""So wide is a validity at least, of 100."""


class Span(NamedTuple):
    """One text of a subject, and when it was true: from `x` on, `width` wide, of 100; `ended`: it
    no longer is."""

    entry: TimelineEntry
    x: float
    width: float
    ended: bool


def routes() -> list[BaseRoute]:
    """The timeline."""
    return [shows("/timeline", _timeline)]


async def _timeline(visit: Visit) -> Response:
    about = visit.query("about")
    if about:
        return await _subject(visit, about)
    kind = visit.chosen("kind", _KINDS)
    told = {name: visit.query(name) for name in (*_FILTERS, "since", "until")}
    wanted: dict[str, Any] = {name: value for name, value in told.items() if value}
    query = {**wanted, **({"kind": kind} if kind else {})}
    for name in {"since", "until"} & wanted.keys():
        wanted[name] = meant(wanted[name])
    if kind:
        wanted["kind"] = kind
    after = visit.query("after")
    rows = await visit.work(
        visit.memory.timeline,
        limit=_MOST + 1,
        include=_STATES,
        **wanted,
        **({"after": after} if after else {}),
        **visit.scope,
    )
    shown = list(rows[:_MOST])
    days = [(name, list(of)) for name, of in groupby(shown, lambda row: day(row.valid_from))]
    more = f"/timeline?{urlencode({**query, 'after': shown[-1].id})}" if len(rows) > _MOST else ""
    first = f"/timeline?{urlencode(query)}" if after else ""
    return page(
        visit,
        "timeline.html",
        days=days,
        told=told,
        chosen=kind,
        kinds=_KINDS,
        more=more,
        first=first,
    )


async def _subject(visit: Visit, about: str) -> Response:
    found = await visit.work(visit.memory.timeline_of, about, limit=100, **visit.scope)
    start = min((one.since for one in found.entries), default=visit.now)
    end = max(visit.now, start + MICROSECONDS_PER_DAY)
    spans = [_span(one, start, end, visit.now) for one in found.entries]
    axis = [day(start), day((start + end) // 2), "today"]
    return page(visit, "subject.html", about=about, spans=spans, axis=axis)


def _span(entry: TimelineEntry, start: int, end: int, now: int) -> Span:
    x = place(entry.since, start, end)
    until = place(end if entry.until is None else entry.until, start, end)
    width = max(until - x, _LEAST)
    ended = entry.until is not None and entry.until <= now
    return Span(entry, min(x, 100 - _LEAST), round(width, 2), ended)
