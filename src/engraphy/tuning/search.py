"""Searching for better knobs. Each part of the questions chooses for itself, and what it chooses
by is measured on these questions alone, so that the others may judge the choice."""

import random
from collections.abc import Callable, Mapping, Sequence
from math import sqrt

from engraphy.record import Record
from engraphy.tuning.knobs import Knob, Point
from engraphy.tuning.trials import Measured, Trials

_SWEEP = 0.6
"""Share of the budget for the knobs one by one; the rest is for putting them together."""
_MOST_TURNED = 4
_MOST_KNOWN = 1_000
"""Settings drawn in a row that were measured before: narrow ranges hold no more."""


class Space(Record, frozen=True, kw_only=True):
    """What is searched: knobs, where they stand now, and by which objective."""

    knobs: Sequence[Knob]
    now: Mapping[str, float]
    objective: str
    seed: int


Part = Sequence[int]
"""Places of the questions that a choice is made by."""


def coordinate(trials: Trials, space: Space, parts: Sequence[Part]) -> list[Point]:
    """For each part: every knob alone at each of its values, then the ones that gain put together,
    the greatest gain first, then half a step to each side of those that stayed."""
    singles: list[Point] = [
        ((knob.name, value),)
        for knob in space.knobs
        for value in knob.values()
        if abs(value - space.now[knob.name]) > 1e-9
    ]
    known = {one: rows for one in singles if (rows := trials.measured(one, _SWEEP)) is not None}
    return [_refined(trials, space, part, _combined(trials, space, part, known)) for part in parts]


def chance(trials: Trials, space: Space, parts: Sequence[Part]) -> list[Point]:
    """For each part the best of one list of settings, in each of which one to four knobs are
    turned by chance; the list does not depend on any answer."""
    draw = random.Random(space.seed)
    known: dict[Point, tuple[Measured, ...]] = {}
    drawn = 0
    while drawn < _MOST_KNOWN:
        turned = draw.sample(space.knobs, min(len(space.knobs), draw.randint(1, _MOST_TURNED)))
        point = _point({one.name: one.rounded(draw.uniform(one.low, one.high)) for one in turned})
        drawn = drawn + 1 if point in known else 0
        rows = trials.measured(point)
        if rows is None:
            break
        known[point] = rows
    return [_best(trials, space, part, known) for part in parts]


SEARCHES: Mapping[str, Callable[[Trials, Space, Sequence[Part]], list[Point]]] = {
    "coordinate": coordinate,
    "random": chance,
}


def _point(values: Mapping[str, float]) -> Point:
    return tuple(sorted(values.items()))


def _best(
    trials: Trials, space: Space, part: Part, known: Mapping[Point, tuple[Measured, ...]]
) -> Point:
    gains = {one: _gain(rows, trials.base, part, space) for one, rows in known.items()}
    best = max(gains, key=gains.__getitem__, default=())
    return best if gains.get(best, 0.0) > 0.0 else ()


def _combined(
    trials: Trials, space: Space, part: Part, known: Mapping[Point, tuple[Measured, ...]]
) -> Point:
    gains: dict[str, tuple[float, float]] = {}
    for ((name, value),), rows in known.items():
        gain = _gain(rows, trials.base, part, space)
        if gain > gains.get(name, (0.0, 0.0))[0]:
            gains[name] = (gain, value)
    chosen: Point = ()
    for name in sorted(gains, key=lambda one: -gains[one][0]):
        chosen = _better(trials, space, part, chosen, {name: gains[name][1]})
    return chosen


def _refined(trials: Trials, space: Space, part: Part, chosen: Point) -> Point:
    knobs = {knob.name: knob for knob in space.knobs}
    for name, value in chosen:
        for side in (-0.5, 0.5):
            beside = knobs[name].rounded(value + side * knobs[name].width)
            chosen = _better(trials, space, part, chosen, {name: beside})
    return chosen


def _better(
    trials: Trials, space: Space, part: Part, chosen: Point, change: Mapping[str, float]
) -> Point:
    """`chosen` with the change, where that gains on the part."""
    wanted = _point({**dict(chosen), **change})
    before, after = trials.measured(chosen), trials.measured(wanted)
    if before is None or after is None:
        return chosen
    return wanted if _gain(after, before, part, space) > 0.0 else chosen


def _gain(after: Sequence[Measured], before: Sequence[Measured], part: Part, space: Space) -> float:
    """The mean gain on a part; 0 where it is within its own standard error, which chance alone
    exceeds in every sixth trial."""
    name = space.objective
    gained = [after[place][name] - before[place][name] for place in part]
    mean = sum(gained) / len(gained)
    spread = sum((one - mean) ** 2 for one in gained) / max(1, len(gained) - 1)
    return mean if mean > sqrt(spread / len(gained)) else 0.0
