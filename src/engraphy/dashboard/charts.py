"""Numbers as the geometry of small pictures: a plot is 100 wide and 100 high, y grows downwards.

The pictures themselves are macros (`components/charts.html`); widths and places are attributes, as
pages may hold no style of their own.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

PALETTE = 8
"""How many series have a colour of their own (classes `c0` to `c7`)."""


class Bar(NamedTuple):
    """One of several counts: `width` in [0, 100] of the largest, `share` in [0, 1] of all."""

    label: str
    value: float
    width: float
    share: float


class Piece(NamedTuple):
    """A part of a stacked bar: where it begins and how wide it is, of 100."""

    label: str
    value: float
    x: float
    width: float
    colour: int


class Curve(NamedTuple):
    """A line: its path, the path of the area under it, and its highest value."""

    path: str
    area: str
    top: float


class Column(NamedTuple):
    """One column of a histogram, of 100 by 100."""

    label: str
    value: float
    x: float
    y: float
    width: float
    height: float


def bars(values: Mapping[str, float] | Iterable[tuple[str, float]]) -> list[Bar]:
    """Counts as bars, in their order."""
    pairs = list(values.items() if isinstance(values, Mapping) else values)
    most = max((value for _, value in pairs), default=0) or 1
    total = math.fsum(value for _, value in pairs) or 1
    return [Bar(name, value, _places(100 * value / most), value / total) for name, value in pairs]


def largest(values: Mapping[str, float], most: int, rest: str = "other") -> list[tuple[str, float]]:
    """The largest values, largest first, and the sum of what is left under the name `rest`."""
    ranked = sorted(values.items(), key=lambda pair: (-pair[1], pair[0]))
    left = math.fsum(value for _, value in ranked[most:])
    return [*ranked[:most], *([(rest, left)] if left else [])]


def stack(
    values: Mapping[str, float], order: Sequence[str] = (), whole: float | None = None
) -> list[Piece]:
    """Values that add up, one beside the other; what is not positive takes no room. `order`: names
    whose place gives the colour; `whole`: what fills the bar (their sum, where that is less)."""
    total = max(whole or 0.0, math.fsum(max(value, 0.0) for value in values.values())) or 1.0
    made, x = list[Piece](), 0.0
    for place, (name, value) in enumerate(values.items()):
        width = 100 * max(value, 0.0) / total
        colour = (order.index(name) if name in order else place) % PALETTE
        made.append(Piece(name, value, _places(x), _places(width), colour))
        x += width
    return made


def curve(values: Sequence[float], top: float | None = None) -> Curve:
    """Values at equal distances as a line from 0 to `top` (their highest where not given)."""
    most = (max(values, default=0.0) if top is None else top) or 1.0
    step = 100 / max(1, len(values) - 1)
    points = [
        f"{_places(place * step):g} {_places(100 - 100 * min(value / most, 1.0)):g}"
        for place, value in enumerate(values)
    ]
    path = "M" + " L".join(points) if points else ""
    end = _places((len(values) - 1) * step)
    return Curve(path, f"{path} L{end:g} 100 L0 100 Z" if points else "", most)


def columns(values: Sequence[tuple[str, float]], gap: float = 0.2) -> list[Column]:
    """Values as columns beside one another; `gap`: the share of a column's room that is empty."""
    most = max((value for _, value in values), default=0) or 1
    room = 100 / max(1, len(values))
    made = []
    for place, (label, value) in enumerate(values):
        height = 100 * value / most
        # What is not nothing is seen.
        height = max(height, 1.0) if value else 0.0
        x = _places(place * room + room * gap / 2)
        made.append(
            Column(
                label, value, x, _places(100 - height), _places(room * (1 - gap)), _places(height)
            )
        )
    return made


def place(value: float, start: float, end: float) -> float:
    """Where a value lies between two others, of 100, kept inside."""
    if end <= start:
        return 0.0
    return _places(min(max(100 * (value - start) / (end - start), 0.0), 100.0))


def _places(value: float) -> float:
    return round(value, 2)
