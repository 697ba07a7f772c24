"""The kind of thing that a question asks for, and what is of it: "what laptop do I have?" is after
a ThinkPad. English and Turkish (`lexicon/kinds.toml`)."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from engraphy.text.analyser import analyse
from engraphy.text.datafiles import table
from engraphy.text.fold import fold, fold_text
from engraphy.text.narrower import named
from engraphy.text.stems import english_stem, turkish_stem
from engraphy.text.wordlists import key, plain

_READ = 400
ASKS = re.compile(r"\b(?:what|which|do i|do we|hangi|hangisi|ne|neydi|nedir)\b")
"""What a question has that asks for a kind."""
_REST = re.compile(r"\w*")
_STEM = 4
"""Letters of a stem that still tells a word from others."""


class Asking(NamedTuple):
    """What a question calls the kind it asks for, word by word, and the index tokens of what is of
    that kind."""

    words: tuple[str, ...] = ()
    ones: frozenset[str] = frozenset()


def asked_kind(question: str) -> Asking:
    """The kind of thing a question asks for; empty where it asks for none. Its first 400
    characters are read."""
    folded = plain(question[:_READ]).lower()
    if ASKS.search(folded) is None:
        return Asking()
    found = next(filter(None, (one.search(folded) for one in _asks())), None)
    if found is None:
        return Asking()
    start, end = found.span("kind")
    rest = _REST.match(folded, end)
    written = question[start : rest.end() if rest else end]
    ones = map(_ones, _called()[found["kind"]])
    return Asking(tuple(fold_text(written).split()), frozenset[str]().union(*ones))


def in_one_word() -> Mapping[str, Sequence[str]]:
    """The kinds that are called by one word, folded, with the index tokens of what is of them."""
    return {
        name: sorted(frozenset[str]().union(*map(_ones, places)))
        for name, places in _called().items()
        if " " not in name
    }


@cache
def _called() -> Mapping[str, Sequence[int]]:
    """The kinds by what they are called, as places in the table."""
    found: dict[str, list[int]] = {}
    for place, row in enumerate(table("kinds")["kinds"]):
        for name in dict.fromkeys(map(key, (*row["en"], *row["tr"]))):
            found.setdefault(name, []).append(place)
    return found


@cache
def _asks() -> tuple[re.Pattern[str], ...]:
    """How a question asks for a kind, the longest name first where several begin together."""
    listed = {}
    for language in ("en", "tr"):
        names = {key(name) for row in table("kinds")["kinds"] for name in row[language]}
        longest = sorted(names, key=lambda name: (-len(name), name))
        listed[f"<<{language}>>"] = f"(?P<kind>{'|'.join(map(re.escape, longest))})"
    return tuple(
        re.compile(one.replace("<<en>>", listed["<<en>>"]).replace("<<tr>>", listed["<<tr>>"]))
        for one in table("kinds")["asks"]
    )


@cache
def _ones(place: int) -> frozenset[str]:
    row = table("kinds")["kinds"][place]
    words = (token for word in row.get("ones", "").split() for token in _tokens(word))
    return frozenset((*words, *named(row.get("names", ()))))


def _tokens(word: str) -> Iterator[str]:
    """The index tokens of a word, as it is written and as it bends; not its parts."""
    if "-" in word:
        joined = fold(word).replace("-", "")
        yield from (one for one in analyse(word) if one.replace("_", "") == joined)
        return
    yield fold(word)
    stems = (english_stem(fold(word)), turkish_stem(word))
    # A name that ends in s is not several of what the word without it means ("Windows").
    yield from (one for one in stems if len(one) >= _STEM and f"{one}s" != word)
