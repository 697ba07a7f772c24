"""What the nearest of many vectors cost by their signs alone, and what turning those costs, on
vectors made here: the parts of a question, and of reading, that grow with a scope of any size."""

from collections.abc import Iterator
from time import process_time

import numpy as np
from msgspec.structs import replace
from numpy.typing import NDArray

from engraphy.stores.relational import turning
from engraphy.stores.relational.scoring import Floats
from engraphy.stores.relational.segments import Segment, empty
from engraphy.stores.relational.vectors import RESCORED, between, edge_of

_SEED = 5


def scanned(rows: int, dim: int, runs: int) -> float:
    """Milliseconds of processor time, the middle of so many runs, after one that warms."""
    draw = np.random.default_rng(_SEED)
    segment = _made(draw, rows, dim)
    spent = sorted(_runs(draw, segment, dim, runs + 1))
    return spent[len(spent) // 2] * 1e3


def turned(rows: int, dim: int, runs: int) -> float:
    """The same of making signs that are turned about the middle of all."""
    draw = np.random.default_rng(_SEED)
    codes = draw.integers(-127, 128, size=(rows, dim), dtype=np.int8)
    norms = np.sqrt((codes.astype(np.float32) ** 2).sum(axis=1))
    spent = sorted(_turns(codes, norms, runs + 1))
    return spent[len(spent) // 2] * 1e3


def _turns(codes: NDArray[np.int8], norms: Floats, runs: int) -> Iterator[float]:
    for _ in range(runs):
        began = process_time()
        turning.turned(codes, norms, turning.middle(codes, norms))
        yield process_time() - began


def _made(draw: np.random.Generator, rows: int, dim: int) -> Segment:
    words = draw.integers(0, 2**64, size=(-(-dim // 64), rows), dtype=np.uint64)
    return replace(empty(dim, 0), numbers=np.arange(rows), words=words, size=rows)


def _runs(draw: np.random.Generator, segment: Segment, dim: int, runs: int) -> Iterator[float]:
    for _ in range(runs):
        asked = draw.standard_normal(dim).astype(np.float32)
        began = process_time()
        distances = segment.distances(asked)
        between(distances, -1, edge_of([distances], RESCORED, segment.bits))
        yield process_time() - began
