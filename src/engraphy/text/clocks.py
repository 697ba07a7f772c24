"""Hours of the day named in a request: "at 5pm", "saat 17:30'da", "in the morning"."""

import re
from functools import cache
from typing import NamedTuple

from engraphy.text.wordlists import Rule, plain, rules_of

_FILE = "reminding"
_NOON, _HOURS = 12, 24
_EARLY = 7
"""An hour below this that nothing else tells of is one of the afternoon."""


class Clock(NamedTuple):
    """Minutes after midnight."""

    minutes: int


def clock(sentence: str) -> Clock | None:
    """The hour of the day that a sentence names; None where it names none."""
    folded = plain(sentence)
    part = _part(folded)
    for rule in _rules("clock"):
        found = rule.pattern.search(folded)
        if found is not None and (read := _read(found, part)) is not None:
            return Clock(read)
    return None if part is None else Clock(part * 60)


def without_clocks(text: str) -> str:
    """The text without the hours that it names."""
    for rule in (*_rules("clock"), *_rules("part")):
        text = rule.pattern.sub(" ", plain(text))
    return text


def _read(found: re.Match[str], part: int | None) -> int | None:
    groups = found.groupdict()
    hour, minute = int(groups["h"]), int(groups.get("m") or 0)
    half = (groups.get("half") or "").replace(".", "").lower()
    if half and not 1 <= hour <= _NOON:
        return None
    if half:
        hour = hour % _NOON + (_NOON if half == "pm" else 0)
    elif 0 < hour < _NOON and _of_afternoon(hour, part, groups.get("m")):
        hour += _NOON
    return hour * 60 + minute if hour < _HOURS else None


def _of_afternoon(hour: int, part: int | None, minute: str | None) -> bool:
    if part is not None:
        return part > _NOON or (part == _NOON and hour < _EARLY)
    return hour < _EARLY and minute is None


def _part(folded: str) -> int | None:
    """The hour of the part of the day that is named."""
    found = (rule for rule in _rules("part") if rule.pattern.search(folded))
    return next((int(rule.fields["hour"]) for rule in found), None)


@cache
def _rules(section: str) -> tuple[Rule, ...]:
    return tuple(rules_of(_FILE, section))
