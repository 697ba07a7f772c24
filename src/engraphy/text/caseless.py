"""Patterns that ignore case, which is dear: ASCII is searched in lower case first, by a pattern
that minds the case, in a half to a quarter of the time; and where a pattern is tried often, only
what holds a piece that it needs."""

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import count

from engraphy.record import Record
from engraphy.text.needed import LONGEST_TEXT, Needed, OFTEN, needs

_ESCAPED = re.compile(r"\\.")
_CLASS = re.compile(r"\[(\^?)\]?[^\]]*(?:\]|\Z)")
_UNREAD = re.compile(r"\\[0-9xuUN]|\(\?(?!-i:)[-aiLmsux]+[:)]|[A-Z]-[^A-Z]|[^A-Z]-[A-Z]")
"""Characters by their number, flags, and ranges between a capital and something else."""
_FINAL = re.compile(r"[*+?}]\+|\(\?>")
_LETTER = re.compile(r"\\.|\(\?P[<=]\w+[>)]|[A-Z]")
_MARK = re.compile(r"\(\?-i:|\(\?<?!|\(|\)|\^")
_CASED, _NOT, _NEGATED = "(?-i:", ("(?!", "(?<!"), "^"
_FOLDED_TO_ASCII = frozenset("ıİſ\u212a")
"""Letters that Python takes for `i`, `s` and `k` where case is ignored."""


class Caseless(Record, frozen=True, eq=False, dict=True, weakref=True):
    """A pattern over text, compiled when it is first tried: a short process tries few of several
    hundred. `flags`: without IGNORECASE it is searched as it is."""

    source: str
    flags: re.RegexFlag = re.IGNORECASE

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern itself."""
        return re.compile(self.source, self.flags)

    @cached_property
    def lowered(self) -> re.Pattern[str] | None:
        """What begins to match ASCII in lower case where this pattern does, or sooner: what minds
        the case in it is taken for either. None where that is not known."""
        return None if self._read is None else re.compile(self._read)

    @cached_property
    def _read(self) -> str | None:
        return _lowered(self.source) if self.flags == re.IGNORECASE else None

    @cached_property
    def needed(self) -> Needed | None:
        """What stands in each text that is in lower case in which it finds anything."""
        return None if self._read is None else needs(self._read)

    @cached_property
    def _searches(self) -> Iterator[int]:
        return count()

    @property
    def groupindex(self) -> Mapping[str, int]:
        """The numbers of its named groups."""
        return self.compiled.groupindex

    def finds(self, text: str) -> bool:
        """Whether it finds anything."""
        return self.search(text) is not None

    def search(self, text: str) -> re.Match[str] | None:
        """The first match."""
        start = self._from(text)
        return None if start is None else self.compiled.search(text, start)

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        """Every match, in order."""
        start = self._from(text)
        return iter(()) if start is None else self.compiled.finditer(text, start)

    def match(self, text: str) -> re.Match[str] | None:
        """The match at the beginning."""
        return self.compiled.match(text)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The match of the whole text."""
        return self.compiled.fullmatch(text)

    def sub(self, put: str, text: str) -> str:
        """The text with something else in the place of every match."""
        return self.compiled.sub(put, text)

    def _from(self, text: str) -> int | None:
        """From where a match is worth looking for; None where there is none."""
        if not text.isascii():
            return 0
        lowered = text.lower()
        often = next(self._searches) > OFTEN and len(text) <= LONGEST_TEXT
        if often and self.needed is not None and not self.needed.stands_in(lowered):
            return None
        if self.lowered is None:
            return 0
        found = self.lowered.search(lowered)
        return None if found is None else found.start()


def _lowered(source: str) -> str | None:
    bare = _ESCAPED.sub("", source)
    if _UNREAD.search(source) or not _FOLDED_TO_ASCII.isdisjoint(bare):
        return None
    if _CASED in bare and (_FINAL.search(bare) or not _may_match_more(bare)):
        return None
    return _LETTER.sub(_in_lower_case, source).replace(_CASED, "(?:")


def _in_lower_case(found: re.Match[str]) -> str:
    return found[0].lower() if len(found[0]) == 1 else found[0]


def _may_match_more(bare: str) -> bool:
    """Whether a pattern matches all that it did when what minds the case in it minds it no more:
    nothing of that is denied."""
    within: list[str] = []
    for mark in _MARK.findall(_CLASS.sub(r"\1", bare)):
        if mark == ")":
            within.pop()
            continue
        within += [mark] if mark != _NEGATED else []
        denied = mark == _NEGATED or not {*_NOT}.isdisjoint(within)
        if denied and _CASED in within:
            return False
    return True
