"""CPU and wall time of calls and of child processes, in milliseconds."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean
from typing import Any, TypeVar

from engraphy.benchmarks.report import latency
from engraphy.errors import EngraphyError

T = TypeVar("T")
CLI = (sys.executable, "-c", "from engraphy.cli import main; main()")
"""The command line as its installed script runs it."""
_HELD = str(Path(__file__).with_name("held.py"))


@dataclass(frozen=True, slots=True)
class Times:
    """What a number of calls took, in milliseconds."""

    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)

    def call(self, run: Callable[..., T], *values: Any, **options: Any) -> T:
        """Run and note it."""
        wall, cpu = time.perf_counter(), time.process_time()
        result = run(*values, **options)
        self.cpu.append((time.process_time() - cpu) * 1_000)
        self.wall.append((time.perf_counter() - wall) * 1_000)
        return result

    def less(self, other: "Times") -> "Times":
        """The same calls without a part of each that was measured by itself, never below 0."""
        return Times(
            [max(0.0, whole - part) for whole, part in zip(self.cpu, other.cpu, strict=True)],
            [max(0.0, whole - part) for whole, part in zip(self.wall, other.wall, strict=True)],
        )

    def summary(self) -> dict[str, dict[str, float]]:
        """Mean and percentiles of both."""
        return {
            name: {"mean": fmean(values), **latency(values)}
            for name, values in (("cpu_ms", self.cpu), ("wall_ms", self.wall))
            if values
        }


def child(command: Iterable[str], *, runs: int, warm: int = 1) -> Times:
    """A command run so many times, after `warm` runs that warm the disk cache; user and system
    time of the child alone (0 where the platform does not tell it). Raises EngraphyError."""
    listed, times = list(command), Times()
    for number in range(warm + runs):
        _run(listed, times if number >= warm else Times())
    return times


def child_with_memory(command: Iterable[str]) -> tuple[Times, float]:
    """A command run once: its times, and the most memory in megabytes that it held at once (0
    for both memory and processor time where the platform does not tell them). Raises
    EngraphyError."""
    listed = list(command)
    if not hasattr(os, "wait4"):
        return child(listed, runs=1, warm=0), 0.0
    ran = subprocess.run(
        [sys.executable, "-I", "-S", _HELD, *listed],
        capture_output=True,
        env=_installed(),
        check=False,
    )
    told = json.loads(ran.stdout)
    _succeeded(listed, told["code"], ran.stderr)
    # Linux counts kilobytes, macOS bytes.
    unit = 1e6 if sys.platform == "darwin" else 1e3
    return Times([told["cpu"] * 1_000], [told["wall"] * 1_000]), told["maxrss"] / unit


def spoken(
    command: Iterable[str], data: bytes, environment: Mapping[str, str]
) -> tuple[float, float, bytes]:
    """A command that is told something on its standard input: milliseconds of processor time and
    of waiting, and what it says."""
    wall = time.perf_counter()
    with subprocess.Popen(
        list(command),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=dict(environment),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(data)
        process.stdin.close()
        said = process.stdout.read()
        used = _waited(process)
    return used * 1_000, (time.perf_counter() - wall) * 1_000, said


def _run(command: list[str], times: Times) -> None:
    wall = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=_installed()
    ) as process:
        told = process.stderr.read() if process.stderr else b""
        used = _waited(process)
    _succeeded(command, process.returncode, told)
    times.cpu.append(used * 1_000)
    times.wall.append((time.perf_counter() - wall) * 1_000)


def _succeeded(command: list[str], code: int, told: bytes) -> None:
    if code:
        raise EngraphyError(f"{command} failed: {told.decode(errors='replace')[-500:]}")


def _installed() -> dict[str, str]:
    """The environment, but with compiled modules kept: pip compiles them when it installs, and a
    checkout should not be measured as if every start compiled them anew."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def _waited(process: subprocess.Popen[bytes]) -> float:
    """Seconds of processor time of a process, once it has ended."""
    if not hasattr(os, "wait4"):
        process.wait()
        return 0.0
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime
