"""Requests to endpoints of models, over the standard library: one host, no redirects, a deadline.

A key goes to the configured host only, and into no error: what a server says is told without it.
"""

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import (
    HTTPDefaultErrorHandler,
    HTTPErrorProcessor,
    OpenerDirector,
    ProxyHandler,
    Request,
)

from engraphy.errors import SettingsError
from engraphy.providers.clock import stopwatch
from engraphy.providers.timely import Encrypted, Plain
from engraphy.record import Record

LONGEST_PAUSE: Final = 10.0
FIRST_PAUSE: Final = 0.5
_TRANSIENT: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_LONGEST_KEY: Final = 4_096
_KEY: Final = re.compile(rf"[!-~]{{1,{_LONGEST_KEY}}}")
_TOLD: Final = 300
_CHUNK: Final = 65_536


class Failure(Record, frozen=True, kw_only=True):
    """Why a request failed, and whether and when another may succeed.

    `late`: the deadline passed. `pause`: the seconds a server asked to wait. `status`: its HTTP
    status, where it answered.
    """

    problem: str
    transient: bool
    pause: float | None = None
    late: bool = False
    status: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Post:
    """A JSON body for an address. `headers` may hold the key, which is `secret` and never told;
    answers above `longest` bytes are refused."""

    address: str
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    secret: str | None = field(default=None, repr=False)
    longest: int


def checked_address(setting: str, url: str) -> str:
    """`url` without a slash at its end. Raises SettingsError for anything but http(s) with a host,
    and for one with a password in it, which is not told."""
    address = urlsplit(url)
    if address.scheme not in {"http", "https"} or not address.hostname:
        raise SettingsError(setting=setting, problem=f"{url!r} is no http address")
    if address.username is not None or address.password is not None:
        raise SettingsError(setting=setting, problem="user and password do not belong into it")
    return url.rstrip("/")


def checked_key(setting: str, key: str | None) -> str | None:
    """`key`, or None where it is empty. Raises SettingsError, which does not tell it, for what can
    be no header: control characters, spaces, other scripts."""
    if not key:
        return None
    if not _KEY.fullmatch(key):
        raise SettingsError(setting=setting, problem="a key has visible ASCII characters only")
    return key


def opener() -> OpenerDirector:
    """An opener that follows no redirects: the key must not travel to another host."""
    director = OpenerDirector()
    for handler in (
        ProxyHandler(),
        Plain(),
        Encrypted(),
        HTTPDefaultErrorHandler(),
        HTTPErrorProcessor(),
    ):
        director.add_handler(handler)
    return director


def post(director: OpenerDirector, wanted: Post, *, timeout: float) -> bytes | Failure:
    """The answer to one request; connecting, sending, headers and body end within `timeout` seconds
    together."""
    deadline = stopwatch() + timeout
    headers = {"Content-Type": "application/json", "User-Agent": "engraphy", **wanted.headers}
    request = Request(wanted.address, data=wanted.body, headers=headers, method="POST")
    try:
        with director.open(request, timeout=timeout) as response:
            return _read(response, wanted.longest, deadline)
    except HTTPError as error:
        return _refused(error, wanted.secret)
    except (OSError, HTTPException) as error:
        # urllib wraps a timeout while connecting, and raises the one while reading as it is.
        late = isinstance(getattr(error, "reason", error), TimeoutError)
        problem = f"no answer from {wanted.address}: {error}"
        return Failure(problem=_without(problem, wanted.secret), transient=True, late=late)


def waited(failure: Failure, attempt: int) -> float:
    """Seconds to wait after attempt number `attempt` (from 0): what the server asked for, else
    twice as long each time, at most ten."""
    wanted = failure.pause if failure.pause is not None else FIRST_PAUSE * 2**attempt
    return min(wanted, LONGEST_PAUSE)


def _read(response: HTTPResponse, longest: int, deadline: float) -> bytes | Failure:
    answer = bytearray()
    while chunk := response.read1(_CHUNK):
        answer += chunk
        if len(answer) > longest:
            return Failure(problem=f"more than {longest} bytes came back", transient=False)
        if stopwatch() > deadline:
            return Failure(problem="the answer came too slowly", transient=True, late=True)
    if response.length:
        problem = f"the answer ended {response.length} bytes too early"
        return Failure(problem=problem, transient=True)
    return bytes(answer)


def _refused(error: HTTPError, secret: str | None) -> Failure:
    said = b""
    with error, suppress(OSError, HTTPException):
        # More than is told, so that the cut never leaves a part of the key.
        said = error.read(_TOLD + 2 * _LONGEST_KEY)
    told = _without(said.decode("utf-8", "replace"), secret)[:_TOLD]
    wait = error.headers.get("Retry-After", "")
    return Failure(
        problem=f"status {error.code}: {told}",
        transient=error.code in _TRANSIENT,
        pause=float(wait) if wait.isdecimal() and wait.isascii() else None,
        status=error.code,
    )


def _without(said: str, secret: str | None) -> str:
    return said.replace(secret, "***") if secret else said
