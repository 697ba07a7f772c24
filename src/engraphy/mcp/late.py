"""The desk behind the server, loaded when it is first needed: a handshake waits for nothing."""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Lock, Thread
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from engraphy.errors import EngraphyError
from engraphy.mcp.options import Options

if TYPE_CHECKING:
    from engraphy.mcp.desk import Desk

Told = TypeVar("Told")
_AT_ONCE = 16
"""Calls that are worked on at the same time; more wait."""
_BEAT_SECONDS = 1.0
_LOG = logging.getLogger("engraphy.mcp")


class Late:
    """A desk that is there once somebody asks."""

    def __init__(self, options: Options, limiter: anyio.CapacityLimiter | None = None) -> None:
        self.options = options
        self._lock = Lock()
        self._desk: Desk | None = None
        self._warming = self._closed = False
        self._limiter = limiter

    def desk(self) -> "Desk":
        """The desk. Called from the threads of calls only: the first one takes a while."""
        with self._lock:
            if self._desk is None:
                made: Callable[[Options], Desk] = import_module("engraphy.mcp.desk").Desk
                self._desk = made(self.options)
            return self._desk

    def warm(self) -> None:
        """Begin to load what the first call needs, once, beside whatever is done meanwhile. A
        store that is not there yet is made by the first call, and what is wrong is told there."""
        if not self._warming:
            self._warming = True
            Thread(target=self._warm, name="warm", daemon=True).start()

    def _warm(self) -> None:
        with suppress(EngraphyError):
            desk = self.desk()
            path = self.options.opening.get("path")
            if path is not None and Path(path).is_file() and not self._closed:
                desk.memory()

    async def work(
        self,
        told: Callable[["Desk"], Told],
        beat: Callable[[float], Awaitable[None]] | None = None,
    ) -> Told:
        """What `told` gives for the desk, in a thread; `beat` hears of each second that it takes.

        Where the caller gives up, it is not waited for: every verb is whole or not at all, and a
        cycle of maintenance that nobody waits for ends as it would have.
        """
        if self._limiter is None:
            self._limiter = anyio.CapacityLimiter(_AT_ONCE)
        run = partial(
            anyio.to_thread.run_sync,
            lambda: told(self.desk()),
            abandon_on_cancel=True,
            limiter=self._limiter,
        )
        if beat is None:
            return await run()
        async with anyio.create_task_group() as group:
            group.start_soon(_beating, beat)
            found = await run()
            group.cancel_scope.cancel()
        return found

    def close(self) -> None:
        """Close the memory, where one was opened; a call that comes later opens it again."""
        self._closed = True
        if self._desk is None:
            return
        try:
            self._desk.close()
        except EngraphyError as error:
            _LOG.warning("%s: %s", type(error).__name__, error)


async def _beating(beat: Callable[[float], Awaitable[None]]) -> None:
    seconds = 0.0
    while True:
        await anyio.sleep(_BEAT_SECONDS)
        seconds += _BEAT_SECONDS
        await beat(seconds)
