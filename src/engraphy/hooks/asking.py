"""A question to the daemon over its Unix socket, with as little as that takes: the module `socket`
costs a hook more than the question does. What is said is told in `line`.
"""

import _socket
import os

from engraphy.hooks.dialects import MOST_READ

_LONGEST_PATH = 100
_CONNECTING = 0.25


def asked(folder: str, words: list[str], data: bytes, seconds: float) -> bytes | None:
    """What the daemon answers; None where it is of another kind. Raises OSError."""
    place, back = os.path.join(folder, "daemon.sock"), ""
    if len(os.fsencode(place)) >= _LONGEST_PATH:
        back = os.getcwd()
        os.chdir(folder)
        place = "daemon.sock"
    line = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    line.settimeout(_CONNECTING)
    line.connect(place)
    if back:
        os.chdir(back)
    line.settimeout(seconds)
    line.sendall(f"{' '.join([*words, str(len(data))])}\n".encode("ascii", "replace") + data)
    held = b""
    while part := line.recv(1 << 16):
        held += part
        if len(held) > MOST_READ:
            break
    line.close()
    head, _, said = held.partition(b"\n")
    return said if head.split(b" ") == [b"ok", str(len(said)).encode()] else None
