"""P-24: hooks never hurt their host: whatever state the store, the disk, the installation and the
host are in, a hook ends with 0, in time, prints what its agent accepts or nothing, and leaves no
process behind."""

import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from engraphy_prove.builds import SOUND
from engraphy_prove.hook_states import CONDITIONS, Case, lay_card, ready_home
from engraphy_prove.proof import Build, Findings, Trial

AGENTS = ("claude-code", "codex", "gemini", "opencode", "cursor", "vscode")
EVENTS = {
    "UserPromptSubmit": 5,
    "PostToolUse": 4,
    "Stop": 3,
    "SessionEnd": 1,
    "PreCompact": 1,
    "SessionStart": 1,
}
LOUD = Build(name="lets errors out", open=SOUND.open)
LINGERING = Build(name="leaves a process behind", open=SOUND.open)
CODES = {
    SOUND.name: "from engraphy.cli import main; main()",
    LOUD.name: (
        "import sys, time; from engraphy.hooks import cold\n"
        "words = [*sys.argv[2:4], f'{time.time_ns():x}-1', '0', '2f']\n"
        "cold.run(words, sys.stdin.buffer.read(), lambda said: print(said.decode(), end=''))"
    ),
    LINGERING.name: (
        "import subprocess, sys; subprocess.Popen([sys.executable, '-c', 'import time; "
        "time.sleep(600)'], start_new_session=True)"
    ),
}
_LONGEST = 20.0
"""Seconds for a run on a busy machine: its own deadline is 6."""
_PATIENCE = 60.0
"""Seconds until what works off what waits is over."""


def hooks(trial: Trial) -> Findings:
    """Run `rounds` hooks, each in one of the conditions."""
    chance = random.Random(trial.seed)
    ready = ready_home(trial.folder / "ready")
    findings, met = Findings(), Counter[str]()
    names = sorted(CONDITIONS)
    for number in range(trial.rounds):
        name = names[number % len(names)]
        home = trial.folder / f"{name}-{number}"
        with CONDITIONS[name](ready, home, chance) as case:
            for what in _run(trial, case, chance):
                findings.breach(f"{name}: {what}")
        met[name] += 1
        findings.tried += 1
        if trial.until_caught and findings.breaches:
            break
    left = _left(trial.folder, _PATIENCE if not trial.until_caught else _PATIENCE / 20)
    for process, command in left.items():
        findings.breach(f"process {process} is left: {command}")
        with suppress(OSError):
            os.kill(process, signal.SIGKILL)
    told = ", ".join(f"{count} {name}" for name, count in sorted(met.items()))
    findings.figure = f"{findings.tried} hooks ({told}), {len(left)} processes left behind"
    return findings


def _run(trial: Trial, case: Case, chance: random.Random) -> Iterator[str]:
    """One hook, and what was wrong with how it ended."""
    agent, event = chance.choice(AGENTS), chance.choices([*EVENTS], [*EVENTS.values()])[0]
    command = [sys.executable, "-c", CODES[trial.build.name], "hook", agent, event]
    own = {"ENGRAPHY_HOME": str(case.home), "ENGRAPHY_EMBEDDER": "none", "HOME": str(trial.folder)}
    environment = {**os.environ, **own, **case.more}
    lay_card(case.home, environment)
    if case.orphan:
        yield from _orphaned(command, environment, case, chance)
        return
    started = time.monotonic()
    with subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.PIPE if case.data is not None else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        # No other thread runs here.
        preexec_fn=_no_room if case.limit else None,  # noqa: PLW1509
    ) as process:
        try:
            said, wrong = process.communicate(case.data, timeout=_LONGEST)
        except subprocess.TimeoutExpired:
            process.kill()
            yield f"{event} was not over after {time.monotonic() - started:.0f} s"
            return
    if process.returncode:
        yield f"{event} ended with {process.returncode}: {wrong[-200:]!r}"
    if wrong:
        yield f"{event} wrote to standard error: {wrong[-200:]!r}"
    if said and not _is_answer(said):
        yield f"{event} printed {said[:100]!r}"


def _no_room() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


def _orphaned(
    command: list[str], environment: dict[str, str], case: Case, chance: random.Random
) -> Iterator[str]:
    """A hook whose agent is killed while it runs: it ends by itself (see what is left at last)."""
    code = "import subprocess, sys; subprocess.run(sys.argv[1:], stdin=sys.stdin)"
    with subprocess.Popen(
        [sys.executable, "-c", code, *command],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as parent:
        assert parent.stdin is not None
        with suppress(OSError):
            parent.stdin.write(case.data or b"")
            if chance.random() < 0.5:
                parent.stdin.close()
        time.sleep(chance.random() * 0.3)
        parent.kill()
        with suppress(OSError):
            parent.stdin.close()
    yield from ()


def _is_answer(said: bytes) -> bool:
    try:
        value = json.loads(said)
    except ValueError:
        return False
    return said.count(b"\n") == 1 and set(value) <= {"hookSpecificOutput", "additional_context"}


def _left(folder: Path, patience: float) -> dict[int, str]:
    """The processes whose home lies in this folder, once they have had time to end."""
    ends = time.monotonic() + patience
    while (found := _processes(folder)) and time.monotonic() < ends:
        time.sleep(0.2)
    return found


def _processes(folder: Path) -> dict[int, str]:
    wanted, found = f"ENGRAPHY_HOME={folder}".encode(), dict[int, str]()
    for place in Path("/proc").iterdir():
        if not place.name.isdigit() or int(place.name) == os.getpid():
            continue
        with suppress(OSError):
            if wanted in (place / "environ").read_bytes():
                found[int(place.name)] = (
                    (place / "cmdline").read_bytes()[:200].decode(errors="replace")
                )
    return found
