"""CPU and wall time of calls and of child processes, in milliseconds."""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any, TypeVar

from engraphy.benchmarks.report import latency
from engraphy.errors import EngraphyError

T = TypeVar("T")
CLI = (sys.executable, "-c", "from engraphy.cli import main; main()")
"""The command line as its installed script runs it."""


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
    times = Times()
    for number in range(warm + runs):
        wall = time.perf_counter()
        with subprocess.Popen(
            list(command), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=_installed()
        ) as process:
            told = process.stderr.read() if process.stderr else b""
            cpu = _waited(process)
        if process.returncode:
            raise EngraphyError(f"{list(command)} failed: {told.decode(errors='replace')[-500:]}")
        if number >= warm:
            times.cpu.append(cpu * 1_000)
            times.wall.append((time.perf_counter() - wall) * 1_000)
    return times


def _installed() -> dict[str, str]:
    """The environment, but with compiled modules kept: pip compiles them when it installs, and a
    checkout should not be measured as if every start compiled them anew."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}


def _waited(process: subprocess.Popen[bytes]) -> float:
    if not hasattr(os, "wait4"):
        process.wait()
        return 0.0
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return used.ru_utime + used.ru_stime
