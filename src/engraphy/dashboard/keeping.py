"""How long a memory is held, as pictures: its retention from now on, and when it holds."""

from typing import NamedTuple

from engraphy.dashboard.charts import Curve, curve, place
from engraphy.dream.strength import days_since_access, retention
from engraphy.formulas import retention_interval, retrievability
from engraphy.model import MICROSECONDS_PER_DAY, Memory
from engraphy.record import Record

_POINTS = 80
_LEAST_DAYS, _MOST_DAYS = 14.0, 365.0
"""A picture of decades would show the first year, when most is lost, as one upright stroke."""
_FADED = 0.3
"""Retention at which maintenance rehearses, where a profile does (D-49)."""


class Retention(Record, frozen=True, kw_only=True):
    """A memory's retention: today in [0, 1]; since the last access over `days`, what the curve
    alone says, and what is left once category decay took its part; `now`: at which place of it (of
    100); in how many days it falls to 0.3 (0: it has)."""

    today: float
    curve: Curve
    left: Curve | None
    days: float
    now: float
    name: str
    stability: float
    until_faded: float


class Span(NamedTuple):
    """Something that happened, or is to happen, along the life of a memory: its place of 100."""

    name: str
    at: int
    place: float


class Validity(Record, frozen=True, kw_only=True):
    """When a memory holds: from where to where of 100, and what lies along it."""

    start: float
    width: float
    now: float
    open: bool
    marks: tuple[Span, ...]


def retained(memory: Memory, name: str, now: int) -> Retention:
    """A memory's retention on the curve `name` of its profile."""
    age = days_since_access(memory, now)
    low = min(1.0, _FADED + memory.retrieval_loss)
    faded = retention_interval(target=low, stability=memory.stability, curve=name)
    days = min(max(_LEAST_DAYS, age * 1.6, faded * 1.15), max(_MOST_DAYS, age * 1.6))
    values = [_at(memory, name, days * step / _POINTS) for step in range(_POINTS + 1)]
    left = [max(0.0, value - memory.retrieval_loss) for value in values]
    return Retention(
        today=retention(memory, name, now),
        curve=curve(values, 1.0),
        left=curve(left, 1.0) if memory.retrieval_loss else None,
        days=days,
        now=place(age, 0.0, days),
        name=name,
        stability=memory.stability,
        until_faded=max(0.0, faded - age),
    )


def _at(memory: Memory, name: str, days: float) -> float:
    return retrievability(age_days=days, stability=memory.stability, curve=name)


def validity(memory: Memory, now: int) -> Validity:
    """When a memory holds, with what happened to it along that."""
    told = {
        "recorded": memory.recorded_at,
        "holds from": memory.valid_from,
        "last delivered": memory.last_accessed_at,
        "changed": memory.updated_at,
        "holds until": memory.valid_until,
        "expires": memory.expires_at,
    }
    known = {name: at for name, at in told.items() if at}
    start = min([now, *known.values()])
    end = max([now, *known.values()])
    room = max((end - start) // 20, MICROSECONDS_PER_DAY // 24)
    first, last = float(start - room), float(end + room)
    begins = place(memory.valid_from, first, last)
    until = min(one for one in (memory.valid_until, memory.expires_at, end + room) if one)
    return Validity(
        start=begins,
        width=max(0.5, place(until, first, last) - begins),
        now=place(now, first, last),
        open=memory.valid_until is None and memory.expires_at is None,
        marks=tuple(Span(name, at, place(at, first, last)) for name, at in known.items()),
    )
