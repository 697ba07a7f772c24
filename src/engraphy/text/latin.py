"""Latin-script languages without a stemmer of their own: whether a text is in one, and one key for
the forms of a word.

The key is a light stem in the manner of Savoy (2006): plural marks, case endings and final vowels
go, as long as three letters are left; doubled letters count once.
"""

import re
from functools import cache, lru_cache

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
_ENDING = re.compile(r"[aeiou]+$|[sx]$|(?<=[erl])n$|(?<=e)r$")
_DOUBLED = re.compile(r"(.)\1")
_LAST = {"v": "f", "z": "c"}
_SPELLED_OUT = str.maketrans({
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "å": "aa", "Å": "Aa",
})  # fmt: skip


def foreign_evidence(text: str) -> tuple[float, float]:
    """How much speaks for a Latin language other than English and Turkish, and how many of its
    English words those languages have too; 0 if nothing does."""
    return _evidence(text[:_LOOK_AT])


@lru_cache(maxsize=512)
def _evidence(head: str) -> tuple[float, float]:
    foreign = foreign_words()
    shared = words("words_language", "latin_too") & words("words_language", "en")
    found = [fold(word) for word in _WORDS.findall(head)]
    letters = len(_OTHER_LETTER.findall(head))
    return (
        sum(word in foreign for word in found) + _LETTER_WEIGHT * letters,
        sum(word in shared for word in found),
    )


@cache
def foreign_words() -> frozenset[str]:
    """Folded function words of the other Latin languages."""
    return words("words_language", "latin") - words("words_language", "en")


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
