"""What a message only passes on: what "Tom texted:" announces, a pasted mail, a pasted chat.

There "I" is somebody else, or the writer of another moment: nothing of it is told of whoever
passes it on. English, Turkish and German (`lexicon/relayed.toml`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache

from engraphy.text.caseless import Caseless
from engraphy.text.datafiles import table
from engraphy.text.wordlists import key, plain

_READ = 4_000
_TWICE = 2
_MARK = '"'
_QUOTE = re.compile('["“”]')
_LABELLED = re.compile(
    r"\s{0,4}(?P<when>\[[^\]\n]{4,24}\]\s?|\d[\d./:, -]{3,20}(?: ?[apAP][mM])?[ -]{1,3})?"
    r"(?P<who>[^\W\d_][\w .'-]{0,24}): \S"
)


@lru_cache(maxsize=256)
def without_relayed(text: str) -> str:
    """The text without what it passes on; what announces it stays. Its first 4,000 characters are
    looked at."""
    asked = _listed("work").search(plain(text[:_READ]))
    if asked is not None and text[asked.end() :].strip():
        text = text[: asked.end()]
    if ":" not in text[:_READ] and _QUOTE.search(text) is None:
        return text
    lines = text[:_READ].split("\n")
    mail = _mail(lines)
    kept, announced = list[str](), False
    for line in _own_lines(lines[:mail]):
        if announced and line.strip():
            continue
        own = _own_part(line)
        # What a whole line announces is the paragraph after it.
        announced = len(own) < len(line) and not line[len(own) + 1 :].strip()
        kept.append(own)
    return "\n".join(kept) + (text[_READ:] if mail == len(lines) else "")


def _mail(lines: Sequence[str]) -> int:
    """The place of the line with which a pasted mail begins: two headers, or one over an empty
    line; how many lines there are where none does."""
    heads = [_listed("header").match(plain(line)) is not None for line in lines]
    for place in range(len(lines) - 1):
        if heads[place] and (heads[place + 1] or not lines[place + 1].strip()):
            return place
    return len(lines)


def _own_lines(lines: Sequence[str]) -> list[str]:
    """The lines without those of others in a chat: of a name that speaks twice, or at a time."""
    found = [_LABELLED.match(line) for line in lines]
    said = Counter(one["who"].lower() for one in found if one is not None)
    return [
        line
        for line, one in zip(lines, found, strict=True)
        if one is None
        or key(one["who"]) in _own_names()
        or (not one["when"] and said[one["who"].lower()] < _TWICE)
    ]


def _own_part(line: str) -> str:
    """A line without what somebody else says in it: what stands behind the colon, or in quotes."""
    folded = plain(line)
    for announcing, unless in _announcing():
        for found in announcing.finditer(folded):
            if unless is None or not unless.finds(folded[: found.start()]):
                end = found.end()
                closed = folded.find(_MARK, end) if found[0].endswith(_MARK) else -1
                return line[: end - 1] + (line[closed + 1 :] if closed >= 0 else "")
    lead = _listed("lead").match(folded)
    if lead is not None and not _listed("mine").finds(lead[0][:-1]):
        return line[: lead.end() - 1]
    return line


@cache
def _announcing() -> tuple[tuple[Caseless, Caseless | None], ...]:
    """What announces words of others, and what before it says that they are one's own."""
    made = list[tuple[Caseless, Caseless | None]]()
    for section in table("relayed").values():
        made.append((_either(section["speech"]), _either([section["unless"]])))
        made.append((_either(section["piece"]), None))
    return tuple(made)


@cache
def _listed(name: str) -> Caseless:
    """A pattern of every language as one."""
    return _either([section[name] for section in table("relayed").values()])


def _either(sources: Iterable[str]) -> Caseless:
    return Caseless(plain("|".join(sources)))


@cache
def _own_names() -> frozenset[str]:
    return frozenset(key(one) for section in table("relayed").values() for one in section["own"])
