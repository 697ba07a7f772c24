"""How much a message tells of what is so, beside what it asks, exclaims or says of its listener."""

import re
from functools import cache
from typing import NamedTuple

from engraphy.text.datafiles import words
from engraphy.text.fold import fold_text
from engraphy.text.split import sentences
from engraphy.text.stopwords import stop_words

READ_LIMIT = 4_000
"""Characters that are read."""
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_NAME = re.compile(r"(?<=[^\W_] )[A-ZÀ-ÞĞİŞ][\w.'’-]*[^\W_](?![,!?]| ?!)")
"""A word with a capital that neither opens a sentence nor calls somebody."""
_NUMBER = re.compile(r"\d+")
_UNSPACED = re.compile(r"[\u0e00-\u0fff\u1000-\u109f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_QUOTES = "\"'“”‘’)] "
_ASKING = frozenset("?？؟")
_EXCLAIMING = frozenset("!！")
_PER_WORD = 2
"""Characters that count as a word where no space stands between words."""


class Substance(NamedTuple):
    """What a text states: its different content words, and the names and numbers among them.
    `plain`: it does nothing but state, and speaks to nobody."""

    words: int
    names: int
    numbers: int
    plain: bool


def substance(text: str) -> Substance:
    """What the sentences of a text state; numbers count wherever nothing is asked.

    Left out is what asks, and what says nothing of the speaker and either speaks of the listener
    ("You are so kind.") or only exclaims ("What a day!").
    """
    told: set[str] = set()
    names: set[str] = set()
    numbers: set[str] = set()
    plain = True
    for sentence in sentences(text[:READ_LIMIT]):
        said = {word: _bare(fold_text(word)) for word in _WORD.findall(sentence)}
        end = sentence.rstrip(_QUOTES)[-1:]
        plain = plain and _only_states(end, set(said.values()))
        if end not in _ASKING:
            numbers.update(_NUMBER.findall(sentence))
        if _states(end, set(said.values())):
            told.update(word for word in said.values() if word not in _small())
            names.update(found for found in _NAME.findall(sentence) if _is_name(found))
    return Substance(sum(map(_size, told)), len(names), len(numbers), plain and bool(told))


def _states(end: str, said: set[str]) -> bool:
    if end in _ASKING:
        return False
    if not said.isdisjoint(words("words_address", "first")):
        return True
    return end not in _EXCLAIMING and said.isdisjoint(words("words_address", "second"))


def _only_states(end: str, said: set[str]) -> bool:
    return end not in _ASKING | _EXCLAIMING and said.isdisjoint(
        words("words_address", "second") | words("words_address", "reacting")
    )


def _is_name(found: str) -> bool:
    return _bare(fold_text(found)) not in _small()


def _bare(folded: str) -> str:
    return folded.replace("'", "").replace("’", "")


def _size(word: str) -> int:
    long = len(_UNSPACED.findall(word))
    return max(1, -(-long // _PER_WORD))


@cache
def _small() -> frozenset[str]:
    return (
        stop_words("en")
        | stop_words("tr")
        | words("words_address", "first")
        | words("words_address", "second")
    )
