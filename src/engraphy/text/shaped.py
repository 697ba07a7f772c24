"""Values that their shape gives away (numbers, versions, money, times, days, addresses, names), and
which stems of two statements meet."""

import math
import re
from collections.abc import Collection
from functools import cache, lru_cache
from typing import NamedTuple

from engraphy.text.caseless import Caseless
from engraphy.text.datafiles import table
from engraphy.text.gazetteer import named as known_names
from engraphy.text.language import language
from engraphy.text.wordlists import READ_LIMIT, plain

_NAME = re.compile(r"[A-Z][\w+#-]++(?:[.’'][\w+#-]++)*+(?: [A-Z0-9][\w.+#-]*+)*+")
_OPENS = re.compile(r"(?:^|[.!?:\n\"“(*-])\s{0,8}$")
_PASSED = re.compile(r"\b(?:last|past|gecen|every other) $")
"""What happened on a day is no schedule."""
_DIGIT = re.compile(r"\d")
_ROOT = 5
_SHARE = 0.5
_PLAIN = "number"
_SUFFIX = re.compile(r"['’][a-z]{1,6}$")


class Value(NamedTuple):
    """A value with its kind, its plain lower-case form, and where it stands."""

    kind: str
    form: str
    start: int
    end: int


def values(text: str) -> tuple[Value, ...]:
    """The values of a text in order; none overlaps another, names come last. A statement is laid
    beside several others in a row, so what was just read is kept."""
    return _values(text[:READ_LIMIT])


@lru_cache(maxsize=256)
def _values(text: str) -> tuple[Value, ...]:
    folded = plain(text)
    lowered = folded.lower()
    taken = bytearray(len(text))
    found: list[Value] = []
    spoken = language(text)
    digits = _DIGIT.search(lowered) is not None
    for kind, pattern, only, in_digits in _shapes():
        tried = only in (None, spoken) and (digits or not in_digits)
        for match in pattern.finditer(lowered) if tried else ():
            if not _PASSED.search(lowered[max(0, match.start() - 8) : match.start()]):
                _take(found, taken, Value(kind, _form(match[0]), match.start(), match.end()))
    for start, end, row in known_names(folded):
        if row.kind in {"tech", "org", "place"} and not row.ambiguous:
            _take(found, taken, Value("name", row.name.lower(), start, end))
    for match in _NAME.finditer(folded):
        if not _OPENS.search(folded[max(0, match.start() - 8) : match.start()]):
            _take(found, taken, Value("name", _form(match[0].lower()), match.start(), match.end()))
    return tuple(sorted(found, key=lambda one: one.start))


@cache
def composed(source: str) -> Caseless:
    """A pattern of the file with its macros put in, folded as the texts are."""
    for name, macro in table("replacing")["macros"].items():
        source = source.replace(f"<<{name}>>", macro)
    return Caseless(plain(source))


@cache
def _shapes() -> tuple[tuple[str, Caseless, str | None, bool], ...]:
    return tuple(
        (row["name"], composed(row["pattern"]), row.get("language"), row.get("digits", False))
        for row in table("replacing")["values"]
    )


def counts_apart(new: str, old: str) -> bool:
    """Whether two texts count different things: a share and a date, money and a span of time."""
    mine, theirs = _counted(new), _counted(old)
    return bool(mine and theirs) and mine.isdisjoint(theirs) and _PLAIN not in mine | theirs


@lru_cache(maxsize=256)
def _counted(text: str) -> frozenset[str]:
    counted = table("replacing")["counted"]
    return frozenset(counted[one.kind] for one in values(text) if one.kind in counted)


def _form(text: str) -> str:
    return _SUFFIX.sub("", text.strip(" .,;:!?"))


def _take(found: list[Value], taken: bytearray, value: Value) -> None:
    if value.form and not any(taken[value.start : value.end]):
        taken[value.start : value.end] = b"\1" * (value.end - value.start)
        found.append(value)


def shared(one: Collection[str], other: frozenset[str]) -> int:
    """How many stems of the one stand in the other; Turkish endings may be left on either."""
    return len(meeting(one, other))


def meeting(one: Collection[str], other: frozenset[str]) -> list[str]:
    """The stems of the one that are the same word as any of the other: they are equal, or begin
    with the same five letters and half of the longer, as a Turkish ending may be left on either."""
    rooted: dict[str, list[str]] = {}
    # What is shorter is the same word as what is equal only.
    if any(len(stem) >= _ROOT and stem not in other for stem in one):
        for stem in other:
            if len(stem) >= _ROOT:
                rooted.setdefault(stem[:_ROOT], []).append(stem)
    return [
        stem
        for stem in one
        if stem in other or any(_meet(stem, near) for near in rooted.get(stem[:_ROOT], ()))
    ]


def _meet(one: str, other: str) -> bool:
    """Whether two stems with the same first letters share enough of them. Two paths are two places,
    though one may lie in the other."""
    if "/" in one or "/" in other:
        return False
    least = max(_ROOT, math.ceil(max(len(one), len(other)) * _SHARE))
    return min(len(one), len(other)) >= least and one[:least] == other[:least]
