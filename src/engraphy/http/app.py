"""The whole server as one app: what is mounted, what surrounds it, how errors are answered."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute, Match, Route
from starlette.types import ASGIApp

from engraphy.compat import routing as compat
from engraphy.dashboard import routing as dashboard
from engraphy.dashboard.doors import astray
from engraphy.dashboard.warming import warming
from engraphy.errors import EngraphyError
from engraphy.http import health, rest, transfer
from engraphy.http.logged import Logged
from engraphy.http.metrics import Metrics
from engraphy.http.protocol import Protocol
from engraphy.http.scheduling import dreaming, taking_up
from engraphy.proxy import routing as proxy
from engraphy.serving.guard import Guard
from engraphy.serving.house import House
from engraphy.serving.problems import answer, noted, problem

Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]
_NO_SUCH = "There is nothing at this address: /v1/openapi.json tells what there is."


def application(house: House) -> ASGIApp:
    """The server over what is open. Its lifespan has to be run: it starts what goes on beside, and
    closes the memory."""
    spoken = Protocol(house)
    metrics = Metrics()
    app = Starlette(
        routes=routes(house, spoken, metrics),
        exception_handlers={
            EngraphyError: _ours,
            HTTPException: _usual,
            Exception: _unforeseen,
        },
        lifespan=_lifespan(house, spoken),
    )
    app.router.redirect_slashes = False
    app.state.house = house
    return Guard(Logged(app, metrics), house.options)


def routes(house: House, spoken: Protocol, metrics: Metrics) -> list[BaseRoute]:
    """Every route there is; tests/serving/test_closed.py knows each of them."""
    return [
        *health.routes(metrics),
        *rest.routes(),
        *transfer.routes(),
        *spoken.routes(),
        *compat.routes(house),
        *proxy.routes(house),
        *dashboard.routes(house),
    ]


def _lifespan(house: House, spoken: Protocol) -> Lifespan:
    @asynccontextmanager
    async def running(_: Starlette) -> AsyncIterator[None]:
        house.later(taking_up(house))
        if house.options.dashboard:
            house.later(warming(house))
        async with spoken.running():
            if house.options.dream:
                house.later(dreaming(house))
            yield
        await house.end()

    return running


async def _ours(request: Request, error: Exception) -> Response:
    if not isinstance(error, EngraphyError):
        raise error
    return answer(noted(request, problem(error)))


async def _usual(request: Request, error: Exception) -> Response:
    if not isinstance(error, HTTPException):
        raise error
    shown = astray(request, error.status_code)
    if shown is not None:
        return shown
    if error.status_code == 405:
        error.headers = {"Allow": ", ".join(sorted(_methods(request)))}
    code = error.detail.lower().replace(" ", "_")
    message = _NO_SUCH if error.status_code == 404 else f"{error.detail}."
    body = {"error": {"code": code, "message": message}}
    return JSONResponse(body, error.status_code, headers=error.headers)


def _methods(request: Request) -> set[str]:
    """Every method that the asked path knows, in whichever of its routes."""
    found: set[str] = set()
    for one in request.app.routes:
        if isinstance(one, Route) and one.matches(request.scope)[0] is not Match.NONE:
            found |= one.methods or set()
    return found


async def _unforeseen(request: Request, error: Exception) -> Response:  # noqa: ARG001 - starlette's shape
    """What nobody foresaw is logged with its trace by the server, and told to nobody."""
    body = {"error": {"code": "internal", "message": "Something went wrong in the server."}}
    return JSONResponse(body, 500)
