"""What changes while a page is looked at: a stream that tells that something did, never what."""

import asyncio
from collections.abc import AsyncIterator

from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute

from engraphy.dashboard.doors import shows
from engraphy.dashboard.pages import HEADERS
from engraphy.dashboard.visit import Visit
from engraphy.errors import EngraphyError

_EVERY = 1.0
_ROUNDS = 50
"""A stream ends after so many rounds; the browser asks again, and shows its session again."""
_SLOW = 15 * 1_000_000
_MOST = 64
_open: set[int] = set()


def routes() -> list[BaseRoute]:
    """The stream, and the same as a single answer."""
    return [shows("/live", _stream), shows("/live/now", _now)]


async def _now(visit: Visit) -> Response:
    return JSONResponse({"change": await _mark(visit)}, headers=dict(HEADERS))


async def _stream(visit: Visit) -> Response:
    if len(_open) >= _MOST:
        return Response(status_code=204, headers=dict(HEADERS))
    return StreamingResponse(_told(visit), media_type="text/event-stream", headers=dict(HEADERS))


async def _told(visit: Visit) -> AsyncIterator[str]:
    _open.add(id(visit))
    last = -1
    try:
        for _ in range(_ROUNDS):
            mark = await _mark(visit)
            yield ": \n\n" if mark == last else f"event: change\ndata: {mark}\n\n"
            last = mark
            await asyncio.sleep(_EVERY)
            if visit.house.ending:
                return
    except EngraphyError:
        return
    finally:
        _open.discard(id(visit))


async def _mark(visit: Visit) -> int:
    """A number that is another one once something changed. Who does not look after the tenant is
    told the time in steps instead: what others write is none of their business (P-08)."""
    if visit.governs:
        return await visit.work(visit.memory.latest)
    return visit.now // _SLOW
