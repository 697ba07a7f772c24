"""A provider on loopback that does to the proxy what networks and providers do, and keeps what it
saw; and the server whose proxy stands in front of it."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Self

import uvicorn

from engraphy.http.running import config
from engraphy.memory import Memory
from engraphy.serving.house import House
from engraphy.serving.listening import bound
from engraphy.serving.options import ServeOptions

PATIENCE = 20.0


@dataclass(kw_only=True)
class Says:
    """An answer: its pieces, the second of which waits until `go` is set; whether it breaks off
    after the last."""

    pieces: Sequence[bytes]
    status: int = 200
    headers: Sequence[tuple[str, str]] = ()
    kind: str = "text/event-stream"
    cut: bool = False
    waits: bool = False


@dataclass
class Provider:
    """`seen`: requests as (target, headers, body); `gone` is set where a client left."""

    says: Says = field(default_factory=lambda: Says(pieces=[b"{}"]))
    seen: list[tuple[str, dict[str, str], bytes]] = field(default_factory=list)
    go: threading.Event = field(default_factory=threading.Event)
    gone: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> Self:
        provider = self

        handler = type("Handler", (_Handler,), {"told": provider})
        self._server = _Quiet(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self.port: int = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def ready(self, says: Says) -> None:
        """What is said next; nothing is seen so far."""
        self.says, self.seen = says, []
        self.go.clear()
        self.gone.clear()


class _Quiet(ThreadingHTTPServer):
    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that breaks off is what is tried here."""


class _Handler(BaseHTTPRequestHandler):
    told: Provider
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):
            return self._answer
        raise AttributeError(name)

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.told.seen.append((self.path, headers, body))
        try:
            self._say(self.told.says)
        except OSError:
            self.told.gone.set()
            self.close_connection = True

    def _say(self, says: Says) -> None:
        self.send_response(says.status)
        for name, value in (("Content-Type", says.kind), *says.headers):
            self.send_header(name, value)
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        for number, piece in enumerate(says.pieces):
            if number and says.waits:
                self.told.go.wait(PATIENCE)
            self.wfile.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            self.wfile.flush()
        if says.cut:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True
        else:
            self.wfile.write(b"0\r\n\r\n")


@dataclass(kw_only=True)
class Served:
    """A server that runs: its port, its memory, a token."""

    port: int
    memory: Memory
    token: str


@contextmanager
def serving(path: Path, **options: Any) -> Iterator[Served]:
    """A real server over a store of its own, in a thread."""
    house = House(Memory(path, embedder="none"), ServeOptions(**options))
    with bound("127.0.0.1", 0) as taken:
        server = uvicorn.Server(config(house))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[taken])))
        thread.start()
        while not server.started and thread.is_alive():
            thread.join(0.01)
        try:
            token = house.memory.grant("proof", role="write").token
            yield Served(port=taken.getsockname()[1], memory=house.memory, token=token)
        finally:
            server.should_exit = True
            thread.join()
