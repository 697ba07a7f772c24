"""The way in of `engraphy hook AGENT EVENT`: answers, prints what the agent accepts or nothing, and
ends with 0, in time, whatever happens (P-24).

Nothing is imported on the way to the daemon that a bare start of Python has not imported already,
but for a few modules of our own: `typing` alone would take as long as everything else.
"""

from __future__ import annotations

import _thread
import os
import time

from engraphy import __version__, here
from engraphy.hooks import dialects

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, NoReturn


def main(arguments: list[str]) -> NoReturn:
    """Run a hook; it never comes back, and never fails."""
    try:
        _run(*arguments[:2])
    except BaseException:  # noqa: BLE001 - whatever fails here must not be the agent's trouble
        os._exit(0)
    os._exit(0)


def _run(agent: str, name: str) -> None:
    known = dialects.known(agent)
    if here.hooks_are_off() or not known:
        return
    usual = dialects.USUAL_SECONDS.get(dialects.told(known, name), dialects.OTHER_SECONDS)
    ends = here.stopwatch() + here.seconds(usual)
    _thread.start_new_thread(_watch, (ends,))
    out = _quiet()
    data = _read()
    if not data.strip():
        return
    words = [known, name, here.fresh(), str(here.now()), _folder()]
    said = None if here.daemon() == "off" else _asked(words, data, ends)
    if said is None:
        _room("cold").run(words, data, lambda answer: _print(out, answer))
        return
    _print(out, said)


def _room(name: str) -> Any:
    return __import__(f"engraphy.hooks.{name}", fromlist=[name])


def _watch(ends: float) -> None:
    """Whatever the process is at then, it is over: its agent waits for it."""
    time.sleep(max(0.0, ends - here.stopwatch()))
    os._exit(0)


def _quiet() -> int | None:
    """Keep standard output for the answer alone; nothing else that is printed reaches the agent."""
    try:
        out = os.dup(1)
    except OSError:
        out = None
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    return out


def _read() -> bytes:
    """What the agent tells; nothing where a person called, or where it is beyond all measure."""
    parts, size = [], 0
    while not os.isatty(0) and (part := os.read(0, 1 << 20)):
        parts.append(part)
        size += len(part)
        if size > dialects.MOST_READ:
            return b""
    return b"".join(parts)


def _folder() -> str:
    """The folder it was called in, as digits."""
    try:
        return os.fsencode(os.getcwd()).hex()
    except OSError:
        return os.fsencode(os.sep).hex()


def _asked(words: list[str], data: bytes, ends: float) -> bytes | None:
    """What the daemon answers; None where none runs, or it is of another kind."""
    folder = os.path.join(here.home(), "hooks")
    said = [__version__, here.mark(), "-", "hook", *words]
    # The other half is for doing without it: one that hangs must cost no word of what was said.
    left = max(0.05, (ends - here.stopwatch()) / 2)
    try:
        if os.path.lexists(os.path.join(folder, "daemon.sock")):
            answer: bytes | None = _room("asking").asked(folder, said, data, left)
            return answer
        if os.path.lexists(os.path.join(folder, "daemon.port")):
            told: bytes | None = _room("line").asked(folder, said, data, left)
            return told
    except OSError:
        return None
    return None


def _print(out: int | None, answer: bytes) -> None:
    """The whole answer, or as much of it as its agent still reads."""
    while out is not None and answer:
        answer = answer[os.write(out, answer) :]
