"""How a server runs over stdin and stdout, and how any of them ends."""

import logging
import os
import signal
import sys
from typing import Any

import anyio
import anyio.to_thread
from mcp.server import MCPServer

from engraphy.mcp.late import Late
from engraphy.mcp.options import Options
from engraphy.mcp.server import server


def over_stdio(options: Options) -> None:
    """Serve the client that started this process, until it closes stdin, or SIGTERM."""
    told_plainly()
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
