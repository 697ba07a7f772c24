"""Where the nodes of a graph stand: springs and pushes (Fruchterman and Reingold 1991), always the
same for the same graph; coordinates in [0, 1]."""

import math
from collections.abc import Mapping, Sequence

_ROUNDS = 90
_GOLDEN = math.pi * (3 - math.sqrt(5))
_PULL = 2.0
"""How strongly everything is drawn to the middle: parts without a line between them stay near."""

Point = tuple[float, float]


def laid_out(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> Mapping[str, Point]:
    """A place for each node; edges draw their ends together, nodes push each other away."""
    count = len(nodes)
    if not count:
        return {}
    number = {name: place for place, name in enumerate(nodes)}
    pairs = [(number[a], number[b]) for a, b in edges if a in number and b in number and a != b]
    at = [_spiral(place, count) for place in range(count)]
    near = math.sqrt(1.0 / count)
    for turn in range(_ROUNDS):
        at = _moved(at, pairs, near, heat=0.1 * (1 - turn / _ROUNDS))
    return dict(zip(nodes, _fitted(at), strict=True))


def _spiral(place: int, count: int) -> complex:
    radius = 0.5 * math.sqrt((place + 0.5) / count)
    return complex(radius * math.cos(place * _GOLDEN), radius * math.sin(place * _GOLDEN))


def _moved(
    at: Sequence[complex], pairs: Sequence[tuple[int, int]], near: float, heat: float
) -> list[complex]:
    force = [-_PULL * one for one in at]
    square = near * near
    for first in range(len(at)):
        here, pushed = at[first], force[first]
        for second in range(first + 1, len(at)):
            away = here - at[second]
            push = away * (square / max(away.real * away.real + away.imag * away.imag, 1e-6))
            pushed += push
            force[second] -= push
        force[first] = pushed
    for first, second in pairs:
        away = at[first] - at[second]
        pull = away * (abs(away) / near)
        force[first] -= pull
        force[second] += pull
    return [one + _limited(move, heat) for one, move in zip(at, force, strict=True)]


def _limited(move: complex, heat: float) -> complex:
    length = abs(move)
    return move if length <= heat else move * (heat / length)


def _fitted(at: Sequence[complex]) -> list[Point]:
    """Stretched into [0, 1], by each side."""
    xs, ys = [one.real for one in at], [one.imag for one in at]
    left, top = min(xs), min(ys)
    wide, high = max(max(xs) - left, 1e-9), max(max(ys) - top, 1e-9)
    if len(at) == 1:
        return [(0.5, 0.5)]
    return [
        (round((x - left) / wide, 4), round((y - top) / high, 4))
        for x, y in zip(xs, ys, strict=True)
    ]
