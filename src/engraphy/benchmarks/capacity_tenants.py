"""Tenants as there may be: how large each is, who is asked, on which node each comes to stand."""

import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

_SEEDS = 5
_DRAWN = 20_000
"""Tenants, the largest, that are drawn one by one."""
_ALONE, _ALIKE = 1_000, 1.01
"""So many are looked at one by one; then those whose ranks differ by less are taken together."""
SHARDS = 128
"""Parts that tenants are hashed into, and that nodes take in turn."""
Group = tuple[float, int]
"""Memories of each, and how many tenants."""


@dataclass(frozen=True)
class Tenants:
    """So many memories among tenants by Zipf's law: the tenant of rank r has a share that falls
    with r to the power of `exponent` (0: all are equally large)."""

    memories: int
    count: int
    exponent: float

    @cached_property
    def _unit(self) -> float:
        return self.memories / sum(size * count for size, count in self._weights(_ALONE))

    def groups(self, alone: int = _ALONE) -> Iterator[Group]:
        """The tenants, largest first: so many one by one, then those of about one size."""
        yield from ((size * self._unit, count) for size, count in self._weights(alone))

    def _weights(self, alone: int) -> Iterator[Group]:
        begin = 1
        while begin <= self.count:
            end = begin if begin <= alone else min(self.count, int(begin * _ALIKE))
            count = end - begin + 1
            whole = float(begin**-self.exponent) if count == 1 else self._sum(begin, end)
            yield whole / count, count
            begin = end + 1

    def _sum(self, first: int, last: int) -> float:
        """The sum of r to the power of -exponent, by the midpoint rule."""
        low, high, power = first - 0.5, last + 0.5, 1.0 - self.exponent
        if abs(power) < 1e-9:
            return math.log(high / low)
        return float(high**power - low**power) / power

    @property
    def largest(self) -> float:
        """Memories of the largest tenant."""
        return self._unit

    @property
    def middle(self) -> float:
        """Memories of the one in the middle."""
        return float(self._unit * ((self.count + 1) / 2) ** -self.exponent)

    def mean_where_asked(self) -> float:
        """The mean size of the tenant that a question meets: tenants are asked as often as they
        have memories."""
        return sum(size * size * count for size, count in self.groups()) / self.memories

    def holding(self, share: float) -> tuple[float, float]:
        """How many of the largest tenants hold that share of all memories, and the size of the last
        of them."""
        left, before, size = share * self.memories, 0, self.largest
        for size, count in self.groups():
            if size * count >= left:
                return before + math.ceil(left / size), size
            left, before = left - size * count, before + count
        return before, size


@dataclass(frozen=True, slots=True)
class Spread:
    """Tenants on nodes: the fullest shard and the fullest node as shares of all memories, in the
    middle of several draws and in the worst of them; how many tenants the fullest node has."""

    nodes: int
    shards: int
    fullest_shard: float
    fullest_node: float
    worst_node: float
    draws: int


class Placing:
    """Tenants hashed to shards, several times with other hashes; what a node then has."""

    def __init__(self, tenants: Tenants, shards: int = SHARDS, draws: int = _SEEDS) -> None:
        self.shards = shards
        self._drawn = [_hashed(tenants, shards, seed) for seed in range(draws)]

    def over(self, nodes: int) -> Spread:
        """The fullest of so many nodes: shard s stands on node s modulo their number."""
        fullest = []
        for held in self._drawn:
            on = [0.0] * nodes
            for shard, share in enumerate(held):
                on[shard % nodes] += share
            fullest.append(max(on))
        return Spread(
            nodes=nodes,
            shards=self.shards,
            fullest_shard=median(map(max, self._drawn)),
            fullest_node=median(fullest),
            worst_node=max(fullest),
            draws=len(self._drawn),
        )


def _hashed(tenants: Tenants, shards: int, seed: int) -> Sequence[float]:
    """The share of all memories in each shard; a good hash is as good as a draw. The many small
    ones come out even."""
    draw, held = random.Random(seed), [0.0] * shards
    for size, count in tenants.groups(_DRAWN):
        if count == 1:
            held[draw.randrange(shards)] += size
        else:
            held = [one + size * count / shards for one in held]
    return [one / tenants.memories for one in held]
