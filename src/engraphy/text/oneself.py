"""Of whom a question and a text are: of who asks, or of the people around them; a text by the codes
of its index tokens (`engraphy.text.imprint`). The words are `lexicon/oneself.toml`."""

import re
from functools import cache

from engraphy.text.analyser import analyse
from engraphy.text.datafiles import table
from engraphy.text.imprint import code
from engraphy.text.language import language
from engraphy.text.wordlists import plain

_READ = 400
_LEAST = 3
"""Letters of a stem that still tells a word from others."""


def asks_of_oneself(question: str) -> bool:
    """Whether a question is after how something is with who asks, and names nobody else of those
    around them; English and Turkish."""
    folded = plain(question[:_READ]).lower()
    if not any(re.search(plain(one), folded) for one in table("oneself")["asks"]):
        return False
    return not of_others(b"".join(map(code, analyse(question[:_READ]))))


def of_others(codes: bytes) -> bool:
    """Whether a text names one of the family, a friend or a colleague."""
    return any(one in codes for one in _codes("people"))


def of_the_speaker(codes: bytes, question: str) -> bool:
    """Whether a text speaks of its speaker; in Turkish a verb says that alone."""
    return language(question) == "tr" or names_speaker(codes)


def names_speaker(codes: bytes) -> bool:
    """Whether a text has a word for its speaker ("I", "our")."""
    return any(one in codes for one in _codes("speaker"))


@cache
def _codes(name: str) -> tuple[bytes, ...]:
    listed = (token for word in table("oneself")[name] for token in (word, *analyse(word)))
    return tuple(
        dict.fromkeys(code(one) for one in listed if name == "speaker" or len(one) >= _LEAST)
    )
