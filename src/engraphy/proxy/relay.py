"""An answer passed on while it comes: the upstream's bytes, its status, its headers.

Nothing here waits for a memory. What passes is also heard, and whoever asked is told at the end
what was said, and whether it came whole. A client that goes away takes its request to the upstream
along; an upstream that breaks off breaks off the client's answer at the same byte.
"""

import json
import logging
from collections.abc import AsyncIterator, Callable
from typing import Protocol

import anyio
import httpx2
from msgspec import Struct
from starlette.types import Receive, Scope, Send

from engraphy.proxy.answers import Answer, Hearing, hearing
from engraphy.proxy.coding import Undo, UndoError, undoing
from engraphy.proxy.upstreams import returned
from engraphy.proxy.wire import Sent, Upload, Wire

_log = logging.getLogger("engraphy")
REFUSALS = frozenset({400, 413, 415, 422})
"""Answers that may be about what we put in: the client's own request is then asked instead."""


class Keeping(Protocol):
    """What is done while an upstream thinks."""

    def begin(self) -> None:
        """The request is out; said once more, it says nothing new."""

    async def over(self) -> None:
        """When it is done, or takes too long."""


class _Copy(Struct):
    """The copy of what passes; where it cannot be read, it is left."""

    hearing: Hearing
    undo: Undo
    broken: bool = False

    def feed(self, data: bytes) -> None:
        if self.broken:
            return
        try:
            for part in self.undo(data):
                self.hearing.feed(part)
        except UndoError:
            self.broken = True

    def end(self) -> Answer:
        return Answer() if self.broken else self.hearing.end()


class Relay(Struct, kw_only=True, dict=True, weakref=True):
    """A request under way, as the answer of our own server. `plainly`: the client's own request,
    where `sent` is more than that. `keeping` is begun once the request is out, and over before a
    byte of the answer passes. `heard` is told what a successful answer said."""

    wire: Wire
    sent: Sent
    dialect: str = ""
    plainly: Sent | None = None
    keeping: Keeping | None = None
    heard: Callable[[Answer], None] | None = None
    refused: Callable[[], None] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Ask, and pass on, until one of the two ends it."""
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._until_gone, receive, group.cancel_scope)
                await self._pass(send)
                group.cancel_scope.cancel()
        except* OSError:
            _log.info("a client went away while it was answered")

    async def _until_gone(self, receive: Receive, scope: anyio.CancelScope) -> None:
        if isinstance(self.sent.body, Upload):
            await self.sent.body.over.wait()
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()

    async def _pass(self, send: Send) -> None:
        try:
            answer = await self._asked()
        except httpx2.TimeoutException:
            await _told(send, 504, "The upstream did not answer in time.")
        except (httpx2.TransportError, ConnectionError) as error:
            _log.warning("an upstream could not be reached: %s", type(error).__name__)
            await _told(send, 502, "The upstream could not be reached.")
        else:
            try:
                await self._passed(answer, send)
            finally:
                with anyio.CancelScope(shield=True):
                    await answer.aclose()

    async def _asked(self) -> httpx2.Response:
        kept = self.keeping
        answer = await self.wire.ask(self.sent, None if kept is None else kept.begin)
        if kept is not None:
            await kept.over()
        if self.plainly is None or answer.status_code not in REFUSALS:
            return answer
        await answer.aclose()
        plain = await self.wire.ask(self.plainly)
        if self.refused is not None and plain.status_code not in REFUSALS:
            self.refused()
        return plain

    async def _passed(self, answer: httpx2.Response, send: Send) -> None:
        copy = self._copy(answer)
        start = {"type": "http.response.start", "status": answer.status_code}
        await send({**start, "headers": returned(answer.headers.raw)})
        whole = False
        try:
            async for data in _raw(answer):
                if copy is not None:
                    copy.feed(data)
                await send({"type": "http.response.body", "body": data, "more_body": True})
            whole = True
        except httpx2.TransportError as error:
            # Our server closes the line of an answer that has no end: the client sees it cut too.
            _log.warning("an upstream broke off its answer: %s", type(error).__name__)
        finally:
            self._hear(copy, whole)
        if whole:
            await send({"type": "http.response.body", "body": b"", "more_body": False})

    def _copy(self, answer: httpx2.Response) -> _Copy | None:
        if self.heard is None or not 200 <= answer.status_code < 300:
            return None
        found = hearing(self.dialect, answer.headers.get("content-type", ""))
        undo = undoing(answer.headers.get("content-encoding", ""))
        return None if found is None or undo is None else _Copy(found, undo)

    def _hear(self, copy: _Copy | None, whole: bool) -> None:
        if copy is None or self.heard is None:
            return
        answer = copy.end() if whole else Answer()
        # What broke off is no answer: nothing of it is kept (P-22).
        self.heard(answer if answer.whole else Answer())


async def _raw(answer: httpx2.Response) -> AsyncIterator[bytes]:
    stream = answer.stream
    if not isinstance(stream, httpx2.AsyncByteStream):
        return
    async for data in stream:
        yield data


async def _told(send: Send, status: int, message: str) -> None:
    """An error of our own, in the shape that both providers' clients read."""
    error = {"type": "api_error", "code": "upstream", "param": None, "message": message}
    body = json.dumps({"type": "error", "error": error}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", b"%d" % len(body))]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
