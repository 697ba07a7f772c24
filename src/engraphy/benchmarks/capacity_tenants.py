"""Tenants as there may be: how large each is, who is asked, on which node each comes to stand."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import median

_SEEDS = 5
_DRAWN = 20_000
"""Tenants, the largest, that are drawn one by one."""
_ALIKE = 1.01
"""Tenants whose ranks differ by less are taken together."""
SHARDS = 128
"""Parts that tenants are hashed into, and that nodes take in turn."""


@dataclass(frozen=True, slots=True)
class Tenants:
    """How many memories each tenant has, largest first."""

    sizes: tuple[float, ...]

    @property
    def total(self) -> float:
        """All memories."""
        return sum(self.sizes)

    def groups(self) -> Iterator[tuple[float, int]]:
        """(mean size, how many) of tenants of about one size: the largest one by one."""
        begin = 0
        while begin < len(self.sizes):
            end = max(begin + 1, int(begin * _ALIKE))
            some = self.sizes[begin:end]
            yield sum(some) / len(some), len(some)
            begin = end

    def mean_where_asked(self) -> float:
        """The mean size of the tenant that a question meets: tenants are asked as often as they
        have memories."""
        return sum(size * size for size in self.sizes) / self.total

    def asked_at(self, share: float) -> float:
        """The size of tenant below which that share of questions stays (0 to 1)."""
        wanted, held = (1.0 - share) * self.total, 0.0
        for size in self.sizes:
            held += size
            if held >= wanted:
                return size
        return self.sizes[-1]

    def holding(self, share: float) -> int:
        """How many of the largest tenants hold that share of all memories."""
        for count, held in enumerate(accumulate(self.sizes), 1):
            if held >= share * self.total:
                return count
        return len(self.sizes)


def zipf(memories: int, tenants: int, exponent: float) -> Tenants:
    """So many memories among tenants by Zipf's law: the tenant of rank r has a share that falls
    with r to the power of `exponent` (0: all are equally large)."""
    weights = [rank**-exponent for rank in range(1, tenants + 1)]
    unit = memories / sum(weights)
    return Tenants(tuple(unit * weight for weight in weights))


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
    draw, total = random.Random(seed), tenants.total
    large = tenants.sizes[:_DRAWN]
    even = (total - sum(large)) / shards
    held = [even] * shards
    for size, shard in zip(large, draw.choices(range(shards), k=len(large)), strict=True):
        held[shard] += size
    return [one / total for one in held]
