"""The stretch of time a question is about: "last week", "since March", "before we moved"."""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any, Literal

from engraphy.model.language import DateMention
from engraphy.record import Record
from engraphy.text.analyser import query_terms
from engraphy.text.datafiles import table
from engraphy.text.dates import dates, speaks
from engraphy.text.language import language
from engraphy.text.stopwords import stop_words
from engraphy.text.wordlists import LANGUAGES, plain

Side = Literal["before", "after", "during"]

_READ = 1_000
_DAY = 86_400_000_000
_RECENT_DAYS = 30
_COUPLE = 2
_NEXT = 12
"""Characters beside a phrase in which the next word stands."""
_WORD = re.compile(r"[^\W_]{1,40}")
_OPENING = 4
"""Characters that may stand before a date which a phrase begins with."""


class Stretch(Record, frozen=True, kw_only=True):
    """A stretch of time, [begin, until) in microseconds UTC; None = open to that side.

    `mention`: the date that was named, where nothing but a date was. `sharp`: the question sets a
    limit ("before March"), so what lies beyond it is not meant.
    """

    begin: int | None
    until: int | None
    mention: DateMention | None = None
    sharp: bool = False

    def holds(self, at: int) -> bool:
        """Whether a moment lies in it."""
        return (self.begin is None or self.begin <= at) and (self.until is None or at < self.until)

    def meets(self, begin: int, until: int | None) -> bool:
        """Whether what was true from `begin` to `until` (None: still) was true in it."""
        ends_late = until is None or self.begin is None or until > self.begin
        return ends_late and (self.until is None or begin < self.until)


class Anchor(Record, frozen=True, kw_only=True):
    """An event by which a question sets its time: "before we moved" is before `event`."""

    side: Side
    event: str


class Timing(Record, frozen=True, kw_only=True):
    """The stretches a question names, and the events it is dated by."""

    stretches: tuple[Stretch, ...] = ()
    anchors: tuple[Anchor, ...] = ()
    alone: bool = False
    """Nothing else is named: "what did we do last week?"."""


def timing(question: str, *, now: int) -> Timing:
    """When the things happened that a question asks for; English and Turkish.

    `now`: microseconds UTC, the moment of the question.
    """
    text = question[:_READ]
    folded = plain(text).lower()
    measured = _measures(folded)
    taken: list[tuple[int, int]] = []
    stretches: list[Stretch] = []
    anchors: list[Anchor] = []
    for start, end, found in _phrases(text, folded, now):
        if any(start < last and first < end for first, last in taken):
            continue
        if isinstance(found, Anchor):
            anchors += () if measured else (found,)
            continue
        taken.append((start, end))
        stretches.append(found)
    for mention in dates(text, now=now):
        if not any(mention.start < last and first < mention.end for first, last in taken):
            taken.append((mention.start, mention.end))
            stretches.append(_named(mention))
    alone = bool(taken) and not anchors and _names_nothing(folded, taken)
    return Timing(stretches=tuple(stretches), anchors=tuple(anchors), alone=alone)


def _measures(folded: str) -> bool:
    """Whether a question asks how long one thing lay from another: both are its answer, and
    neither is a limit."""
    return any(_rules(spoken)["span"].search(folded) is not None for spoken in LANGUAGES)


def _named(mention: DateMention) -> Stretch:
    return Stretch(begin=mention.begin, until=mention.until, mention=mention)


def _names_nothing(folded: str, taken: Sequence[tuple[int, int]]) -> bool:
    """Whether a question holds only small words beside its phrases of time."""
    rest = list(folded)
    for start, end in taken:
        rest[start:end] = " " * (end - start)
    said = _WORD.findall("".join(rest))
    return all(word in _small_words() for word in said)


def _phrases(text: str, folded: str, now: int) -> Iterator[tuple[int, int, Stretch | Anchor]]:
    """What the phrases of both languages say, with the place of each, limits first."""
    for spoken in LANGUAGES:
        words, rules = table("timeframe")[spoken], _rules(spoken)
        for match in rules["between"].finditer(folded):
            if stretch := _between(text, match, words, now):
                yield *match.span(), stretch
        for match in rules["related"].finditer(folded):
            yield from _related(text, match, words, now)
        for match in rules["during"].finditer(folded):
            if anchor := _anchor("during", _said(text, match, "what")):
                yield *match.span(), anchor
        yield from _around_now(folded, words, rules, now)


def _around_now(
    folded: str, words: Mapping[str, Any], rules: Mapping[str, re.Pattern[str]], now: int
) -> Iterator[tuple[int, int, Stretch]]:
    """ "In the last 3 days", "recently", "over the weekend", which is the coming one where the
    question looks ahead."""
    for match in rules["rolling"].finditer(folded):
        count = match["n"] or ""
        number = int(count) if count.isdecimal() else words["counts"].get(count, _COUPLE)
        days = number * words["units"][match["unit"]]
        yield *match.span(), Stretch(begin=now - days * _DAY, until=now + 1)
    for match in rules["recent"].finditer(folded):
        yield *match.span(), Stretch(begin=now - _RECENT_DAYS * _DAY, until=now + 1)
    for match in rules["weekend"].finditer(folded):
        side = "this weekend" if speaks(folded, match, "ahead") else "last weekend"
        (found,) = dates(side, now=now)
        yield *match.span(), Stretch(begin=found.begin, until=found.until, mention=found)


def _between(text: str, match: re.Match[str], words: Mapping[str, Any], now: int) -> Stretch | None:
    first = _dated(_said(text, match, "first"), words, now)
    last = _dated(_said(text, match, "last"), words, now)
    if first is None or last is None:
        return None
    begin, until = first.begin, last.until
    # "from March to June": a month without its year is read as the latest one, each by itself.
    if begin >= until:
        earlier = _dated(_said(text, match, "first"), words, last.begin)
        begin = until if earlier is None else earlier.begin
    return Stretch(begin=begin, until=until) if begin < until else None


def _related(
    text: str, match: re.Match[str], words: Mapping[str, Any], now: int
) -> Iterator[tuple[int, int, Stretch | Anchor]]:
    said, what = match["side"] or "beri", _said(text, match, "what")
    side: Side = "before" if said in words["sides"]["before"] else "after"
    (start, end), tail = match.span(), words["tail"]
    date = _dated(what, words, now)
    if date is not None:
        beside = words["units"].get(_beside(text, start, end, tail), 0) * _DAY
        yield start, end, _limited(side, said, date, beside)
    elif anchor := _anchor(side, text[match.start("what") : end].rsplit(" ", tail)[0]):
        yield start, end, anchor


def _beside(text: str, start: int, end: int, tail: int) -> str:
    """The word that says how long before or after a date: "the week before 3 August"."""
    words = plain(text[end : end + _NEXT] if tail else text[max(0, start - _NEXT) : start]).lower()
    found = words.split()
    return (found[0] if tail else found[-1]) if found else ""


def _limited(side: Side, said: str, date: DateMention, length: int) -> Stretch:
    """Before a date, after it, or from it on; `length`: so long only, where one is told."""
    if length:
        begin, until = (-length, 0) if side == "before" else (0, length)
        edge = date.begin if side == "before" else date.until
        return Stretch(begin=edge + begin, until=edge + until)
    if side == "before":
        through = said in {"until", "till", "up to"}
        return Stretch(begin=None, until=date.until if through else date.begin, sharp=True)
    whole = said not in {"after", "following"} and not said.startswith("sonra")
    return Stretch(begin=date.begin if whole else date.until, until=None, sharp=True)


def _dated(phrase: str, words: Mapping[str, Any], now: int) -> DateMention | None:
    """The date a phrase begins with, as it stands or as a month is named; None without one."""
    for said in (*(form.format(phrase) for form in words["as"]), phrase):
        for found in dates(said, now=now):
            if found.start <= _OPENING:
                return found
    return None


def _anchor(side: Side, event: str) -> Anchor | None:
    """The anchor of an event that is told in words; None where only small words are left."""
    stops = stop_words(language(event)) | stop_words("en") | stop_words("tr")
    told = [term.surface for term in query_terms(event) if term.surface not in stops]
    return Anchor(side=side, event=event) if told else None


def _said(text: str, match: re.Match[str], group: str) -> str:
    return text[match.start(group) : match.end(group)]


@cache
def _small_words() -> frozenset[str]:
    """Words that name nothing: stop words, and those that only ask what happened."""
    small = frozenset(word for spoken in LANGUAGES for word in table("timeframe")[spoken]["small"])
    return small | stop_words("en") | stop_words("tr")


@cache
def _rules(spoken: str) -> Mapping[str, re.Pattern[str]]:
    names = ("rolling", "recent", "weekend", "between", "related", "during", "span")
    return {name: re.compile(table("timeframe")[spoken][name]) for name in names}
