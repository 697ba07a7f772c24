"""The Model Context Protocol at `/mcp`: a server of its own for each token, as its walls decide
which arguments there are."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from msgspec import Struct, field
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from starlette.types import Receive, Scope, Send

from engraphy.mcp.late import Late
from engraphy.mcp.options import Options
from engraphy.mcp.server import server
from engraphy.model.granting import TokenRole
from engraphy.operations.rights import role_of
from engraphy.serving.caller import Caller
from engraphy.serving.house import House
from engraphy.serving.route import calling, route

PATH = "/mcp"
_MOST = 256
"""Servers that are kept for tokens; the one not asked for longest ends."""
_METHODS = ("POST",)
"""Without sessions there is no stream to open with GET, and none to end with DELETE: 405, as the
protocol has it."""
_UNGUARDED = TransportSecuritySettings(enable_dns_rebinding_protection=False)
"""Names and pages are checked for the whole server, before any of its doors."""


class Protocol:
    """See the module."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._kept: OrderedDict[str, _Kept] = OrderedDict()
        self._lock = asyncio.Lock()

    def routes(self) -> list[BaseRoute]:
        """The one route."""
        return [route(PATH, self._asked, methods=_METHODS, doors=("bearer", "path"), name="mcp")]

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """While the server runs; the server of each token ends with it."""
        try:
            yield
        finally:
            for one in tuple(self._kept.values()):
                await one.end()
            self._kept.clear()

    async def _asked(self, request: Request) -> Response:
        return _Passed(await self._manager(calling(request)))

    async def _manager(self, caller: Caller) -> StreamableHTTPSessionManager:
        name = caller.grant.id
        async with self._lock:
            held = self._kept.get(name)
            if held is not None and held.memory is not caller.memory:
                await self._kept.pop(name).end()
                held = None
            if held is None:
                held = self._kept[name] = _kept(caller, self._house)
                await held.begin()
            self._kept.move_to_end(name)
            while len(self._kept) > _MOST:
                _, oldest = self._kept.popitem(last=False)
                await oldest.end()
            return held.manager


class _Kept(Struct, kw_only=True):
    """The server of one token, and the task in which it runs."""

    memory: object
    manager: StreamableHTTPSessionManager
    ready: asyncio.Event = field(default_factory=asyncio.Event)
    over: asyncio.Event = field(default_factory=asyncio.Event)
    task: asyncio.Task[None] | None = None

    async def begin(self) -> None:
        """Run it, in a task of its own: it has to end in the task in which it began."""
        self.task = asyncio.get_running_loop().create_task(self._run())
        await self.ready.wait()

    async def _run(self) -> None:
        try:
            async with self.manager.run():
                self.ready.set()
                await self.over.wait()
        finally:
            self.ready.set()

    async def end(self) -> None:
        """End it with its sessions."""
        self.over.set()
        if self.task is not None:
            await asyncio.gather(self.task, return_exceptions=True)


def _kept(caller: Caller, house: House) -> _Kept:
    options = _options(caller, house.options.toolset)
    made = server(options, late=Late(options, house.usual))
    # No sessions: each request stands alone, so that none is kept for a client that never comes
    # back, and the next one may be answered by another server.
    made.streamable_http_app(
        stateless_http=True,
        transport_security=_UNGUARDED,
        max_request_body_size=house.options.most_bytes,
    )
    return _Kept(memory=caller.memory, manager=made.session_manager)


def _options(caller: Caller, toolset: str) -> Options:
    """A wall that the token is bound to is no argument; the others are."""
    grant = caller.grant
    return Options(
        toolset=toolset,
        user=grant.user,
        agent=grant.agent,
        project=grant.project or "none",
        session="none",
        given=caller.memory,
        demand=lambda verb: caller.demand(role_of(verb)),
        reads_only=not caller.may(TokenRole.WRITE),
    )


class _Passed(Response):
    """An answer that the protocol's own app gives."""

    def __init__(self, manager: StreamableHTTPSessionManager) -> None:
        super().__init__()
        self._manager = manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let it answer."""
        await self._manager.handle_request(scope, receive, send)
