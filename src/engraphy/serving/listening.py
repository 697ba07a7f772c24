"""How a server of ours listens and ends: its address, its signals."""

import signal
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import anyio
import uvicorn

from engraphy.errors import InvalidInputError
from engraphy.serving.options import EVERYWHERE

BACKLOG = 1_024


def bound(host: str, port: int) -> socket.socket:
    """A socket that listens at the address (port 0: any that is free): who asks before the server
    runs waits for it. Raises InvalidInputError for one that cannot be had."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    taken = socket.socket(family, socket.SOCK_STREAM)
    taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        taken.bind((host, port))
        taken.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        taken.close()
        why = error.strerror if isinstance(error, OSError) else error
        allowed = f"an address of this machine that is free, see --host and --port ({why})"
        raise InvalidInputError(
            field="host and port", got=f"{host}:{port}", allowed=allowed
        ) from error
    return taken


def address(host: str, port: int) -> str:
    """The URL of a server there, for who asks from the same machine."""
    host = EVERYWHERE.get(host, host)
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


class Server(uvicorn.Server):
    """One that leaves signals to us: after its end the process ends by itself, and not by them.
    On Windows, where we hear of none, as usual."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Capture none."""
        if sys.platform == "win32":
            with super().capture_signals():
                yield
        else:
            yield


async def until_told(end: Callable[[], None]) -> None:
    """Call `end` at every SIGTERM and SIGINT; on Windows never."""
    if sys.platform == "win32":
        return
    with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as told:
        async for _ in told:
            end()
