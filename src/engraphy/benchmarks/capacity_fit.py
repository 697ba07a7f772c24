"""Costs as functions of how much there is: least squares over few measured points, in which no part
of a cost may be negative."""

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from engraphy.errors import InvalidInputError
from engraphy.providing import attribute

FEWEST = 3
"""Sizes that a cost is fitted at."""


class Load(NamedTuple):
    """Under which a cost was met, or is foretold: memories behind the walls that are asked, and in
    the whole file or database."""

    scope: float
    total: float


_A_PAGE = 26
"""Vectors of 128 numbers on a page of a file (4 kB); a database's pages are twice as large."""
_CACHED = 8_000
"""Memories whose part of the file fills the pages that a connection keeps (16 MB; 2 kB each)."""


def of_segments(name: str) -> int:
    """A bound of the vectors that a process keeps."""
    told: object = attribute("engraphy.stores.relational.segments", name)
    assert isinstance(told, int)
    return told


def _turned(load: Load) -> float:
    """Vectors of which turned signs are made as their codes are read: all of a scope that is too
    large to be compared by its codes, and not too large to keep them."""
    is_turned = of_segments("SCANNED") < load.scope <= of_segments("CODED")
    return load.scope if is_turned else 0.0


def _pages(load: Load) -> float:
    """Pages with the vectors of a scope, where its memories lie among the others by chance: each of
    the total / k pages has one of them but for the chance (1 - share)^k that all k are others'."""
    share = min(1.0, load.scope / max(1.0, load.total))
    none = 0.0 if share >= 1.0 else math.exp(_A_PAGE * math.log1p(-share))
    return max(load.scope, load.total) / _A_PAGE * (1.0 - none)


TERMS: dict[str, Callable[[Load], float]] = {
    "fixed": lambda _: 1.0,
    "per doubling of the scope": lambda load: math.log2(max(2.0, load.scope)),
    "per million in the scope": lambda load: load.scope / 1e6,
    "per million in all": lambda load: load.total / 1e6,
    "per million pages": lambda load: _pages(load) / 1e6,
    "per million turned": lambda load: _turned(load) / 1e6,
    "of a full page cache": lambda load: min(1.0, load.total / _CACHED),
}
_OF_SEARCH = ("fixed", "per doubling of the scope", "per million in the scope")
"""What else is in the file is no part: only noise was met of it, which times a thousand would be
the greatest part of all."""
_OF_SERVER = ("fixed", "per doubling of the scope")
"""Signs are compared by the client. What else grows in small scopes is words, which stop growing:
as a linear part that would be the greatest of all in a scope of millions."""
_OF_CODES = ("fixed", "per million in the scope", "per million pages")
_TURNED = "per million turned"
_OF_READING = (*_OF_CODES, _TURNED)
_OF_SIGNS = ("fixed", "per million in the scope")
"""They lie side by side, or are so many on a page that it does not matter."""
_OF_DISK = ("fixed", "per million in all")
_SCANNED = "per million in the scope"
SCAN, TURN = "scan_ms", "turn_ms"
ALONE = {_OF_SEARCH: SCAN, _OF_READING: TURN}
"""What is a part of other costs and measured by itself, at sizes of its own."""
COSTS: dict[str, tuple[str, ...]] = {
    SCAN: (_SCANNED,),
    TURN: (_TURNED,),
    "recall_ms": _OF_SEARCH,
    "add_ms": _OF_SEARCH,
    "database_recall_ms": _OF_SERVER,
    "database_add_ms": _OF_SERVER,
    "vectors_ms": _OF_READING,
    "signs_ms": _OF_SIGNS,
    "database_vectors_ms": _OF_CODES,
    "database_signs_ms": _OF_SIGNS,
    "disk_mb": _OF_DISK,
    "disk_rows_mb": _OF_DISK,
    "disk_index_mb": _OF_DISK,
    "process_mb": ("fixed", "of a full page cache", "per million in the scope"),
    "first_night_ms": ("fixed", "per million in the scope"),
    "night_ms": ("fixed", "per million in the scope"),
    "database_first_night_ms": ("fixed", "per million in the scope"),
    "database_night_ms": ("fixed", "per million in the scope"),
}
"""What each cost is made of: milliseconds of processor time of one call, of comparing the signs of
vectors, of turning them, of reading a scope's vectors (or their signs alone), of one tenant's
night; megabytes of the file or database, of its rows and its indexes, of a process that answers."""


class Point(NamedTuple):
    """A cost that was met."""

    load: Load
    value: float


class Cost(NamedTuple):
    """A fitted cost: its parts by the names of TERMS."""

    parts: dict[str, float]

    def at(self, load: Load) -> float:
        """What it is foretold to be."""
        return sum(value * TERMS[name](load) for name, value in self.parts.items())


def fitted(name: str, points: Sequence[Point], known: Mapping[str, float] | None = None) -> Cost:
    """The cost of that name over points of at least three sizes: the non-negative parts with the
    least sum of squared relative errors (Lawson and Hanson, Solving Least Squares Problems, 23;
    with at most four parts every set of those above 0 is tried). `known`: parts that were measured
    by themselves. Raises InvalidInputError."""
    given = dict(known or {})
    sizes = max(
        {point.load.scope for point in points}, {point.load.total for point in points}, key=len
    )
    # A database is as large as it is: it was looked at empty and full.
    fewest = FEWEST - 1 if COSTS[name] is _OF_DISK else FEWEST
    if len(sizes) < fewest:
        allowed = f"{fewest} sizes or more"
        raise InvalidInputError(
            field=f"what {name} was measured at", got=len(sizes), allowed=allowed
        )
    best: tuple[float, Cost] | None = None
    free = [part for part in COSTS[name] if part not in given]
    for count in range(1, len(free) + 1):
        for chosen in combinations(free, count):
            parts = _solved(chosen, points, Cost(given))
            if parts is None or min(parts.values()) < 0:
                continue
            cost = Cost(parts | given)
            off = sum((cost.at(one.load) / one.value - 1.0) ** 2 for one in points)
            if best is None or off < best[0] - 1e-12:
                best = off, cost
    assert best is not None  # one part alone, of values above 0, is never negative
    return best[1]


def _solved(chosen: Sequence[str], points: Sequence[Point], given: Cost) -> dict[str, float] | None:
    """Least squares of relative errors, by the normal equations; None where they have no answer."""
    rows = [[TERMS[name](one.load) / one.value for name in chosen] for one in points]
    left = [1.0 - given.at(one.load) / one.value for one in points]
    count = len(chosen)
    table = [
        [
            *(sum(row[a] * row[b] for row in rows) for b in range(count)),
            sum(row[a] * rest for row, rest in zip(rows, left, strict=True)),
        ]
        for a in range(count)
    ]
    for a in range(count):
        pivot = max(range(a, count), key=lambda b: abs(table[b][a]))
        if abs(table[pivot][a]) < 1e-9 * max(1e-30, abs(table[pivot][-1])):
            return None
        table[a], table[pivot] = table[pivot], table[a]
        for b in range(count):
            if b != a:
                share = table[b][a] / table[a][a]
                table[b] = [x - share * y for x, y in zip(table[b], table[a], strict=True)]
    return {name: table[a][-1] / table[a][a] for a, name in enumerate(chosen)}


def costs(points: Mapping[str, Sequence[Point]]) -> dict[str, Cost]:
    """Every cost that was measured, fitted. What comparing signs costs is a part of every search,
    turning them one of reading many: both are measured by themselves, at sizes that no store here
    has."""
    found: dict[str, Cost] = {}
    for name, parts in COSTS.items():
        if points.get(name):
            alone = found.get(ALONE.get(parts, ""))
            found[name] = fitted(name, points[name], alone.parts if alone else {})
    return found


def compared(fit: Mapping[str, Cost], met: Mapping[str, Sequence[Point]]) -> list[dict[str, Any]]:
    """What was foretold of points that were not fitted, beside what was met."""
    return [
        {
            "cost": name,
            "scope": point.load.scope,
            "total": point.load.total,
            "foretold": cost.at(point.load),
            "met": point.value,
            "off": cost.at(point.load) / point.value - 1.0,
        }
        for name, cost in fit.items()
        if name not in ALONE.values()
        for point in met.get(name, ())
    ]
