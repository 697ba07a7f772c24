"""Whom or what a question is about: "what do you know about Ann", English and Turkish."""

import re
from functools import cache

from engraphy.text.datafiles import table
from engraphy.text.wordlists import plain

_READ = 1_000


def subject(question: str) -> str | None:
    """The name a question is about, as it is written there without its article or ending; None
    where it asks about nobody and nothing by name."""
    read = question[:_READ]
    folded = plain(read)
    for pattern in _patterns("subject"):
        found = pattern.search(folded)
        if found is not None:
            name = _bare(read[slice(*found.span("subject"))])
            return name or None
    return None


def _bare(name: str) -> str:
    words = re.split("['’]", name.strip(), maxsplit=1)[0].split()
    while words and any(one.fullmatch(words[0]) for one in _patterns("before")):
        del words[0]
    return " ".join(words)


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    sections = table("about").values()
    return tuple(re.compile(plain(section[name]), re.IGNORECASE) for section in sections)
