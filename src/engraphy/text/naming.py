"""Whether a question names something: its name or an alias, word for word, a slip forgiven."""

import re
from collections.abc import Sequence

from engraphy.text.fold import fold

_WORD = re.compile(r"[^\W_]+")
_READ = 4_096
_SHORTEST, _LONGER = 4, 5
"""A slip is forgiven in words of at least five letters, or four where the other has five ..."""
_SAME = 2
"""... that begin alike: "mongod" is "mongo", "mango" is not."""


def named_words(text: str) -> list[str]:
    """The words of a question or a name, folded, in reading order; of at most 4,096 characters."""
    return [fold(word) for word in _WORD.findall(text[:_READ])]


def names(question: Sequence[str], name: Sequence[str]) -> bool:
    """Whether the words of a name stand in a question, one after the other; one slip a word is
    forgiven (a letter more, less, other, or two that changed places)."""
    size = len(name)
    if not size:
        return False
    places = range(len(question) - size + 1)
    return any(all(map(_alike, question[at : at + size], name)) for at in places)


def _alike(asked: str, word: str) -> bool:
    if asked == word:
        return True
    short, long = sorted((asked, word), key=len)
    if len(short) < _SHORTEST or len(long) < _LONGER or asked[:_SAME] != word[:_SAME]:
        return False
    return _one_slip(short, long)


def _one_slip(short: str, long: str) -> bool:
    """Whether one letter more, another letter, or two that changed places make one the other."""
    at = next((n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short))
    if len(long) - len(short) > 1:
        return False
    if len(long) > len(short):
        return short[at:] == long[at + 1 :]
    swapped = short[at : at + 2][::-1] == long[at : at + 2]
    return short[at + 1 :] == long[at + 1 :] or (swapped and short[at + 2 :] == long[at + 2 :])
