"""The memories of one set of walls by category and sensitivity, as few as are told together."""

import heapq
from collections import Counter
from collections.abc import Iterator

from msgspec import Struct, field

from engraphy.dream.ripe import category_of, oldest_first
from engraphy.model import Memory, Sensitivity

_MOST = 32
"""Memories of a category that are looked at together."""


class Groups(Struct):
    """Of each category and sensitivity the most important memories, the newer of equals, and how
    many there are."""

    _best: dict[tuple[str, Sensitivity], list[tuple[float, int, Memory]]] = field(
        default_factory=dict
    )
    _counts: Counter[tuple[str, Sensitivity]] = field(default_factory=Counter)

    def add(self, number: int, memory: Memory) -> None:
        """One memory more; `number` says how new it is, and is no other one's."""
        key = category_of(memory), memory.sensitivity
        self._counts[key] += 1
        best = self._best.setdefault(key, [])
        heapq.heappush(best, (memory.importance, number, memory))
        if len(best) > _MOST:
            heapq.heappop(best)

    def told(self) -> Iterator[tuple[tuple[Memory, ...], int]]:
        """Each group, oldest first, with how many memories it has in all."""
        for key, best in sorted(self._best.items()):
            yield tuple(sorted((one for _, _, one in best), key=oldest_first)), self._counts[key]
