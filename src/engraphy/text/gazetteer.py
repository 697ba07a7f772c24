"""Names known beforehand, found by looking words up instead of trying patterns."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple

from engraphy.text.datafiles import table
from engraphy.text.wordlists import key, plain

_WORD = re.compile(r"\.?[^\W_](?:[\w#+&/!-]|\.(?=\w))*")
_LONGEST = 4
_PUNCTUATION = "./-!&"


class Known(NamedTuple):
    """A name of the gazetteer; `ambiguous` where it is an everyday word too."""

    kind: str
    name: str
    domain: str
    surface: str
    ambiguous: bool

    @property
    def distinct(self) -> bool:
        """Whether its capital tells it from the everyday word."""
        return self.surface[0].isupper()


@cache
def known(section: str, name: str) -> tuple[str, ...]:
    """One list of the names file as written."""
    return tuple(table("names")[section][name])


@cache
def _everyday() -> frozenset[str]:
    return frozenset(key(word) for word in known("ambiguous", "words"))


def is_everyday(name: str) -> bool:
    """Whether a name is an everyday word too ("May")."""
    return key(name) in _everyday()


@cache
def gazetteer() -> Mapping[str, Known]:
    """Every name and alias under its key."""
    everyday = _everyday()
    found: dict[str, Known] = {}
    for kind, domain, listed in lists():
        for row in listed:
            name, *aliases = row.split("|")
            for surface in (name, *aliases):
                entry = Known(kind, name, domain, surface, key(surface) in everyday)
                found.setdefault(key(surface), entry)
    return found


def lists() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """The lists of the names file with their kind and domain; technology first."""
    names = table("names")
    for domain in names["tech"]:
        yield "tech", domain, tuple(names["tech"][domain])
    yield "org", "organisation", known("org", "names")
    yield "place", "place", known("place", "names")


@cache
def longer() -> frozenset[str]:
    """The first words of names that have several."""
    return frozenset(name.split(" ")[0] for name in gazetteer() if " " in name)


@cache
def _first_words() -> frozenset[str]:
    return frozenset(name.split(" ")[0] for name in gazetteer())


def named(folded: str) -> Iterator[tuple[int, int, Known]]:
    """Every known name in a plain text with its place, the longest where several begin together."""
    opens = _first_words()
    words = map(str.lower, _WORD.findall(folded))
    opening = [
        place
        for place, word in enumerate(words)
        if word in opens or word.rstrip(_PUNCTUATION) in opens
    ]
    if not opening:
        return
    spans = [found.span() for found in _WORD.finditer(folded)]
    end = 0
    for place in opening:
        start = spans[place][0]
        if start < end:
            continue
        size, row = longest(folded, spans, place)
        if row is not None:
            end = start + size
            yield start, end, row


def longest(folded: str, spans: list[tuple[int, int]], place: int) -> tuple[int, Known | None]:
    """The longest name that begins with the word at `place`, and its length."""
    start, end = spans[place]
    first = folded[start:end].lower()
    last = min(place + _LONGEST, len(spans)) if first in longer() else place + 1
    for stop in range(last - 1, place - 1, -1):
        size = spans[stop][1] - start
        if size > 60:
            continue
        for surface in spellings(folded[start : start + size].lower()):
            row = gazetteer().get(surface)
            if row is not None:
                return len(surface), row
    return 0, None


def spellings(word: str) -> Iterator[str]:
    """A word as written, then without a sentence's punctuation."""
    yield word
    trimmed = word.rstrip(_PUNCTUATION)
    if trimmed != word:
        yield trimmed


def lookup(word: str) -> Known | None:
    """The gazetteer's row for a name, however it is written."""
    return gazetteer().get(key(word.strip()))


@cache
def sign_pattern() -> re.Pattern[str]:
    """Words that show that a text is about technology."""
    listed = "|".join(re.escape(plain(word)) for word in known("ambiguous", "signs"))
    return re.compile(rf"\b(?:{listed})\b", re.IGNORECASE)


def signs_of_technology(folded: str) -> bool:
    """Whether a text is about technology."""
    return sign_pattern().search(folded) is not None
