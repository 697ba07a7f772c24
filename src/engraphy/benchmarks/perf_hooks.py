"""What an agent waits for its hooks: processes of their own, above a bare start of Python.

A store of memories made in code stands in one project. Prompts that ask for some of them, and uses
of a tool, are told to `engraphy hook` without the daemon and with it; after each of them comes a
bare start, so that both meet the same machine.
"""

import json
import os
import platform
import random
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from engraphy.benchmarks.perf_data import Zipf, memories, write_export
from engraphy.benchmarks.perf_meter import CLI, Times, child, spoken
from engraphy.memory import Memory
from engraphy.model import Scope
from engraphy.project import project_of

SIZE, RUNS = 10_000, 200
BARS = {"prompt, no daemon": 120.0, "prompt, daemon": 40.0}
"""Milliseconds above a bare start, p95 (P-24)."""
_SEED = 5
_ASKED = 500
_WARM = 3
Result = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """How many memories, how often, and where."""

    size: int = SIZE
    runs: int = RUNS
    folder: str | None = None


def run(plan: Plan, tell: Callable[[str], None]) -> Result:
    """The figures: CPU and wall of each way, and how much of it is above a bare start."""
    with TemporaryDirectory(prefix="engraphy-hooks-", dir=plan.folder) as place:
        home, work = Path(place) / "home", Path(place) / "work"
        work.mkdir()
        tell(f"{plan.size} memories")
        questions = _filled(home, work, plan.size)
        environment = {**_installed(), "ENGRAPHY_HOME": str(home), "ENGRAPHY_HOOK_SECONDS": "60"}
        ways: Result = {}
        prompt = [_payload(work, n, prompt=one) for n, one in enumerate(questions)]
        tool = [_payload(work, n, **_USED) for n in range(len(questions))]
        off = {**environment, "ENGRAPHY_DAEMON": "off"}
        # The first one opens the memory, and leaves a card for those that come.
        spoken(_hook("SessionStart"), _payload(work, 0, source="startup"), off)
        tell("without the daemon")
        ways["prompt, no daemon"] = _measured("UserPromptSubmit", prompt, off, plan.runs)
        ways["tool, no daemon"] = _measured("PostToolUse", tool, off, plan.runs)
        tell("with the daemon")
        daemon = [*CLI, "daemon"]
        spoken([*daemon, "start"], b"", environment)
        try:
            ways["prompt, daemon"] = _measured("UserPromptSubmit", prompt, environment, plan.runs)
            ways["tool, daemon"] = _measured("PostToolUse", tool, environment, plan.runs)
        finally:
            spoken([*daemon, "stop"], b"", environment)
    return {
        "benchmark": "hooks",
        "memories": plan.size,
        "runs": plan.runs,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cpus": os.cpu_count(),
        "ways": ways,
        "bars": [_bar(name, limit, ways[name]) for name, limit in BARS.items()],
    }


_USED = {
    "tool_name": "Edit",
    "tool_input": {"file_path": "app.py", "old_string": "a", "new_string": "b"},
    "tool_response": {"stdout": "ok " * 200, "stderr": ""},
}


def _filled(home: Path, work: Path, size: int) -> list[str]:
    """A store in this home with memories of the project of `work`; questions about some."""
    home.mkdir(parents=True)
    export, project = home / "export.jsonl", project_of(work)
    rows = [
        replace(
            one, scope=Scope(tenant=one.scope.tenant, project=project, session=one.scope.session)
        )
        for one in memories(size, "one")
    ]
    write_export(export, iter(rows))
    with Memory(home / "memory.db") as memory:
        memory.import_(export, trusted=True)
    export.unlink()
    source, draw = Zipf(), random.Random(_SEED)
    return [source.question(one.content) for one in draw.sample(rows, min(_ASKED, size))]


def _payload(work: Path, number: int, **told: object) -> bytes:
    about = {"session_id": f"s{number}", "turn_id": "t", "cwd": str(work), "model": "m"}
    return json.dumps({**about, **told}).encode()


def _hook(event: str) -> list[str]:
    return [*CLI, "hook", "codex", event]


def _measured(
    event: str, payloads: list[bytes], environment: Mapping[str, str], runs: int
) -> Result:
    bare, hook, answered = Times(), Times(), 0
    for number in range(_WARM + runs):
        data = payloads[number % len(payloads)]
        empty = child([sys.executable, "-c", "pass"], runs=1, warm=0)
        cpu, wall, said = spoken(_hook(event), data, environment)
        if number >= _WARM:
            bare.cpu.extend(empty.cpu)
            bare.wall.extend(empty.wall)
            hook.cpu.append(cpu)
            hook.wall.append(wall)
            answered += bool(said)
    told, base = hook.summary(), bare.summary()
    return {
        "answered": answered,
        "hook": told,
        "bare": base,
        "above_p95_ms": {name: told[name]["p95"] - base[name]["p95"] for name in told},
        "ratio_p50": {name: told[name]["p50"] / base[name]["p50"] for name in told},
    }


def _bar(name: str, limit: float, way: Result) -> Result:
    above = way["above_p95_ms"]
    return {"name": name, "limit_ms": limit, **above, "kept": above["wall_ms"] <= limit}


def _installed() -> dict[str, str]:
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
