"""Word stems, English and Turkish (Snowball), cached."""

import re
from functools import lru_cache

from Stemmer import Stemmer

from engraphy.text.fold import fold

_CACHED = 65_536
_SHORTEST, _LONGEST = 3, 40
_ENGLISH = re.compile(r"[a-z]+")
_TURKISH = re.compile("[a-zçğıöşüâîû]+")
_TURKISH_LOWER = str.maketrans("Iİ", "ıi")


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
    if not (_SHORTEST <= len(lowered) <= _LONGEST and _TURKISH.fullmatch(lowered)):
        return fold(word)
    stem: str = Stemmer("turkish", 0).stemWord(lowered)
    return fold(stem)
