"""One `engraphy serve` on a database, and what is asked of it over HTTP."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

PATIENCE = 30.0
"""Seconds until an answer."""
_STARTING = 300.0
_ADDRESS = re.compile(r"http://127\.0\.0\.1:(\d+)")


@dataclass(slots=True)
class Serving:
    """A server of the database at `url`, run by the module `program`. `port`: where it listens;
    0 while it does not. `took`: seconds of each start; `failed`: what one said that did not listen;
    `ended`: nobody needs it any more."""

    folder: Path
    name: str
    url: str
    program: str
    process: subprocess.Popen[bytes] | None = None
    port: int = 0
    took: list[float] = field(default_factory=list)
    failed: str = ""
    ended: bool = False

    def start(self) -> None:
        """Start it, and wait until it listens."""
        home = self.folder / self.name
        home.mkdir(exist_ok=True)
        log = home / f"log-{time.monotonic_ns()}"
        told = {
            "ENGRAPHY_DATABASE": self.url,
            "ENGRAPHY_HOME": str(home),
            "ENGRAPHY_EMBEDDER": "none",
            "ENGRAPHY_PROFILE": str(self.folder / "quick.toml"),
        }
        command = [sys.executable, "-m", self.program, "serve", "--port", "0", "--no-dashboard"]
        begun = time.monotonic()
        with log.open("wb") as out:
            self.process = subprocess.Popen(command, env=os.environ | told, stdout=out, stderr=out)
        while time.monotonic() < begun + _STARTING and self.process.poll() is None:
            if self.ended:
                self.kill()
                return
            found = _ADDRESS.search(log.read_text("utf-8", errors="replace"))
            if found and _answers(int(found[1])):
                self.took.append(time.monotonic() - begun)
                self.port = int(found[1])
                return
            time.sleep(0.05)
        said = log.read_text("utf-8", errors="replace")[-2_000:]
        self.failed = f"{self.name} did not listen after {time.monotonic() - begun:.0f} s: {said}"

    def kill(self) -> None:
        """What a crash does."""
        self.port = 0
        if self.process is not None:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()

    def end(self) -> None:
        """Kill it, and start it no more."""
        self.ended = True
        self.kill()


def asked(port: int, path: str, body: dict[str, Any], token: str) -> tuple[int, dict[str, Any]]:
    """Status and answer; 0 where there was none."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    head = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    try:
        line.request("POST", path, json.dumps(body), head)
        answer = line.getresponse()
        told = json.loads(answer.read())
    except (OSError, HTTPException, ValueError):
        return 0, {}
    finally:
        line.close()
    return answer.status, told if isinstance(told, dict) else {}


def _answers(port: int) -> bool:
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        line.request("GET", "/healthz")
        return line.getresponse().status == 200
    except OSError:
        return False
    finally:
        line.close()
