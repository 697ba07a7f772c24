"""Word stems, English and Turkish (Snowball), and light ones of Arabic; cached."""

import re
from functools import lru_cache

from Stemmer import Stemmer

from engraphy.text.fold import fold

_CACHED = 65_536
_SHORTEST, _LONGEST = 3, 40
_ENGLISH = re.compile(r"[a-z]+")
_TURKISH = re.compile("[a-zçğıöşüâîû]+")
_TURKISH_LOWER = str.maketrans("IİÂâÎîÛû", "ıiaaiiuu")
_ARABIC = re.compile("[\u0621-\u064a]+")
_ARABIC_HEADS = (
    "\u0648\u0627\u0644", "\u0641\u0627\u0644", "\u0628\u0627\u0644",
    "\u0643\u0627\u0644", "\u0627\u0644", "\u0644\u0644", "\u0648",
)  # fmt: skip
_ARABIC_TAILS = (
    "\u0647\u0627", "\u0627\u0646", "\u0627\u062a", "\u0648\u0646", "\u064a\u0646",
    "\u064a\u0647", "\u064a\u0629", "\u0647", "\u0629", "\u064a",
)  # fmt: skip
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
def arabic_stem(folded: str) -> str:
    """A folded Arabic word without its article, its joined particles and its ending, as long as
    three letters are left: one form for `the coffee`, `and the coffee` and `coffee`; the word
    itself if it is not Arabic (light10, Larkey et al. 2007)."""
    if len(folded) > _LONGEST or not _ARABIC.fullmatch(folded):
        return folded
    stem = folded
    for head in _ARABIC_HEADS:
        if stem.startswith(head) and len(stem) - len(head) >= _ARABIC_ROOT:
            stem = stem[len(head) :]
            break
    for tail in _ARABIC_TAILS:
        if stem.endswith(tail) and len(stem) - len(tail) >= _ARABIC_ROOT:
            return stem[: -len(tail)]
    return stem
