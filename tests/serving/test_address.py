"""The address of a server: had before anything is said of it, and by one alone."""

import socket

import pytest

from engraphy.errors import InvalidInputError
from engraphy.serving.listening import address, bound
from engraphy.serving.options import ServeOptions, hostname, stays_here


def test_who_asks_before_the_server_runs_waits() -> None:
    """Once the address is told, nobody who comes at once is turned away."""
    with bound("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        socket.create_connection(("127.0.0.1", port), timeout=5).close()
        with pytest.raises(InvalidInputError):
            bound("127.0.0.1", port)
    bound("127.0.0.1", port).close()


@pytest.mark.parametrize("host", ["127.0.0.1", "::1", "0.0.0.0", "::"])
def test_the_address_that_is_told_is_answered(host: str) -> None:
    """Whatever a server listens at, the address it tells is one that it answers to."""
    told = address(host, 8_765).removeprefix("http://")
    assert hostname(told) in ServeOptions(host=host).hosts()


@pytest.mark.parametrize("name", ["https://memory.example.com", "a.example/x", "*.example.com", ""])
def test_a_name_that_no_request_can_have_is_refused(name: str) -> None:
    """What would never be answered to is an error at the start; a port is not part of a name."""
    assert "memory.example.com" in ServeOptions(names=("Memory.Example.com:8443",)).hosts()
    with pytest.raises(InvalidInputError, match="allow-host"):
        ServeOptions(names=(name,))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.0.1", "::1", "localhost"])
def test_what_stays_on_the_machine_is_known(host: str) -> None:
    """Whoever listens at a loopback address is reached from this machine alone."""
    assert stays_here(host)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "example.com", ""])
def test_what_may_be_reached_from_elsewhere_is_known(host: str) -> None:
    """All other addresses and names may be reached by others, which is said at the start."""
    assert not stays_here(host)
