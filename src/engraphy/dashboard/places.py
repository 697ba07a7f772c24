"""Behind which walls a caller looks, and in which light."""

from collections import Counter
from urllib.parse import urlsplit

from starlette.responses import Response
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import does, shows
from engraphy.dashboard.pages import THEMES, gone_to, page
from engraphy.dashboard.signing import back_to
from engraphy.dashboard.visit import THEME_COOKIE, Visit, WALLS_COOKIE, packed
from engraphy.model.granting import TokenRole
from engraphy.serving.caller import WALLS

_MOST = 500


def routes() -> list[BaseRoute]:
    """The walls picker, the list of places in use, and the light."""
    return [
        shows("/walls", _listed),
        does("/walls", _picked, TokenRole.READ),
        does("/theme", _lit, TokenRole.READ),
    ]


async def _listed(visit: Visit) -> Response:
    """Every set of walls in use: for who looks after the tenant, and their own for who is bound to
    some and may name the others."""
    if not visit.surveys:
        visit.caller.demand(TokenRole.ADMIN)
    found = await visit.work(visit.memory.walls)
    counts = await visit.work(_counted, visit) if visit.governs else {}
    rows = [(one, counts.get((one.user, one.agent, one.project))) for one in found[:_MOST]]
    return page(visit, "walls.html", rows=rows, more=max(0, len(found) - _MOST))


def _counted(visit: Visit) -> Counter[tuple[str | None, ...]]:
    """How many memories stand behind each set of walls, in whatever state."""
    counts: Counter[tuple[str | None, ...]] = Counter()
    for one in visit.memory.owners():
        counts[one.user, one.agent, one.project] += one.memories
    return counts


async def _picked(visit: Visit) -> Response:
    told = {wall: visit.told(wall).strip() or None for wall in WALLS}
    named = visit.caller.within({wall: name for wall, name in told.items() if name is not None})
    own = {wall: name for wall, name in named.items() if wall not in visit.caller.walls}
    return gone_to(visit, _came_from(visit), more={WALLS_COOKIE: packed(own)})


async def _lit(visit: Visit) -> Response:
    theme = visit.told("theme")
    chosen = theme if theme in THEMES else "auto"
    answer = gone_to(visit, _came_from(visit))
    # No secret: the page's own script sets it as well.
    answer.set_cookie(THEME_COOKIE, chosen, path="/", max_age=31_536_000, samesite="strict")
    return answer


def _came_from(visit: Visit) -> str:
    """The page that a form stood on."""
    parts = urlsplit(visit.request.headers.get("referer", "/"))
    # Who chose a place out of the list of places wants to see what is there.
    path = "/" if parts.path == "/walls" else parts.path
    return back_to(path + (f"?{parts.query}" if parts.query else "")) or "/"
