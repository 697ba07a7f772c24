"""Moments as people type them: ISO 8601, or in words, "yesterday", "last week", "geçen hafta"."""

from collections.abc import Callable
from importlib import import_module
from typing import Any

import click

_FROM, _TO, _WITHIN = "from", "to", "within"
_SIDES = {
    "since": _FROM,
    "at": _FROM,
    "until": _TO,
    "before": _FROM,
    "as_of": _WITHIN,
    "known_at": _WITHIN,
}
"""Which end of a stretch an option means: from its begin, to its end, or the last of it."""
_ISO, _WORDS = "(ISO 8601)", "(ISO 8601, or in words: yesterday)"


def told(help: str, name: str) -> str:
    """The help of an option that takes a moment."""
    return help.replace(_ISO, _WORDS) if name in _SIDES else help


def reading(name: str) -> Callable[[click.Context, click.Parameter, Any], Any] | None:
    """What reads the option of this name; None where it is no moment."""
    side = _SIDES.get(name)
    if side is None:
        return None
    return lambda _, __, value: value if value is None else _moment(str(value), side)


def _moment(value: str, side: str) -> str:
    """ISO 8601 where words name one stretch of time; else what was typed, which the verb refuses
    if it is none either."""
    if any(sign.isdigit() for sign in value[:4]) and "-" in value:
        return value
    now = import_module("engraphy.providers.clock").now()
    found = import_module("engraphy.text.timeframe").timing(value, now=now)
    if not found.alone or len(found.stretches) != 1:
        return value
    stretch = found.stretches[0]
    ends = {_FROM: stretch.begin, _TO: stretch.until, _WITHIN: stretch.until}
    at = ends[side]
    if at is None:
        return value
    last = min(at - 1, now) if side == _WITHIN else at
    return str(import_module("engraphy.text.moments").moment(last).isoformat())
