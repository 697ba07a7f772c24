"""How a server runs over stdin and stdout, and how any of them ends."""

import logging
import os
import signal
import sys
from typing import Any, BinaryIO

import anyio
import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.stdio import stdio_server

from engraphy.mcp.late import Late
from engraphy.mcp.lines import Lines
from engraphy.mcp.options import Options
from engraphy.mcp.server import server


def _taken_stdin() -> BinaryIO:
    """Where requests are read. What else reads stdin in this process, or in one that it starts,
    finds its end."""
    wire, nowhere = os.dup(sys.stdin.fileno()), os.open(os.devnull, os.O_RDONLY)
    os.dup2(nowhere, sys.stdin.fileno())
    os.close(nowhere)
    return os.fdopen(wire, "rb")


def over_stdio(options: Options) -> None:
    """Serve the client that started this process, until it closes stdin, or SIGTERM."""
    told_plainly()
    lines = Lines(_taken_stdin())
    late = Late(options)
    made = server(options, late=late)
    anyio.run(_stdio, made, late, lines)


def told_plainly() -> None:
    """What goes wrong is told on stderr, in lines that a host's log can hold."""
    logging.basicConfig(level=logging.WARNING, format="engraphy mcp: %(levelname)s %(message)s")


async def _stdio(made: MCPServer[Any], late: Late, lines: Any) -> None:
    inner = made._lowlevel_server  # noqa: SLF001 - `run_stdio_async` takes no lines but its own
    async with anyio.create_task_group() as group:
        group.start_soon(_until_told, late)
        async with stdio_server(lines) as (read, write):
            lines.replies = write
            await inner.run(read, write, inner.create_initialization_options())
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
