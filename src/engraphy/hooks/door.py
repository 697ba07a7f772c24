"""The way in of `engraphy hook AGENT EVENT`: answers, prints what the agent accepts or nothing, and
ends with 0, in time, whatever happens (P-24).

Nothing heavy is imported on the way to the daemon: a bare Python start and a socket.
"""

import _thread
import os
import time
from contextlib import suppress
from importlib import import_module
from typing import Any, NoReturn

from engraphy import __version__, here
from engraphy.hooks import dialects

_MOST = 64_000_000
_CONNECTING = 0.25


def main(arguments: list[str]) -> NoReturn:
    """Run a hook; it never comes back, and never fails."""
    with suppress(BaseException):
        _run(*arguments[:2])
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
        cold = import_module("engraphy.hooks.cold")
        cold.run(words, data, lambda answer: _print(out, answer))
        return
    _print(out, said)


def _watch(ends: float) -> None:
    """Whatever the process is at then, it is over: its agent waits for it."""
    time.sleep(max(0.0, ends - here.stopwatch()))
    os._exit(0)


def _quiet() -> int | None:
    """Keep standard output for the answer alone; nothing else that is printed reaches the agent."""
    out = None
    with suppress(OSError):
        out = os.dup(1)
    with suppress(OSError):
        nowhere = os.open(os.devnull, os.O_RDWR)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
    return out


def _read() -> bytes:
    """What the agent tells; nothing where a person called, or where it is beyond all measure."""
    parts, size = [], 0
    with suppress(OSError):
        while not os.isatty(0) and (part := os.read(0, 1 << 20)):
            parts.append(part)
            size += len(part)
            if size > _MOST:
                return b""
    return b"".join(parts)


def _folder() -> str:
    """The folder it was called in, as digits."""
    with suppress(OSError):
        return os.fsencode(os.getcwd()).hex() or "2f"
    return "2f"


def _asked(words: list[str], data: bytes, ends: float) -> bytes | None:
    """What the daemon answers; None where none runs, or it is of another kind."""
    folder = os.path.join(here.home(), "hooks")
    there = (os.path.lexists(os.path.join(folder, one)) for one in ("daemon.sock", "daemon.port"))
    if not any(there):
        return None
    line: Any = import_module("engraphy.hooks.line")
    with suppress(OSError, ValueError):
        asked, token = line.call(folder, _CONNECTING)
        asked.settimeout(max(0.05, ends - here.stopwatch() - 0.1))
        line.say(asked, [__version__, here.mark(), token or "-", "hook", *words], data)
        told, said = line.hear(asked)
        if told == ["ok"]:
            answer: bytes = said
            return answer
    return None


def _print(out: int | None, answer: bytes) -> None:
    """The whole answer, or as much of it as its agent still reads."""
    with suppress(OSError):
        while out is not None and answer:
            answer = answer[os.write(out, answer) :]
