"""What is open while a server runs: one memory, and the threads that work on it."""

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from functools import partial
from pathlib import Path
from threading import Lock
from typing import Any, TypeVar

import anyio
import anyio.to_thread

from engraphy.errors import EmbedderMismatchError
from engraphy.here import stopwatch
from engraphy.memory import Memory
from engraphy.model.granting import Grant
from engraphy.serving.caller import Caller
from engraphy.serving.options import ServeOptions
from engraphy.settings import is_server

Told = TypeVar("Told")
_LOG = logging.getLogger("engraphy.http.beside")
_CLOSING_SECONDS = 10.0
_KNOWN = 1_024
"""Tokens whose memory is kept at hand; the one not shown for longest is made anew."""
_AT_ONCE = max(2, os.cpu_count() or 2)
"""Calls that are worked on at the same time; more wait. More threads than processors only take the
interpreter from one another: 16 answered half as many requests as 2 or 3 on two processors."""
_LONG_AT_ONCE = 8
"""The same for what takes seconds: everybody else goes on beside it."""
_BRIEF_AT_ONCE = 4


class House:
    """The opened memory of a server. `options`: what the server was started with; `ending`: it was
    told to stop, and an answer that never ends of itself ends."""

    def __init__(self, memory: Memory, options: ServeOptions) -> None:
        self.memory, self.options = memory, options
        self.ending = False
        self.usual = anyio.CapacityLimiter(_AT_ONCE)
        """Of the calls that are worked on at the same time; doors with threads of their own share
        it."""
        self._long = anyio.CapacityLimiter(_LONG_AT_ONCE)
        self._brief = anyio.CapacityLimiter(_BRIEF_AT_ONCE)
        self._tasks: set[asyncio.Task[Any]] = set()
        self._unserved: set[str] = set()
        self._acting: OrderedDict[str, tuple[Grant, Memory]] = OrderedDict()
        self._lock = Lock()

    async def work(self, told: Callable[[], Told], *, long: bool = False) -> Told:
        """What `told` gives, in a thread. `long`: it may take seconds, and holds up nothing that
        does not. Where the caller goes away, it is not waited for: every verb is whole or not at
        all."""
        return await _threaded(told, self._long if long else self.usual)

    async def glance(self, told: Callable[[], Told]) -> Told:
        """The same for what only looks, and is soon done: it never waits behind what others ask."""
        return await _threaded(told, self._brief)

    async def caller(self, token: str) -> Caller:
        """Who shows this token. Raises NotAllowedError."""
        return await self.glance(partial(self.identified, token))

    def identified(self, token: str) -> Caller:
        """`caller`, in the thread that asks. Raises NotAllowedError."""
        grant = self.memory.identify(token)
        return Caller(grant=grant, memory=self.acting(grant))

    def acting(self, grant: Grant) -> Memory:
        """The memory as this grant may use it: of its tenant, in its name."""
        with self._lock:
            held = self._acting.get(grant.id)
            if held is None or _rights(held[0]) != _rights(grant):
                held = self._acting[grant.id] = (grant, self.memory.acting(grant))
                while len(self._acting) > _KNOWN:
                    self._acting.popitem(last=False)
            self._acting.move_to_end(grant.id)
            return held[1]

    def everyone(self) -> list[Memory]:
        """The memory of each tenant that has anything, as the server itself uses it; not of one
        whose vectors come from another model, which the log tells once."""
        found: list[Memory] = []
        for tenant in self.memory.tenants():
            try:
                found.append(self.memory.of_tenant(tenant))
            except EmbedderMismatchError as error:
                if tenant not in self._unserved:
                    _LOG.warning("tenant %s: %s", tenant, error)
                self._unserved.add(tenant)
        return found

    def size(self) -> int:
        """Bytes of the store's files, or of its database."""
        if is_server(self.memory.path):
            return self.memory.stats().file_bytes
        file = Path(self.memory.path)
        beside = (file, *(file.with_name(file.name + end) for end in ("-wal", "-shm")))
        return sum(one.stat().st_size for one in beside if one.is_file())

    def later(self, doing: Coroutine[Any, Any, None]) -> None:
        """Go on with `doing` beside whatever is answered; it is cancelled where the server ends."""
        task = asyncio.get_running_loop().create_task(doing)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def take_up(self) -> None:
        """Extract what processes that ended left behind, whosever it is; waits for nothing."""
        for memory in self.everyone():
            if any(not (job.done or job.failed) for job in memory.queue()):
                memory.flush(0)

    async def end(self) -> None:
        """Cancel what goes on beside, and close the memory: what waits to be extracted is, for at
        most ten seconds, and the rest stays in the store."""
        held = tuple(self._tasks)
        for task in held:
            task.cancel()
        await asyncio.gather(*held, return_exceptions=True)
        await anyio.to_thread.run_sync(self._close)

    def _close(self) -> None:
        ends = stopwatch() + _CLOSING_SECONDS
        with self._lock:
            held = [memory for _, memory in self._acting.values()]
        for memory in held:
            memory.flush(max(0.0, ends - stopwatch()))
        self.memory.close()


async def _threaded(told: Callable[[], Told], limiter: anyio.CapacityLimiter) -> Told:
    return await anyio.to_thread.run_sync(told, abandon_on_cancel=True, limiter=limiter)


def _rights(grant: Grant) -> tuple[object, ...]:
    return (grant.tenant, grant.role, grant.origin, grant.clearance)
