"""A hook without the daemon: keeps the event for later, answers by itself, and has what waits
worked off once a turn is over."""

import os
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from engraphy import here
from engraphy.hooks import answer, sealing, spool
from engraphy.hooks.dialects import BEFORE, END, PROMPT, STOP
from engraphy.hooks.enabling import is_enabled
from engraphy.hooks.event import Event, keeps, told_event
from engraphy.hooks.locking import Lock

_ENDS = frozenset({STOP, END, BEFORE})
_STARTED = "started"
_SOON = 30.0
_KEEP, _ANSWER = "keep", "answer"


def _room(name: str) -> Any:
    """What only some hooks need."""
    return import_module(f"engraphy.hooks.{name}")


def run(words: list[str], data: bytes, say: Callable[[bytes], None]) -> None:
    """Keep, answer, and start who works it off."""
    begun = here.stopwatch()
    event = told_event(words, data)
    home = here.home()
    failed: dict[str, str] = {}
    if keeps(event):
        try:
            spool.put(home, event)
        except sealing.NoKeyError as error:
            # Without it nothing is answered either: opening the store would only take long.
            failed[_KEEP] = str(error)
            if answer.takes(event.agent, event.event):
                failed[_ANSWER] = "KeyMissingError"
            _room("activity").fired(home, event, way="none", begun=begun, failed=failed)
            return
        except OSError as error:
            failed[_KEEP] = str(error)
    way = "spooled"
    if answer.takes(event.agent, event.event) and not event.side:
        try:
            way = _answered(home, event, say, begun)
        except Exception as error:
            # Its words might be those of a prompt.
            failed[_ANSWER] = type(error).__name__
            _room("activity").fired(home, event, way=way, begun=begun, failed=failed)
            raise
    if way == "spooled" or failed:
        _room("activity").fired(home, event, way=way, begun=begun, failed=failed)
    _have_it_done(home, event.event)


def _answered(home: str, event: Event, say: Callable[[bytes], None], begun: float) -> str:
    """The answer, by a glance at the store where that is enough, else by opening it."""
    if event.event == PROMPT and _room("glancing").answered(home, event, say, begun):
        return "glance"
    _room("answering").answered(home, event, say, begun)
    return "opened"


def _have_it_done(home: str, event: str) -> None:
    """Start the daemon where that is wanted; else, at the end of a turn, a process that works off
    what waits and ends. Neither is started where one is at it."""
    folder = spool.folder(home)
    if is_enabled(folder) and _is_free(folder, "daemon.lock"):
        if _is_due(folder):
            _room("starting").start(home, ["daemon", "run"])
    elif event in _ENDS and spool.waiting(home) and _is_free(folder, "work.lock"):
        # Also beside a daemon that opens another memory than our variables name.
        _room("starting").start(home, ["daemon", "run", "--once"])


def _is_free(folder: str, name: str) -> bool:
    with Lock(os.path.join(folder, name)) as lock:
        return lock.taken


def _is_due(folder: str) -> bool:
    """Whether nobody has just started it: it takes a moment until it listens. Of many who ask at
    once one is told so."""
    place = os.path.join(folder, _STARTED)
    with Lock(f"{place}.lock") as lock:
        if not lock.taken:
            return False
        with suppress(OSError):
            if 0 <= here.now() / 1e6 - os.stat(place).st_mtime < _SOON:
                return False
        with open(place, "w", encoding="ascii") as file:
            file.write(str(here.now()))
    return True
