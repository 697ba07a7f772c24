"""Word stems: Snowball's of English and Turkish and of scripts that tell their language, and light
ones of Arabic; cached."""

import re
import unicodedata
from functools import lru_cache

from Stemmer import Stemmer

from engraphy.text.fold import fold

_CACHED = 65_536
_SHORTEST, _LONGEST = 3, 40
_ENGLISH = re.compile(r"[a-z]+")
_TURKISH = re.compile("[a-zçğıöşüâîû]+")
_TURKISH_LOWER = str.maketrans("IİÂâÎîÛû", "ıiaaiiuu")
_BY_SCRIPT = (
    ("russian", re.compile("[\u0400-\u045f]+")),
    ("hindi", re.compile("[\u0900-\u0963]+")),
    ("greek", re.compile("[\u0370-\u03ff\u1f00-\u1fff]+")),
)
# Written or not: \u0451, the dot below of Hindi, one of its nasal signs for the other.
_LETTERS_ALIKE = {0x0451: "\u0435", 0x093C: None, 0x0901: "\u0902"}
_ARABIC = re.compile("[\u0621-\u064a]+")
_ARABIC_HEADS = (
    "\u0648\u0627\u0644", "\u0641\u0627\u0644", "\u0628\u0627\u0644",
    "\u0643\u0627\u0644", "\u0627\u0644", "\u0644\u0644", "\u0648",
)  # fmt: skip
_ARABIC_TAILS = (
    "\u0647\u0627", "\u0627\u0646", "\u0627\u062a", "\u0648\u0646", "\u064a\u0646",
    "\u064a\u0647", "\u064a\u0629", "\u0647", "\u0629", "\u064a", "\u0627",
)  # fmt: skip
_ARABIC_OWNED = ("\u0646\u0627", "\u0647\u0645", "\u0643\u0645")
_ARABIC_LETTERS = ("\u0644", "\u0628", "\u0641", "\u0643")
_TEH, _TEH_MARBUTA = "\u062a", "\u0629"
_ARABIC_ROOT = 3


@lru_cache(maxsize=_CACHED)
def english_stem(folded: str) -> str:
    """The Snowball English stem of a folded word; the word itself if it is not plain Latin."""
    if not (_SHORTEST <= len(folded) <= _LONGEST and _ENGLISH.fullmatch(folded)):
        return folded
    # A stemmer keeps state while it works, so every call gets its own: threads share this module.
    stem: str = Stemmer("english", 0).stemWord(folded)
    return stem


@lru_cache(maxsize=_CACHED)
def turkish_stem(word: str) -> str:
    """The folded Snowball Turkish stem of a word as it is spelled: `kitap` for `Kitaplarımız`."""
    lowered = word.translate(_TURKISH_LOWER).lower()
    # A hat on a vowel is written or not, and the stemmer takes it for no vowel at all.
    if not (_SHORTEST <= len(lowered) <= _LONGEST and _TURKISH.fullmatch(lowered)):
        return fold(word)
    stem: str = Stemmer("turkish", 0).stemWord(lowered)
    return fold(stem)


@lru_cache(maxsize=_CACHED)
def script_stems(word: str, folded: str) -> tuple[str, ...]:
    """The folded stems of a word whose script tells its language: one of Cyrillic (Russian rules),
    Devanagari (Hindi) and Greek, one or two of Arabic; the folded word where there is none."""
    if not _SHORTEST <= len(word) <= _LONGEST:
        return (folded,)
    if _ARABIC.fullmatch(folded):
        return _arabic_stems(folded)
    for rules, letters in _BY_SCRIPT:
        if letters.fullmatch(word):
            lowered = unicodedata.normalize("NFC", word.lower().translate(_LETTERS_ALIKE))
            stem: str = Stemmer(rules, 0).stemWord(lowered)
            return (fold(stem),)
    return (folded,)


def _arabic_stems(folded: str) -> tuple[str, ...]:
    """A folded Arabic word without its article, its joined particles and its ending, as long as
    three letters are left: one form for `the coffee`, `and the coffee` and `coffee` (light10,
    Larkey et al. 2007). Both readings where its first letter may be a particle (`to Khalid`)."""
    stem = folded
    for head in _ARABIC_HEADS:
        if stem.startswith(head) and len(stem) - len(head) >= _ARABIC_ROOT:
            return (_arabic_end(stem[len(head) :]),)
    if stem.startswith(_ARABIC_LETTERS) and len(stem) > _ARABIC_ROOT:
        return _arabic_end(stem), _arabic_end(stem[1:])
    return (_arabic_end(stem),)


def _arabic_end(stem: str) -> str:
    for tail in _ARABIC_OWNED:
        if stem.endswith(tail) and len(stem) - len(tail) >= _ARABIC_ROOT:
            stem = stem[: -len(tail)]
            if stem.endswith(_TEH):
                stem = stem[:-1] + _TEH_MARBUTA
            break
    for tail in _ARABIC_TAILS:
        if stem.endswith(tail) and len(stem) - len(tail) >= _ARABIC_ROOT:
            return stem[: -len(tail)]
    return stem
