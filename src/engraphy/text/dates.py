"""Dates and times named in a text, against the time of the message (D-06), English and Turkish."""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date, timedelta
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from engraphy.model.language import DateMention, Grain
from engraphy.text.datafiles import table
from engraphy.text.moments import microseconds, moment
from engraphy.text.timespans import (
    TimeSpan,
    days,
    full,
    month,
    months_later,
    nearer,
    season,
    seasonal,
    week,
    weekday,
    weekend,
    year,
    yearly,
)
from engraphy.text.wordlists import READ_LIMIT, Rule, pattern, plain, rules

_HOUR = 3_600_000_000
_MOST = 512
Groups = Mapping[str, str | None]


class _Side(NamedTuple):
    """On which side of now a date without further words lies (see `dates`)."""

    told: bool
    coming: bool


class Reading:
    """A match read as numbers: what its groups say in its language."""

    __slots__ = ("fields", "future", "groups", "language", "past", "today")

    def __init__(
        self, rule: Rule, groups: Groups, today: date, *, future: bool, past: bool
    ) -> None:
        self.fields = rule.fields
        self.language = rule.language
        self.groups = groups
        self.today = today
        self.future = future
        self.past = past

    def number(self, name: str, listed: str) -> int | None:
        """A group as a number: its digits, or its place in a word list."""
        text = self.groups.get(name)
        if text is None:
            return None
        bare = " ".join(text.lower().split()).strip(". ")
        if bare.isdecimal():
            return int(bare)
        found: int | None = numbers(self.language)[listed].get(bare)
        return found

    def unit(self) -> str:
        """The unit of time of the match."""
        return str(numbers(self.language)["units"][(self.groups["unit"] or "").lower()])

    def relation(self) -> int | None:
        """Last (-1), this (0), next (1), or None where nothing is said."""
        return self.number("rel", "relations")

    def nearest(self) -> bool:
        """Whether nothing says on which side of today it lies."""
        return not self.future and not self.past and self.relation() is None


@cache
def numbers(language: str) -> Mapping[str, Any]:
    """The number words of a language."""
    return table(language)["date_words"]  # type: ignore[no-any-return]


def dates(
    text: str, *, now: int, told: bool = False, coming: bool = False
) -> tuple[DateMention, ...]:
    """The dates of a text (at most 512), in order, none overlapping another.

    `now`: microseconds UTC, the time of the message or of the query. A weekday without further
    words lies before `now`, or after it where the text looks ahead ("will", "deadline"); so does a
    month or a day of one without its year. In a statement that is `told`, and not asked, it lies on
    the nearer side where no word says which. `coming`: it looks ahead, whatever its words.
    """
    read = text[:READ_LIMIT]
    taken, kept = bytearray(len(read)), list[DateMention]()
    side = _Side(told=told, coming=coming)
    for found in islice(mentions(read, moment(now).date(), now, side, taken), _MOST):
        kept.append(found)
        taken[found.start : found.end] = b"\1" * (found.end - found.start)
    return tuple(sorted(kept, key=lambda found: found.start))


def mentions(
    text: str, today: date, now: int, side: _Side, taken: bytearray
) -> Iterator[DateMention]:
    """The readings that touch nothing that is taken, the more specific rules first."""
    folded = plain(text)
    for rule in rules("dates"):
        for found in rule.pattern.finditer(folded):
            if rule.fields.get("lower") and text[found.start()].isupper():
                continue
            if any(taken[found.start() : found.end()]):
                continue
            future = side.coming or speaks(folded, found, "ahead")
            past = not side.coming and (not side.told or speaks(folded, found, "behind"))
            reading = Reading(rule, found.groupdict(), today, future=future, past=past)
            with suppress(OverflowError, ValueError):
                yield mention(text, found, reading, now)


def speaks(folded: str, found: re.Match[str], side: str) -> bool:
    """Whether the words around a date speak of what is to come ("ahead") or is over ("behind")."""
    around = folded[max(0, found.start() - 60) : found.end() + 40]
    return pattern("foresight", side).search(around) is not None


def mention(text: str, found: re.Match[str], reading: Reading, now: int) -> DateMention:
    """The mention of a match; ValueError where its numbers are no date."""
    start, end = found.span()
    how = reading.fields["how"]
    if how == "hours":
        begin, until, grain = hours(reading, now)
    else:
        span = READINGS[how](reading)
        begin, until, grain = *(microseconds(side.isoformat()) for side in span[:2]), span.grain
    return DateMention(
        start=start, end=end, begin=begin, until=until, grain=grain, text=text[start:end]
    )


def hours(reading: Reading, now: int) -> tuple[int, int, Grain]:
    """Hours or minutes from now: the hour or minute around that time."""
    step = _HOUR if reading.unit() == "hour" else _HOUR // 60
    grain = Grain.HOUR if step == _HOUR else Grain.MINUTE
    count = (reading.number("n", "counts") or 1) * int(reading.fields["sign"])
    begin = (now // step + count) * step
    return microseconds(begin), microseconds(begin + step), grain


def by_offset(reading: Reading) -> TimeSpan:
    """Today, yesterday, tomorrow and their like."""
    return days(reading.today + timedelta(days=int(reading.fields["offset"])))


def by_count(reading: Reading) -> TimeSpan:
    """Some units ago (the unit around that day) or ahead (that day)."""
    count = reading.number("n", "counts") or 1
    sign, unit, today = int(reading.fields["sign"]), reading.unit(), reading.today
    if unit == "weekend":
        return weekend(today, sign * count)
    if sign < 0 and unit != "day":
        return ago(today, unit, count)
    if unit in {"day", "week"}:
        return days(today + timedelta(days=sign * count * (7 if unit == "week" else 1)))
    return days(months_later(today, sign * count * (12 if unit == "year" else 1)))


def ago(today: date, unit: str, count: int) -> TimeSpan:
    """The week, month or year so many ago."""
    if unit == "week":
        return week(today, -count)
    if unit == "month":
        return month(today.year, today.month - count)
    return year(today.year - count)


def by_unit(reading: Reading) -> TimeSpan:
    """Last, this or next week, weekend, month, year or day."""
    said, today = reading.relation(), reading.today
    shift = int(reading.fields["shift"]) if said is None else said
    unit = reading.unit()
    if unit == "week":
        return week(today, shift)
    if unit == "weekend":
        return weekend(today, shift)
    if unit == "month":
        return month(today.year, today.month + shift)
    if unit == "year":
        return year(today.year + shift)
    return days(today + timedelta(days=shift))


def by_end(reading: Reading) -> TimeSpan:
    """The last day of this week, month or year."""
    return days(by_unit(reading).until - timedelta(days=1))


def by_weekday(reading: Reading) -> TimeSpan:
    """A day of the week."""
    number = reading.number("wd", "weekdays") or 0
    return weekday(reading.today, number, reading.relation(), future=reading.future)


def by_day(reading: Reading) -> TimeSpan:
    """A day of a month, with or without its year."""
    number, day = reading.number("mon", "months"), reading.number("d", "counts")
    if number is None or day is None:
        raise ValueError
    return a_day(reading, number, day)


def by_named_day(reading: Reading) -> TimeSpan:
    """A day that is the same one every year and has a name."""
    said = " ".join((reading.groups["named"] or "").lower().replace("’", "'").split())
    number, day = numbers(reading.language)["named_days"][said]
    return a_day(reading, number, day)


def a_day(reading: Reading, number: int, day: int) -> TimeSpan:
    """This day of month `number`, of the year that is said or meant."""
    given = reading.number("y", "counts")
    if given is None:
        given = yearly(reading.today, number, reading.relation(), future=reading.future)
        if reading.relation() is None and not reading.future:
            given -= date(given, number, day) > reading.today
        if reading.nearest():
            given += nearer(reading.today, *(days(date(given + on, number, day)) for on in (0, 1)))
    return days(date(full(given), number, day))


def by_month(reading: Reading) -> TimeSpan:
    """A month, with or without its year."""
    number = reading.number("mon", "months")
    if number is None:
        raise ValueError
    given = reading.number("y", "counts")
    if given is None:
        given = yearly(reading.today, number, reading.relation(), future=reading.future)
        if reading.nearest():
            given += nearer(reading.today, *(month(given + on, number) for on in (0, 1)))
    return month(full(given), number)


def by_year(reading: Reading) -> TimeSpan:
    """A year by its number."""
    return year(reading.number("y", "counts") or 0)


def by_season(reading: Reading) -> TimeSpan:
    """A season, with or without its year."""
    first = reading.number("season", "seasons") or 0
    given = reading.number("y", "counts")
    if given is not None:
        return season(given, first)
    return seasonal(reading.today, first, reading.relation(), future=reading.future)


READINGS: Mapping[str, Callable[[Reading], TimeSpan]] = {
    "offset": by_offset,
    "count": by_count,
    "unit": by_unit,
    "end": by_end,
    "weekday": by_weekday,
    "day": by_day,
    "month": by_month,
    "year": by_year,
    "season": by_season,
    "named_day": by_named_day,
}


def annotated(text: str, *, now: int) -> str:
    """The text with the ISO date behind each relative date: "yesterday (2023-05-07)"."""
    pieces: list[str] = []
    place = 0
    for found in dates(text, now=now, told=True):
        day = iso(found)
        if found.text[:4].isdecimal() or day in found.text:
            continue
        pieces += [text[place : found.end], f" ({day})"]
        place = found.end
    return "".join(pieces) + text[place:]


def iso(found: DateMention) -> str:
    """The span of a mention: a day, a minute, or "first to last" day."""
    begin, last = moment(found.begin), moment(found.until - 1)
    if found.grain in {Grain.HOUR, Grain.MINUTE}:
        return begin.strftime("%Y-%m-%dT%H:%M")
    first, end = begin.date().isoformat(), last.date().isoformat()
    if found.grain is Grain.YEAR:
        return first[:4]
    if found.grain is Grain.MONTH:
        return first[:7]
    return first if first == end else f"{first} to {end}"
