"""A server as its users start it, in a process of its own, and tokens for it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

ENGRAPHY = os.environ.get("ENGRAPHY") or str(Path(sys.executable).with_name("engraphy"))
_ENDING_SECONDS = 30


@dataclass
class Server:
    """Where it is, the token of its first start, and its file."""

    url: str
    admin: str
    file: Path

    def token(self, **wanted: str) -> str:
        """A further token, as the command line makes one."""
        more = [part for name, value in wanted.items() for part in (f"--{name}", value)]
        told = subprocess.run(
            [ENGRAPHY, "token", "create", "a test's", "--db", str(self.file), *more],
            capture_output=True,
            text=True,
            check=True,
        )
        return re.search(r"egr_\w+", told.stdout)[0]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server on a free port, over an empty store."""
    file = tmp_path_factory.mktemp("store") / "memory.db"
    words = [ENGRAPHY, "serve", "--port", "0", "--db", str(file), "--embedder", "static"]
    log = file.with_suffix(".log")
    with log.open("w") as told:
        running = subprocess.Popen(
            words, stdout=subprocess.PIPE, stderr=told, text=True, env={**os.environ}
        )
    try:
        token = next((re.search(r"egr_\w+", line)[0] for line in running.stdout), "")
        url = re.search(r"http://\S+", log.read_text())[0]
        yield Server(url=url, admin=token, file=file)
    finally:
        running.terminate()
        running.wait(_ENDING_SECONDS)
        errors = [line for line in log.read_text().splitlines() if '"ERROR"' in line]
        assert not errors, errors[:3]
