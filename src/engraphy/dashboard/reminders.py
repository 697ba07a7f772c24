"""What somebody asked to be reminded of: what is due, what waits, what was told."""

from typing import Any

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.pages import gone_to, page
from engraphy.dashboard.paging import asked, cut
from engraphy.dashboard.visit import Visit
from engraphy.errors import InvalidInputError
from engraphy.model import MICROSECONDS_PER_DAY

_PAGE = 50
_LATER = {"tomorrow": 1, "in a week": 7, "in a month": 30}


def routes() -> list[BaseRoute]:
    """The list; done, and put off."""
    return [
        shows("/reminders", _listed),
        does("/reminders/done", _done),
        does("/reminders/later", _later),
    ]


async def _listed(visit: Visit) -> Response:
    told = visit.query("told") == "1"
    limit = asked(visit, _PAGE)
    rows = await visit.work(visit.memory.reminders, told=told, limit=limit, **visit.scope)
    chosen = {"told": "1"} if told else {}
    shown = cut(visit, "/reminders", rows, _PAGE, **chosen)
    return page(visit, "reminders.html", shown=shown, told=told, later=tuple(_LATER))


async def _done(visit: Visit) -> Response:
    await visit.work(visit.memory.report, visit.told("id"), **visit.scope)
    return gone_to(visit, "/reminders", "Done.")


async def _later(visit: Visit) -> Response:
    days = _LATER.get(visit.told("when"))
    if days is None:
        raise InvalidInputError(
            field="when", got=repr(visit.told("when"))[:40], allowed=str(_LATER)
        )
    fields: dict[str, Any] = {"remind_at": visit.now + days * MICROSECONDS_PER_DAY}
    await visit.work(visit.memory.update, visit.told("id"), **fields, **visit.scope)
    return gone_to(visit, "/reminders", f"It comes {visit.told('when')}.")
