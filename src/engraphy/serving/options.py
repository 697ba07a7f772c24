"""What a server is started with."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

LOOPBACK = ("127.0.0.1", "localhost", "::1")


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

    def hosts(self) -> frozenset[str]:
        """The names under which this server is asked, without a port; lower case."""
        own = () if self.host in ("0.0.0.0", "::") else (self.host,)
        return frozenset(one.lower() for one in (*LOOPBACK, *own, *self.names))
