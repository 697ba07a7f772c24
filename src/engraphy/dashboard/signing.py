"""Signing in and out: a token is shown once, and the browser gets a session of its own."""

from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute

from engraphy.dashboard.browser import end, session
from engraphy.dashboard.doors import does
from engraphy.dashboard.pages import HEADERS, bare, gone_to
from engraphy.dashboard.visit import FLASH_COOKIE, Visit, WALLS_COOKIE, read_form
from engraphy.errors import EngraphyError, ForbiddenError, NotAllowedError
from engraphy.model.granting import TokenRole
from engraphy.serving.problems import noted, problem
from engraphy.serving.route import COOKIE, house, route

_SECONDS = 86_400
_LONGEST_TOKEN = 400
_REFUSED = "That token is unknown, wrong, over or revoked."


def routes() -> list[BaseRoute]:
    """Where a browser signs in and out."""
    return [
        route("/signin", _asked, role=None, name="dashboard GET /signin"),
        route("/signin", _signed_in, methods=["POST"], role=None, name="dashboard POST /signin"),
        does("/signout", _signed_out, TokenRole.READ),
    ]


def back_to(told: str) -> str:
    """A path of ours to go back to; the first page for anything else."""
    ours = told.startswith("/") and not told.startswith("//") and "\\" not in told
    return told if ours and told.isprintable() else "/"


async def _asked(request: Request) -> Response:
    back = back_to(request.query_params.get("back", "/"))
    return bare(request, "signin.html", problem="", back=back)


async def _signed_in(request: Request) -> Response:
    """Take a token, and give the browser a session."""
    back = "/"
    try:
        _own_page(request)
        fields = await read_form(request)
        back = back_to(fields.get("back", "/"))
        caller = await house(request).caller(fields.get("token", "").strip()[:_LONGEST_TOKEN])
        made = await house(request).work(partial(session, house(request), caller))
    except NotAllowedError:
        return bare(request, "signin.html", 401, problem=_REFUSED, back=back)
    except EngraphyError as error:
        told = noted(request, problem(error))
        return bare(request, "signin.html", told.status, problem=told.message, back=back)
    answer = RedirectResponse(back, 303, headers=dict(HEADERS))
    secure = house(request).options.secure
    safe: dict[str, Any] = {"path": "/", "httponly": True, "samesite": "strict", "secure": secure}
    answer.set_cookie(COOKIE, made.token, max_age=_SECONDS, **safe)
    answer.delete_cookie(WALLS_COOKIE, **safe)
    answer.delete_cookie(FLASH_COOKIE, **safe)
    return answer


async def _signed_out(visit: Visit) -> Response:
    """End the session of this browser; a token that was shown in a header is left as it is."""
    if visit.request.cookies.get(COOKIE):
        await visit.work(end, visit.house, visit.caller.grant)
    answer = gone_to(visit, "/signin")
    answer.delete_cookie(COOKIE, path="/", httponly=True, samesite="strict")
    answer.delete_cookie(WALLS_COOKIE, path="/", httponly=True, samesite="strict")
    return answer


def _own_page(request: Request) -> None:
    """Signing somebody in from a page of others would make them write into another's memory."""
    own = {f"{scheme}://{request.headers.get('host', '')}" for scheme in ("http", "https")}
    if request.headers.get("origin") not in own:
        raise ForbiddenError(problem="signing in comes from this server's own page only")
