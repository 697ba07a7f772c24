"""Numbers, times and days of a text, and whether one may stand in the place of another."""

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from typing import NamedTuple

from engraphy.text.datafiles import table
from engraphy.text.wordlists import compose, plain

_READ = 300
_KINDS = ("time", "date", "day", "amount")
_NUMBER = re.compile(r"\d[\d.,]*")
_GROUPED = re.compile(r"\d{1,3}(?:[.,]\d{3})+")
_SHORT_DAY = 3
_APART, _APART_BARE = 20.0, 5.0
"""How many times as much a new amount may be, and one that does not say of what it is."""


class Quantity(NamedTuple):
    """A value: its kind ("time", "date", "day", "amount"), its form, an amount's number and unit,
    whether the words before it make it an hour, and where it stands."""

    kind: str
    form: str
    number: float
    unit: str
    hour: bool
    start: int
    end: int


@lru_cache(maxsize=512)
def quantities(text: str) -> tuple[Quantity, ...]:
    """The values of a text in order, its first 300 characters."""
    folded = plain(text[:_READ]).lower()
    return tuple(_read(folded, found) for found in _pattern().finditer(folded))


def _read(folded: str, found: re.Match[str]) -> Quantity:
    kind = next(one for one in _KINDS if found[one] is not None)
    form = found[0].strip()
    number, unit = _counted(form) if kind == "amount" else (0.0, "")
    hour = kind == "amount" and _hour().search(folded[max(0, found.start() - 8) : found.start()])
    return Quantity(kind, form, number, unit, bool(hour), *found.span())


def _counted(form: str) -> tuple[float, str]:
    """An amount's number and its unit."""
    found = _NUMBER.search(form)
    assert found is not None
    digits = found[0].rstrip(".,")
    plain_digits = re.sub("[.,]", "", digits) if _GROUPED.fullmatch(digits) else digits
    try:
        number = float(plain_digits.replace(",", "."))
    except ValueError:
        number = 0.0  # a version: neither more nor less than another
    unit = form[: found.start()].strip() + form[found.start() + len(digits) :].replace(" ", "")
    return number, _units().get(unit, unit)


def same(one: Quantity, other: Quantity) -> bool:
    """Whether two values are the same; an amount may leave out its unit."""
    if one.kind != other.kind:
        return False
    if one.kind == "amount":
        units = not (one.unit and other.unit) or one.unit == other.unit
        return units and (one.number or one.form) == (other.number or other.form)
    return one.form == other.form or (one.kind == "day" and _same_day(one.form, other.form))


def _same_day(one: str, other: str) -> bool:
    short, long = sorted((one.rstrip("s"), other.rstrip("s")), key=len)
    return short == long or (len(short) == _SHORT_DAY and long.startswith(short))


def meant(new: Quantity, held: Sequence[Quantity]) -> list[Quantity]:
    """Which of the values held a new one can mean, where it does not say so. Hours are times."""
    times = [one for one in held if one.kind == "time" or (one.hour and not one.unit)]
    if new.kind == "time":
        return times
    if new.kind != "amount":
        return [one for one in held if one.kind == new.kind]
    alike = [one for one in held if one.kind == "amount"]
    exact = [one for one in alike if new.unit and one.unit == new.unit]
    return exact or ([*alike, *times] if times else alike)


def fits(new: Quantity, old: Quantity, way: str) -> bool:
    """Whether a new value can stand in the place of another: it differs, is of the same unit where
    it says one, and no far cry from it; `way`: it is more ("up") or less ("down")."""
    if same(new, old):
        return False
    if new.kind != "amount" or old.kind != "amount":
        return not way
    if not (new.number and old.number):
        return not way and new.form.count(".") == old.form.count(".")
    if new.unit and new.unit != old.unit and (old.unit or new.unit not in _money()):
        return False
    if way and (new.number > old.number) is not (way == "up"):
        return False
    apart = max(new.number, old.number) / min(new.number, old.number)
    return apart <= (_APART if way or new.unit else _APART_BARE)


def count_apart(new: str, old: str) -> bool:
    """Whether two texts give amounts of which none can stand in the place of another."""
    mine, theirs = quantities(new), quantities(old)
    if not (mine and theirs) or any(one.kind != "amount" or one.hour for one in (*mine, *theirs)):
        return False
    return not any(same(one, other) or fits(one, other, "") for one in mine for other in theirs)


@cache
def _pattern() -> re.Pattern[str]:
    macros = "|".join(f"(?P<{one}><<{one}>>)" for one in _KINDS)
    return re.compile(compose(rf"(?<![\w.,:/#-])(?:{macros})(?![\w:]|[.,]\d)", "leaning"))


@cache
def _hour() -> re.Pattern[str]:
    return re.compile(compose(table("leaning")["held"]["hour"], "leaning"))


@cache
def _units() -> dict[str, str]:
    """Spellings of a unit, each with the first of them."""
    rows = table("leaning")["held"]["units"]
    return {plain(one): plain(row.split()[0]) for row in rows for one in row.split()}


@cache
def _money() -> frozenset[str]:
    return frozenset(plain(row.split()[0]) for row in table("leaning")["held"]["money"])
