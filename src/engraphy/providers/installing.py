"""Files of a schedule, written and taken away again; never over somebody else's."""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple

from engraphy.errors import UnreadableFileError
from engraphy.providers.schedules import MARK, Schedule

State = Literal["missing", "foreign", "other", "current"]
"""No file; one that is not ours; one of ours that says something else; just this one."""
_SECONDS = 30.0


class Ran(NamedTuple):
    """A command that was run: whether it succeeded, and what it said."""

    command: tuple[str, ...]
    ok: bool
    said: str


def state(path: Path, text: str) -> State:
    """How a file stands. Raises UnreadableFileError."""
    try:
        held = path.read_text("utf-8")
    except FileNotFoundError:
        return "missing"
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableFileError(path=str(path), problem=str(error)) from error
    if MARK not in held:
        return "foreign"
    return "current" if held == text else "other"


def states(schedule: Schedule) -> list[tuple[Path, State]]:
    """How each file of a schedule stands. Raises UnreadableFileError."""
    return [(path, state(path, text)) for path, text in schedule.files]


def write(schedule: Schedule) -> list[tuple[Path, State]]:
    """Write what is not there as it should be; each file with how it stood before. Raises
    UnreadableFileError, also where one is not ours, before anything is written."""
    before = ours(schedule)
    texts = dict(schedule.files)
    for path, stood in before:
        if stood != "current":
            _put(path, texts[path])
    return before


def remove(schedule: Schedule) -> list[tuple[Path, State]]:
    """Take our files away; each with how it stood before. Raises UnreadableFileError, also where
    one is not ours, before any is taken away."""
    before = ours(schedule)
    for path, stood in before:
        if stood != "missing":
            path.unlink(missing_ok=True)
    return before


def ours(schedule: Schedule) -> list[tuple[Path, State]]:
    """How each file stands, none of which is somebody else's. Raises UnreadableFileError."""
    found = states(schedule)
    for path, stood in found:
        if stood == "foreign":
            problem = "it is not a file of engraphy schedule; move it away, or choose a --name"
            raise UnreadableFileError(path=str(path), problem=problem)
    return found


def _put(path: Path, text: str) -> None:
    partial = path.with_name(f"{path.name}.partial")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8", newline="\n")
        partial.replace(path)
    except OSError as error:
        raise UnreadableFileError(path=str(path), problem=str(error)) from error


def run(command: Sequence[str]) -> Ran:
    """Run a command of the system; one that is not there, or hangs, has failed."""
    try:
        done = subprocess.run(
            command, capture_output=True, check=False, text=True, timeout=_SECONDS, errors="replace"
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Ran(tuple(command), ok=False, said=str(error))
    said = (done.stdout + done.stderr).strip()
    return Ran(tuple(command), ok=done.returncode == 0, said=said)
