"""P-15: CPU seconds of one call, and what twice the text costs, on a machine that others use too.

While others run, a core takes up to half as long again for the same, for moments: 1 MB then cost
1.1 to 2.7 times as much as half of it where, alone, it costs twice as much. A single moment, or the
best moment of each, tells of the others; the middle of many, each of two calls in a row, does not.
"""

import gc
import time
from collections.abc import Callable
from statistics import median
from typing import Final

BYTES: Final = 1_000_000
"""The size of a hostile input in UTF-8."""
SECONDS: Final = 0.25
"""CPU seconds for one input."""
GROWTH: Final = 2.5
"""What twice the input may cost."""
_CLEAR, _ROUND, _ENOUGH = 2.25, 0.5, 1.0
"""Each round speaks for a growth by how far it is below what is clearly within the bar, and against
it above; none by more than so much, and so much together is enough."""
_MANY: Final = 15
_MEASURABLE: Final = 0.06
"""CPU seconds from which the growth is no noise."""
_REPEATS: Final = 12


def seconds(function: Callable[[str], object], text: str) -> float:
    """CPU seconds of one call, without a collection of garbage."""
    gc.collect()
    gc.disable()
    try:
        started = time.process_time()
        function(text)
        return time.process_time() - started
    finally:
        gc.enable()


def quickest(measured: Callable[[], float]) -> float:
    """CPU seconds of the first run that is within the bar, or else of the quickest of many."""
    took = float("inf")
    for _ in range(_REPEATS):
        took = min(took, measured())
        if took <= SECONDS:
            break
    return took


def growth(measured: Callable[[str], float], sized: Callable[[int], str]) -> float:
    """How many times as much CPU 1 MB costs as half of it: the middle of the rounds, in each of
    which the two follow one another, in turns; 0 where both are too quick to tell. What is clearly
    within the bar has few rounds."""
    sizes, times, favour = (BYTES // 2, BYTES), list[float](), 0.0
    while len(times) < _MANY and favour < _ENOUGH:
        turned = -1 if len(times) % 2 else 1
        took = [measured(sized(size)) for size in sizes[::turned]][::turned]
        if took[1] <= _MEASURABLE:
            return 0.0
        times.append(took[1] / took[0])
        favour += max(-_ROUND, min(_ROUND, _CLEAR - times[-1]))
    return median(times)


def steep(text: str) -> bool:
    """What grows by 2.8 with each doubling, and is quick in small: of a build that is caught."""
    return sum(1 for _ in range(int(len(text) ** 1.5) // 400)) < 0
