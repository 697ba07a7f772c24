"""What hooks did, a line each, without a word of what was said. The shape is told in the docstring
of `engraphy.hooks`."""

import json
import os
from contextlib import suppress
from typing import Any

from engraphy import here
from engraphy.hooks.event import Event
from engraphy.hooks.spool import folder

_FILE = "activity.jsonl"
_MOST = 1_000_000


def fired(
    home: str,
    event: Event,
    *,
    way: str,
    begun: float,
    found: Any = None,
    project: str | None = None,
    failed: dict[str, str] | None = None,
) -> None:
    """Note that a hook was called, on which way it was answered, what it put into the prompt (a
    `Context`, or None), and what failed."""
    lines = () if found is None else found.receipt.lines
    note(
        home,
        event,
        project=project or "",
        phase="fired",
        way=way,
        ms=round((here.stopwatch() - begun) * 1_000, 1),
        injected=[one.memory_id for one in lines],
        tokens=0 if found is None else found.tokens,
        captured=[],
        skipped={},
        failed=failed or {},
    )


def note(home: str, event: Event, **told: Any) -> None:
    """Add a line; where that is not possible, nobody is troubled."""
    line = {
        "at": event.at,
        "agent": event.agent,
        "event": event.event,
        "session": event.session,
        **told,
    }
    with suppress(OSError, ValueError):
        place = os.path.join(folder(home), _FILE)
        data = json.dumps(line, ensure_ascii=True).encode("ascii") + b"\n"
        handle = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, data)
            large = os.fstat(handle).st_size > _MOST
        finally:
            os.close(handle)
        if large:
            _halve(place)


def read(home: str) -> list[dict[str, Any]]:
    """The lines, oldest first; those that do not parse are left out."""
    found: list[dict[str, Any]] = []
    with suppress(OSError), open(os.path.join(home, "hooks", _FILE), "rb") as file:
        for line in file:
            with suppress(ValueError):
                value = json.loads(line)
                if isinstance(value, dict):
                    found.append(value)
    return found


def _halve(place: str) -> None:
    """Keep the newer half. A line that another process adds meanwhile may be lost: it is a log."""
    with open(place, "rb") as file:
        file.seek(_MOST // 2)
        file.readline()
        rest = file.read()
    with open(f"{place}.tmp", "wb", opener=_private) as file:
        file.write(rest)
    os.replace(f"{place}.tmp", place)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)
