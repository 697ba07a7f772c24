"""Proxies that break one promise each: the proof of the proxy must catch every one."""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from typing import Any

import httpx2

from engraphy.model.outcome import Placed
from engraphy.proxy.answers import Answer
from engraphy.proxy.dialects import edited
from engraphy.proxy.reading import Dialect, Form, Reading
from engraphy.proxy.relay import Relay, _raw
from engraphy.proxy.upstreams import Header, Place, forwarded
from engraphy.proxy.wire import Sent, Wire
from engraphy_prove.textbuild import Patched

_ROUTING = "engraphy.proxy.routing"


class _Following(Wire):
    async def ask(self, sent: Sent, out: Callable[[], None] | None = None) -> httpx2.Response:
        answer = await super().ask(sent, out)
        if not 300 <= answer.status_code < 400:
            return answer
        await answer.aclose()
        async with httpx2.AsyncClient() as client:
            return await client.get(answer.headers["location"])


class _Half(Relay):
    def _hear(self, copy: Any, whole: bool) -> None:  # noqa: ARG002 - that is what it ignores
        if copy is not None and self.heard is not None:
            answer = copy.end()
            self.heard(Answer(parts=answer.parts, whole=True))


async def _at_once(answer: httpx2.Response) -> AsyncIterator[bytes]:
    pieces = [one async for one in _raw(answer)]
    for one in pieces:
        yield one


def _anew(
    spoken: Dialect, reading: Reading, blocks: Sequence[Placed], form: Form | None = None
) -> bytes | None:
    made = edited(spoken, reading, blocks, form)
    return None if made is None else json.dumps(json.loads(made)).encode()


def _all_headers(
    headers: Iterable[Header], found: Place, *, dialect: str, plain: bool
) -> list[Header]:
    given = list(headers)
    kept = forwarded(given, found, dialect=dialect, plain=plain)
    return [*kept, *(one for one in given if one[0] in (b"authorization", b"x-any"))]


async def _as_told(place: Place) -> str:
    return place.host


FOLLOWING = Patched(name="follows redirects", patches=((_ROUTING, "Wire", _Following),))
HALFWAY = Patched(name="remembers half an answer", patches=((_ROUTING, "Relay", _Half),))
HOARDING = Patched(
    name="waits for the whole answer", patches=(("engraphy.proxy.relay", "_raw", _at_once),)
)
REWRITING = Patched(
    name="writes the body anew", patches=(("engraphy.proxy.remembering", "edited", _anew),)
)
TELLING = Patched(name="sends tokens along", patches=((_ROUTING, "forwarded", _all_headers),))
CREDULOUS = Patched(
    name="asks a public name inside", patches=(("engraphy.proxy.wire", "address", _as_told),)
)
UNREFUSING = Patched(
    name="takes any path", patches=(("engraphy.proxy.upstreams", "checked", lambda rest: rest),)
)
