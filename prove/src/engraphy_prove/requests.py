"""P-17: malformed input over HTTP, MCP, pages, the proxy and hooks: no internal error, no hang, and
no memory that grows."""

import json
import os
import random
import re
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from engraphy_prove.malformed import Malformed, Sent
from engraphy_prove.proof import Findings, Trial
from engraphy_prove.provider import Provider, Says
from engraphy_prove.requested import BUILDS

MOST_CPU, MOST_GROWTH = 1.0, 50_000_000
"""Seconds of CPU that one request may cost; bytes that the process may grow by."""
_PATIENCE = 30.0
_SHORT = 0.1
_INTERNAL = re.compile(rb'"code": ?(?:-32603|0)[,}]')
"""The internal errors of JSON-RPC and of its library, which stand in an answer of 200."""
_DELIBERATE = frozenset({501, 503})
_TICKS = os.sysconf("SC_CLK_TCK") if hasattr(os, "sysconf") else 100
_HOOK_EVERY = 100
"""So many requests come to one hook: a hook is a process."""
_AGENTS = ("claude-code", "codex", "gemini", "opencode", "cursor", "vscode")
_MOMENTS = (
    "SessionStart",
    "UserPromptSubmit",
    "PostToolUse",
    "Stop",
    "SessionEnd",
    "x",
    "\x7f",
    "",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Server:
    """The child that is asked."""

    pid: int
    port: int
    token: str

    def cpu(self) -> float:
        """Seconds it has worked."""
        told = Path(f"/proc/{self.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(told[11]) + int(told[12])) / _TICKS

    def memory(self) -> int:
        """Bytes of it that are in memory."""
        pages = int(Path(f"/proc/{self.pid}/statm").read_text(encoding="ascii").split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def _serving(folder: Path, upstream: str, build: str) -> Iterator[_Server]:
    command = [
        sys.executable,
        "-m",
        "engraphy_prove.requested",
        str(folder / "m.db"),
        upstream,
        build,
    ]
    with (folder / "log").open("wb") as log:
        child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
    assert child.stdout is not None
    try:
        port, token = child.stdout.readline().split()
        yield _Server(pid=child.pid, port=int(port), token=token)
    finally:
        child.terminate()
        try:
            child.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()
        child.stdout.close()


def requests(trial: Trial) -> Findings:
    """Send `rounds` requests, one after the other; every hundredth is a hook besides."""
    chance = random.Random(trial.seed)
    findings, met = Findings(), Counter[str]()
    build = next((name for name, one in BUILDS.items() if one is trial.build), "")
    with Provider() as provider:
        provider.ready(
            Says(pieces=[b'{"type": "message", "content": []}'], kind="application/json")
        )
        upstream = f"http://127.0.0.1:{provider.port}"
        with _serving(trial.folder, upstream, build) as server:
            walk = _Walk(server, chance, findings, met)
            walk.all(trial)
            provider.seen.clear()
    findings.figure = (
        f"{findings.tried} requests ({_told(met)}; answers {_told(walk.answers)}): worst"
        f" {walk.worst:.2f} s of CPU, memory grew by {walk.grown / 1e6:.1f} MB"
    )
    return findings


def _told(counted: Counter[str]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counted.items()))


class _Walk:
    """Asks, and looks at what it cost."""

    def __init__(
        self, server: _Server, chance: random.Random, findings: Findings, met: Counter[str]
    ) -> None:
        self.server, self.findings, self.met = server, findings, met
        self.made = Malformed(chance, f"127.0.0.1:{server.port}", server.token)
        self.chance, self.worst, self.grown = chance, 0.0, 0
        self.answers = Counter[str]()
        self._hooks: list[Future[None]] = []

    def all(self, trial: Trial) -> None:
        """Every request; what is in memory is measured once the first fifth has been answered.
        Hooks, which ask no server, run beside them, one at a time."""
        start = 0
        with ThreadPoolExecutor(1) as beside:
            for number in range(trial.rounds):
                if number == trial.rounds // 5:
                    start = self.server.memory()
                if number % _HOOK_EVERY == 50:
                    self._hooks.append(beside.submit(self._hook, trial.folder, *self._moment()))
                self._one(self.made.request(number))
                self.findings.tried += 1
                if trial.until_caught and self.findings.breaches:
                    break
        for one in self._hooks:
            one.result()
        self.grown = self.server.memory() - start
        if start and self.grown > MOST_GROWTH:
            self.findings.breach(f"memory grew by {self.grown / 1e6:.0f} MB")
        if b" 200 " not in self._sent(self.made.http("GET", "/healthz")):
            self.findings.breach("the server does not answer any more")

    def _one(self, sent: Sent) -> None:
        before = self.server.cpu()
        answer = self._sent(sent.data, _PATIENCE if sent.whole else _SHORT)
        spent = self.server.cpu() - before
        self.worst = max(self.worst, spent)
        status = _status(answer)
        self.met[sent.door] += 1
        self.answers[f"{status // 100}xx" if status else "none"] += 1
        if spent > MOST_CPU:
            self.findings.breach(f"{sent.door}: {spent:.2f} s of CPU: {sent.data[:200]!r}")
        if (status >= 500 and status not in _DELIBERATE) or _INTERNAL.search(answer):
            self.findings.breach(f"{sent.door}: {status}: {sent.data[:400]!r}")

    def _sent(self, data: bytes, patience: float = _PATIENCE) -> bytes:
        """The beginning of the answer; empty where there is none. What is not whole is waited for
        shortly, and then the line is cut."""
        try:
            with socket.create_connection(("127.0.0.1", self.server.port), _PATIENCE) as line:
                line.settimeout(patience)
                with _unheard():
                    line.sendall(data)
                return _begun(line)
        except TimeoutError:
            if patience == _PATIENCE:
                self.findings.breach(f"no answer in {patience:.0f} s: {data[:300]!r}")
        except OSError:
            return b""
        return b""

    def _moment(self) -> tuple[str, str, bytes]:
        """An agent, what it calls the moment, and what it tells of it."""
        agent, event = self.chance.choice(_AGENTS), self.chance.choice(_MOMENTS)
        data = self.made.json({
            "session_id": self.made.value(), "cwd": self.made.value(3), "prompt": self.made.value(),
            "tool_name": self.made.value(), "tool_input": self.made.value(),
            "transcript_path": self.made.value(3), "hook_event_name": event,
        })  # fmt: skip
        return agent, event, data

    def _hook(self, folder: Path, agent: str, event: str, data: bytes) -> None:
        home = {"ENGRAPHY_HOME": str(folder / "home"), "ENGRAPHY_EMBEDDER": "none"}
        command = [sys.executable, "-m", "engraphy.cli", "hook", agent, event.replace("\x00", "")]
        done = subprocess.run(
            command, input=data, env=os.environ | home, capture_output=True, check=False, timeout=60
        )
        self.met["hooks"] += 1
        if done.returncode or b"Traceback" in done.stderr:
            self.findings.breach(f"hook {agent} {event!r}: {done.returncode}: {data[:300]!r}")
        if done.stdout.strip():
            json.loads(done.stdout)


@contextmanager
def _unheard() -> Iterator[None]:
    """A server may answer and hang up before it has read all of it."""
    try:
        yield
    except (BrokenPipeError, ConnectionResetError):
        return


def _begun(line: socket.socket) -> bytes:
    parts = b""
    while len(parts) < 4_096 and (part := line.recv(65_536)):
        parts += part
        if b"text/event-stream" in parts:
            break
    return parts


def _status(answer: bytes) -> int:
    words = answer.partition(b"\r\n")[0].split()
    return int(words[1]) if len(words) > 1 and words[1].isdigit() else 0
