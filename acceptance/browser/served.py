"""A real server over a store, as its own process, and its first token."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

_ENGRAPHY = "engraphy.cli"
_UNESCAPED = str(Path(__file__).with_name("unescaped.py"))


class Served(NamedTuple):
    """Where a server is, and its admin token."""

    url: str
    token: str


@contextmanager
def serving(store: Path, *, profile: str = "default", unescaped: bool = False) -> Iterator[Served]:
    """Serve `store` until the block ends. `unescaped`: a build that is broken on purpose."""
    program = [_UNESCAPED] if unescaped else ["-m", _ENGRAPHY]
    words = ["serve", "--db", str(store), "--profile", profile, "--port", "0", "--no-dreams"]
    began = subprocess.Popen(
        [sys.executable, *program, *words],
        env={**os.environ, "ENGRAPHY_HOME": str(store.parent / "home"), "PYTHONUNBUFFERED": "1"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=store.with_suffix(".log").open("w"),
        text=True,
    )
    try:
        token, url = "", ""
        while not url:
            line = began.stdout.readline() if began.stdout else ""
            if not line:
                raise RuntimeError(f"the server did not start: see {store.with_suffix('.log')}")
            if line.startswith("Token"):
                token = line.split()[-1]
            elif line.startswith("Dashboard"):
                url = line.split()[-1].partition("/signin")[0]
        yield Served(url, token)
    finally:
        began.terminate()
        if began.wait(timeout=30) != 0:
            raise RuntimeError(f"the server ended with {began.returncode}")
