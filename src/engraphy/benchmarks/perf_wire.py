"""HTTP/1.1 over a connection that is kept open, as thin as it gets: a client that costs little
beside the server that it measures."""

import asyncio
import json
import socket
from dataclasses import dataclass, field
from typing import Any

_READY_STEP = 0.1


def free_port() -> int:
    """A port of loopback that was free a moment ago."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


@dataclass(slots=True)
class Wire:
    """One connection to the server at `port` of loopback; opened when it is needed, and anew after
    it broke."""

    port: int
    token: str
    _open: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = field(default=None)

    async def ask(self, method: str, path: str, body: Any = None) -> tuple[int, bytes]:
        """(status, body) of an answer. Raises OSError where there is none."""
        try:
            return await self._ask(method, path, body)
        except (asyncio.IncompleteReadError, ValueError) as error:
            raise ConnectionError("the answer broke off") from error
        finally:
            if self._open is not None and self._open[1].is_closing():
                self._open = None

    async def _ask(self, method: str, path: str, body: Any) -> tuple[int, bytes]:
        if self._open is None:
            self._open = await asyncio.open_connection("127.0.0.1", self.port)
        reader, writer = self._open
        data = b"" if body is None else json.dumps(body).encode()
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{self.port}\r\n"
            f"Authorization: Bearer {self.token}\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        try:
            writer.write(head.encode() + data)
            await writer.drain()
            told = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(told.partition("content-length: ")[2].partition("\r\n")[0])
            return int(told.split(" ", 2)[1]), await reader.readexactly(length)
        except BaseException:
            writer.close()
            self._open = None
            raise

    async def ready(self, seconds: float) -> None:
        """Wait until the server answers. Raises TimeoutError."""
        async with asyncio.timeout(seconds):
            while True:
                try:
                    if (await self.ask("GET", "/readyz"))[0] == 200:
                        return
                except OSError:
                    pass
                await asyncio.sleep(_READY_STEP)

    def close(self) -> None:
        """Close the connection."""
        if self._open is not None:
            self._open[1].close()
            self._open = None
