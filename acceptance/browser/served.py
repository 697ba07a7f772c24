"""A real server over a store, as its own process, and a token of it."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from engraphy import Memory

_ENGRAPHY = "engraphy.cli"
_UNESCAPED = str(Path(__file__).with_name("unescaped.py"))
_ADDRESS = re.compile(r"^engraphy serves .* at (http://\S+)$", re.MULTILINE)
_PATIENCE = 120


class Served(NamedTuple):
    """Where a server is, and an admin's token."""

    url: str
    token: str


@contextmanager
def serving(
    store: Path, *, profile: str = "default", embedder: str | None = None, unescaped: bool = False
) -> Iterator[Served]:
    """Serve `store` until the block ends. `unescaped`: a build that is broken on purpose."""
    with Memory(store, profile=profile, embedder=embedder) as memory:
        token = memory.grant("first token", role="admin", clearance="secret").token
    program = [_UNESCAPED] if unescaped else ["-m", _ENGRAPHY]
    words = ["serve", "--db", str(store), "--profile", profile, "--port", "0", "--no-dreams"]
    words += ["--embedder", embedder] if embedder else []
    log = store.with_suffix(".log")
    with log.open("w") as told:
        began = subprocess.Popen(
            [sys.executable, *program, *words],
            env={**os.environ, "ENGRAPHY_HOME": str(store.parent / "home")},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=told,
        )
    try:
        yield Served(_address(began, log), token)
    finally:
        began.terminate()
        if began.wait(timeout=30) != 0:
            raise RuntimeError(f"the server ended with {began.returncode}: {_last(log)}")


def _address(began: subprocess.Popen[bytes], log: Path) -> str:
    """Where it listens, once it says so."""
    end = time.monotonic() + _PATIENCE
    while began.poll() is None and time.monotonic() < end:
        found = _ADDRESS.search(log.read_text(encoding="utf-8"))
        if found is not None:
            return found[1]
        time.sleep(0.1)
    raise RuntimeError(f"the server did not start: {_last(log)}")


def _last(log: Path) -> str:
    return log.read_text(encoding="utf-8")[-2_000:]
