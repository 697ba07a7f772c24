"""The days of a time that is still to come: how they are named, and whether a text tells of them.

"Do I have anything on Thursday?" is answered by "Ana's dinner is on May 7" and by what comes every
Thursday. English and Turkish (`lexicon/timeframe.toml`).
"""

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from engraphy.model import Grain
from engraphy.text.datafiles import table
from engraphy.text.dates import dates, numbers
from engraphy.text.moments import moment
from engraphy.text.timeframe import Stretch
from engraphy.text.wordlists import LANGUAGES, pattern, plain

_DAY = 86_400_000_000
_MOST = 8
"""Days of a stretch whose names are looked for: a week, and what of it has begun."""
_NARROW = frozenset({Grain.MINUTE, Grain.HOUR, Grain.DAY})


def named(stretch: Stretch) -> str:
    """The words by which the days of a stretch are named ("thursday may 7", "tomorrow"); empty
    where it is open to one side or longer than a week."""
    days = _days(stretch)
    found = [word for day in days for word in (*_of_week(day), *_of_month(day))]
    if days:
        found += (
            word for spoken in LANGUAGES for word in table("timeframe")[spoken]["ahead"].split()
        )
    return " ".join(dict.fromkeys(found))


def tells_of(text: str, told_at: int, stretch: Stretch) -> bool:
    """Whether a text that was told at `told_at` names a day of a stretch, or what comes on it every
    week. A day of the week that is told without a word of the past is the next one."""
    folded = plain(text).lower()
    over = pattern("foresight", "behind").search(folded) is not None
    said = dates(text, now=told_at, told=over, coming=not over)
    if any(stretch.meets(one.begin, one.until) for one in said if one.grain in _NARROW):
        return True
    return any(
        re.search(_weekly(spoken, day), folded) is not None
        for spoken in LANGUAGES
        for day in {one.weekday() for one in _days(stretch)}
    )


def _days(stretch: Stretch) -> list[date]:
    if stretch.begin is None or stretch.until is None:
        return []
    count = -(-(stretch.until - stretch.begin) // _DAY)
    if count > _MOST:
        return []
    return [moment(stretch.begin + day * _DAY).date() for day in range(count)]


def _of_week(day: date) -> Iterator[str]:
    for spoken in LANGUAGES:
        yield from _names(spoken, "weekdays", day.weekday())


def _of_month(day: date) -> Iterator[str]:
    for spoken in LANGUAGES:
        yield from _names(spoken, "months", day.month)
    yield str(day.day)


def _names(spoken: str, listed: str, number: int) -> Iterator[str]:
    return (name for name, of in numbers(spoken)[listed].items() if of == number)


@cache
def _weekly(spoken: str, day: int) -> str:
    names = "|".join(map(re.escape, _names(spoken, "weekdays", day)))
    weekly: str = table("timeframe")[spoken]["weekly"]
    return weekly.format(day=f"(?:{names})")
