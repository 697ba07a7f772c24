"""No test reaches beyond this machine, nor does a program it starts: Python imports this by name.

The tests put this folder on the path of every Python they start. Whoever connects, sends or asks
for a name elsewhere is refused, and a line of the report says so, whatever they make of it.
"""

import os
import sys

REPORT = "ENGRAPHY_TESTS_REPORT"
"""The variable with the file that is told of attempts."""
_MARK = "engraphy_stays_here"
_TO_AN_ADDRESS = ("socket.connect", "socket.sendto", "socket.sendmsg")
_BY_A_NAME = ("socket.getaddrinfo", "socket.gethostbyname", "socket.gethostbyaddr")
_HERE = ("", "localhost", "0.0.0.0", "::", "::1")
"""To connect to any address is to connect to this machine."""


def _is_here(host: object) -> bool:
    if not isinstance(host, str | bytes):
        return True
    text = host.decode("latin-1") if isinstance(host, bytes) else host
    name = text.lower().rstrip(".")
    return name in _HERE or name.startswith(("127.", "::ffff:127.")) or name.endswith(".localhost")


def _is_number(host: object) -> bool:
    return isinstance(host, str) and (":" in host or not host.strip("0123456789."))


def _refused(event: str, given: tuple[object, ...]) -> object:
    """Whom the attempt is for, where it leaves the machine; None where it does not."""
    if event in _TO_AN_ADDRESS:
        end, address = given[0], given[1]
        # Whoever has a socket has loaded this; nobody else is to load it for the rule's sake.
        kinds = sys.modules["_socket"]
        if getattr(end, "family", None) not in (kinds.AF_INET, kinds.AF_INET6):
            return None
        host = address[0] if isinstance(address, tuple) and address else None
        return None if _is_here(host) else address
    host = given[0]
    return None if _is_here(host) or _is_number(host) else host


def _hook(event: str, given: tuple[object, ...]) -> None:
    if event in _TO_AN_ADDRESS or event in _BY_A_NAME:
        whom = _refused(event, given)
        if whom is not None:
            line = f"{event} {whom!r} in {os.getpid()}: {' '.join(sys.argv)[:200]}\n"
            file = os.open(os.environ[REPORT], os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            os.write(file, line.encode())
            os.close(file)
            raise PermissionError(f"tests stay on this machine: {event} {whom!r}")


def forbid() -> None:
    """From now on this process stays on its machine; what it tries is a line of the report."""
    if _MARK not in sys.__dict__:
        sys.__dict__[_MARK] = True
        sys.addaudithook(_hook)


if REPORT in os.environ:
    forbid()
