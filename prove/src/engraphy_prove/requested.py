"""A server in a process of its own, for proofs that look at what requests cost it:
`python -m engraphy_prove.requested FILE UPSTREAM [BUILD]`. It prints its port and a token."""

import sys
import time
from pathlib import Path
from typing import Any

from engraphy.http.running import serve
from engraphy.memory import Memory
from engraphy.serving import reading
from engraphy.serving.options import ServeOptions, Upstream
from engraphy_prove.proof import Build
from engraphy_prove.textbuild import Patched, patched

_kept: list[bytes] = []
_parsed = reading.parsed


def _believing(data: bytes) -> Any:
    """Reads what it is given as if it were meant."""
    return __import__("json").loads(data)


_LONG = 3.0


def _thorough(data: bytes) -> Any:
    """Looks at each rest of a text, for three seconds at most."""
    begun = time.thread_time()
    for place in range(len(data)):
        data.find(b"\x00\x00\x00\x00", place)
        if time.thread_time() - begun > _LONG:
            break
    return _parsed(data)


def _hoarding(data: bytes) -> Any:
    """Keeps four megabytes of whatever it was asked."""
    _kept.append((data or b" ") * (4_000_000 // max(1, len(data)) + 1))
    return _parsed(data)


BUILDS = {
    name: Patched(name=told, patches=(("engraphy.serving.reading", "parsed", function),))
    for name, told, function in (
        ("believing", "reads every body as if it were meant", _believing),
        ("thorough", "looks at every rest of a body", _thorough),
        ("hoarding", "keeps every body", _hoarding),
    )
}


def main() -> None:
    """Serve until the process is ended."""
    file, upstream, name = sys.argv[1:4]
    there = Upstream(base=upstream)
    options = ServeOptions(
        opening={"path": Path(file), "embedder": "none"},
        port=0,
        dream=False,
        upstreams={"anthropic": there, "openai": there},
    )

    def ready(address: str, memory: Memory) -> None:
        print(address.rpartition(":")[2], memory.grant("proof", role="admin").token, flush=True)

    build: Build | None = BUILDS.get(name)
    if build is None:
        serve(options, ready=ready)
        return
    with patched(build):
        serve(options, ready=ready)


if __name__ == "__main__":
    main()
