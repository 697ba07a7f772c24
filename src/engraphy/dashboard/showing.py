"""Values as people read them: moments, numbers, sizes, shares, names of the product's own words."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from datetime import UTC, datetime, tzinfo
from typing import Any
from zoneinfo import ZoneInfo

from markupsafe import Markup

from engraphy.dashboard.visible import visible
from engraphy.model import Memory, State
from engraphy.providers import clock
from engraphy.text.moments import iso, moment

_MINUTE = 60_000_000
_HOUR, _DAY = 60 * _MINUTE, 24 * 60 * _MINUTE
_STEPS = ((_DAY * 365, "year"), (_DAY * 30, "month"), (_DAY, "day"), (_HOUR, "hour"))
_MOMENTS = ("_at", "valid_from", "valid_until")
_ZONE: ContextVar[tzinfo] = ContextVar("zone", default=UTC)
"""Where the browser is that a page is made for."""
_BYTES = ("bytes", "kB", "MB", "GB", "TB")


def stand_in(name: str) -> None:
    """Have the moments of this page told in a time zone; in UTC where there is none of that
    name."""
    found: tzinfo = UTC
    with suppress(LookupError, ValueError, OSError):
        found = ZoneInfo(name) if name else UTC
    _ZONE.set(found)


def zone() -> str:
    """The name of the time zone that moments are told in."""
    return str(_ZONE.get())


def here(at: int) -> datetime:
    """A moment (microseconds UTC) in the time zone of this page."""
    told = moment(at)
    with suppress(OverflowError):
        return told.astimezone(_ZONE.get())
    return told


def meant(told: str) -> str:
    """A day or moment as it is filled in, in the time zone of this page; what has a zone, or is
    none, stays as it is."""
    with suppress(ValueError, OverflowError):
        at = datetime.fromisoformat(told)
        return told if at.tzinfo or told.isdecimal() else at.replace(tzinfo=_ZONE.get()).isoformat()
    return told


def when(at: int | None, now: int | None = None) -> Markup:
    """A moment (microseconds UTC) with its exact time; relative to `now` where that is given."""
    if at is None:
        return Markup('<span class="none">never</span>')
    exact, local = iso(at) or "", here(at)
    told = f"{local:%Y-%m-%d %H:%M}" if now is None else ago(at, now)
    full = exact if zone() == "UTC" else f"{local:%Y-%m-%d %H:%M:%S %z} {zone()}"
    return Markup('<time datetime="{}" title="{}">{}</time>').format(exact, full, told)


def ago(at: int, now: int) -> str:
    """How long ago a moment was, or how long it is until it: "3 days ago", "in 2 hours"."""
    away = abs(now - at)
    if away < _MINUTE:
        return "just now"
    size, unit = next(((s, u) for s, u in _STEPS if away >= s), (_MINUTE, "minute"))
    # What was is over for whole days; what comes is waited for, and no reminder is a day early.
    count = away // size if at <= now else (away + size // 2) // size
    told = f"{count} {unit}" if count == 1 else f"{count} {unit}s"
    return f"{told} ago" if at <= now else f"in {told}"


def day(at: int | None) -> str:
    """The day of a moment; '' for none."""
    return "" if at is None else f"{here(at):%Y-%m-%d}"


def utc_day(at: int) -> str:
    """The day of a moment, UTC, by which is counted what a day costs or brings."""
    return f"{moment(at):%Y-%m-%d}"


def count(value: int) -> str:
    """A whole number with thin groups: 12,345."""
    return f"{value:,}"


def plural(value: int, one: str, many: str = "") -> str:
    """So many of a thing: "1 memory", "2 memories"."""
    return f"{value:,} {one if value == 1 else many or one + 's'}"


def size(value: int) -> str:
    """Bytes as people read them."""
    told, unit = float(value), 0
    while told >= 1000 and unit < len(_BYTES) - 1:
        told, unit = told / 1000, unit + 1
    return f"{told:.0f} {_BYTES[unit]}" if unit == 0 else f"{told:.1f} {_BYTES[unit]}"


def share(value: float) -> str:
    """A share in [0, 1] as per cent."""
    return f"{value * 100:.0f} %"


def score(value: float) -> str:
    """A number of a formula with three digits."""
    return f"{value:.3f}"


def brief(text: object, most: int = 160) -> str:
    """The beginning of a text on one line."""
    told = " ".join(str(text)[: most * 4].split())
    return told if len(told) <= most else told[: most - 1].rstrip() + "…"


def words(name: object) -> str:
    """A name of the code as words: `same_entity` is "same entity"."""
    return str(getattr(name, "value", name)).replace("_", " ")


def predicate(name: str) -> str:
    """The predicate of a fact without what only the store tells apart by: `uses:editor@editor` is
    "uses editor"."""
    return words(name.partition("@")[0].replace(":", " "))


def knob(value: object) -> str:
    """The value of a knob as a profile's file has it; "not set" for none."""
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(map(knob, value)) or "none"
    if isinstance(value, Mapping):
        return ", ".join(f"{words(name)} {knob(one)}" for name, one in value.items()) or "none"
    return str(getattr(value, "value", value))


def told(value: Any, name: str, most: int = 70) -> Markup:
    """The value of a memory's field by its name: a moment, a number, or words."""
    if isinstance(value, int) and not isinstance(value, bool) and name.endswith(_MOMENTS):
        return when(value)
    if isinstance(value, float):
        return Markup("{}").format(f"{value:.4g}")
    if isinstance(value, list | tuple):
        return visible(brief(", ".join(map(str, value)), most))
    return visible(brief(value, most))


def lapsed(memory: Memory) -> bool:
    """Whether a memory has outlived its time to live, noticed by maintenance yet or not."""
    over = memory.expires_at is not None and memory.expires_at <= clock.now()
    return over or memory.state is State.EXPIRED


def titled(memory: Memory) -> bool:
    """Whether a title says something that the text does not begin with."""
    title = _letters(memory.title)
    return bool(title) and not _letters(memory.content[: 4 * len(memory.title)]).startswith(title)


def _letters(text: str) -> str:
    """A text as it is compared: without signs, and in small letters."""
    return "".join(one for one in text.casefold() if one.isalnum())


def headed(cells: Markup, heads: Iterable[str]) -> Markup:
    """The cells of a row, each with the head of its column, which a phone shows beside it."""
    begin, *rest = cells.split("<td")
    mark = Markup('<td data-head="{}"')
    return begin + Markup("").join(
        mark.format(head) + cell for head, cell in zip(heads, rest, strict=True)
    )


FILTERS: Mapping[str, Callable[..., Any]] = {
    "when": when,
    "ago": ago,
    "day": day,
    "utc_day": utc_day,
    "number": count,
    "plural": plural,
    "bytes": size,
    "share": share,
    "score": score,
    "brief": brief,
    "words": words,
    "told": told,
    "knob": knob,
    "predicate": predicate,
    "headed": headed,
}
