"""What a server is started with."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Any

from engraphy.errors import InvalidInputError

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EVERYWHERE: Mapping[str, str] = {"0.0.0.0": "127.0.0.1", "::": "::1"}
"""Addresses that stand for all of a machine's, and under which it reaches itself there."""
_HOST = re.compile(
    r"(?:\[(?P<number>[0-9A-Fa-f:.]{2,45})\]|(?P<name>[A-Za-z0-9._-]{1,253}))(?::(?P<port>\d{0,5}))?",
    re.ASCII,
)


def hostname(told: str) -> str | None:
    """The name in a Host header, lower case and without its port; None for what is none, also for
    what only begins like one (`[::1].evil`)."""
    found = _HOST.fullmatch(told)
    if found is None or int(found["port"] or 0) > 65_535:
        return None
    return (found["number"] or found["name"]).lower()


def stays_here(host: str) -> bool:
    """Whether what listens at an address is reached from this machine alone; a name other than
    `localhost` may be anybody's."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() in LOOPBACK


def asked_under(told: str) -> str:
    """A Host name to answer to, as `hostname` tells it. Raises InvalidInputError for what no
    request can have there."""
    name = hostname(told)
    if name is None:
        allowed = "a host's name or address, without https:// before it or a path behind it"
        raise InvalidInputError(field="--allow-host", got=repr(told[:80]), allowed=allowed)
    return name


@dataclass(frozen=True, slots=True, kw_only=True)
class Upstream:
    """Where a proxy door passes requests on to: `base` is a URL without a path behind it but its
    own, `key` what to show there in the client's place (None: the client shows its own)."""

    base: str
    key: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ServeOptions:
    """How a server runs.

    `opening`: what `Memory` is opened with. `names`: further Host names to answer to. `upstreams`:
    by the proxy's dialect (anthropic, openai ...). `secure`: callers reach it by https, through
    something in front. `dream`: maintenance runs when it is due. `most_bytes`: of a request's body.
    """

    opening: Mapping[str, Any] = field(default_factory=dict)
    host: str = "127.0.0.1"
    port: int = 8_765
    names: tuple[str, ...] = ()
    upstreams: Mapping[str, Upstream] = field(default_factory=dict)
    toolset: str = "default"
    secure: bool = False
    dream: bool = True
    dashboard: bool = True
    most_bytes: int = 8_000_000

    def __post_init__(self) -> None:
        """Raises InvalidInputError for a name that no request can have."""
        self.hosts()

    def hosts(self) -> frozenset[str]:
        """The names under which this server is asked, without a port; lower case."""
        own = () if self.host in EVERYWHERE else (self.host.lower(),)
        return frozenset((*LOOPBACK, *own, *map(asked_under, self.names)))
