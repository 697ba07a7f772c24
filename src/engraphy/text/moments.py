"""Moments as callers write them: datetime, ISO 8601 text, or a number since 1970, UTC."""

import re
from datetime import UTC, date, datetime, timedelta

from engraphy.errors import InvalidInputError

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LATEST = 253_402_300_799_999_999
"""31 December 9999, the last moment `datetime` can show."""
_EARLIEST = -62_135_596_800_000_000
_ALLOWED = (
    "an ISO 8601 text such as 2026-05-01T09:30, a datetime, or a number since 1970: 10 digits are "
    "seconds, 13 milliseconds, 16 microseconds UTC"
)
_UNITS = ((10**8, 10**10, 1_000_000), (10**11, 10**13, 1_000))
"""What a number of 9 or 10 digits counts, and one of 12 or 13, in microseconds, which all others
are: each is a moment from 1973 on as that, and as anything else one that nobody means."""
_NUMBER = re.compile(r"[+-]?(?:\d{9,10}|\d{13}|\d{16})(\.\d{1,9})?")
"""A text that is such a number; of eight digits, or twelve, it would be a date."""


def microseconds(value: object, *, field: str = "at") -> int:
    """`value` in microseconds UTC; a moment without a time zone counts as UTC.

    Raises InvalidInputError for anything else, and for years outside 1 to 9999.
    """
    moment = _parsed(value, field)
    if not in_range(moment):
        raise InvalidInputError(field=field, got=repr(value)[:60], allowed="a year from 1 to 9999")
    return moment


def in_range(at: int) -> bool:
    """Whether microseconds UTC lie in a year from 1 to 9999."""
    return _EARLIEST <= at <= _LATEST


def moment(at: int) -> datetime:
    """Microseconds UTC as an aware datetime; out-of-range values are clamped to years 1-9999."""
    return _EPOCH + timedelta(microseconds=max(_EARLIEST, min(at, _LATEST)))


def iso(at: int | None) -> str | None:
    """Microseconds UTC as ISO 8601 text with a Z; None stays None."""
    if at is None:
        return None
    return moment(at).isoformat(timespec="seconds").replace("+00:00", "Z")


def _parsed(value: object, field: str) -> int:
    if isinstance(value, bool):
        raise InvalidInputError(field=field, got=repr(value), allowed=_ALLOWED)
    if isinstance(value, int | float) and (number := _counted(value)) is not None:
        return number
    if isinstance(value, datetime):
        return _from_datetime(value)
    if isinstance(value, date):
        return _from_datetime(datetime(value.year, value.month, value.day, tzinfo=UTC))
    if isinstance(value, str):
        if told := _NUMBER.fullmatch(value.strip()):
            return _parsed(float(value) if told[1] else int(value), field)
        try:
            return _from_datetime(datetime.fromisoformat(value))
        except ValueError as error:
            raise InvalidInputError(field=field, got=repr(value)[:60], allowed=_ALLOWED) from error
    raise InvalidInputError(field=field, got=type(value).__name__, allowed=_ALLOWED)


def _counted(value: float) -> int | None:
    """A number since 1970 in microseconds; None for one that is none, or not a whole one."""
    unit = next((unit for least, most, unit in _UNITS if least <= abs(value) < most), 1)
    if isinstance(value, int):
        return value * unit
    return round(value * unit) if value.is_integer() or unit > 1 else None


def _from_datetime(value: datetime) -> int:
    aware = value if value.tzinfo is not None else value.replace(tzinfo=UTC)
    return (aware - _EPOCH) // _MICROSECOND
