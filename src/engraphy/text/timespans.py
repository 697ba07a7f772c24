"""Calendar arithmetic on whole days: the span a relative or absolute date means.

A span is half-open, [begin, until), in dates of the proleptic Gregorian calendar, UTC. Weeks begin
on Monday. A date outside the years 1 to 9999 raises OverflowError or ValueError.
"""

import calendar
from datetime import date, timedelta
from typing import NamedTuple

from engraphy.model.language import Grain

_PIVOT = 70
_SEASON_LENGTH = 3
_SATURDAY = 5


class TimeSpan(NamedTuple):
    """Days from `begin` up to, not including, `until`."""

    begin: date
    until: date
    grain: Grain


def days(begin: date, count: int = 1, grain: Grain = Grain.DAY) -> TimeSpan:
    """`count` days from `begin`."""
    return TimeSpan(begin, begin + timedelta(days=count), grain)


def week(today: date, shift: int) -> TimeSpan:
    """The week `shift` weeks from today's."""
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=shift)
    return days(monday, 7, Grain.WEEK)


def weekend(today: date, shift: int) -> TimeSpan:
    """Saturday and Sunday of the week `shift` weeks from today's."""
    return days(week(today, shift).begin + timedelta(days=_SATURDAY), 2)


def month(year: int, number: int) -> TimeSpan:
    """A month; `number` counts from January of `year` and may lie outside 1 to 12."""
    year, number = year + (number - 1) // 12, (number - 1) % 12 + 1
    first = date(year, number, 1)
    return days(first, calendar.monthrange(year, number)[1], Grain.MONTH)


def year(number: int) -> TimeSpan:
    """A year."""
    return TimeSpan(date(number, 1, 1), date(number + 1, 1, 1), Grain.YEAR)


def season(number: int, first: int) -> TimeSpan:
    """Three months from month `first` of year `number` (winter begins in December)."""
    begin, end = month(number, first), month(number, first + _SEASON_LENGTH - 1)
    return TimeSpan(begin.begin, end.until, Grain.SEASON)


def months_later(today: date, count: int) -> date:
    """The same day `count` months on, or the month's last day where it has no such day."""
    there = month(today.year, today.month + count)
    last = (there.until - timedelta(days=1)).day
    return there.begin.replace(day=min(today.day, last))


def weekday(today: date, number: int, relation: int | None, *, future: bool) -> TimeSpan:
    """A day of the week: of the last (-1), this (0) or next (1) week; bare: the nearest.

    "Last Friday" is the latest Friday before today; "next Friday" the one of next week.
    """
    if relation == 0:
        return days(week(today, 0).begin + timedelta(days=number))
    if relation == 1:
        return days(week(today, 1).begin + timedelta(days=number))
    if relation == -1 or not future:
        back = (today.weekday() - number) % 7
        return days(today - timedelta(days=back or (7 if relation == -1 else 0)))
    return days(today + timedelta(days=(number - today.weekday()) % 7))


def yearly(today: date, number: int, relation: int | None, *, future: bool) -> int:
    """The year meant by a month without one: the latest that has begun, or the coming one."""
    if relation == 0:
        return today.year
    begun = today.year if number <= today.month else today.year - 1
    if relation == 1:
        return begun + 1
    if relation == -1 and number == today.month:
        return today.year - 1
    if relation is None and future:
        return today.year if number >= today.month else today.year + 1
    return begun


def nearer(today: date, begun: TimeSpan, coming: TimeSpan) -> bool:
    """Whether of two spans the one to come is nearer than the one that has begun."""
    return begun.until <= today and coming.begin - today < today - begun.until


def seasonal(today: date, first: int, relation: int | None, *, future: bool) -> TimeSpan:
    """A season without a year: "last" the latest that is over, "next" the first to come."""
    around = [season(today.year + shift, first) for shift in (-2, -1, 0, 1)]
    if relation == 1 or (relation is None and future):
        return next(span for span in around if span.begin > today)
    if relation == 0:
        running = [span for span in around if span.begin <= today < span.until]
        return running[0] if running else season(today.year, first)
    edge = [span for span in around if (span.until if relation == -1 else span.begin) <= today]
    return edge[-1]


def full(given: int) -> int:
    """A year of two digits in its century."""
    if given >= 100:
        return given
    return given + (1900 if given >= _PIVOT else 2000)
