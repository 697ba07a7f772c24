"""Connections whose every step ends by one deadline: connecting, handshake, sending, each read.

The time limit of a socket holds for one step: a peer that sends a byte now and then would never
reach it. So each step is given what is left. Names are looked up by the system, in its own time.
"""

import socket
from functools import partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from io import BufferedReader, RawIOBase
from typing import Any, Final, Protocol
from urllib.request import HTTPHandler, HTTPSHandler, Request

from engraphy.providers.clock import stopwatch

_PIECE: Final = 16_384
_LONGEST: Final = 600.0


class _Left(Protocol):
    """The seconds that are left. Raises TimeoutError where none are."""

    def __call__(self) -> float: ...


class _Steps(RawIOBase):
    """What comes from a socket, each read within what is left."""

    def __init__(self, raw: RawIOBase, sock: socket.socket, left: _Left) -> None:
        self._raw, self._sock, self._left = raw, sock, left

    def readable(self) -> bool:
        """It is read, and nothing else."""
        return True

    def readinto(self, buffer: Any) -> int | None:
        """Bytes as they come. Raises TimeoutError."""
        self._sock.settimeout(self._left())
        return self._raw.readinto(buffer)

    def close(self) -> None:
        """Let the socket go."""
        self._raw.close()
        super().close()


class _Response(HTTPResponse):
    def __init__(self, sock: socket.socket, *args: Any, left: _Left, **more: Any) -> None:
        super().__init__(sock, *args, **more)
        self.fp = BufferedReader(_Steps(self.fp.detach(), sock, left))


class _Plain(HTTPConnection):
    """`timeout` is for the whole exchange, from now on."""

    def __init__(
        self,
        host: str,
        port: int | None = None,
        timeout: float = _LONGEST,
        source_address: tuple[str, int] | None = None,
        blocksize: int = _PIECE,
    ) -> None:
        super().__init__(host, port, timeout, source_address, blocksize)
        self._ends = stopwatch() + timeout
        # It is called, and nothing inherits from it.
        self.response_class = partial(_Response, left=self._left)  # type: ignore[assignment]
        self._create_connection = self._reached

    def connect(self) -> None:
        """Connect; a handshake that follows has what is left then."""
        super().connect()
        self.sock.settimeout(self._left())

    def send(self, data: Any) -> None:
        """Send headers or a body, piece by piece."""
        if self.sock is None:
            self.connect()
        for start in range(0, len(data), _PIECE):
            self.sock.settimeout(self._left())
            super().send(data[start : start + _PIECE])

    def _left(self) -> float:
        left = self._ends - stopwatch()
        if left <= 0:
            raise TimeoutError("timed out")
        return left

    def _reached(self, address: tuple[str, int], *_: object) -> socket.socket:
        """The first of the host's addresses that answers."""
        failed = OSError("the name has no address")
        for family, kind, protocol, _name, place in socket.getaddrinfo(
            *address, type=socket.SOCK_STREAM
        ):
            sock = socket.socket(family, kind, protocol)
            try:
                sock.settimeout(self._left())
                sock.connect(place)
            except OSError as error:
                sock.close()
                failed = error
            else:
                return sock
        raise failed


class _Encrypted(HTTPSConnection, _Plain):
    pass


class Plain(HTTPHandler):
    """Opens http addresses."""

    def http_open(self, req: Request) -> HTTPResponse:
        """The answer, its headers read."""
        return self.do_open(_Plain, req)


class Encrypted(HTTPSHandler):
    """Opens https addresses, whose certificates are checked as the system does."""

    def https_open(self, req: Request) -> HTTPResponse:
        """The answer, its headers read."""
        return self.do_open(_Encrypted, req)
