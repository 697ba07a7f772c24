"""What takes long over a large store is worked out once, beside whoever waits for a page."""

import asyncio
from collections.abc import Callable, Hashable
from typing import Any, Generic, NamedTuple, TypeVar
from weakref import WeakKeyDictionary

from engraphy.dashboard.visit import Visit
from engraphy.errors import EngraphyError
from engraphy.serving.house import House

Told = TypeVar("Told")


class Found(NamedTuple, Generic[Told]):
    """What was worked out, and when (microseconds UTC)."""

    value: Told
    at: int


_Held = dict[Hashable, "asyncio.Future[Found[Any]]"]
_MOST = 64
_houses: "WeakKeyDictionary[House, _Held]" = WeakKeyDictionary()


async def soon(
    visit: Visit, name: str, verb: Callable[[], Told], *, mark: int, seconds: float
) -> Found[Told] | None:
    """What `verb` gives, where that is had within so many seconds; else None, and it is gone on
    with for whoever asks again. It is worked out once for each caller's rights and walls, and anew
    once `mark` is another one."""
    held = _houses.setdefault(visit.house, {})
    key = (name, mark, visit.memory.tenant, tuple(sorted(visit.scope.items())))
    found = held.get(key)
    loop = asyncio.get_running_loop()
    if found is None or found.cancelled() or found.get_loop() is not loop:
        _make_room(held)
        found = held[key] = loop.create_future()
        visit.house.later(_fill(visit, verb, found))
    done, _ = await asyncio.wait({found}, timeout=seconds)
    if not done or found.cancelled():
        return None
    if found.exception() is not None:
        held.pop(key, None)
    return found.result()


async def _fill(
    visit: Visit, verb: Callable[[], Told], found: "asyncio.Future[Found[Told]]"
) -> None:
    try:
        value = await visit.work(verb)
        if not found.done():
            found.set_result(Found(value, visit.now))
    except EngraphyError as error:
        if not found.done():
            found.set_exception(error)
            # Whoever waited may have gone.
            found.exception()
    finally:
        if not found.done():
            found.cancel()


def _make_room(held: _Held) -> None:
    for key in [key for key, one in held.items() if one.done()][: max(0, len(held) - _MOST + 1)]:
        del held[key]
