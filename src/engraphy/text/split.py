"""Cutting a text: sentences, chunks for long messages, atomic statements."""

import re
from collections.abc import Iterator
from functools import lru_cache

from engraphy.text.wordlists import READ_LIMIT, key, pattern, plain, words

Span = tuple[int, int]

_END = re.compile(r"(?<![.!?…؟])[.!?…؟]++[\"'”’)\]]*+(?=\s|$)|[。！？]++|\n++")
_INNER_END = re.compile(_END.pattern.replace(r"|$", ""))
_FENCE = re.compile(r"^[ \t]*(?:```|~~~)", re.MULTILINE)
_CODE_LINE = re.compile(
    r"[;{}]\s{0,8}$"
    r"|^\s{0,40}(?:[)\]}]|@\w|def |class \w+[(:]|import \w|from [\w.]+ import |return \S+$|</?\w)"
    r"|^\s{0,40}#?\w[\w.]{0,60}(?:\[[^\]\n]{0,80}\])?\s?=\s?\S"
)
_MONTH = re.compile(
    r"\b(?:jan|febr?u|mar|apr|ma|jun|jul|aug|sept?|octo?|nov|dec)[a-z]{0,7}$", re.IGNORECASE
)
_PARAGRAPH = re.compile(r"\n[ \t]*\n\s*")
_LOOK_BACK = 14
_ORDINAL = 3
"""Digits of a number that a full stop makes an ordinal, where a small letter follows ("4. kat")."""
_TRIES = 8
"""How many full stops are looked at for a border; a text full of abbreviations is cut anywhere."""


def sentences(text: str) -> tuple[str, ...]:
    """The sentences of a text, trimmed, none empty. Abbreviations and initials do not end one."""
    return _kept(text) if len(text) <= READ_LIMIT else _sentences(text)


def _sentences(text: str) -> tuple[str, ...]:
    return tuple(text[start:end] for start, end in sentence_spans(text))


_kept = lru_cache(maxsize=256)(_sentences)
"""What is read of a text asks for its sentences a dozen times."""


def prose(text: str) -> str:
    """The text without its code: fenced blocks (an open one to the end) and lines that are code;
    a text of one line is taken as prose."""
    lines = text.split("\n")
    if len(lines) == 1:
        return text
    kept: list[str] = []
    fenced = False
    for line in lines:
        if _FENCE.match(line):
            fenced = not fenced
        elif not fenced and not _CODE_LINE.search(line):
            kept.append(line)
    return "\n".join(kept)


def sentence_spans(text: str) -> Iterator[Span]:
    """Where the sentences of a text stand, without the space around them."""
    start = 0
    for found in _END.finditer(text):
        dot, end = found.span()
        if end - dot == 1 and text[dot] == "." and abbreviated(text, dot):
            continue
        yield from trimmed(text, start, end)
        start = end
    yield from trimmed(text, start, len(text))


def clauses(sentence: str) -> tuple[str, ...]:
    """The clauses of a sentence, cut at commas and conjunctions, trimmed, none empty."""
    found: list[str] = []
    start = 0
    for border in pattern("slotwords", "clause_border").finditer(plain(sentence)):
        found.append(sentence[start : border.start()].strip())
        start = border.end()
    found.append(sentence[start:].strip())
    return tuple(filter(None, found))


def abbreviated(text: str, dot: int) -> bool:
    """Whether the full stop at `dot` belongs to an abbreviation or an initial."""
    before = text[max(0, dot - _LOOK_BACK) : dot].rsplit(None, 1)
    if not before or text[dot - 1].isspace():
        return False
    word = before[-1].lstrip("(\"'")
    if word.isdigit():
        dated = len(before) > 1 and _MONTH.search(before[0]) is not None
        return not dated and len(word) <= _ORDINAL and text[dot + 2 : dot + 3].islower()
    if len(word) == 1:
        return word.isupper() and word != "I"
    return key(word) in words("split", "abbreviations")


def trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    """The span without its outer space; nothing where only space is left."""
    part = text[start:end]
    if bare := part.strip():
        start += len(part) - len(part.lstrip())
        yield start, start + len(bare)


def chunks(text: str, limit: int = 1200) -> list[str]:
    """A long text in pieces of at most `limit` characters; nothing but outer space is lost.

    Borders are sought at paragraphs, then sentences, then words; a fenced code block stays whole
    where it fits. Joined, the pieces hold every non-space character in order.
    """
    if limit < 1:
        raise ValueError(f"limit must be at least 1, not {limit}")
    pieces: list[str] = []
    start: int | None = None
    last = 0
    for begin, end in pieces_within(text, limit):
        if start is not None and end - start > limit:
            pieces.append(text[start:last])
            start = None
        start = begin if start is None else start
        last = end
    if start is not None:
        pieces.append(text[start:last])
    return pieces


def pieces_within(text: str, limit: int) -> Iterator[Span]:
    """Spans of at most `limit` characters: blocks, else sentences, else words, else cuts."""
    for begin, end in blocks(text):
        if end - begin <= limit:
            yield begin, end
            continue
        yield from cut(text, begin, end, limit)


def blocks(text: str) -> Iterator[Span]:
    """Paragraphs, and fenced code blocks as one."""
    start = 0
    fences = [found.start() for found in _FENCE.finditer(text)]
    for opened, closed in zip(fences[::2], fences[1::2], strict=False):
        yield from paragraphs(text, start, opened)
        line_end = text.find("\n", closed)
        start = len(text) if line_end < 0 else line_end
        yield from trimmed(text, opened, start)
    yield from paragraphs(text, start, len(text))


def paragraphs(text: str, start: int, end: int) -> Iterator[Span]:
    """The paragraphs between two places."""
    for found in _PARAGRAPH.finditer(text, start, end):
        yield from trimmed(text, start, found.start())
        start = found.end()
    yield from trimmed(text, start, end)


def cut(text: str, start: int, end: int, limit: int) -> Iterator[Span]:
    """A span in pieces of at most `limit`, at the last sentence's end inside, else at a space."""
    while end - start > limit:
        place = last_end(text, start, start + limit) or last_space(text, start + 1, start + limit)
        yield from trimmed(text, start, place)
        start = place
    yield from trimmed(text, start, end)


def last_end(text: str, start: int, end: int) -> int | None:
    """Where the last sentence that ends between two places ends, if one does."""
    ends = list(_INNER_END.finditer(text, start, end + 1))
    for found in ends[: -_TRIES - 1 : -1]:
        if found.end() <= end and not (found[0] == "." and abbreviated(text, found.start())):
            return found.end()
    return None


def last_space(text: str, start: int, end: int) -> int:
    """The last place between `start` and `end` where a space stands, else `end`."""
    for place in range(end, start, -1):
        if text[place - 1 : place].isspace():
            return place
    return end
