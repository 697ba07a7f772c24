"""What scoring needs of a text, worked out once when it is written, never at query time."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple
from zlib import crc32

from engraphy.text.datafiles import table
from engraphy.text.stopwords import is_stop_word
from engraphy.text.wordlists import plain

CODE_BYTES = 4
_RARE = 4
"""A token with more than one occurrence to so many runs is counted run by run."""
_MOST_TOKENS = 4_096
_READ = 4_096
_PICTURE = re.compile(r"\s{0,8}\[image:[^\]\n]{0,2000}\]\s{0,8}$")
_ENDING = " \t\n\"')*_`"


class Imprint(NamedTuple):
    """A text as scoring sees it.

    `codes`: 4 bytes per index token in reading order, repeated as often as it occurs (at most
    4,096 tokens); `tokens`: how many there are; `content`: how many are no stop words; `asks`:
    it ends in a question; `timed`: it names a time.
    """

    codes: bytes
    tokens: int
    content: int
    asks: bool
    timed: bool


def imprint(text: str, tokens: Sequence[str]) -> Imprint:
    """The imprint of a text whose index tokens (see `analyser.analyse`) are `tokens`."""
    kept = tokens[:_MOST_TOKENS]
    return Imprint(
        codes=b"".join(map(code, kept)),
        tokens=len(kept),
        content=sum(not is_stop_word(token) for token in kept),
        asks=ends_in_question(text),
        timed=names_time(text),
    )


def code(token: str) -> bytes:
    """The 4-byte code of an index token: its CRC-32. Two of 100,000 words share one about once."""
    return crc32(token.encode("utf-8")).to_bytes(CODE_BYTES, "little")


def occurrences(codes: bytes, token_code: bytes) -> int:
    """How often a token occurs in a run of codes. Chance matches across two neighbouring codes
    are one in four thousand million per place, and only make a score a little too high."""
    return codes.count(token_code)


def counts(tokens: Sequence[bytes], texts: Sequence[bytes]) -> list[dict[int, int]]:
    """For each token code how often it occurs in each run of codes that holds it, by place.

    Most tokens stand in few of hundreds of runs, so that all of them are looked through at once.
    """
    whole, ends = b"".join(texts), list(accumulate(map(len, texts)))
    return [_counted(token, texts, whole, ends) for token in tokens]


def _counted(
    token: bytes, texts: Sequence[bytes], whole: bytes, ends: Sequence[int]
) -> dict[int, int]:
    found: dict[int, int] = {}
    left, at = len(texts) // _RARE, whole.find(token)
    while at >= 0:
        if not left:
            return {place: held for place, text in enumerate(texts) if (held := text.count(token))}
        left -= 1
        place, after = bisect_right(ends, at), at + CODE_BYTES
        if after > ends[place]:
            # Half of it is the next run's: none of both holds it.
            after = at + 1
        else:
            found[place] = found.get(place, 0) + 1
        at = whole.find(token, after)
    return found


def ends_in_question(text: str) -> bool:
    """Whether a text ends in a question mark, a picture's caption aside."""
    tail = _PICTURE.sub("", text[-_READ:]).rstrip(_ENDING)
    return tail.endswith(("?", "？", "؟"))


def names_time(text: str) -> bool:
    """Whether a text names a day, a date, a month or a relative time; English and Turkish."""
    return _fires("time", text)


def may_name_time(question: str) -> bool:
    """Whether it is worth reading a question for dates: it has a digit or a word of time. Reading
    loads the patterns of two languages, which a first recall should not wait for in vain."""
    timed = names_time(question) or _fires("recurring", question) or _fires("dated", question)
    return timed or any(map(str.isdigit, question[:_READ]))


def asks_when(question: str) -> bool:
    """Whether a question asks for a time; English and Turkish."""
    return _fires("when", question)


def first_person(question: str) -> bool:
    """Whether a question speaks of the one who asks; English and Turkish."""
    return _fires("first_person", question)


def recurs(date: str) -> bool:
    """Whether a date is named without its year ("May 7", "in summer"), so that any may be meant."""
    return _fires("recurring", date) and not _fires("relative", date)


def _fires(name: str, text: str) -> bool:
    folded = plain(text[:_READ]).lower()
    return any(pattern.search(folded) is not None for pattern in _patterns(name))


@cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(section[name]) for section in table("asking").values())
