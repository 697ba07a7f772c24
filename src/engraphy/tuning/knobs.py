"""The knobs that a tuning tries: their ranges, and a profile with some of them turned."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec

from engraphy.errors import InvalidInputError, ProfileError, UnreadableFileError
from engraphy.profile import Profile, as_tree, load
from engraphy.record import Record

Point = tuple[tuple[str, float], ...]
"""Knobs that are turned and their values, by name; what is not named stays as it is."""

_SHIPPED = files("engraphy.tuning").joinpath("knobs.toml")
_RANGE = "{ from = NUMBER, to = a greater NUMBER, steps = a whole number from 2 to 50 }"


class _Range(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    low: float = msgspec.field(name="from")
    high: float = msgspec.field(name="to")
    steps: int


class Knob(Record, frozen=True, kw_only=True):
    """A knob by its dotted name, and the range in which it is tried, in even steps."""

    name: str
    low: float
    high: float
    steps: int

    @property
    def width(self) -> float:
        """From one step to the next."""
        return (self.high - self.low) / (self.steps - 1)

    def values(self) -> Iterator[float]:
        """The values it is tried at, ends included."""
        return (self.rounded(self.low + place * self.width) for place in range(self.steps))

    def rounded(self, value: float) -> float:
        """A value inside the range, to four digits, so that a profile's file reads well."""
        return round(min(self.high, max(self.low, value)), 4)


def read_knobs(file: str | Path | None, only: Sequence[str] = ()) -> tuple[Knob, ...]:
    """The knobs of a file (None: the shipped list) in its order; with `only` these alone.

    Raises UnreadableFileError, and InvalidInputError for what is no range or no knob of the list.
    """
    table = _table(file)
    found = {name: _knob(name, value) for name, value in table.items()}
    for name in only:
        if name not in found:
            raise InvalidInputError(field="knob", got=repr(name)[:60], allowed=", ".join(found))
    return tuple(knob for name, knob in found.items() if not only or name in only)


def _table(file: str | Path | None) -> dict[str, Any]:
    try:
        text = (_SHIPPED if file is None else Path(file)).read_text("utf-8")
        table = tomllib.loads(text).get("knobs")
    except (OSError, ValueError) as error:
        raise UnreadableFileError(path=str(file), problem=str(error)) from error
    if not isinstance(table, dict) or not table:
        problem = f"it has no table [knobs] of dotted names, each with {_RANGE}"
        raise UnreadableFileError(path=str(file), problem=problem)
    return table


def _knob(name: str, value: object) -> Knob:
    try:
        given = msgspec.convert(value, _Range)
    except msgspec.ValidationError as error:
        raise InvalidInputError(field=f"knob {name}", got=str(error), allowed=_RANGE) from error
    if not given.low < given.high or not 2 <= given.steps <= 50:
        raise InvalidInputError(field=f"knob {name}", got=str(value)[:80], allowed=_RANGE)
    return Knob(name=name, low=given.low, high=given.high, steps=given.steps)


def now(profile: Profile, knob: Knob) -> float:
    """Where a profile has a knob; a weight that it does not name is 0.

    Raises InvalidInputError where the profile has no such number, or no such range of it.
    """
    value = _at(as_tree(profile), knob.name.split("."))
    if isinstance(value, bool) or not isinstance(value, int | float):
        allowed = "the dotted name of a number of the profile, such as fuse.soft"
        raise InvalidInputError(field="knob", got=repr(knob.name)[:60], allowed=allowed)
    for end in (knob.low, knob.high):
        try:
            turned(profile, ((knob.name, end),))
        except ProfileError as error:
            allowed = "what the profile allows of it"
            raise InvalidInputError(
                field=f"knob {knob.name}", got=str(error), allowed=allowed
            ) from error
    return float(value)


def _at(tree: Mapping[str, Any], keys: Sequence[str]) -> object:
    """The value at a dotted name; 0 for a key that a table of numbers does not have."""
    section: object = tree
    for key in keys[:2]:
        section = section.get(key) if isinstance(section, Mapping) else None
    if len(keys) == 3 and isinstance(section, Mapping):
        return section.get(keys[2], 0.0)
    return section if len(keys) == 2 else None


def overrides(profile: Profile, point: Point) -> dict[str, dict[str, Any]]:
    """A point as overrides of a profile. A table of weights is replaced as a whole, so it is told
    as a whole."""
    tree, changed = deepcopy(as_tree(profile)), dict[str, dict[str, Any]]()
    for name, value in point:
        section, key, *inner = name.split(".")
        table = tree[section]
        told = round(value) if isinstance(table[key], int) else value
        if inner:
            table[key][inner[0]] = value
        else:
            table[key] = told
        changed.setdefault(section, {})[key] = table[key]
    return changed


def turned(profile: Profile, point: Point) -> Profile:
    """A profile with the knobs of a point turned. Raises ProfileError."""
    tree = as_tree(profile)
    own = {**tree, "inherits": tree["inherits"] or "default"}
    return load(profile.name, overrides(profile, point), own=own)
