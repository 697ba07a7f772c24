"""Routes of pages: who may see one, and what is told to who may not."""

from collections.abc import Awaitable, Callable
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Match

from engraphy.dashboard.pages import HEADERS, bare, page
from engraphy.dashboard.visit import DOORS, Visit, filled, visiting
from engraphy.errors import EngraphyError, NotAllowedError
from engraphy.model.granting import TokenRole
from engraphy.serving.caller import Caller
from engraphy.serving.problems import Problem, noted, problem
from engraphy.serving.route import Guarded, admitted, house

Handler = Callable[[Visit], Awaitable[Response]]
_LONGEST_WAY_BACK = 2_000
_NAME = "dashboard "
_FORM = f"{_NAME}POST"


def shows(path: str, handler: Handler, role: TokenRole = TokenRole.READ) -> Guarded:
    """A page: it looks, and changes nothing."""

    async def endpoint(request: Request) -> Response:
        caller = None
        try:
            caller = await _admitted(request)
            caller.demand(role)
            return await handler(visiting(request, caller, {}))
        except EngraphyError as error:
            return _told(request, caller, error)

    return _guarded(path, endpoint, "GET", role)


def does(path: str, handler: Handler, role: TokenRole = TokenRole.WRITE) -> Guarded:
    """What a form of a page is sent to: only a form of the caller's own session is taken."""

    async def endpoint(request: Request) -> Response:
        caller = None
        try:
            caller = await _admitted(request)
            caller.demand(role)
            return await handler(visiting(request, caller, await filled(request)))
        except EngraphyError as error:
            return _told(request, caller, error)

    return _guarded(path, endpoint, "POST", role)


async def _admitted(request: Request) -> Caller:
    """Let in whoever may see anything, or raise NotAllowedError or ForbiddenError."""
    return await admitted(request, TokenRole.READ, DOORS)


def astray(request: Request, status: int) -> Response | None:
    """What a browser is shown where no page is: from the address of a form, which it comes to by
    the page that a form answered with, it is sent on to the page above. None for other callers."""
    if not house(request).options.dashboard or "text/html" not in request.headers.get("accept", ""):
        return None
    path = request.url.path
    if status == 404:
        told = Problem(status=404, code="not_found", message=f"There is no page at {path[:200]}.")
        return bare(request, "problem_alone.html", 404, problem=told)
    if status == 405 and request.method == "GET" and _is_form(request):
        return RedirectResponse(path.rpartition("/")[0] or "/", 303, headers=dict(HEADERS))
    return None


def _is_form(request: Request) -> bool:
    return any(
        isinstance(one, Guarded)
        and one.name.startswith(_FORM)
        and one.matches(request.scope)[0] is not Match.NONE
        for one in request.app.routes
    )


def _guarded(
    path: str, endpoint: Callable[[Request], Awaitable[Response]], method: str, role: TokenRole
) -> Guarded:
    made = Guarded(path, endpoint, methods=[method], name=f"{_NAME}{method} {path}")
    made.role, made.doors = role, DOORS
    return made


def _told(request: Request, caller: Caller | None, error: EngraphyError) -> Response:
    """What went wrong, as a page; who is not known yet is asked who it is."""
    if isinstance(error, NotAllowedError) and request.headers.get("hx-request") != "true":
        back = request.url.path if request.method == "GET" else "/"
        if request.method == "GET" and request.url.query:
            back += f"?{request.url.query}"
        way = f"?back={quote(back, safe='')}" if 1 < len(back) < _LONGEST_WAY_BACK else ""
        return RedirectResponse(f"/signin{way}", 303, headers=dict(HEADERS))
    told = noted(request, problem(error))
    if caller is None or told.status == 401:
        return bare(request, "problem_alone.html", told.status, problem=told)
    try:
        visit = visiting(request, caller, {})
    except EngraphyError:
        return bare(request, "problem_alone.html", told.status, problem=told)
    return page(visit, "problem.html", told.status, problem=told, at=_way_back(request))


def _way_back(request: Request) -> str:
    """The page that a form stood on; '' where a page was asked for, which is not there."""
    return "" if request.method == "GET" else request.url.path.rpartition("/")[0]
