"""Requests to be reminded (D-76), English and Turkish: of what, and at which moment or topic."""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from engraphy.model.language import DateMention, Grain
from engraphy.model.reminding import EACH, Every
from engraphy.text import recurring
from engraphy.text.cited import cited
from engraphy.text.clocks import Clock, clock, without_clocks
from engraphy.text.datafiles import table
from engraphy.text.dates import dates
from engraphy.text.moments import moment
from engraphy.text.split import sentence_spans
from engraphy.text.topics import topic_words
from engraphy.text.wordlists import READ_LIMIT, Rule, compose, key, plain, rules_of
from engraphy.text.zones import at_wall, wall

_FILE = "reminding"
_DAY, _HOUR = 86_400_000_000, 3_600_000_000
_FINE = frozenset({Grain.HOUR, Grain.MINUTE})
_HINT = re.compile(
    r"remind|hatirlat|unutturma|(?:me|us|i|we) (?:don'?t |do not )?forget", re.IGNORECASE
)
_EDGE = " ,.;:!?…-"


class Asked(NamedTuple):
    """What is asked for: the words that say what is to be done, from when on and until when it is
    on time (microseconds UTC; None = no moment is named), the topic's words, and how often
    again (see `model.reminding.Cue`)."""

    action: str
    at: int | None
    until: int | None
    topic: str
    every: str


class _Parts(NamedTuple):
    """What is to be done, and a condition."""

    action: str
    cue: str = ""


def request(text: str, *, now: int, zone: str = "UTC") -> Asked | None:
    """What the first sentence that asks to be reminded asks for; None where none does, or where it
    names neither a moment to come nor a topic. `now`: microseconds UTC, the message's own time;
    `zone`: in which its dates and hours are read."""
    found = (one for start, end in _requests(text) if (one := _read(text[start:end], now, zone)))
    return next(found, None)


def apart(text: str, *, now: int, zone: str = "UTC") -> Iterator[tuple[str, bool]]:
    """The text in pieces, each with whether it is one sentence that asks to be reminded."""
    place = 0
    for start, end in _requests(text):
        if _read(text[start:end], now, zone) is None:
            continue
        if before := text[place:start].strip():
            yield before, False
        yield text[start:end], True
        place = end
    if rest := text[place:].strip():
        yield rest, False


def asks(text: str) -> bool:
    """Whether a sentence of the text asks to be reminded, of whatever and whenever."""
    return next(_requests(text), None) is not None


def moves(text: str) -> bool:
    """Whether a request takes the place of one that was made before: "on Friday instead"."""
    return _patterns("moved").search(plain(text[:READ_LIMIT])) is not None


def essence(action: str, *, now: int) -> str:
    """The words of what is to be done without its dates and hours, as a key; "" where none is
    left. Reads 8,192 characters, as `request` does."""
    action = action[:READ_LIMIT]
    bare = list(plain(action))
    for one in dates(action, now=now, told=True, coming=True):
        bare[one.start : one.end] = " " * (one.end - one.start)
    kept = _patterns("moved").sub(" ", without_clocks("".join(bare)))
    return " ".join(sorted({min(terms) for terms in topic_words(kept)}))


def _requests(text: str) -> Iterator[tuple[int, int]]:
    """Where the sentences stand that ask for it, those aside that are only shown."""
    read = text[:READ_LIMIT]
    if _HINT.search(plain(read)) is None:
        return
    shown = cited(read)
    for start, end in sentence_spans(read):
        folded = plain(read[start:end])
        if not _HINT.search(folded) or _match(folded) is None:
            continue
        if not any(begin <= start < over for begin, over in shown):
            yield start, end


def _match(folded: str) -> re.Match[str] | None:
    found = (rule.pattern.match(folded) for rule in _rules("asks"))
    return next(filter(None, found), None)


def _read(sentence: str, now: int, zone: str) -> Asked | None:
    found = _match(plain(sentence))
    if found is None or (parts := _parts(sentence, found)) is None:
        return None
    here = wall(now, zone)
    topic = _topic(parts.cue)
    when = _moment(sentence, parts.action, here)
    again = _every(sentence)
    if again is not None and not topic:
        when = when or _first(here, again, clock(sentence))
    if when is None and not topic:
        return None
    every = EACH if topic and _is("each", parts.cue) else ""
    if again is not None and when is not None:
        day = _day_of(when[0]) if again.unit in {"month", "year"} else 0
        every = recurring.told(again._replace(day=day))
    at, until = (None, None) if when is None else (at_wall(one, zone) for one in when)
    return Asked(action=parts.action, at=at, until=until, topic=topic, every=every)


def _parts(sentence: str, found: re.Match[str]) -> _Parts | None:
    groups = found.groupdict()
    if groups.get("all") is not None:
        start, end = found.span("all")
        return _turkish(sentence[start:end])
    start, end = found.span("rest")
    rest = sentence[start:end].strip(_EDGE)
    head = "" if groups.get("head") is None else sentence[slice(*found.span("head"))]
    if not rest or _is("asked_now", rest):
        return None
    return _english(head.strip(_EDGE), rest)


def _english(head: str, rest: str) -> _Parts | None:
    parts = _split("cue_first", rest)
    if parts is not None and _patterns("open_cue").search(plain(parts.cue)):
        return None
    if parts is None and _is("opened", rest):
        return None
    if parts is None:
        parts = _split("to_do", rest) or _Parts(rest)
        parts = _split("cue_last", parts.action) or parts
    if head and not parts.cue and _is("opened", head):
        return None if _patterns("open_cue").search(plain(head)) else _Parts(parts.action, head)
    return parts if parts.action.strip(_EDGE) else None


def _turkish(whole: str) -> _Parts | None:
    words = _patterns("idle").sub(lambda one: " " * len(one[0]), plain(whole))
    kept = "".join(a if b != " " else " " for a, b in zip(whole, words, strict=True)).strip(_EDGE)
    if len(kept) < 2 or _patterns("asked_now").search(plain(kept)):
        return None
    return _split("cue_first_tr", kept) or _Parts(kept)


def _split(name: str, text: str) -> _Parts | None:
    found = _patterns(name).match(plain(text))
    if found is None:
        return None
    groups = found.groupdict()
    cut = {one: text[slice(*found.span(one))].strip(_EDGE) for one in groups}
    return _Parts(cut["action"], cut.get("cue", "")) if cut["action"] else None


def _topic(cue: str) -> str:
    """The words of a condition that say what is to come up: "we talk about the deploy"."""
    bare = _patterns("frame").sub(lambda one: " " * len(one[0]), plain(cue))
    kept = "".join(a if b != " " else " " for a, b in zip(cue, bare, strict=True))
    words = " ".join(kept.split()).strip(_EDGE)
    return words if topic_words(words) else ""


def _moment(sentence: str, action: str, here: int) -> tuple[int, int] | None:
    """The span on the wall clock in which it is on time; None where no moment to come is named."""
    told = clock(sentence)
    coming = [one for one in dates(sentence, now=here, told=True, coming=True) if one.until > here]
    if coming:
        inside = sentence.find(action)
        named = [one for one in coming if not 0 <= inside <= one.start < inside + len(action)]
        return _on(sentence, (named or coming)[0], here, told)
    if told is None:
        return None
    return _of_day(here - here % _DAY, told, here)


def _on(sentence: str, date: DateMention, here: int, told: Clock | None) -> tuple[int, int]:
    if date.grain in _FINE:
        step = date.until - date.begin
        begin = date.begin + here % step
        return begin, begin + step
    begin, until = date.begin, date.until
    if (ahead := _ahead(sentence)) and begin - ahead > here - _DAY:
        begin, until = begin - ahead, begin - ahead + _DAY
    if told is None or date.grain is not Grain.DAY:
        return begin, until
    start = begin + told.minutes * 60_000_000
    return start, start + _HOUR


def _of_day(today: int, told: Clock, here: int) -> tuple[int, int]:
    start = today + told.minutes * 60_000_000
    start += _DAY if start <= here else 0
    return start, start + _HOUR


def _ahead(sentence: str) -> int:
    """How long before the date that is named: "two days before 3 March"."""
    for rule in _rules("before"):
        if (found := rule.pattern.search(plain(sentence))) is not None:
            return _count(found["n"]) * (7 if _unit(found["unit"]) == "week" else 1) * _DAY
    return 0


def _every(sentence: str) -> Every | None:
    for rule in _rules("every"):
        if (found := rule.pattern.search(plain(sentence))) is not None:
            groups = found.groupdict()
            unit = rule.fields.get("unit") or _unit(groups["unit"])
            count = _count(groups["n"]) if groups.get("n") else int(rule.fields["count"])
            return Every(number=max(1, count), unit=unit)
    return None


def _first(here: int, again: Every, told: Clock | None) -> tuple[int, int]:
    """When what comes every so often comes first: where no hour is named, not today any more."""
    today = here - here % _DAY
    start = today + (told.minutes * 60_000_000 if told else 0)
    if start <= here:
        # A weekday stands among the dates; what is left goes on from today.
        start = recurring.next_after(start, recurring.told(again), here, "UTC") or start
    return start, start + (_HOUR if told else _DAY)


def _day_of(at: int) -> int:
    return moment(at).day


def _count(text: str) -> int:
    return int(text) if text.isdecimal() else int(_words()["counts"].get(key(text), 1))


def _unit(text: str) -> str:
    return str(_words()["units"][key(text)])


def _words() -> dict[str, dict[str, int]]:
    return table(_FILE)["words"]  # type: ignore[no-any-return]


def _is(name: str, text: str) -> bool:
    return _patterns(name).match(plain(text)) is not None


@cache
def _patterns(name: str) -> re.Pattern[str]:
    sources = table(_FILE)["reading"][name]
    return re.compile("|".join(compose(one, _FILE) for one in sources), re.IGNORECASE)


@cache
def _rules(section: str) -> tuple[Rule, ...]:
    return tuple(rules_of(_FILE, section))
