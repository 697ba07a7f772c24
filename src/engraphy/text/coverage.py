"""Whether a sentence says nothing but small words: greetings, thanks, a yes, a nod.

A sentence is covered when every word belongs to a phrase of some category or to the small words
around one. That is stricter than a pattern that looks for "thanks": one word of content is
enough to leave a sentence uncovered.
"""

import re
from collections.abc import Mapping
from functools import cache

from engraphy.text.evidence import asks
from engraphy.text.wordlists import LANGUAGES, OTHERS, key, pattern, sections, words

Phrases = Mapping[str, tuple[tuple[tuple[str, ...], str], ...]]

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_ASKING = frozenset({"greeting", "farewell", "thanks", "control", "filler"})
_OPEN = _ASKING - {"filler"}
_NAMED = frozenset({"greeting", "farewell", "thanks"})
_SPOKEN = (LANGUAGES, *(("en", one) for one in OTHERS))
"""English and Turkish, or one of the others with its English phrases: more together would make
small talk of what is none in any ("para" is money in Turkish)."""


@cache
def phrases(spoken: str) -> Phrases:
    """Every phrase of a language under its first word, longest first, with its category."""
    found: dict[str, list[tuple[tuple[str, ...], str]]] = {}
    section = next((part for language, part in sections("phrases") if language == spoken), {})
    for category, listed in section.items():
        for phrase in listed:
            parts = tuple(tokens(phrase))
            found.setdefault(parts[0], []).append((parts, category))
    return {first: tuple(sorted(rows, key=length, reverse=True)) for first, rows in found.items()}


def length(row: tuple[tuple[str, ...], str]) -> int:
    """The number of words of a phrase."""
    return len(row[0])


def tokens(text: str) -> list[str]:
    """The words of a text as keys."""
    return [key(word) for word in _WORD.findall(text)]


def covered(sentence: str, *, most: int = 16) -> str | None:
    """The category of a sentence that holds nothing else, or None.

    A greeting, a farewell and thanks may call somebody by name ("Thanks, Caroline!"); whoever names
    themselves ("Hi, I'm Caroline") says something. A question is covered only where it is a
    greeting or the like ("how are you?"), never by a yes in it.
    """
    surfaces = _WORD.findall(sentence)
    if not surfaces or len(surfaces) > most:
        return None
    keys = [key(word) for word in surfaces]
    found = (_covered_in(sentence, surfaces, keys, spoken) for spoken in _SPOKEN)
    return next(filter(None, found), None)


def _covered_in(
    sentence: str, surfaces: list[str], keys: list[str], spoken: tuple[str, ...]
) -> str | None:
    """The category of a sentence of those languages that holds nothing else."""
    category, left = cover(keys, spoken)
    if category is None or len(left) > 1:
        return None
    if category not in _ASKING and asks(sentence):
        return None
    if category not in _OPEN and pattern("questions", "wh").match(sentence):
        return None
    if not left:
        return category
    called = category in _NAMED and len(left) == 1 and surfaces[left[0]][:1].isupper()
    return category if called and not _introduced(keys, left[0]) else None


def _introduced(keys: list[str], place: int) -> bool:
    """Whether the words before a name say who speaks: "I'm", "I am", "ben"."""
    return not words("slotwords", "speaker").isdisjoint(keys[max(0, place - 2) : place])


def cover(found: list[str], spoken: tuple[str, ...]) -> tuple[str | None, list[int]]:
    """The first category met, and the places of the words no phrase covers. The small words around
    a phrase are those of English and Turkish."""
    glue = words("small", "glue") if spoken == LANGUAGES else frozenset[str]()
    category: str | None = None
    left: list[int] = []
    place = 0
    while place < len(found):
        matched = match(found, place, spoken)
        if matched is not None:
            category = category or matched[1]
            place += len(matched[0])
            continue
        if found[place] not in glue:
            left.append(place)
        place += 1
    return category, left


def match(
    found: list[str], place: int, spoken: tuple[str, ...]
) -> tuple[tuple[str, ...], str] | None:
    """The longest phrase that begins at `place`."""
    rows = (row for one in spoken for row in phrases(one).get(found[place], ()))
    fit = [row for row in rows if tuple(found[place : place + len(row[0])]) == row[0]]
    return max(fit, key=length, default=None)
