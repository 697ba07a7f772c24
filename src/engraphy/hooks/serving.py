"""The daemon: one process per home that keeps a memory open, answers hooks, works off what waits,
dreams when it is due and nobody asks for anything, and is gone when nobody has asked for long.
"""

import json
import os
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from functools import partial

from engraphy import __version__, here
from engraphy.errors import EngraphyError
from engraphy.hooks import activity, answer, line, spool, working
from engraphy.hooks.event import keeps, told_event
from engraphy.hooks.locking import Lock
from engraphy.hooks.opened import Opened

THREADS = 4
IDLE_MINUTES = 30.0
_TICK = 0.5
_QUIET = 0.3
"""Seconds without a question before what waits is worked off: prompts go first."""
_ASLEEP = 60.0
_BETWEEN_DREAMS = 900.0
_PATIENCE = 5.0
_AGAIN = 10.0


class Daemon:
    """See the module. `idle_minutes` without a question and it ends."""

    def __init__(self, home: str, *, idle_minutes: float = IDLE_MINUTES, unix: bool = True) -> None:
        self._home, self._idle, self._unix = home, idle_minutes * 60.0, unix
        self._folder = spool.folder(home)
        self._stopping, self._news = threading.Event(), threading.Event()
        self._asked = self._dreamt = here.stopwatch()
        self._served = 0
        self._since = here.now()
        self._opening = threading.Lock()
        self._opened: Opened | None = None
        self._file: tuple[int, int] = (0, 0)

    def run(self, ready: Callable[[], None] = lambda: None) -> bool:
        """Serve until somebody says stop or nobody has asked for long; False where another one
        serves this home already. Raises the errors of opening."""
        with Lock(os.path.join(self._folder, "daemon.lock")) as lock:
            if not lock.taken:
                return False
            self._warm()
            server, token = line.listen(self._folder, unix=self._unix)
            worker = threading.Thread(target=self._working, name="engraphy-work")
            worker.start()
            try:
                with closing(server), ThreadPoolExecutor(THREADS) as threads:
                    server.settimeout(_TICK)
                    ready()
                    self._accept(server, threads, token)
            finally:
                self.stop()
                line.gone(self._folder)
                worker.join()
                self._close()
        return True

    def stop(self) -> None:
        """End as soon as what is under way is done."""
        self._stopping.set()
        self._news.set()

    def _accept(self, server: socket.socket, threads: ThreadPoolExecutor, token: str) -> None:
        while not self._stopping.is_set():
            if here.stopwatch() - self._asked > self._idle:
                return
            with suppress(TimeoutError):
                taken, _ = server.accept()
                threads.submit(self._serve, taken, token)

    def _serve(self, taken: socket.socket, token: str) -> None:
        self._asked = here.stopwatch()
        # Whoever asks may be killed at any moment, and whatever it asks may fail.
        with closing(taken), suppress(OSError, EngraphyError, ValueError, LookupError):
            taken.settimeout(_PATIENCE)
            words, data = line.hear(taken)
            version, mark, told, verb, *rest = words
            if token and told != token:
                return
            if verb in {"stop", "status"}:
                line.say(taken, ["ok"], self._status(verb))
                return
            if version != __version__ or mark != here.mark():
                line.say(taken, ["other"])
                if version != __version__:
                    # Whoever asks is of another version: the files of this one may be gone.
                    self.stop()
                return
            self._hook(partial(line.say, taken), rest, data)
        self._asked = here.stopwatch()

    def _status(self, verb: str) -> bytes:
        if verb == "stop":
            self.stop()
        told = {
            "pid": os.getpid(),
            "version": __version__,
            "since": self._since,
            "served": self._served,
            "waiting": len(spool.waiting(self._home)),
        }
        return json.dumps(told).encode()

    def _hook(self, say: Callable[..., None], words: list[str], data: bytes) -> None:
        begun = here.stopwatch()
        event = told_event(words, data)
        if keeps(event):
            spool.put(self._home, event)
        found = working.answer(self._memory(), event)
        text = "" if found is None else found.text
        say(["ok"], answer.written(event.agent, event.event, text))
        self._served += 1
        self._news.set()
        activity.fired(
            self._home,
            event,
            way="daemon",
            begun=begun,
            found=found,
            project=working.project(event.folder),
        )

    def _warm(self) -> None:
        """What the first question would have to load."""
        self._memory().memory.explain_context("How do we deploy the payment service?")

    def _memory(self) -> Opened:
        """The opened memory; opened anew where another file stands in its place."""
        with self._opening:
            if self._opened is not None and _number(self._opened.memory.path) != self._file:
                self._opened.close()
                self._opened = None
            if self._opened is None:
                self._opened = Opened()
                self._file = _number(self._opened.memory.path)
            return self._opened

    def _close(self) -> None:
        if self._opened is not None:
            self._opened.close()

    def _working(self) -> None:
        while not self._stopping.is_set():
            self._news.clear()
            try:
                self._drain()
                self._dream()
            except (EngraphyError, working.LaterError, OSError):
                self._stopping.wait(_AGAIN)
            self._news.wait(_ASLEEP)

    def _drain(self) -> None:
        with Lock(os.path.join(self._folder, "work.lock")) as lock:
            while lock.taken and not self._stopping.is_set():
                if self._quiet() < _QUIET:
                    self._stopping.wait(_QUIET / 3)
                elif not working.drain(self._memory(), self._home, most=1):
                    return

    def _dream(self) -> None:
        """A cycle of maintenance where one is due, while nobody asks for anything."""
        now = here.stopwatch()
        if self._quiet() < _ASLEEP or now - self._dreamt < _BETWEEN_DREAMS:
            return
        self._dreamt = now
        spool.tidy(self._home, here.now() / 1e6)
        self._memory().memory.dream(due=True)

    def _quiet(self) -> float:
        return here.stopwatch() - self._asked


def work_off(home: str) -> int:
    """Work off what waits, unless somebody is at it; how many events were. Raises the errors of
    opening."""
    folder, count = spool.folder(home), 0
    spool.tidy(home, here.now() / 1e6)
    while spool.waiting(home):
        with Lock(os.path.join(folder, "work.lock")) as lock:
            if not lock.taken:
                return count
            opened = Opened()
            try:
                came = working.drain(opened, home)
            except working.LaterError:
                return count
            finally:
                opened.close()
            count += came
            if not came:
                # What waits under another key waits on.
                return count
    return count


def _number(path: str) -> tuple[int, int]:
    with suppress(OSError):
        found = os.stat(path)
        return found.st_dev, found.st_ino
    return (0, 0)
