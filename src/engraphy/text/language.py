"""Which language a text is in, as far as the product must know it."""

import re
from functools import cache, lru_cache
from typing import Literal

from engraphy.text.datafiles import words
from engraphy.text.fold import fold
from engraphy.text.known import Known

Language = Literal["en", "tr", "cjk", "other"]

# Enough to decide; keeps the cost of a long text flat.
_LOOK_AT = 2_000
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_ASCII = re.compile("[a-z]+(?:'[a-z]+)?")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff]")
_LATIN = re.compile("[A-Za-z\u00c0-\u024f]")
_TURKISH_ONLY = re.compile("[ğĞışŞİ]")
_TURKISH_TOO = re.compile("[çÇöÖüÜ]")
_PLACES = 16
_MOST = (1 << _PLACES) - 1
"""More words than a head of a text can have."""
_SHARE_CJK, _SHARE_LATIN = 0.25, 0.5
_TURKISH_TOO_WEIGHT, _ENDING_WEIGHT = 0.4, 0.5


def latin_evidence(text: str) -> tuple[float, float]:
    """How much speaks for English and how much for Turkish: two counts, both 0 if nothing does."""
    return _evidence(text[:_LOOK_AT])


@lru_cache(maxsize=512)
def _evidence(head: str) -> tuple[float, float]:
    counted = sum(map(_SPEAKING.__getitem__, _words(head)))
    english, turkish, ended = counted & _MOST, counted >> _PLACES & _MOST, counted >> 2 * _PLACES
    letters, shared = 0, 0
    if not head.isascii():
        letters, shared = len(_TURKISH_ONLY.findall(head)), len(_TURKISH_TOO.findall(head))
    return english, turkish + letters + _TURKISH_TOO_WEIGHT * shared + _ENDING_WEIGHT * ended


def _words(head: str) -> list[str]:
    """The folded words, without their apostrophes."""
    if head.isascii():
        found = _ASCII.findall(head.lower())
        return [word.replace("'", "") for word in found] if "'" in head else found
    return [fold(word.replace("’", "'").replace("'", "")) for word in _WORD.findall(head)]


def language(text: str) -> Language:
    """`cjk` from a quarter of the letters on, `other` if most are not Latin, else `tr` or `en`.

    A Latin text without any evidence counts as English.
    """
    head = text[:_LOOK_AT]
    if head.isascii():
        return _latin(head)
    letters = sum(map(str.isalpha, head)) or 1
    if len(_CJK.findall(head)) >= _SHARE_CJK * letters:
        return "cjk"
    if len(_LATIN.findall(head)) < _SHARE_LATIN * letters:
        return "other"
    return _latin(head)


def language_of_both(one: str, other: str) -> Language:
    """The language of two texts after each other, together at most 2,000 characters."""
    if not (one.isascii() and other.isascii()):
        return language(f"{one} {other}")
    english, turkish = map(sum, zip(latin_evidence(one), latin_evidence(other), strict=True))
    return "tr" if turkish > english else "en"


def _latin(head: str) -> Language:
    english, turkish = latin_evidence(head)
    return "tr" if turkish > english else "en"


@cache
def _function_words(key: str) -> frozenset[str]:
    return frozenset(word.replace("'", "") for word in words("words_language", key))


def _speaking(word: str) -> int:
    """What a word speaks for, as three counts in one number: English, Turkish, by its ending."""
    english, turkish = word in _function_words("en"), word in _function_words("tr")
    ends = len(word) > 5 and word.endswith(_turkish_endings())
    return english + (turkish << _PLACES) + (ends << 2 * _PLACES)


_SPEAKING = Known(_speaking)


@cache
def _turkish_endings() -> tuple[str, ...]:
    return tuple(words("words_language", "tr_endings"))
