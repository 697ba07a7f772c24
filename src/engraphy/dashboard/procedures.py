"""Workflows with how often they worked, and events with how they ended."""

from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.pages import gone_to, page
from engraphy.dashboard.visit import Visit
from engraphy.errors import NotFoundError
from engraphy.model import Episode, Kind, Memory, Procedure

_PAGE = 20
_TABS = ("procedures", "episodes")


class Told(NamedTuple):
    """A memory with the part beside it; None where it has none."""

    memory: Memory
    steps: Procedure | None = None
    outcome: Episode | None = None


def routes() -> list[BaseRoute]:
    """Both lists, and a report of how following a procedure went."""
    return [shows("/procedures", _listed), does("/procedures/report", _reported)]


async def _listed(visit: Visit) -> Response:
    tab = visit.chosen("show", _TABS) or _TABS[0]
    kind = Kind.PROCEDURE if tab == _TABS[0] else Kind.EPISODE
    after = visit.query("after")
    rows = await visit.work(
        visit.memory.list,
        kind=kind.value,
        limit=_PAGE + 1,
        **({"after": after} if after else {}),
        **visit.scope,
    )
    told = await visit.work(_told, visit, rows[:_PAGE])
    more = f"/procedures?show={tab}&after={rows[_PAGE - 1].id}" if len(rows) > _PAGE else ""
    first = f"/procedures?show={tab}" if after else ""
    return page(visit, "procedures.html", tab=tab, tabs=_TABS, told=told, more=more, first=first)


def _told(visit: Visit, rows: Sequence[Memory]) -> list[Told]:
    return [_one(visit, row) for row in rows]


def _one(visit: Visit, row: Memory) -> Told:
    try:
        if row.kind is Kind.PROCEDURE:
            return Told(row, steps=visit.memory.steps(row.id, **visit.scope))
        return Told(row, outcome=visit.memory.outcome(row.id, **visit.scope))
    except NotFoundError:
        return Told(row)


async def _reported(visit: Visit) -> Response:
    good = visit.told("success") == "yes"
    await visit.work(visit.memory.report, visit.told("id"), good, **visit.scope)
    return gone_to(
        visit, "/procedures", "Counted as a success." if good else "Counted as a failure."
    )
