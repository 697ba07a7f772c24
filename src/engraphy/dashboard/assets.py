"""What pages are made of beside their words: style, script, picture; all of it in the package."""

from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import NamedTuple

from starlette.requests import Request
from starlette.responses import Response

_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
}
_FOLDER = "static"
_YEAR = "public, max-age=31536000, immutable"
_ASK = "no-cache"
PATH = "/static/"


class Asset(NamedTuple):
    """One file: its bytes, its media type, and a mark that changes with it."""

    data: bytes
    type: str
    mark: str


@cache
def assets() -> dict[str, Asset]:
    """Every file that may be asked for, by its name."""
    made = {}
    for file in (files("engraphy.dashboard") / _FOLDER).iterdir():
        kind = _TYPES.get(file.name.rpartition(".")[2])
        if kind is not None:
            data = file.read_bytes()
            made[file.name] = Asset(data, kind, sha256(data).hexdigest()[:16])
    return made


def address(name: str) -> str:
    """Where a file is found; another address once it is another file. Raises KeyError."""
    return f"{PATH}{name}?{assets()[name].mark}"


async def static(request: Request) -> Response:
    """One file, or 404."""
    found = assets().get(request.path_params["name"])
    if found is None:
        return Response("No such file.\n", 404, media_type="text/plain")
    etag = f'"{found.mark}"'
    lasting = _YEAR if request.url.query == found.mark else _ASK
    headers = {"ETag": etag, "Cache-Control": lasting, "X-Content-Type-Options": "nosniff"}
    headers["Content-Security-Policy"] = "default-src 'none'; sandbox"
    if request.headers.get("if-none-match") == etag:
        return Response(status_code=304, headers=headers)
    return Response(found.data, headers=headers, media_type=found.type)
