"""What goes on while the server runs: maintenance when it is due, one tenant and one cycle at a
time, and what processes that ended left to be extracted."""

import logging
from functools import partial

import anyio

from engraphy.errors import EngraphyError, StoreBusyError
from engraphy.memory import Memory
from engraphy.serving.house import House

_LOG = logging.getLogger("engraphy.http.beside")
_FIRST_SECONDS = 60.0
_BETWEEN_SECONDS = 900.0
_TAKING_UP_SECONDS = 20.0


async def dreaming(house: House) -> None:
    """Look every quarter of an hour whether a cycle is due; the store says so, and keeps two
    processes from it at once. What goes wrong is logged and tried again."""
    await anyio.sleep(_FIRST_SECONDS)
    while True:
        for memory in await house.work(house.everyone, long=True):
            try:
                await house.work(partial(_due, memory), long=True)
            except StoreBusyError:
                continue
            except EngraphyError as error:
                _LOG.warning("%s: %s", type(error).__name__, error)
        await anyio.sleep(_BETWEEN_SECONDS)


async def taking_up(house: House) -> None:
    """Look again and again for what nobody extracts any more: the first time at once."""
    while True:
        try:
            await house.work(house.take_up, long=True)
        except EngraphyError as error:
            _LOG.warning("%s: %s", type(error).__name__, error)
        await anyio.sleep(_TAKING_UP_SECONDS)


def _due(memory: Memory) -> None:
    memory.dream(due=True)
