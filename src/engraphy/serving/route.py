"""A route, with what it demands: a role, and how a caller may prove itself."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Literal

from starlette.requests import HTTPConnection, Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from engraphy.errors import ForbiddenError, NotAllowedError
from engraphy.model.granting import TokenRole
from engraphy.serving.caller import Caller
from engraphy.serving.house import House

Door = Literal["bearer", "cookie", "path"]
Handler = Callable[[Request], Awaitable[Response]]
COOKIE = "engraphy"
PATH_TOKEN = "engraphy.path_token"
_OWN_HEADER = "x-engraphy-token"
_CALLER = "caller"
_SCHEMES = ("bearer", "token")
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
TOKEN_MARK = "egr_"


class Guarded(Route):
    """A route of ours. `role`: what a caller's token has to be (None: everybody is answered);
    `doors`: where the token may stand."""

    role: TokenRole | None
    doors: tuple[Door, ...]


def route(
    path: str,
    endpoint: Handler,
    *,
    methods: Sequence[str] = ("GET",),
    role: TokenRole | None = TokenRole.READ,
    doors: Sequence[Door] = ("bearer",),
    name: str | None = None,
) -> Guarded:
    """A route whose handler runs once its caller is known and may do this; `calling(request)`
    tells it who that is. Errors of ours that it lets rise are answered by the server."""

    async def guarded(request: Request) -> Response:
        if role is not None:
            await admitted(request, role, doors)
        return await endpoint(request)

    made = Guarded(path, guarded, methods=list(methods), name=name or endpoint.__name__)
    made.role, made.doors = role, tuple(doors)
    return made


def guarded_app(app: ASGIApp, role: TokenRole, doors: Sequence[Door] = ("bearer",)) -> ASGIApp:
    """An app of others behind the same guard."""

    async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await admitted(Request(scope, receive, send), role, doors)
        await app(scope, receive, send)

    return guarded


def calling(request: HTTPConnection) -> Caller:
    """Who asks. Only behind a route that demands a role."""
    found: Caller = request.scope["state"][_CALLER]
    return found


def house(request: HTTPConnection) -> House:
    """What is open while the server runs."""
    found: House = request.app.state.house
    return found


async def admitted(request: Request, role: TokenRole, doors: Sequence[Door]) -> Caller:
    """Let the caller in, or raise NotAllowedError or ForbiddenError."""
    token = shown(request, doors)
    if token is None:
        raise NotAllowedError
    caller = await house(request).caller(token)
    caller.demand(role)
    request.scope.setdefault("state", {})[_CALLER] = caller
    return caller


def shown(request: HTTPConnection, doors: Sequence[Door]) -> str | None:
    """The token that a request shows at one of these doors. Raises ForbiddenError for a change by
    cookie that does not come from our own pages."""
    if "path" in doors and (told := request.scope.get(PATH_TOKEN)):
        return str(told)
    if "bearer" in doors and (told := _in_headers(request)):
        return told
    if "cookie" in doors and (told := request.cookies.get(COOKIE)):
        _own_page(request)
        return told
    return None


def _in_headers(request: HTTPConnection) -> str | None:
    if told := request.headers.get(_OWN_HEADER):
        return told
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() in _SCHEMES and value.strip().startswith(TOKEN_MARK):
        return value.strip()
    key = request.headers.get("x-api-key", "")
    return key if key.startswith(TOKEN_MARK) else None


def _own_page(request: HTTPConnection) -> None:
    """A browser sends its cookie along with whatever a page of others asks for: a change has to
    come from a page of this very address."""
    if request.scope["method"] in _SAFE:
        return
    own = {f"{scheme}://{request.headers.get('host', '')}" for scheme in ("http", "https")}
    if request.headers.get("origin") not in own:
        raise ForbiddenError(problem="a change by cookie comes from a page of this server only")
