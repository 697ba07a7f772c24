"""Where the labels of a graph stand: beside their dots, and where there is room not over others."""

from collections.abc import Sequence
from typing import NamedTuple

_WIDE, _HIGH, _GAP = 8.4, 15.0, 5.0
"""What a letter takes of the picture's width, a line of its height; between a dot and its label."""

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Label(NamedTuple):
    """Where a text is written, and which of its ends stands there."""

    x: float
    y: float
    anchor: str


class Taken:
    """The room of a picture that is taken by dots (middle and radius) and labels."""

    def __init__(self, width: float, height: float, dots: Sequence[tuple[float, float, float]]):
        self._size = (width, height)
        self._boxes: list[Box] = [(x - r, y - r, x + r, y + r) for x, y, r in dots]

    def hidden(self, box: Box) -> float:
        """How much of a box lies over what is there, or outside."""
        left, top, right, bottom = box
        outside = max(0.0, -left, -top, right - self._size[0], bottom - self._size[1])
        return outside * _HIGH + sum(
            max(0.0, min(right, two[2]) - max(left, two[0]))
            * max(0.0, min(bottom, two[3]) - max(top, two[1]))
            for two in self._boxes
        )

    def inside(self, x: float, half: float) -> float:
        """The place nearest to `x` where what is twice `half` wide lies within the picture."""
        return min(max(x, half), max(half, self._size[0] - half))

    def take(self, box: Box) -> None:
        """Nothing else stands here."""
        self._boxes.append(box)


def labelled(
    room: Taken, text: str, dot: tuple[float, float, float], *, needed: bool
) -> Label | None:
    """Where the label of a dot stands best: right of it, left, below or above. None where it would
    lie over others and is not `needed`."""
    (x, y, r), wide = dot, _WIDE * len(text)
    side, half = r + _GAP, wide / 2
    mid = room.inside(x, half)
    places = (
        (
            Label(x + side, y + 4, "start"),
            (x + side, y - _HIGH / 2, x + side + wide, y + _HIGH / 2),
        ),
        (Label(x - side, y + 4, "end"), (x - side - wide, y - _HIGH / 2, x - side, y + _HIGH / 2)),
        (Label(mid, y + r + 14, "middle"), (mid - half, y + r + 2, mid + half, y + r + 2 + _HIGH)),
        (Label(mid, y - r - 5, "middle"), (mid - half, y - r - 2 - _HIGH, mid + half, y - r - 2)),
    )
    best, box = min(places, key=lambda one: room.hidden(one[1]))
    if room.hidden(box) > 0 and not needed:
        return None
    room.take(box)
    return Label(round(best.x, 1), round(best.y, 1), best.anchor)
