"""The first page: what is remembered, how it grows, how well it is held, and how the store does."""

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import shows
from engraphy.dashboard.pages import page
from engraphy.dashboard.visit import Visit


def routes() -> list[BaseRoute]:
    """The first page and its parts."""
    return [shows("/", _overview)]


async def _overview(visit: Visit) -> Response:
    stats = await visit.work(visit.memory.stats, **visit.scope)
    return page(visit, "overview.html", stats=stats)
