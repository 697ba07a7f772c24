"""Everything out and in over HTTP: an export as JSON Lines, and an import of one.

Neither ever stands in a file: what is encrypted on the disk is not laid beside it in the clear.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from functools import partial
from io import StringIO
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import BaseRoute

from engraphy.errors import ImportFormatError, InvalidInputError
from engraphy.model.granting import TokenRole
from engraphy.plain import plain
from engraphy.serving.caller import Caller, WALLS
from engraphy.serving.house import House
from engraphy.serving.reading import flag, only, queried, raw
from engraphy.serving.route import calling, house, route
from engraphy.verbs.base import Reading

_LINES = "application/x-ndjson"
_PIECE = 65_536
"""Characters that are read at once."""


def routes() -> list[BaseRoute]:
    """GET and POST of one path; an administrator's."""
    return [
        route("/v1/export", _export, role=TokenRole.ADMIN, name="export"),
        route("/v1/import", _import, methods=["POST"], role=TokenRole.ADMIN, name="import"),
    ]


async def _export(request: Request) -> Response:
    """Without a wall everything of the tenant, with one exactly that scope, or with `everything`
    all that is bound to it; behind the walls that a token is bound to."""
    caller, told = calling(request), queried(request)
    only(told, (*WALLS, "everything"))
    whole = flag("everything", told.pop("everything", "false"))
    walls = caller.within(told)
    scope: Reading = {**walls, **caller.leave()}  # type: ignore[typeddict-item]
    begun = partial(caller.memory.export_lines, everything=whole or not walls, **scope)
    lines = await house(request).work(begun, long=True)
    first = await house(request).work(partial(_piece, lines), long=True)
    return StreamingResponse(
        _pieces(house(request), first, lines),
        media_type=_LINES,
        headers={"Content-Disposition": 'attachment; filename="engraphy-export.jsonl"'},
    )


async def _pieces(own: House, first: str, lines: Iterator[str]) -> AsyncIterator[str]:
    """An export in pieces, each read once the one before has gone; where one fails, the answer
    breaks off, and no client takes it for whole."""
    piece = first
    while piece:
        yield piece
        piece = await own.work(partial(_piece, lines), long=True)


def _piece(lines: Iterator[str]) -> str:
    """So many lines as fill a piece; none at the end."""
    held, size = list[str](), 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= _PIECE:
            break
    return "".join(held)


async def _import(request: Request) -> Response:
    """The body is a file that an export made; its rows come in as a stranger's word, unless it is
    said to be `trusted`."""
    caller, told = calling(request), queried(request)
    only(told, (*WALLS, "trusted"))
    trusted = flag("trusted", told.pop("trusted", "false"))
    walls = caller.within(told)
    data = await raw(request, most=house(request).options.most_bytes)
    if not data.strip():
        raise InvalidInputError(field="body", got="nothing", allowed="an export, as JSON Lines")
    run: Callable[[], Any] = partial(_read, caller, data, trusted=trusted, walls=walls)
    return JSONResponse(await house(request).work(run, long=True))


def _read(caller: Caller, data: bytes, *, trusted: bool, walls: dict[str, str]) -> Any:
    scope: Reading = {**walls}  # type: ignore[typeddict-item]
    try:
        lines = StringIO(data.decode("utf-8-sig"), newline=None)
        return plain(caller.memory.import_lines(lines, trusted=trusted, **scope))
    except UnicodeDecodeError as error:
        raise InvalidInputError(field="body", got="other bytes", allowed="UTF-8") from error
    except ImportFormatError as error:
        raise ImportFormatError(None, **{**error.details, "path": "the body"}) from error
