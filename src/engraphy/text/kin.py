"""Whom of those around who asks a question means ("my wife"), and how a text says that they are
called ("my wife Bridget"); English and Turkish (`lexicon/oneself.toml`)."""

import re
from collections.abc import Iterator
from functools import cache

from engraphy.text.bent import other_forms
from engraphy.text.datafiles import table
from engraphy.text.wordlists import plain

_READ = 400
_OF = re.compile(r"\A(\w{1,12}[aeıiuü]m)[ıiuü]n\Z")


def meant(question: str) -> tuple[str, ...]:
    """The words by which a question means one of those around who asks; none for most."""
    folded = plain(question[:_READ]).lower()
    return tuple(dict.fromkeys(found["who"] for found in _asked().finditer(folded)))


def also(who: str) -> tuple[str, ...]:
    """All words for one of those around who asks, that one first; a Turkish one also without the
    ending that says of whose."""
    return who, *other_forms(who), *_OF.findall(who)


def called(text: str, who: str) -> Iterator[str]:
    """The names that a text gives to one of those around who tells it."""
    for pattern in _told(who):
        for found in pattern.finditer(plain(text[:_READ])):
            yield found["name"]


@cache
def _asked() -> re.Pattern[str]:
    listed = table("oneself")
    people = "|".join(re.escape(plain(one)) for one in listed["people"])
    return re.compile(r"\b" + listed["meant"].replace("<<people>>", people))


@cache
def _told(who: str) -> tuple[re.Pattern[str], ...]:
    names = "|".join(re.escape(one) for one in also(who))
    listed = table("oneself")["called"]
    return tuple(re.compile(plain(one).replace("<<who>>", names)) for one in listed)
