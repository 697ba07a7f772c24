"""Things that are called by another name: what is moved, called off or turned down is the one that
is named, and no other ("we pushed the Porto trip to May", "we are planning a trip to Lisbon").
English (`lexicon/replacing.toml`)."""

import re
from collections.abc import Mapping
from functools import cache
from itertools import chain

from engraphy.text.datafiles import table
from engraphy.text.dates import numbers
from engraphy.text.parts import READ, stems, words
from engraphy.text.stems import english_stem
from engraphy.text.stopwords import stop_words
from engraphy.text.wordlists import LANGUAGES, plain


def called_otherwise(new: str, old: str) -> bool:
    """Whether the new text moves, calls off or turns down something that the old one does not
    speak of: of the same kind with another name, or with a name of which the old one knows
    nothing; or says of something else that it is no longer where it was."""
    told, held = plain(new[:READ]), plain(old[:READ])
    left = _pattern("left_there").match(told.lower())
    if left is not None:
        what = stems(left["what"])
        return bool(what) and what.isdisjoint(stems(old))
    refused = _pattern("refused").search(told)
    if refused is not None and not _names(refused["what"]) <= words(old):
        return True
    if _pattern("shifted").search(told) is None:
        return False
    mine, theirs = _named(told, "named_new"), _named(held, "named_old")
    known, said = words(old), words(new)
    return any(
        head in theirs and mine[head].isdisjoint(known) and theirs[head].isdisjoint(said)
        for head in mine
    )


def _named(text: str, name: str) -> Mapping[str, frozenset[str]]:
    """The names by which things of a kind are called, by the stem of the kind."""
    found: dict[str, frozenset[str]] = {}
    for pattern in table("replacing")["called"][name]:
        for one in re.finditer(pattern, text):
            head, names = english_stem(one["head"].lower()), _names(one["name"])
            if names:
                found[head] = found.get(head, frozenset()) | names
    return found


def _names(text: str) -> frozenset[str]:
    """The words of a text that begin with a capital and name no day or month, in lower case."""
    told = frozenset(word.lower() for word in re.findall(r"\b[A-Z][\w-]{2,20}", text))
    return told - _days() - stop_words("en")


@cache
def _days() -> frozenset[str]:
    listed = (numbers(spoken)[one] for spoken in LANGUAGES for one in ("weekdays", "months"))
    return frozenset(chain.from_iterable(listed))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(table("replacing")["called"][name])
