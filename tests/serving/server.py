"""A real server on loopback, in a thread of the test's own, over a real store."""

import asyncio
import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import httpx2
import uvicorn
from tests.engine.making import empty

from engraphy import Memory
from engraphy.http.running import config
from engraphy.serving.house import House
from engraphy.serving.listening import bound
from engraphy.serving.options import ServeOptions

CLEAR = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""`verify` of clients on loopback, where nothing is encrypted: each would read the certificates of
all authorities first, which costs more than most tests."""
_PATIENCE = 30


@dataclass(kw_only=True)
class Served:
    """See the module. Use it as a context manager, or as the fixture `served`."""

    path: Path
    opening: Mapping[str, Any] = field(default_factory=lambda: {"embedder": "none"})
    more: Mapping[str, Any] = field(default_factory=dict)
    url: str = ""

    def __enter__(self) -> Self:
        options = ServeOptions(opening={"path": self.path, **self.opening}, port=0, **self.more)
        if "key" not in self.opening and not self.path.exists():
            self.path.write_bytes(empty())
        self.memory = Memory(**options.opening)
        self.house = House(self.memory, options)
        self._socket = bound("127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        self._server = _Server(config(self.house))
        self._thread = threading.Thread(target=self._run, name="served", daemon=True)
        self._thread.start()
        if not self._server.ready.wait(_PATIENCE):
            raise RuntimeError("the server did not start")
        return self

    def _run(self) -> None:
        asyncio.run(self._server.serve(sockets=[self._socket]))

    def __exit__(self, *_: object) -> None:
        self._server.should_exit = True
        self._thread.join(_PATIENCE)
        self._socket.close()

    def token(self, *, tenant: str | None = None, **wanted: Any) -> str:
        """A new token: `role` (admin if not said), user, agent, project, origin, clearance."""
        memory = self.memory if tenant is None else self.memory.of_tenant(tenant)
        return memory.grant("a test's", **{"role": "admin", **wanted}).token

    def client(self, token: str | None = None, **wanted: Any) -> httpx2.Client:
        """A client that shows a token: this one, or a new one of `wanted`."""
        shown = self.token(**wanted) if token is None else token
        return httpx2.Client(
            base_url=self.url,
            headers={"Authorization": f"Bearer {shown}"},
            timeout=_PATIENCE,
            verify=CLEAR,
        )


class _Server(uvicorn.Server):
    def __init__(self, settings: uvicorn.Config) -> None:
        super().__init__(settings)
        self.ready = threading.Event()

    def install_signal_handlers(self) -> None:
        """None: the process is the test's."""

    async def startup(self, sockets: Any = None) -> None:
        """As usual, and told."""
        await super().startup(sockets=sockets)
        self.ready.set()
