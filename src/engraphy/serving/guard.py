"""The outermost door: which names this server answers to, whose pages may ask, and tokens that
stand in a path."""

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from engraphy.serving.options import ServeOptions, hostname
from engraphy.serving.route import PATH_TOKEN

_PREFIX = "/t/"


class Guard:
    """Refuses what asks under a name that is not ours (a page that had its own name point here),
    and what comes from pages of others."""

    def __init__(self, app: ASGIApp, options: ServeOptions) -> None:
        self._app, self._hosts = app, options.hosts()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request pass, or answer 421 or 403."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        if len(headers.getlist("host")) != 1 or hostname(headers["host"]) not in self._hosts:
            await _refused(
                421,
                "host",
                "This server does not answer to that host name. "
                "Starting it with --allow-host NAME allows one.",
            )(scope, receive, send)
        elif not all(self._ours(one) for one in headers.getlist("origin")):
            await _refused(403, "origin", "Requests from pages of other sites are refused.")(
                scope, receive, send
            )
        else:
            await self._app(_without_token(scope), receive, send)

    def _ours(self, origin: str) -> bool:
        scheme, _, rest = origin.partition("://")
        return scheme in ("http", "https") and hostname(rest) in self._hosts


def _without_token(scope: Scope) -> Scope:
    """`/t/TOKEN/rest` as `/rest`, with the token beside it, so that no log shows it."""
    path: str = scope["path"]
    if not path.startswith(_PREFIX):
        return scope
    token, slash, rest = path.removeprefix(_PREFIX).partition("/")
    raw = scope.get("raw_path") or b""
    raw_rest = raw.removeprefix(_PREFIX.encode()).partition(b"/")[2]
    return {
        **scope,
        "path": f"/{rest}" if slash else "/",
        "raw_path": b"/" + raw_rest,
        PATH_TOKEN: token,
    }


def _refused(status: int, code: str, message: str) -> JSONResponse:
    return JSONResponse({"error": {"code": code, "message": message}}, status)
