"""How soon the MCP server is ready, beside a bare server of the same SDK in the same run."""

import json
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

from engraphy.benchmarks.perf_meter import CLI
from engraphy.errors import EngraphyError

LIMIT_SECONDS = 0.5
"""CPU that our server may take more than the bare one (issue 6)."""
_BARE = """
from mcp.server import MCPServer
made = MCPServer("bare")
@made.tool()
def echo(text: str) -> str:
    "Say it again."
    return text
made.run("stdio")
"""
_HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


def run(runs: int) -> dict[str, Any]:
    """Seconds of CPU and of wall time until the tools are listed, of a bare server and of ours in
    turn, `runs` times each. Raises EngraphyError where the platform does not tell a process's CPU,
    or a server does not answer."""
    if not Path("/proc/self/stat").exists():
        raise EngraphyError("the CPU of a running process is told on Linux only")
    with tempfile.TemporaryDirectory() as folder:
        ours = (*CLI, "mcp", "--db", str(Path(folder) / "store.db"))
        commands = {"bare": (sys.executable, "-c", _BARE), "engraphy": ours}
        taken: dict[str, list[tuple[float, float]]] = {name: [] for name in commands}
        for _ in range(runs + 1):
            for name, command in commands.items():
                taken[name].append(_ready(command))
    # The first of each warms the disk cache.
    found = {name: _summary(times[1:]) for name, times in taken.items()}
    more = found["engraphy"]["cpu_seconds"] - found["bare"]["cpu_seconds"]
    return {
        "runs": runs,
        "servers": found,
        "more_cpu_seconds": round(more, 3),
        "ratio": round(found["engraphy"]["cpu_seconds"] / found["bare"]["cpu_seconds"], 3),
        "limit_seconds": LIMIT_SECONDS,
        "kept": more <= LIMIT_SECONDS,
    }


def _summary(times: Sequence[tuple[float, float]]) -> dict[str, float]:
    cpu, wall = zip(*times, strict=True)
    return {
        "cpu_seconds": round(median(cpu), 3),
        "most_cpu_seconds": round(max(cpu), 3),
        "wall_seconds": round(median(wall), 3),
    }


def _ready(command: Sequence[str]) -> tuple[float, float]:
    """CPU and wall seconds from the start to the list of tools."""
    began = time.perf_counter()
    with _started(command) as process:
        _asked(process, {"id": 1, "method": "initialize", "params": _HELLO})
        _told(process, {"method": "notifications/initialized"})
        listed = _asked(process, {"id": 2, "method": "tools/list", "params": {}})
        wall, cpu = time.perf_counter() - began, _cpu(process.pid)
        if not listed.get("result", {}).get("tools"):
            raise EngraphyError(f"a server listed no tools: {str(listed)[:200]}")
    return cpu, wall


@contextmanager
def _started(command: Sequence[str]) -> Iterator[subprocess.Popen[str]]:
    pipe = subprocess.PIPE
    process = subprocess.Popen(
        command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True
    )
    with process:
        yield process
        process.kill()


def _told(process: subprocess.Popen[str], message: Mapping[str, Any]) -> None:
    if process.stdin is not None:
        process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        process.stdin.flush()


def _asked(process: subprocess.Popen[str], message: Mapping[str, Any]) -> dict[str, Any]:
    _told(process, message)
    line = process.stdout.readline() if process.stdout is not None else ""
    if not line:
        raise EngraphyError(f"a server ended without an answer to {message['method']}")
    answer: dict[str, Any] = json.loads(line)
    return answer


def _cpu(pid: int) -> float:
    """User and system seconds of a running process, all its threads."""
    fields = Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100
