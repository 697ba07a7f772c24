"""Phrases that frame a statement without changing it: "just so you know", "by the way"."""

import re
from functools import cache

from engraphy.text.datafiles import table
from engraphy.text.wordlists import plain

_READ = 400
"""Characters at either end of a text in which a frame is looked for."""


def unframed(text: str) -> str:
    """The text without the phrases around it; the text itself where nothing would be left.

    A phrase is taken off where it opens the text or, behind a comma or a dash, closes it.
    """
    start, end = _opening(text), _closing(text)
    inner = text[start:end]
    return inner if any(map(str.isalnum, inner)) else text


def _opening(text: str) -> int:
    found = _frame("opening").match(plain(text[:_READ]))
    return 0 if found is None else found.end()


def _closing(text: str) -> int:
    tail = text[-_READ:]
    found = _frame("closing").search(plain(tail))
    return len(text) if found is None else len(text) - len(tail) + found.start()


@cache
def _frame(side: str) -> re.Pattern[str]:
    listed = sorted(map(plain, table("words_similarity")["frames"]["phrases"]), key=len)
    several = "|".join(re.escape(phrase) for phrase in reversed(listed) if " " in phrase)
    single = "|".join(re.escape(phrase) for phrase in listed if " " not in phrase)
    source = {
        "opening": rf"\W{{0,8}}(?:(?:(?:{several})\b[\s,.:;!–—-]|(?:{single})\b\s?[,.:;!–—-])"
        r"[\s,.:;!–—-]{0,8}){1,3}",
        "closing": rf"(?:[\s,.:;–—-]{{1,8}}\b(?:{several})|\s?[,.:;–—]\s?\b(?:{single}))\W{{0,8}}$",
    }[side]
    return re.compile(source, re.IGNORECASE)
