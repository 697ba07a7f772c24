"""The line to an upstream: where a name leads (C-15, P-22)."""

import socket
from typing import Any

import anyio
import httpx2
import pytest

from engraphy.proxy.upstreams import Place
from engraphy.proxy.wire import Sent, Wire

FIRST, SECOND = "93.184.216.34", "93.184.216.35"
SENT = Sent(
    method="GET",
    place=Place(scheme="https", host="api.provider.example", port=None, path=""),
    target=b"/v1/models",
    headers=[],
    body=b"",
)


@pytest.fixture
def looked_up(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names that were looked up, each time with another address."""
    names: list[str] = []

    def resolved(host: Any, port: Any, *_: Any, **told: Any) -> Any:
        names.append(host.decode() if isinstance(host, bytes) else host)
        leads = (FIRST, SECOND)[(len(names) - 1) % 2]
        return [(socket.AF_INET, told.get("type", 0), 6, "", (leads, port))]

    monkeypatch.setattr(socket, "getaddrinfo", resolved)
    return names


def test_a_name_leads_where_it_led_until_that_cannot_be_reached(looked_up: list[str]) -> None:
    """A name of the world is looked up once, and every request goes to the address that was found,
    under its own name; where that one cannot be reached, the next request looks again."""
    reached: list[tuple[str, str]] = []
    broken = False

    def answered(request: httpx2.Request) -> httpx2.Response:
        reached.append((request.url.host, request.extensions["sni_hostname"]))
        if broken:
            raise httpx2.ConnectError("nobody there")
        return httpx2.Response(200)

    async def asked() -> None:
        nonlocal broken
        wire = Wire(lambda: httpx2.MockTransport(answered))
        for _ in range(3):
            await wire.ask(SENT)
        broken = True
        with pytest.raises(httpx2.ConnectError):
            await wire.ask(SENT)
        broken = False
        await wire.ask(SENT)

    anyio.run(asked)
    own = SENT.place.host
    assert reached == [(FIRST, own)] * 4 + [(SECOND, own)]
    assert looked_up == [own, own]
