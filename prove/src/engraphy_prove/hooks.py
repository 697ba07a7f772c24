"""P-24: hooks never hurt their host: whatever state the store, the disk, the installation and the
host are in, a hook ends with 0, in time, prints what its agent accepts or nothing, and leaves no
process behind."""

import json
import os
import random
import resource
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import apsw

from engraphy import __version__, here
from engraphy.hooks.cards import about
from engraphy.memory import Memory
from engraphy.profile import load
from engraphy.project import project_of
from engraphy_prove.builds import SOUND
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


class Case(NamedTuple):
    """One run: its home, what it reads, and how it is started."""

    home: Path
    data: bytes | None
    more: Mapping[str, str] = MappingProxyType({})
    limit: bool = False
    orphan: bool = False


def hooks(trial: Trial) -> Findings:
    """Run `rounds` hooks, each in one of the conditions."""
    chance = random.Random(trial.seed)
    ready = _ready(trial.folder / "ready")
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


def _ready(home: Path) -> Path:
    """A home with a store, and with the card that lets a hook answer by a glance."""
    (home / "hooks" / "spool").mkdir(parents=True)
    with Memory(home / "memory.db", embedder="none") as memory:
        memory.remember("The billing database of the shop runs on PostgreSQL 16.")
        schema = apsw_schema(home / "memory.db")
        told = about(str(home / "memory.db"), schema, str(memory.tenant), load("default"))
    (home / "about.json").write_text(json.dumps(told))
    return home


def apsw_schema(file: Path) -> int:
    """The last migration of a store."""
    with closing(apsw.Connection(str(file))) as connection:
        ((number,),) = connection.execute("SELECT max(number) FROM migrations")
        return int(number)


def _copied(ready: Path, home: Path) -> Path:
    shutil.copytree(ready, home)
    return home


def _payload(home: Path, chance: random.Random) -> bytes:
    told: dict[str, Any] = {
        "session_id": f"s{chance.randrange(5)}",
        "cwd": str(home.parent),
        "source": chance.choice(["startup", "compact", "user"]),
        "prompt": "Where does the billing database of the shop run?",
        "tool_name": chance.choice(["Edit", "Bash", "Read"]),
        "tool_input": {
            "file_path": "app.py",
            "old_string": "a",
            "new_string": "b",
            "command": "ls",
        },
        "tool_response": {"stdout": "ok " * chance.randrange(50), "stderr": ""},
        "last_assistant_message": "We keep totals in Decimal; the bug came from floats in a.py.",
    }
    return json.dumps(told).encode()


@contextmanager
def _sound(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    yield Case(_copied(ready, home), _payload(home, chance))


@contextmanager
def _missing(_: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    yield Case(home / "not" / "there", _payload(home, chance))


@contextmanager
def _locked(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    _copied(ready, home)
    with closing(apsw.Connection(str(home / "memory.db"))) as connection:
        connection.execute("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE")
        yield Case(home, _payload(home, chance))


@contextmanager
def _corrupt(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    _copied(ready, home)
    file = home / "memory.db"
    data = bytearray(file.read_bytes())
    for _ in range(2_000):
        data[chance.randrange(len(data))] = chance.randrange(256)
    file.write_bytes(bytes(data) if chance.random() < 0.5 else b"no database" * 1_000)
    yield Case(home, _payload(home, chance))


@contextmanager
def _full(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    yield Case(_copied(ready, home), _payload(home, chance), limit=True)


@contextmanager
def _no_folder(_: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    home.write_text("a file stands where the home should be")
    yield Case(home, _payload(home.parent / "x", chance))


@contextmanager
def _bad_input(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    data: list[bytes | None] = [None, b"", b"{", b"[]", b"null", b"\xff\xfe\x00", b"\0" * 9_999]
    deep = b'{"prompt":' + b"[" * 100_000
    wrong = b'{"prompt": 7, "cwd": [], "session_id": {"a": 1}, "tool_input": "x"}'
    surrogate = b'{"prompt": "\\ud800 billing", "cwd": "/\\u0000", "session_id": "\\ud800"}'
    yield Case(_copied(ready, home), chance.choice([*data, deep, wrong, surrogate]))


@contextmanager
def _killed_parent(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    yield Case(_copied(ready, home), _payload(home, chance), orphan=True)


@contextmanager
def _broken_install(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    _copied(ready, home)
    broken = home / "broken"
    broken.mkdir()
    missing = chance.choice(["apsw", "numpy", "msgspec", "click", "Stemmer", "json"])
    (broken / f"{missing}.py").write_text("raise ImportError('this installation is broken')")
    yield Case(home, _payload(home, chance), {"PYTHONPATH": str(broken)})


@contextmanager
def _deaf_daemon(ready: Path, home: Path, chance: random.Random) -> Iterator[Case]:
    """A socket that nobody serves, or that takes everything and answers nothing."""
    _copied(ready, home)
    before = Path.cwd()
    os.chdir(home / "hooks")
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as server:
            server.bind("daemon.sock")
            if chance.random() < 0.5:
                server.listen(8)
            os.chdir(before)
            yield Case(home, _payload(home, chance), {"ENGRAPHY_HOOK_SECONDS": "2"})
    finally:
        os.chdir(before)


Condition = Callable[[Path, Path, random.Random], Any]
CONDITIONS: dict[str, Condition] = {
    "sound": _sound,
    "missing": _missing,
    "locked": _locked,
    "corrupt": _corrupt,
    "full": _full,
    "no-folder": _no_folder,
    "bad-input": _bad_input,
    "killed-parent": _killed_parent,
    "broken-install": _broken_install,
    "deaf-daemon": _deaf_daemon,
}


def _run(trial: Trial, case: Case, chance: random.Random) -> Iterator[str]:
    """One hook, and what was wrong with how it ended."""
    agent, event = chance.choice(AGENTS), chance.choices([*EVENTS], [*EVENTS.values()])[0]
    command = [sys.executable, "-c", CODES[trial.build.name], "hook", agent, event]
    own = {"ENGRAPHY_HOME": str(case.home), "ENGRAPHY_EMBEDDER": "none", "HOME": str(trial.folder)}
    environment = {**os.environ, **own, **case.more}
    _lay_card(case.home, environment)
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


def _lay_card(home: Path, environment: dict[str, str]) -> None:
    """The card of the copied store, as a process that opened it would have left it."""
    place = home / "about.json"
    if place.is_file():
        told = json.loads(place.read_text())
        folders = {str(home.parent): project_of(home.parent)}
        own = {"path": str(home / "memory.db"), "mark": here.mark(environment)}
        card = {**told, **own, "version": __version__, "projects": folders}
        (home / "hooks" / "card.json").write_text(json.dumps(card))


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
