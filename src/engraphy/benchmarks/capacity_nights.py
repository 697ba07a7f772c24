"""What a night costs: all stores have theirs in turn, several times, so that what else the machine
does meets every size alike, and one that it slowed down counts for nothing. Figures are
milliseconds of processor time."""

import shutil
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from engraphy.benchmarks.capacity_calls import FEW, Meter, Store

_ROUNDS = 5


def slept(stores: Sequence[Store], folder: Path) -> None:
    """Notes `first_night_ms`, of one that finds everything to be done, and `night_ms`, of one that
    finds what a night leaves; at a server also what they take of its processors. A copy of a file
    has both again and again, a tenant of a database has its first but once."""
    met: dict[tuple[int, str], list[float]] = {}
    for turn in range(_ROUNDS):
        for number, store in enumerate(stores):
            for cost, value in _two(store, folder, turn):
                met.setdefault((number, cost), []).append(value)
    for (number, cost), values in met.items():
        stores[number].met(cost, median(values))


def _two(store: Store, folder: Path, turn: int) -> list[tuple[str, float]]:
    """Two nights that follow each other."""
    if "://" in store.place:
        return [told for day in (1, 2) for told in _night(store, 2 * turn + day)]
    with TemporaryDirectory(dir=folder) as name:
        copy = replace(store, place=shutil.copy(store.place, name))
        return [told for day in (1, 2) for told in _night(copy, day)]


def _night(store: Store, day: int) -> list[tuple[str, float]]:
    """What a night took here, and at a server there."""
    cost = "first_night_ms" if day == 1 else "night_ms"
    with store.opened(day) as memory:
        memory.recall(store.asked[FEW][0], user=FEW, touch=False)
        meter = Meter(store.backends())
        meter.call(memory.dream, connects=True)
    here = [(cost, value) for value in meter.here]
    return here + [(f"database_{cost}", value) for value in meter.there]
