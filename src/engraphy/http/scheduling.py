"""Maintenance while the server runs: each tenant in turn, when it is due, one cycle at a time."""

import logging
from functools import partial

import anyio

from engraphy.errors import EngraphyError, StoreBusyError
from engraphy.memory import Memory
from engraphy.serving.house import House

_LOG = logging.getLogger("engraphy.http.dreams")
_FIRST_SECONDS = 60.0
_BETWEEN_SECONDS = 900.0


async def dreaming(house: House) -> None:
    """Look every quarter of an hour whether a cycle is due; the store says so, and keeps two
    processes from it at once. What goes wrong is logged and tried again."""
    await anyio.sleep(_FIRST_SECONDS)
    while True:
        for memory in await house.work(house.everyone):
            try:
                await house.work(partial(_due, memory))
            except StoreBusyError:
                continue
            except EngraphyError as error:
                _LOG.warning("%s: %s", type(error).__name__, error)
        await anyio.sleep(_BETWEEN_SECONDS)


def _due(memory: Memory) -> None:
    memory.dream(due=True)
