"""How a server runs over stdin and stdout, and how any of them ends."""

import logging
import os
import re
import signal
import sys
from io import BufferedReader, RawIOBase, TextIOWrapper
from typing import Any, BinaryIO

import anyio
import anyio.to_thread
from mcp.server import MCPServer

from engraphy.mcp.late import Late
from engraphy.mcp.options import Options
from engraphy.mcp.server import server

_ESCAPE = re.compile(
    rb"\\(?:(?:u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F]|u[dD][89a-fA-F])[0-9a-fA-F]{2}|.)"
)
"""An escape of JSON; both halves of a character are one."""
_HALF = len(rb"\uD83D")
_UNKNOWN = rb"\ufffd"


class Whole(RawIOBase):
    """Lines in which half a character, which a client leaves that cuts a text to a length, is
    U+FFFD: the SDK reads no line with one, and would never answer it."""

    def __init__(self, source: BinaryIO) -> None:
        self._source = source
        self._left = b""

    def readable(self) -> bool:
        """It is there to be read."""
        return True

    def readinto(self, buffer: Any, /) -> int:
        """As much as there is of one line; nothing at the end."""
        line = self._left or _whole(self._source.readline())
        size = min(len(line), len(buffer))
        buffer[:size], self._left = line[:size], line[size:]
        return size


def _whole(line: bytes) -> bytes:
    if b"\\ud" not in line and b"\\uD" not in line:
        return line
    return _ESCAPE.sub(lambda one: _UNKNOWN if len(one[0]) == _HALF else one[0], line)


def _take_stdin() -> None:
    """Read requests through `Whole`. What else reads stdin in this process, or in one that it
    starts, finds its end."""
    wire, nowhere = os.dup(sys.stdin.fileno()), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, sys.stdin.fileno())
    os.close(nowhere)
    sys.stdin = TextIOWrapper(BufferedReader(Whole(os.fdopen(wire, "rb"))), encoding="utf-8")


def over_stdio(options: Options) -> None:
    """Serve the client that started this process, until it closes stdin, or SIGTERM."""
    told_plainly()
    _take_stdin()
    late = Late(options)
    made = server(options, late=late)
    anyio.run(_stdio, made, late)


def told_plainly() -> None:
    """What goes wrong is told on stderr, in lines that a host's log can hold."""
    logging.basicConfig(level=logging.WARNING, format="engraphy mcp: %(levelname)s %(message)s")


async def _stdio(made: MCPServer[Any], late: Late) -> None:
    async with anyio.create_task_group() as group:
        group.start_soon(_until_told, late)
        await made.run_stdio_async()
        group.cancel_scope.cancel()
    leave(late)


async def _until_told(late: Late) -> None:
    """End on SIGTERM and SIGINT: nothing can interrupt the thread that waits for stdin. Windows
    has no such signals."""
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as told:
        async for _ in told:
            await anyio.to_thread.run_sync(late.close)
            leave(late)


def leave(late: Late) -> None:
    """End the process, also where a call nobody waits for is still at work: each verb is whole or
    not at all, so what is broken off here is as if it had not been begun."""
    late.close()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(0)
