"""A wire that keeps what comes back over it: between a client and the proxy, to compare bytes."""

import http.client
import io
import socket
import threading
from dataclasses import dataclass, field
from typing import Self


@dataclass
class Tap:
    """Passes bytes on to a port of this machine. `lines`: what came back, per connection."""

    port: int
    lines: list[bytearray] = field(default_factory=list)

    def __enter__(self) -> Self:
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._socket.getsockname()[1]}"
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def bodies(self) -> list[bytes]:
        """The bodies of all answers so far, sorted: what the clients got."""
        found: list[bytes] = []
        for line in list(self.lines):
            found += _bodies(bytes(line))
        return sorted(found)

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._socket.accept()
            except OSError:
                return
            server = socket.create_connection(("127.0.0.1", self.port))
            kept = bytearray()
            self.lines.append(kept)
            for one, other, keep in ((client, server, None), (server, client, kept)):
                threading.Thread(target=_pump, args=(one, other, keep), daemon=True).start()


def _pump(one: socket.socket, other: socket.socket, keep: bytearray | None) -> None:
    try:
        while data := one.recv(65_536):
            if keep is not None:
                keep += data
            other.sendall(data)
        other.shutdown(socket.SHUT_WR)
    except OSError:
        one.close()
        other.close()


def _bodies(raw: bytes) -> list[bytes]:
    found: list[bytes] = []
    while raw.startswith(b"HTTP/1.1"):
        head, _, rest = raw.partition(b"\r\n\r\n")
        answer = http.client.HTTPResponse(_Bytes(raw))  # type: ignore[arg-type]
        answer.begin()
        found.append(answer.read())
        size = answer.length
        chunked = b"transfer-encoding: chunked" in head.lower()
        used = _chunked(rest) if chunked else len(found[-1])
        if size is None and not chunked and b"content-length" not in head.lower():
            used = len(rest)
        raw = rest[used:]
    return found


class _Bytes:
    """Bytes as a socket that can be read."""

    def __init__(self, raw: bytes) -> None:
        self._raw = raw

    def makefile(self, *_: object) -> io.BytesIO:
        """What is read."""
        return io.BytesIO(self._raw)


def _chunked(rest: bytes) -> int:
    """How many bytes a chunked body takes."""
    at = 0
    while True:
        end = rest.index(b"\r\n", at)
        size = int(rest[at:end].partition(b";")[0], 16)
        at = end + 2 + size + 2
        if not size:
            return at
