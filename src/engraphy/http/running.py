"""How the server begins and ends: its address, its first token, signals, what is under way."""

import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial

import anyio
import uvicorn

from engraphy.errors import InvalidInputError
from engraphy.http.app import application
from engraphy.http.logged import Lines
from engraphy.memory import Memory
from engraphy.serving.house import House
from engraphy.serving.options import ServeOptions

_ENDING_SECONDS = 10
_AT_ONCE = 512
"""Connections that are answered at the same time; one more is told to come again."""
_BACKLOG = 1_024


def serve(options: ServeOptions, *, ready: Callable[[str, Memory], None]) -> None:
    """Serve until SIGTERM or SIGINT; requests under way are answered first, for ten seconds at
    most. `ready` is told the address and the opened memory before the first request. Raises
    InvalidInputError for an address that cannot be had, and the errors of opening the memory."""
    _logs()
    with bound(options.host, options.port) as taken:
        house = House(Memory(**options.opening), options)
        ready(_address(options.host, taken.getsockname()[1]), house.memory)
        anyio.run(partial(_serve, house, taken))


async def _serve(house: House, taken: socket.socket) -> None:
    serving = _Server(config(house))
    async with anyio.create_task_group() as group:
        group.start_soon(_until_told, serving, house)
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
        backlog=_BACKLOG,
        timeout_graceful_shutdown=_ENDING_SECONDS,
        lifespan="on",
        ws="none",
    )


class _Server(uvicorn.Server):
    """One that leaves signals to us, except on Windows, where nobody else hears of them."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        if sys.platform == "win32":
            with super().capture_signals():
                yield
        else:
            yield


async def _until_told(serving: uvicorn.Server, house: House) -> None:
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as told:
        async for _ in told:
            house.ending = serving.should_exit = True


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens at the address: who asks before the server runs waits for it. Raises
    InvalidInputError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
        taken.listen(_BACKLOG)
    except (OSError, OverflowError) as error:
        taken.close()
        allowed = f"an address of this machine that is free ({error})"
        raise InvalidInputError(
            field="host and port", got=f"{host}:{port}", allowed=allowed
        ) from error
    return taken


def _address(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def _logs() -> None:
    """Every line of the log is JSON, on stderr."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(Lines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    logging.getLogger("engraphy").setLevel(logging.INFO)
