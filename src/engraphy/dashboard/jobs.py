"""What waits in the background, and what was set aside because it failed too often."""

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.pages import gone_to, page
from engraphy.dashboard.paging import cut
from engraphy.dashboard.visit import Visit

_PAGE = 50


def routes() -> list[BaseRoute]:
    """The queue, what was set aside before what waits; hand over anew, give up."""
    return [shows("/jobs", _listed), does("/jobs/retry", _retried), does("/jobs/drop", _dropped)]


async def _listed(visit: Visit) -> Response:
    rows = await visit.work(visit.memory.jobs, **visit.scope)
    ordered = sorted(rows, key=lambda one: not one.failed)
    shown = cut(visit, "/jobs", ordered, _PAGE)
    failed = sum(one.failed for one in rows)
    return page(visit, "jobs.html", shown=shown, count=(len(rows) - failed, failed))


async def _retried(visit: Visit) -> Response:
    await visit.work(visit.memory.retry_job, visit.told("id"), **visit.scope)
    return gone_to(visit, "/jobs", "Handed over anew.")


async def _dropped(visit: Visit) -> Response:
    await visit.work(visit.memory.drop_job, visit.told("id"), **visit.scope)
    return gone_to(visit, "/jobs", "Given up, with its messages.")
