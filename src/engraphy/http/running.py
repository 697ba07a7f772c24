"""How the server begins and ends: its address, its first token, signals, what is under way."""

import logging
import socket
import sys
from collections.abc import Callable
from functools import partial

import anyio
import uvicorn

from engraphy.http.app import application
from engraphy.http.logged import Lines
from engraphy.http.warming import warming
from engraphy.memory import Memory
from engraphy.serving.allocating import give_back
from engraphy.serving.house import House
from engraphy.serving.listening import BACKLOG, Server, address, bound, until_told
from engraphy.serving.options import ServeOptions

_ENDING_SECONDS = 10
_AT_ONCE = 512
"""Connections that are answered at the same time; one more is told to come again."""


def serve(options: ServeOptions, *, ready: Callable[[str, Memory], None]) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are answered first, for ten seconds at
    most. `ready` is told the address and the opened memory before the first request. Raises
    InvalidInputError for an address that cannot be had, and the errors of opening the memory."""
    _logs()
    give_back()
    with bound(options.host, options.port) as taken:
        house = House(Memory(**options.opening), options)
        ready(_asked_at(options, taken.getsockname()[1]), house.memory)
        anyio.run(partial(_serve, house, taken))


def _asked_at(options: ServeOptions, port: int) -> str:
    """Where callers find it: behind what speaks TLS in front, else at its own address."""
    if options.secure and options.names:
        return f"https://{options.names[0]}"
    return address(options.host, port)


async def _serve(house: House, taken: socket.socket) -> None:
    serving = Server(config(house))

    def end() -> None:
        house.ending = serving.should_exit = True

    async with anyio.create_task_group() as group:
        group.start_soon(until_told, end)
        group.start_soon(warming, house)
        await serving.serve(sockets=[taken])
        group.cancel_scope.cancel()


def config(house: House) -> uvicorn.Config:
    """How uvicorn is to run the server over what is open."""
    return uvicorn.Config(
        application(house),
        access_log=False,
        log_config=None,
        server_header=False,
        proxy_headers=False,
        limit_concurrency=_AT_ONCE,
        backlog=BACKLOG,
        timeout_graceful_shutdown=_ENDING_SECONDS,
        lifespan="on",
        ws="none",
    )


def _logs() -> None:
    """Every line of the log is JSON, on stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("engraphy").setLevel(logging.INFO)
