"""Which sentences of a text tell most, as they stand; small talk tells nothing.

Extractive on purpose: a sentence is taken whole or not at all, so that every number, name, date and
negation of what is taken is kept (R-09). One that leans on the sentence before it ("It was the
pool.") is taken only together with that.
"""

import re
from collections.abc import Sequence
from functools import cache, lru_cache

from engraphy.text.bags import telling_stems
from engraphy.text.datafiles import table
from engraphy.text.evidence import asks
from engraphy.text.fold import fold_text
from engraphy.text.language import language
from engraphy.text.negation import polarity
from engraphy.text.rewrite import shortened
from engraphy.text.split import sentences
from engraphy.text.stopwords import stop_words
from engraphy.text.trivial import reason
from engraphy.text.wordlists import plain

FULL = 8
"""Content words from which on a sentence tells no more for being longer."""
_NUMBER = re.compile(r"\d[\d.,:/-]*")
_BORDERS = frozenset(".!?\n")
_DENIAL = re.compile(r"n['’]t\b|\b(?:no|not|never|without|none|nobody|nothing)\b", re.IGNORECASE)
_LONG = 120
_WRAPPED = 60
"""So long is a line that ends where there was no more room."""
_WORD = re.compile(r"[^\W_][\w.+#/:@-]*")


def told(text: str, most: int, *, between_people: bool = False) -> str:
    """A text in at most `most` characters: without its small talk, whole where that fits, else the
    sentences that tell most, in their own order; a single longer sentence is cut at a word."""
    parts = said(text)
    kept = [one for one in parts if not idle(one, between_people=between_people)] or parts
    if len(whole := " ".join(kept)) <= most:
        return whole
    taken: set[int] = set()
    room = most
    for place in sorted(range(len(kept)), key=lambda one: -tells(kept[one])):
        wanted = _with_support(kept, place) - taken
        size = sum(len(kept[one]) + 1 for one in wanted)
        if size <= room + 1:
            taken |= wanted
            room -= size
    if not taken:
        return shortened(max(kept, key=tells, default=whole), most)
    return " ".join(kept[place] for place in sorted(taken))


def said(text: str) -> list[str]:
    """The sentences of a text, each in one line; lines that a sentence was wrapped into are one."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and _goes_on(lines[-1], line):
            lines[-1] = f"{lines[-1].rstrip()} {line.lstrip()}"
        else:
            lines.append(line)
    return [" ".join(part.split()) for part in sentences("\n".join(lines))]


def _goes_on(line: str, below: str) -> bool:
    before, after = line.rstrip()[-1:], below.lstrip()
    if not (before.isalnum() or before == ",") or not after[:1].isalpha():
        return False
    return after[0].islower() or len(line) >= _WRAPPED


@lru_cache(maxsize=4_096)
def tells(text: str) -> float:
    """How much a text tells: its numbers and names, whether it denies or forbids something, and how
    many content words it has."""
    names = content = end = 0
    stops = stop_words("en")
    for found in _WORD.finditer(text):
        word = found[0]
        if fold_text(word.rstrip(".:-/")) not in stops:
            content += 1
            # What opens a sentence is written so whatever it is.
            if word[0].isupper() and end and _BORDERS.isdisjoint(text[end - 1 : found.start()]):
                names += 1
        end = found.end()
    denies = _may_deny(text) and polarity(text) == -1
    return len(_NUMBER.findall(text)) + names + denies + min(content, FULL) / 4


def substance(text: str) -> float:
    """About how much a text tells, at a glance: its numbers and its length."""
    return len(_NUMBER.findall(text)) + min(len(text), _LONG) / _LONG


def _may_deny(text: str) -> bool:
    """Whether it is worth looking for a negation: in Turkish it may hide in any verb."""
    return _DENIAL.search(text) is not None or language(text) == "tr"


def _with_support(parts: Sequence[str], place: int) -> set[int]:
    """A sentence with those before it that it leans on."""
    needed = {place}
    while place > 0 and leans(parts[place]):
        place -= 1
        needed.add(place)
    return needed


def leans(sentence: str) -> bool:
    """Whether a sentence begins with a word that stands for something said before it."""
    first = _WORD.search(sentence)
    return first is not None and fold_text(first[0]) in _leaning()


@lru_cache(maxsize=4_096)
def idle(sentence: str, *, between_people: bool = False) -> bool:
    """Whether a sentence tells nothing: small talk, a question, an exclamation."""
    if any(map(str.isdigit, sentence)):
        return asks(plain(sentence))
    said = telling_stems(sentence)
    names = telling_stems(" ".join(w for w in _WORD.findall(sentence) if w[:1].isupper()))
    rest = said - (names - _exclaimed())
    if rest <= _exclaimed() and (rest or not said) and polarity(sentence) == 1:
        return True
    return asks(plain(sentence)) or reason(sentence, between_people=between_people) is not None


@cache
def _exclaimed() -> frozenset[str]:
    words = " ".join(table("gist")[spoken]["exclaims"] for spoken in ("en", "tr"))
    return frozenset(stem for word in words.split() for stem in telling_stems(word))


@cache
def _leaning() -> frozenset[str]:
    words = " ".join(table("gist")[spoken]["leaning"] for spoken in ("en", "tr"))
    return frozenset(fold_text(words).split())
