"""Where credentials can begin: every literal of every shape is looked for once, and a shape is
tried only where its own stand."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from engraphy.text.needed import Cues


class Searched(NamedTuple):
    """A text, the text without case (of the same length), and where each literal stands in it, in
    order; none that does not occur."""

    text: str
    folded: str
    places: Mapping[str, Sequence[int]]


class Shape(NamedTuple):
    """What a credential of one kind looks like, and what stands in every one of them."""

    kind: str
    literals: tuple[str, ...]
    source: str
    before: int = 0
    """At most so many characters stand between its beginning and where it is tried."""
    at: tuple[str, ...] = ()
    """Literals at which it is tried, where those are others."""
    rest: str = ""
    """What stands from there on, where that is tried first and for itself."""
    nested: bool = False
    """Whether what is found inside of another one of its kind counts as well."""
    told: str = ""
    """How its value is judged; empty where the shape alone tells it."""
    caseless: bool = False
    """Whether it is sought in the text without case, which is quicker than to ignore case."""

    def matches(self, given: Searched) -> Iterator[re.Match[str]]:
        """Where a text has this shape, from the left; the group `whole`, if there is one, is all of
        it."""
        text = given.folded if self.caseless else given.text
        places = self._places(given)
        if self.rest:
            follows = _compiled(self.rest, 0).match
            places = [place for place in places if follows(text, place)]
        if self.before:
            yield from self._around(text, places)
            return
        matched, free = self._pattern.match, 0
        for place in places:
            if place >= free and (match := matched(text, place)):
                yield match
                free = 0 if self.nested else match.end()

    def _around(self, text: str, places: Iterable[int]) -> Iterator[re.Match[str]]:
        matched, free = self._pattern.match, 0
        for place in places:
            begin = max(place - self.before, free)
            while begin <= place:
                if match := matched(text, begin):
                    yield match
                    begin = free = match.end()
                else:
                    begin = free = begin + self.before + 1

    def _places(self, given: Searched) -> Iterable[int]:
        tried = self.at or self.literals
        held = [given.places[one] for one in tried if one in given.places]
        return held[0] if len(held) == 1 else sorted({place for one in held for place in one})

    @property
    def _pattern(self) -> re.Pattern[str]:
        """Compiled when a text holds a literal: all of them would be a third of a cold start."""
        return _compiled(self.source, self.before)


def searched(text: str, literals: Cues) -> Searched:
    """A text with the places of the literals, in any case."""
    folded = _folded(text)
    return Searched(text, folded, {one: _each(folded, one) for one in literals.held_by(folded)})


def _each(folded: str, literal: str) -> list[int]:
    """Every place of a literal; one that is a single letter over and over opens nothing in the
    middle of itself."""
    step = len(literal) if literal == literal[0] * len(literal) else 1
    found, place = [], folded.find(literal)
    while place >= 0:
        found.append(place)
        place = folded.find(literal, place + step)
    return found


def _folded(text: str) -> str:
    """The text in lower case as patterns see it that ignore case: of the same length (`İ` alone
    would become two characters), and with the two letters that have another capital."""
    lowered = text.lower()
    same = lowered if len(lowered) == len(text) else text.replace("İ", "i").lower()
    return same.replace("ı", "i").replace("ſ", "s")


@cache
def _compiled(source: str, before: int) -> re.Pattern[str]:
    return re.compile(rf"(?s:.{{0,{before}}}?)(?P<whole>{source})" if before else source)
