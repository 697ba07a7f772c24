"""Wall clocks: what a moment reads in a time zone, and which moment a reading is.

A zone is the name of one of the tz database ("Europe/Istanbul") or an offset ("+03:00").
"""

import re
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

from engraphy.text.moments import microseconds, moment

_OFFSET = re.compile(r"([+-])(\d{2}):?([0-5]\d)")
_MOST_HOURS = 24
_LONGEST = 64


@lru_cache(maxsize=256)
def zone(name: str) -> tzinfo | None:
    """The zone of that name; None where there is none."""
    if name in {"", "UTC", "Z"}:
        return UTC
    if (found := _OFFSET.fullmatch(name)) is not None:
        shift = timedelta(hours=int(found[2]), minutes=int(found[3]))
        in_range = int(found[2]) < _MOST_HOURS
        return timezone(shift if found[1] == "+" else -shift) if in_range else None
    if len(name) > _LONGEST or not name.isascii():
        return None
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError):
        # A folder of the database is an OSError, a name that leads out of it a ValueError.
        return None


def told_in(value: object) -> str:
    """The offset that a moment is told with ("+03:00"); '' where it has none, or UTC's own."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value.strip())
        except ValueError:
            return ""
    shift = value.utcoffset() if isinstance(value, datetime) else None
    if not shift:
        return ""
    minutes = round(abs(shift).total_seconds() / 60)
    return f"{'-' if shift < timedelta() else '+'}{minutes // 60:02}:{minutes % 60:02}"


def wall(at: int, name: str) -> int:
    """What a clock in the zone reads at a moment, as microseconds of a clock that shows UTC."""
    try:
        return microseconds(moment(at).astimezone(zone(name)).replace(tzinfo=UTC))
    except OverflowError:
        return at


def at_wall(reading: int, name: str) -> int:
    """The moment at which a clock in the zone reads that; of two the first, and where it skips the
    reading the moment as long after the skip."""
    try:
        return microseconds(moment(reading).replace(tzinfo=zone(name)).astimezone(UTC))
    except OverflowError:
        return reading


def written(at: int, name: str) -> str:
    """A moment as ISO 8601 text with the offset of the zone."""
    try:
        return moment(at).astimezone(zone(name)).isoformat(timespec="seconds")
    except OverflowError:
        return moment(at).isoformat(timespec="seconds")
