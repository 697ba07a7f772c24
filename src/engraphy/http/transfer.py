"""Everything out and in over HTTP: an export as JSON Lines, and an import of one."""

import os
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import BaseRoute

from engraphy.errors import ImportFormatError, InvalidInputError
from engraphy.model.granting import TokenRole
from engraphy.plain import plain
from engraphy.serving.caller import Caller, WALLS
from engraphy.serving.reading import only, queried, raw
from engraphy.serving.route import calling, house, route
from engraphy.verbs.base import Reading

_LINES = "application/x-ndjson"
_TRUE = frozenset({"true", "1", "yes", "on"})


def routes() -> list[BaseRoute]:
    """GET and POST of one path; an administrator's."""
    return [
        route("/v1/export", _export, role=TokenRole.ADMIN, name="export"),
        route("/v1/import", _import, methods=["POST"], role=TokenRole.ADMIN, name="import"),
    ]


async def _export(request: Request) -> Response:
    """Without a wall everything of the tenant, with one exactly that scope; behind the walls that a
    token is bound to."""
    caller, told = calling(request), queried(request)
    only(told, WALLS)
    walls = caller.within(told)
    file = await house(request).work(partial(_written, caller, walls), long=True)
    return FileResponse(
        file,
        media_type=_LINES,
        filename="engraphy-export.jsonl",
        background=BackgroundTask(file.unlink, missing_ok=True),
    )


def _written(caller: Caller, walls: dict[str, str]) -> Path:
    file = _temporary()
    try:
        scope: Reading = {**walls, **caller.leave()}  # type: ignore[typeddict-item]
        caller.memory.export(file, everything=not walls, **scope)
    except BaseException:
        file.unlink(missing_ok=True)
        raise
    return file


async def _import(request: Request) -> Response:
    """The body is a file that an export made; its rows come in as a stranger's word, unless it is
    said to be `trusted`."""
    caller, told = calling(request), queried(request)
    only(told, (*WALLS, "trusted"))
    trusted = str(told.pop("trusted", "")).lower() in _TRUE
    walls = caller.within(told)
    data = await raw(request, most=house(request).options.most_bytes)
    if not data.strip():
        raise InvalidInputError(field="body", got="nothing", allowed="an export, as JSON Lines")
    run: Callable[[], Any] = partial(_read, caller, data, trusted=trusted, walls=walls)
    return JSONResponse(await house(request).work(run, long=True))


def _read(caller: Caller, data: bytes, *, trusted: bool, walls: dict[str, str]) -> Any:
    file = _temporary()
    try:
        file.write_bytes(data)
        scope: Reading = {**walls}  # type: ignore[typeddict-item]
        return plain(caller.memory.import_(file, trusted=trusted, **scope))
    except ImportFormatError as error:
        raise ImportFormatError(None, **{**error.details, "path": "the body"}) from error
    finally:
        file.unlink(missing_ok=True)


def _temporary() -> Path:
    """A file that only this user may read."""
    number, name = tempfile.mkstemp(prefix="engraphy-", suffix=".jsonl")
    os.close(number)
    return Path(name)
