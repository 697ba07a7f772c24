"""The address of a server: had before anything is said of it, and by one alone."""

import socket

import pytest

from engraphy.errors import InvalidInputError
from engraphy.serving.listening import bound


def test_who_asks_before_the_server_runs_waits() -> None:
    """Once the address is told, nobody who comes at once is turned away."""
    with bound("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        with pytest.raises(InvalidInputError):
            bound("127.0.0.1", port)
    bound("127.0.0.1", port).close()
