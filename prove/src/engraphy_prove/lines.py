"""P-17: lines that no client of MCP means, over stdin: whatever asks by an id is answered, nothing
but messages comes back, and the server lives on."""

import json
import os
import queue
import random
import re
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from engraphy.mcp.tooling import NAMES, announced
from engraphy_prove.piped import BUILDS
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.written import Id, Line, Lines, written

_PATIENCE, _SHORT = 60.0, 5.0
_INTERNAL = re.compile(r'"code": ?(?:-32603|0)[,}]|Traceback|Error executing tool')


class Piped:
    """The server, and what comes from it, line by line."""

    def __init__(self, child: subprocess.Popen[bytes]) -> None:
        self.child = child
        self.heard: queue.Queue[bytes | None] = queue.Queue()
        threading.Thread(target=self._hear, daemon=True).start()

    def _hear(self) -> None:
        assert self.child.stdout is not None
        for line in self.child.stdout:
            self.heard.put(line)
        self.heard.put(None)

    def say(self, data: bytes) -> None:
        """Write a line; where nobody reads any more, that is seen at the answer."""
        assert self.child.stdin is not None
        with suppress(OSError):
            self.child.stdin.write(data + b"\n")
            self.child.stdin.flush()


@contextmanager
def _piped(folder: Path, tools: str, build: str) -> Iterator[Piped]:
    command = [sys.executable, "-m", "engraphy_prove.piped", str(folder / f"{tools}.db"), tools]
    home = {"ENGRAPHY_HOME": str(folder / "home")}
    with (folder / f"{tools}.log").open("wb") as log:
        child = subprocess.Popen(
            [*command, *([build] if build else [])],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            env=os.environ | home,
        )
    try:
        yield Piped(child)
    finally:
        child.kill()
        child.wait()


def lines(trial: Trial) -> Findings:
    """Write `rounds` lines, to a server of each toolset in turn."""
    findings, met = Findings(), Counter[str]()
    build = next((name for name, one in BUILDS.items() if one is trial.build), "")
    worst = 0.0
    for number, name in enumerate(NAMES):
        chance = random.Random(f"{trial.seed} {name}")
        share = trial.rounds // len(NAMES) + (number < trial.rounds % len(NAMES))
        with _piped(trial.folder, name, build) as server:
            walk = _Walk(server, findings, met, _SHORT if trial.until_caught else _PATIENCE)
            walk.begin()
            made = Lines(chance, [one["tool"] for one in announced(name)["tools"]])
            for at in range(share):
                if findings.breaches and (trial.until_caught or walk.over):
                    break
                walk.one(made.line(at))
                findings.tried += 1
            walk.end(trial.folder / f"{name}.log")
            worst = max(worst, walk.worst)
        if findings.breaches and trial.until_caught:
            break
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(met.items()))
    findings.figure = f"{findings.tried} lines ({told}): worst {worst:.2f} s until answered"
    return findings


class _Walk:
    """Writes, and looks at what comes back."""

    def __init__(
        self, server: Piped, findings: Findings, met: Counter[str], patience: float
    ) -> None:
        self.server, self.findings, self.met = server, findings, met
        self._patience = patience
        self.worst, self.over = 0.0, False

    def begin(self) -> None:
        """Shake hands."""
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "proof", "version": "1"},
        }
        hello = {"jsonrpc": "2.0", "id": "hello", "method": "initialize", "params": params}
        self.server.say(written(hello))
        self._await(Line("hello", b"", [frozenset({"hello"})]), _PATIENCE)
        self.server.say(written({"jsonrpc": "2.0", "method": "notifications/initialized"}))

    def one(self, line: Line) -> None:
        """A line and, behind it, a request that everybody can answer."""
        self.met[line.kind] += 1
        begun = time.monotonic()
        self.server.say(line.data)
        self.server.say(b'{"jsonrpc":"2.0","id":"after","method":"ping"}')
        self._await(line._replace(asks=[*line.asks, frozenset({"after"})]), self._patience)
        self.worst = max(self.worst, time.monotonic() - begun)

    def _await(self, line: Line, patience: float) -> None:
        left = list(line.asks)
        ends = time.monotonic() + patience
        while left and not self.over:
            try:
                heard = self.server.heard.get(timeout=max(0.0, ends - time.monotonic()))
            except queue.Empty:
                self._breach(f"no answer in {patience:.0f} s", line)
                return
            if heard is None:
                self.over = True
                self._breach("the server ended", line)
            else:
                self._heard(heard, left, line)

    def _heard(self, heard: bytes, left: list[frozenset[Id]], line: Line) -> None:
        try:
            told = json.loads(heard)
            own = told.get("id")
        except (ValueError, AttributeError):
            self._breach(f"no message: {heard[:200]!r}", line)
            return
        if _INTERNAL.search(heard.decode("utf-8", "replace")[:2_000]):
            self._breach(f"an internal error: {heard[:300]!r}", line)
        if "method" in told:
            return
        fits = next((one for one in left if own in one), None)
        if fits is None:
            self._breach(f"an answer that nobody asked for: {heard[:200]!r}", line)
        else:
            left.remove(fits)

    def _breach(self, what: str, line: Line) -> None:
        self.findings.breach(f"{line.kind}: {what}: {line.data[:300]!r}")

    def end(self, log: Path) -> None:
        """Leave: the server ends by itself, and told nobody of a failure of its own."""
        assert self.server.child.stdin is not None
        with suppress(OSError):
            self.server.child.stdin.close()
        try:
            code = self.server.child.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self.findings.breach("the server does not end with its client")
            return
        if code or b"Traceback" in log.read_bytes():
            self.findings.breach(f"the server ended with {code}: {log.read_bytes()[-500:]!r}")
