"""A cycle as a picture (SVG): how memories fade, by tier, and how many there are, before and after.

No library draws it: a few lines, bars and words, readable in light and dark, with their meaning in
words for who cannot see them.
"""

from collections.abc import Iterable, Sequence
from xml.sax.saxutils import escape

from engraphy.dream.report import alternative, counts
from engraphy.formulas import retrievability
from engraphy.model.survey import Retained, Survey

DAYS = 60
_WIDTH, _HEIGHT = 910, 470
_COLOURS = {"working": "#b45309", "episodic": "#2563eb", "semantic": "#047857"}
_LEFT, _TOP, _PLOT_WIDTH, _PLOT_HEIGHT = 56, 74, 400, 330
_BARS_LEFT, _BARS_WIDTH = 625, 120
_ROW = 32
_LEAST_GAP = 15.0
Point = tuple[float, float]


def picture(before: Survey, after: Survey | None) -> str:
    """The picture of a memory before and after a cycle (None: only before)."""
    body = [*_curves(before, after), *_bars(before, after)]
    words = escape(alternative(before, after))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}"'
        f' width="{_WIDTH}" height="{_HEIGHT}" role="img" aria-labelledby="title desc"'
        ' font-family="system-ui, sans-serif" font-size="13">\n'
        '<title id="title">A dream: how memories fade, and how many there are</title>\n'
        f'<desc id="desc">{words}</desc>\n'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>\n'
        + "\n".join(body)
        + "\n</svg>\n"
    )


def fading(sample: Sequence[Retained], curve: str) -> list[float]:
    """Mean retrieval strength of a sample today and on each of the next 60 days, if none of them is
    accessed; each in [0, 1]."""
    return [
        sum(_strength(one, day, curve) for one in sample) / len(sample) if sample else 0.0
        for day in range(DAYS + 1)
    ]


def _strength(one: Retained, day: int, curve: str) -> float:
    held = retrievability(age_days=one.age_days + day, stability=one.stability, curve=curve)
    return max(0.0, held - one.loss)


def _curves(before: Survey, after: Survey | None) -> Iterable[str]:
    yield _text(_LEFT, 28, "Retention if nothing is accessed", weight="600", size=15)
    note = "mean of a sample by tier" + (", dashed before, solid after" if after else "")
    yield _text(_LEFT, 48, note, fill="#475569")
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = _y(share)
        yield _line((_LEFT, y), (_LEFT + _PLOT_WIDTH, y), "#e2e8f0")
        yield _text(_LEFT - 8, y + 4, f"{share:g}", anchor="end", fill="#475569")
    for day in (0, 15, 30, 45, 60):
        yield _text(_x(day), _y(0) + 20, f"{day}", anchor="middle", fill="#475569")
    yield _text(_x(DAYS / 2), _y(0) + 40, "days from now", anchor="middle", fill="#475569")
    last = before if after is None else after
    ends = []
    for tier, colour in _COLOURS.items():
        if after is not None and (own := _of(before, tier)):
            yield _path(fading(own, before.curve), colour, dashed=True)
        if own := _of(last, tier):
            values = fading(own, last.curve)
            yield _path(values, colour, dashed=False)
            ends.append((_y(values[-1]), tier, colour))
    yield from _labels(ends)


def _labels(ends: Iterable[tuple[float, str, str]]) -> Iterable[str]:
    """Each curve's name at its end, the next one where there is room for it."""
    lowest = -1e9
    for y, tier, colour in sorted(ends):
        lowest = max(y, lowest + _LEAST_GAP)
        yield _text(_x(DAYS) + 8, lowest + 4, tier, fill=colour, weight="600")


def _of(survey: Survey, tier: str) -> list[Retained]:
    return [one for one in survey.sample if one.tier == tier]


def _bars(before: Survey, after: Survey | None) -> Iterable[str]:
    rows = [row for row in counts(before, after) if row[1] or row[2]]
    tiers = [row for row in rows if row[0] in _COLOURS]
    states = [row for row in rows if row[0] not in _COLOURS]
    if after is not None:
        yield _text(_BARS_LEFT - 90, 48, "grey before, blue after", fill="#475569")
    y = 28
    for title, group in (("Active memories by tier", tiers), ("Memories by state", states)):
        yield _text(_BARS_LEFT - 90, y, title, weight="600", size=15)
        y += 20 if group is tiers and after is not None else 0
        most = max((max(first, last) for _, first, last in group), default=1)
        for name, first, last in group:
            y += _ROW
            yield from _row(y, name, (first, last), most, only_one=after is None)
        y += 46


def _row(y: int, name: str, both: tuple[int, int], most: int, *, only_one: bool) -> Iterable[str]:
    first, last = both
    yield _text(_BARS_LEFT - 8, y + 1, name, anchor="end")
    if only_one:
        yield _bar(y - 10, first, most, "#2563eb", 14)
        told = f"{first:,}"
    else:
        yield _bar(y - 12, first, most, "#cbd5e1", 8)
        yield _bar(y - 3, last, most, "#2563eb", 8)
        told = f"{last:,}" if first == last else f"{first:,} → {last:,}"
    yield _text(_BARS_LEFT + _BARS_WIDTH * max(both) / most + 6, y + 1, told, fill="#475569")


def _bar(y: float, count: int, most: int, colour: str, height: int) -> str:
    width = _BARS_WIDTH * count / most
    return (
        f'<rect x="{_BARS_LEFT}" y="{y:g}" width="{width:.1f}" height="{height}" rx="2"'
        f' fill="{colour}"/>'
    )


def _x(day: float) -> float:
    return _LEFT + _PLOT_WIDTH * day / DAYS


def _y(share: float) -> float:
    return _TOP + _PLOT_HEIGHT * (1.0 - share)


def _path(values: Sequence[float], colour: str, *, dashed: bool) -> str:
    points = " ".join(f"{_x(day):.1f},{_y(value):.1f}" for day, value in enumerate(values))
    style = ' stroke-dasharray="5 4" opacity="0.7"' if dashed else ""
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2.2"{style}/>'


def _line(start: Point, end: Point, colour: str) -> str:
    return (
        f'<line x1="{start[0]:g}" y1="{start[1]:g}" x2="{end[0]:g}" y2="{end[1]:g}"'
        f' stroke="{colour}"/>'
    )


def _text(
    x: float,
    y: float,
    words: str,
    *,
    anchor: str = "start",
    fill: str = "#0f172a",
    weight: str = "400",
    size: int = 13,
) -> str:
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}"'
        f' font-weight="{weight}" font-size="{size}">{escape(words)}</text>'
    )
