"""The line to an upstream: one request, one answer, no redirect, no cookie, no header of its own.

The transport is used without the client around it, which would add headers and follow.
"""

import ssl
from collections.abc import AsyncIterator, Callable, Mapping
from functools import cache, partial
from ipaddress import ip_address
from socket import SOCK_STREAM
from typing import Any

import anyio
import httpx2
from starlette.types import Receive

from engraphy.proxy.upstreams import Header, Place
from engraphy.record import Record

_SECONDS: Mapping[str, float] = {"connect": 10.0, "read": 900.0, "write": 60.0, "pool": 30.0}
_IDLE_LINES = 64
_IDLE_SECONDS = 20.0
_OUT = ".send_request_body.complete"
_FOUND_SECONDS = 60.0
"""So long a name leads where it led: asked anew for each request it takes a look-up and, where a
name has several addresses, a new line each time."""


class Upload:
    """A body that is passed on as it comes, for what nobody here reads."""

    def __init__(self, begun: bytes, receive: Receive) -> None:
        self._begun, self._receive = begun, receive
        self.over = anyio.Event()

    async def parts(self) -> AsyncIterator[bytes]:
        """Its pieces. Raises ConnectionError where the client goes away."""
        try:
            if self._begun:
                yield self._begun
            while True:
                message = await self._receive()
                if message["type"] == "http.disconnect":
                    raise ConnectionError
                if data := message.get("body", b""):
                    yield data
                if not message.get("more_body", False):
                    return
        finally:
            self.over.set()


class Sent(Record, frozen=True, kw_only=True):
    """A request as it goes to an upstream."""

    method: str
    place: Place
    target: bytes
    headers: list[Header]
    body: bytes | Upload


class InsideError(httpx2.ConnectError):
    """A name of the world that leads inside."""


async def address(place: Place) -> str:
    """Where to connect for an upstream. An address, or a name that is meant for inside, is taken
    as it is configured; a name of the world has to lead out, whatever its owner, or somebody
    between, makes of it (P-22). Raises InsideError, httpx2.ConnectError."""
    if place.inside:
        return place.host
    port = place.port or (443 if place.scheme == "https" else 80)
    try:
        found = await anyio.getaddrinfo(place.host, port, type=SOCK_STREAM)
    except OSError as error:
        raise httpx2.ConnectError("the name is not known") from error
    for *_, told in found:
        if ip_address(str(told[0]).partition("%")[0]).is_global:
            return str(told[0])
    raise InsideError("the name leads inside")


class Wire:
    """The lines of a server to its upstreams; opened with the first request."""

    def __init__(self, make: Callable[[], httpx2.AsyncBaseTransport] | None = None) -> None:
        self._make = make or _transport
        self._transport: httpx2.AsyncBaseTransport | None = None
        self._found: dict[Place, tuple[str, float]] = {}

    async def ask(self, sent: Sent, out: Callable[[], None] | None = None) -> httpx2.Response:
        """The answer, its body not read yet; `out` is told once the request is out, where the
        transport tells of it. Raises httpx2.TransportError."""
        if self._transport is None:
            self._transport = self._make()
        upload = isinstance(sent.body, Upload)
        content: Any = sent.body.parts() if isinstance(sent.body, Upload) else sent.body or None
        headers = sent.headers
        if upload and not any(name == b"content-length" for name, _ in headers):
            headers = [*headers, (b"transfer-encoding", b"chunked")]
        place = sent.place
        more: dict[str, Any] = {
            "timeout": dict(_SECONDS),
            "target": sent.target,
            "sni_hostname": place.host,
        }
        if out is not None:
            more["trace"] = partial(_told, out)
        request = httpx2.Request(
            sent.method,
            httpx2.URL(scheme=place.scheme, host=await self._address(place), port=place.port),
            headers=[(b"host", place.authority), *headers],
            content=content,
            extensions=more,
        )
        try:
            return await self._transport.handle_async_request(request)
        except (httpx2.ConnectError, httpx2.ConnectTimeout):
            self._found.pop(place, None)
            raise

    async def _address(self, place: Place) -> str:
        """Where to connect. Raises as `address` does."""
        if place.inside:
            return place.host
        now, held = anyio.current_time(), self._found.get(place)
        if held is None or now >= held[1]:
            held = self._found[place] = (await address(place), now + _FOUND_SECONDS)
        return held[0]

    async def close(self) -> None:
        """Close every line."""
        if self._transport is not None:
            await self._transport.aclose()
            self._transport = None


async def _told(out: Callable[[], None], name: str, _: object) -> None:
    if name.endswith(_OUT):
        out()


def _transport() -> httpx2.AsyncBaseTransport:
    limits = httpx2.Limits(
        max_connections=None,
        max_keepalive_connections=_IDLE_LINES,
        keepalive_expiry=_IDLE_SECONDS,
    )
    return httpx2.AsyncHTTPTransport(verify=trusted(), trust_env=False, http2=False, limits=limits)


@cache
def trusted() -> ssl.SSLContext:
    """The authorities that every line trusts; reading them takes tens of milliseconds."""
    return httpx2.create_ssl_context(trust_env=False)
