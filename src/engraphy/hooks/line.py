"""The line between a hook and the daemon: a Unix socket that only its owner may open; where there
is none, a port of the loopback with a token in a file that only its owner may read.

A question is one line of words (version, mark of the variables, what is asked, more words) with the
length of what follows; an answer is one word and the length of what follows.
"""

import os
import socket

NAME = "daemon.sock"
PORT = "daemon.port"
_LONGEST_PATH = 100
_LONGEST_LINE = 4_096
_MOST = 64_000_000
_TOKEN_BYTES = 16


def listen(folder: str, *, unix: bool = hasattr(socket, "AF_UNIX")) -> tuple[socket.socket, str]:
    """A socket that takes questions, and the token they must begin with ("" for a Unix socket).
    Who calls holds the daemon's lock, so that what an earlier one left is nobody's."""
    if unix:
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        place = _place(folder)
        if os.path.lexists(place):
            os.unlink(place)
        before = os.umask(0o177)
        try:
            server.bind(place)
        finally:
            os.umask(before)
        server.listen(64)
        return server, ""
    server = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    server.bind(("127.0.0.1", 0))
    server.listen(64)
    token = os.urandom(_TOKEN_BYTES).hex()
    place = os.path.join(folder, PORT)
    handle = os.open(f"{place}.tmp", os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        os.write(handle, f"{server.getsockname()[1]} {token}".encode())
    finally:
        os.close(handle)
    os.replace(f"{place}.tmp", place)
    return server, token


def call(folder: str, seconds: float) -> tuple[socket.socket, str]:
    """A socket to the daemon of this folder, and the token. Raises OSError where none listens."""
    if os.path.lexists(os.path.join(folder, NAME)):
        line, token = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM), ""
        address: str | tuple[str, int] = _place(folder)
    else:
        with open(os.path.join(folder, PORT), "rb") as file:
            port, _, token = file.read(_LONGEST_LINE).decode("ascii", "replace").partition(" ")
        line = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        address = ("127.0.0.1", int(port)) if port.isdigit() else ("127.0.0.1", 0)
    line.settimeout(seconds)
    try:
        line.connect(address)
    except OSError:
        line.close()
        raise
    return line, token


def asked(folder: str, words: list[str], data: bytes, seconds: float) -> bytes | None:
    """What the daemon answers a hook; None where it is of another kind. Raises OSError."""
    line, token = call(folder, seconds)
    with line:
        say(line, [token if word == "-" else word for word in words], data)
        told, said = hear(line)
    return said if told == ["ok"] else None


def _place(folder: str) -> str:
    """The socket's path; one that is too long for the system is reached from inside its folder."""
    place = os.path.join(folder, NAME)
    if len(os.fsencode(place)) < _LONGEST_PATH:
        return place
    os.chdir(folder)
    return NAME


def say(line: socket.socket, words: list[str], data: bytes = b"") -> None:
    """One line of words, and what follows it. Raises OSError."""
    head = " ".join([*words, str(len(data))]).encode("ascii", "replace")
    line.sendall(head + b"\n" + data)


def hear(line: socket.socket) -> tuple[list[str], bytes]:
    """What was said. Raises OSError, also where it breaks off or is too much."""
    held = bytearray()
    while b"\n" not in held:
        part = line.recv(65_536)
        if not part or len(held) > _LONGEST_LINE:
            raise OSError("the line broke off")
        held += part
    head, _, rest = bytes(held).partition(b"\n")
    *words, size = head.decode("ascii", "replace").split(" ")
    if not size.isdigit() or int(size) > _MOST:
        raise OSError("this is not our line")
    parts, left = [rest], int(size) - len(rest)
    while left > 0:
        part = line.recv(min(left, 1 << 20))
        if not part:
            raise OSError("the line broke off")
        parts.append(part)
        left -= len(part)
    return words, b"".join(parts)


def gone(folder: str) -> None:
    """Take away what a daemon listened at."""
    for name in (NAME, PORT):
        place = os.path.join(folder, name)
        if os.path.lexists(place):
            os.unlink(place)
