"""Nothing that runs in the tests calls anybody: the whole suite runs under this rule (P-28)."""

import asyncio
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.offline.plugin import attempts

ELSEWHERE = ("192.0.2.7", 9)
"""An address that is nobody's (RFC 5737)."""
CONNECT = f"import socket; socket.socket().connect({ELSEWHERE!r})"


def _sends() -> None:
    with socket.socket(type=socket.SOCK_DGRAM) as end:
        end.sendto(b"", ELSEWHERE)


def _awaits() -> None:
    asyncio.run(asyncio.wait_for(asyncio.open_connection(*ELSEWHERE), 5))


TRIES: list[Callable[[], object]] = [
    lambda: socket.create_connection(ELSEWHERE, timeout=5),
    lambda: socket.getaddrinfo("telemetry.example", 443),
    lambda: socket.gethostbyname("telemetry.example"),
    _sends,
    _awaits,
]


@pytest.mark.spec("P-28")
@pytest.mark.parametrize("tried", range(len(TRIES)))
def test_nothing_leaves_this_machine(tried: int) -> None:
    """A connection, a datagram, a name: refused and told, so that the test that caused it fails;
    every test of the suite runs under this rule, and with it every program that it starts."""
    with pytest.raises(PermissionError):
        TRIES[tried]()
    [told] = attempts()
    assert "192.0.2.7" in told or "telemetry.example" in told


@pytest.mark.parametrize("environment", [None, {}, {"PYTHONPATH": "/nowhere"}])
def test_a_child_is_caught_too(environment: dict[str, str] | None) -> None:
    """Whatever environment it gets, and a child of the child; though it swallows the refusal."""
    swallowing = f"try:\n {CONNECT}\nexcept OSError:\n pass\n"
    again = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {swallowing!r}])"
    for program in (swallowing, again):
        subprocess.run([sys.executable, "-c", program], env=environment, check=True)
        [told] = attempts()
        assert "socket.connect ('192.0.2.7', 9)" in told


def test_this_machine_may_be_reached(tmp_path: Path) -> None:
    """Loopback, by number and by name, and sockets of the file system."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        for host in ("127.0.0.1", "localhost"):
            socket.create_connection((host, port), timeout=5).close()
    with socket.socket(socket.AF_UNIX) as server, socket.socket(socket.AF_UNIX) as client:
        server.bind(str(tmp_path / "s"))
        server.listen()
        client.connect(str(tmp_path / "s"))
    assert attempts() == []
