"""Words of a kind that a question names: "antibiotic" asks for penicillin too."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

from engraphy.text.analyser import analyse
from engraphy.text.datafiles import table
from engraphy.text.fold import fold
from engraphy.text.gazetteer import is_everyday, known

_ONE_WORD = re.compile(r"[A-Za-z]\w+")


def narrower(terms: Iterable[str]) -> frozenset[str]:
    """The index tokens of the words that answer one of which `terms` are the index tokens; none
    for most words. English (`lexicon/narrower.toml`)."""
    rows = _rows()
    places = sorted({place for one in terms for place in rows.get(one, ())})
    return frozenset[str]().union(*map(_told, places))


@cache
def articles() -> frozenset[str]:
    """The words, in lower case, behind which a capital letter makes a noun, and no name."""
    return frozenset(table("narrower")["articles"].split())


@cache
def _rows() -> Mapping[str, Sequence[int]]:
    """By the token of a word of a question the places of the rows that have it."""
    found: dict[str, list[int]] = {}
    for place, row in enumerate(table("narrower")["kinds"]):
        for word in row["asked"].split():
            found.setdefault(_stem(word), []).append(place)
    return found


@cache
def _told(place: int) -> frozenset[str]:
    # Only of the rows that are asked for: the names are many, and seldom read.
    row = table("narrower")["kinds"][place]
    return frozenset((*map(_stem, row.get("told", "").split()), *named(row.get("names", ()))))


def named(domains: Iterable[str]) -> Iterator[str]:
    """The index tokens of the known names of some domains of technology, everyday words aside."""
    rows = (row for domain in domains for row in known("tech", domain))
    spelled = (name for row in rows for name in row.split("|"))
    return (fold(name) for name in spelled if _ONE_WORD.fullmatch(name) and not is_everyday(name))


def _stem(word: str) -> str:
    return analyse(word.lower())[-1]
