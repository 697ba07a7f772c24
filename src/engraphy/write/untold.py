"""The summary of a session without what was taken back since: no line of it, and no word of a
model that had read it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engraphy.model import Memory
from engraphy.write.given import versioned
from engraphy.write.summary import line, open_sentences

_ITEM = "- "
_END = ".:;,"


def untold(summary: Memory, gone: Sequence[Memory], staying: Sequence[Memory]) -> Memory | None:
    """The next version of `summary`, without the lines that only memories of `gone` say (the same
    memory with an earlier text among them): itself where others say them too, None where none of
    its lines is one of them."""
    kept = {said for row in staying for said in _lines(row)}
    over = {said for row in gone for said in _lines(row)} - kept
    if not over:
        return summary
    head, *told = summary.content.rpartition("\n\n")[2].split("\n")
    left = [one for one in told if _said(one) not in over]
    if len(left) == len(told):
        return None
    text = "\n".join((head, *_filled(left)))
    return versioned(summary, replace(summary, content=text, title=_title(summary.title, over)))


def _lines(row: Memory) -> Iterator[str]:
    yield line(row).rstrip(_END)
    yield from (one.rstrip(_END) for one in open_sentences(row))


def _said(shown: str) -> str:
    """What a line of a summary says: an item of a list, or what stands behind its heading."""
    if shown.startswith(_ITEM):
        return shown.removeprefix(_ITEM).rstrip(_END)
    return shown.partition(": ")[2].rstrip(_END)


def _filled(lines: Sequence[str]) -> Iterator[str]:
    """The lines without the headings under which nothing stands any more."""
    for one, following in pairwise((*lines, "")):
        if not one.endswith(":") or one.startswith(_ITEM) or following.startswith(_ITEM):
            yield one


def _title(shown: str, over: set[str]) -> str:
    """The title, which may be cut, without the line that it ends in."""
    whole = shown.removesuffix("…")
    place = whole.find(": ")
    while place >= 0:
        tail = whole[place + 2 :].rstrip(_END)
        if tail and any(one.startswith(tail) for one in over):
            return whole[:place]
        place = whole.find(": ", place + 2)
    return shown
