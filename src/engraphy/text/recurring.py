"""What comes again: every so many days, weeks, months or years on the same wall clock."""

from datetime import UTC, datetime, timedelta

from engraphy.model.reminding import EACH, Every
from engraphy.text.moments import microseconds, moment
from engraphy.text.timespans import months_later
from engraphy.text.zones import at_wall, wall

_DAYS = {"day": 1, "week": 7}
_MONTHS = {"month": 1, "year": 12}
_DAY = 86_400_000_000


def read(text: str) -> Every | None:
    """What comes again as it is written ("2 week", "1 month 31"); None where nothing does."""
    parts = text.split()
    known = len(parts) in {2, 3} and parts[1] in _DAYS | _MONTHS
    if not known or not all(one.isdecimal() for one in (parts[0], *parts[2:])):
        return None
    count, day = int(parts[0]), int(parts[2]) if len(parts) == 3 else 0
    return Every(number=count, unit=parts[1], day=day) if 0 < count < 1_000 else None


def told(every: Every) -> str:
    """What comes again, as it is written."""
    return f"{every.number} {every.unit}" + (f" {every.day}" if every.day else "")


def next_after(at: int, every: str, now: int, zone: str) -> int | None:
    """The first time after `now` of what came at `at` and comes again; None where nothing does, or
    not before the year 9999."""
    how = None if every == EACH else read(every)
    if how is None:
        return None
    start = wall(at, zone)
    step = how.number * _DAYS.get(how.unit, 28 * _MONTHS.get(how.unit, 1)) * _DAY
    times = max(1, (wall(now, zone) - start) // step if how.unit in _DAYS else 1)
    try:
        while (found := at_wall(_stepped(start, how, times), zone)) <= now:
            times += 1
    except (OverflowError, ValueError):
        return None
    return found


def _stepped(start: int, how: Every, times: int) -> int:
    begun = moment(start)
    if how.unit in _DAYS:
        return microseconds(begun + timedelta(days=how.number * _DAYS[how.unit] * times))
    first = begun.date().replace(day=1)
    there = months_later(first, how.number * _MONTHS[how.unit] * times)
    day = how.day or begun.day
    last = months_later(there, 1) - timedelta(days=1)
    on = there.replace(day=min(day, last.day))
    return microseconds(datetime.combine(on, begun.timetz()).astimezone(UTC))
