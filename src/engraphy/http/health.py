"""Whether the server lives, whether it can answer, and what operators measure."""

from functools import partial

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import BaseRoute

from engraphy import __version__
from engraphy.errors import EngraphyError
from engraphy.http.metrics import Metrics
from engraphy.model.granting import TokenRole
from engraphy.serving.house import House
from engraphy.serving.problems import noted, problem
from engraphy.serving.route import house, route


def routes(metrics: Metrics) -> list[BaseRoute]:
    """`/healthz` and `/readyz` answer everybody and tell nothing; `/metrics` wants a token."""

    async def measured(request: Request) -> Response:
        return metrics.told(await house(request).glance(lambda: _sizes(house(request))))

    return [
        route("/healthz", _alive, role=None, name="healthz"),
        route("/readyz", _ready, role=None, name="readyz"),
        route("/metrics", measured, role=TokenRole.READ, name="metrics"),
    ]


async def _alive(request: Request) -> Response:  # noqa: ARG001 - starlette passes it
    return JSONResponse({"status": "ok", "version": __version__})


async def _ready(request: Request) -> Response:
    here = house(request)
    try:
        # A look at the store itself: one that is open may be gone.
        await here.glance(partial(here.memory.list, limit=1))
    except EngraphyError as error:
        told = noted(request, problem(error))
        return JSONResponse({"status": "unavailable", "code": told.code}, 503)
    return JSONResponse({"status": "ready"})


def _sizes(here: House) -> dict[str, float]:
    """Gauges of the whole store, none of which says whose."""
    return {"store_bytes": float(here.size())}
