"""What is read of a very long output, so that no part of a credential is kept: its ends, and the
lines between that tell an error, as much of them as an excerpt may show."""

import re
from bisect import bisect_left
from collections.abc import Iterator

from engraphy.text.clean import clean
from engraphy.text.tooloutput import error_lines

_READ = 60_000
"""Characters of an output that is read as a whole."""
_SEARCHED = 100_000
"""Characters behind its beginning and before its end that are searched for errors."""
_BESIDE = 15_000
"""Characters beside what is left out that are read and not kept: no credential is longer, so one
that was cut in two shows no part."""
_BEFORE, _LINE = 1_000, 1_650
"""Characters of the whole lines before an error that are read with it, and of its own line."""
_KEY = re.compile(r"-----BEGIN [^\n-]{0,60}KEY|PuTTY-User-Key-File")
_HEAD, _TAIL = "\x00h", "\x00t"
"""What stands behind the head and before the tail; no cleaned text has a NUL."""


def parts_of(text: str, limit: int) -> str:
    """What has to be read of an output for an excerpt of `limit` characters: all of it, or of a
    long one its parts, to be given to `joined` once nothing is in them that may not stay."""
    size = limit + _BESIDE
    if len(text) <= max(_READ, 2 * size):
        return clean(text)
    middle, until = len(text) // 2, len(text) - limit
    halves = (limit, min(middle, limit + _SEARCHED)), (max(middle, until - _SEARCHED), until)
    keys = [found.start() for found in _KEY.finditer(text)]
    told = [line for half in halves for line in _told(text, half, limit // 4, keys)]
    read = (text[:size], _HEAD, "\n".join(told), _TAIL, text[-size:])
    return "".join(one if one in (_HEAD, _TAIL) else clean(one) for one in read)


def joined(parts: str) -> str:
    """The parts of an output as one text, without what stood beside what was left out."""
    head, found, rest = parts.partition(_HEAD)
    kept = [head[:-_BESIDE]] if found else []
    middle, found, tail = (rest if found else parts).partition(_TAIL)
    kept += [middle, tail[_BESIDE:]] if found else [middle]
    return "\n".join(filter(None, kept)) if len(kept) > 1 else parts


def _told(text: str, part: tuple[int, int], limit: int, keys: list[int]) -> Iterator[str]:
    """The lines of a part that tell an error, each behind those before it. Not told are one beside
    a very long line, and one that may stand in a key."""
    start, end = part
    for place, _ in error_lines(text[start:end], limit):
        at = start + place
        begin = text.find("\n", max(start, at - _BEFORE), at) + 1
        in_key = bisect_left(keys, at) > bisect_left(keys, at - _BESIDE)
        if 0 < begin < at and not in_key:
            line, *ended = text[at : at + _LINE].split("\n", 1)
            yield text[begin:at] + (line if ended else _without_last_word(line))


def _without_last_word(line: str) -> str:
    """The beginning of a line, without the word in which it was cut."""
    words = line.rsplit(None, 1)
    return words[0] if len(words) > 1 else ""
