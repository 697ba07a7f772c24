"""Latin-script languages without a stemmer of their own: whether a text is in one, and one key for
the forms of a word.

The key is a light stem in the manner of Savoy (2006): plural marks, case endings and final vowels
go, as long as three letters are left; doubled letters count once.
"""

import re
from functools import cache, lru_cache
from typing import NamedTuple

from engraphy.text.datafiles import words
from engraphy.text.fold import fold

KEY_MARK = "__l"

_CACHED = 65_536
_ROOT, _LONGEST = 3, 40
_LOOK_AT = 2_000
_WORDS = re.compile(r"[^\W\d_]+")
_OTHER_LETTER = re.compile("[äößñãõàèìòùêôëïœåæøéíóúá¿¡ÄÖÑÃÕÀÈÉÓÚÅÆØ]")
_LETTER_WEIGHT = 0.5
_PLAIN = re.compile("[a-z]+")
_ACCENTED_PLURAL = re.compile("[áéó]is$")
# `chevaux`, `balões`, `pães`, `alemães` as their singular ends.
_PLURALS = (("eaux", "eau"), ("aux", "al"), ("oes", "ao"), ("aes", "ao"))
_ENDING = re.compile(r"(?<![aeiou])[aeiou]+$|[sx]$|(?<=[erl])n$|(?<=e)r$")
_DOUBLED = re.compile(r"(.)\1")
_LAST = {"v": "f", "z": "c"}
_SPELLED_OUT = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "å": "aa", "Å": "Aa",
})  # fmt: skip


class Evidence(NamedTuple):
    """What speaks for a Latin language other than English and Turkish, and how many words of the
    English and of the Turkish list those languages have too."""

    foreign: float
    english_too: int
    turkish_too: int


def foreign_evidence(text: str) -> Evidence:
    """Counted over the first 2,000 characters; all 0 if nothing speaks for any."""
    return _evidence(text[:_LOOK_AT])


@lru_cache(maxsize=512)
def _evidence(head: str) -> Evidence:
    found = [fold(word) for word in _WORDS.findall(head)]
    known, english, turkish, doubtful = (
        foreign_words(),
        _list("latin_too") & _list("en"),
        _list("latin") & _list("tr"),
        _list("latin_turkish"),
    )
    letters = len(_OTHER_LETTER.findall(head))
    alone = sum(word in known and word not in turkish for word in found)
    half = sum(word in doubtful for word in found)
    return Evidence(
        foreign=alone - 0.5 * half + _LETTER_WEIGHT * letters,
        english_too=sum(word in english for word in found),
        turkish_too=sum(word in turkish for word in found),
    )


def _list(key: str) -> frozenset[str]:
    return words("words_language", key)


@cache
def foreign_words() -> frozenset[str]:
    """Folded function words of the other Latin languages."""
    return _list("latin") - _list("en")


@lru_cache(maxsize=_CACHED)
def latin_key(word: str) -> str | None:
    """One term for the forms of a word (`bicicletta`, `biciclette`); None for what is no word of
    four to forty Latin letters."""
    folded = fold(word)
    if not (_ROOT < len(folded) <= _LONGEST and _PLAIN.fullmatch(folded)):
        return None
    stem = _singular(folded, accented=bool(_ACCENTED_PLURAL.search(word.lower())))
    while (match := _ENDING.search(stem)) and match.start() >= _ROOT:
        stem = stem[: match.start()]
    stem = _DOUBLED.sub(r"\1", stem)
    return stem[:-1] + _LAST.get(stem[-1], stem[-1]) + KEY_MARK


def _singular(folded: str, *, accented: bool) -> str:
    if accented:
        return folded[:-2] + "l"
    for plural, ending in _PLURALS:
        if folded.endswith(plural) and len(folded) > len(plural):
            return folded.removesuffix(plural) + ending
    return folded


def spelled_out(word: str) -> str | None:
    """A word as it is typed without its dots and rings (`Goerlitz`); None where it has none."""
    typed = word.translate(_SPELLED_OUT)
    return None if typed == word else fold(typed)
