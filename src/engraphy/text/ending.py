"""What is over when something is told in passing: who lost a thing has it no longer, who was let go
somewhere works there no longer (D-08).

A change is told here by what happened, without a word that says that something changed. Precision
first: only known tellings end only known forms of what the speaker says of themselves, and what is
told of has to be named there. The patterns are `lexicon/endings.toml`.
"""

import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from itertools import pairwise
from typing import NamedTuple

from engraphy.text.caseless import Caseless
from engraphy.text.datafiles import table
from engraphy.text.evidence import asks
from engraphy.text.gazetteer import lookup
from engraphy.text.parts import listed, words
from engraphy.text.slots import statements
from engraphy.text.split import sentences
from engraphy.text.stopwords import is_stop_word
from engraphy.text.wordlists import plain

_LONGEST = 140
_EDGE = " \t\n.!,;:"
_CHANGING = ("k", "p", "t", "c", "e")
_ROOT = 3
"""Letters."""
_WORD = re.compile(r"[\w.’'+#-]+")
_QUOTED = re.compile(r'["“”„«»]')


class Ending(NamedTuple):
    """A way in which something ends: pieces of words of which one is in every telling, how it is
    told, what the text says beside, what is over. `besides`: words of what is told of that need not
    be in what is over; `seek`: words by which that is found where the telling does not name it;
    `inflected`: a word may have another ending in either."""

    cues: tuple[str, ...]
    told: tuple[Caseless, ...]
    after: Caseless | None
    held: tuple[Caseless, ...]
    besides: frozenset[str]
    seek: str
    inflected: bool = False


class _Telling(NamedTuple):
    ending: Ending
    of: frozenset[str]
    """The words of what it tells of; none where it names nothing."""
    who: str
    """Who did what is over; empty where it is the speaker, or nobody."""


def ends(text: str) -> bool:
    """Whether a text tells that something ended."""
    return bool(_tellings(text))


def sought(text: str) -> str:
    """Words by which what a text ends is found, where it does not name it."""
    return " ".join(dict.fromkeys(one.ending.seek for one in _tellings(text) if one.ending.seek))


def over(new: str, old: str) -> str | None:
    """What of an older text is over because of what a new one tells; None where nothing is."""
    tellings = _tellings(new)
    if not tellings or len(old) > _LONGEST:
        return None
    for clause in _clauses(old):
        for telling in tellings:
            if _holds(telling, clause):
                return " ".join(sorted(telling.of)) or clause.lower()
    return None


@lru_cache(maxsize=256)
def _clauses(old: str) -> tuple[str, ...]:
    """The sentences of an older text, and the clauses of those that say several things."""
    found: dict[str, None] = {}
    for sentence in sentences(old):
        found |= dict.fromkeys(plain(one).strip(_EDGE) for one in (sentence, *statements(sentence)))
    return tuple(found)


def _holds(telling: _Telling, clause: str) -> bool:
    """Whether a clause says what is over."""
    for form in telling.ending.held:
        found = form.compiled.fullmatch(clause)
        if found is None:
            continue
        groups = found.groupdict()
        if (groups.get("w") or "").lower() == telling.who and _names(telling, groups):
            return True
    return False


def _names(telling: _Telling, groups: Mapping[str, str | None]) -> bool:
    """Whether what is told of is named by what a clause says of it, or as what sort of thing it is:
    a phone is no phone number, and a build server a server."""
    of, besides = telling.of, telling.ending.besides
    sort, said = (groups.get(name) or "" for name in ("k", "y"))
    if telling.ending.inflected:
        return all(any(_inflected(one, other) for other in words(said)) for one in of)
    if of <= words(said):
        return not of or not _only_begins(of | besides, said)
    return bool(of & words(sort.rpartition(" ")[2])) and of <= words(f"{sort} {said}")


def _inflected(one: str, other: str) -> bool:
    """Whether two words may be one with other endings: the longer begins as the shorter does, but
    for a last letter that an ending changes ("mutfak", "mutfağı"; "cycle", "cycling")."""
    short, long = sorted((one, other), key=len)
    root = short[:-1] if short[-1:] in _CHANGING and len(short) > _ROOT else short
    return one == other or (len(root) >= _ROOT and long.startswith(root))


def of_another_thing(new: str, old: str) -> bool:
    """Whether a new text tells that something ended, and an older one only has the word for it in
    the name of another thing ("We sold the car", "I have a car key")."""
    named = words(old)
    ended = [one.of for one in _tellings(new) if one.of and one.of <= named]
    return bool(ended) and all(_only_begins(of, plain(old)) for of in ended)


def _only_begins(of: frozenset[str], said: str) -> bool:
    """Whether an everyday word for it only says of what something else is ("bike shop")."""
    spelled = [*_WORD.findall(said), ""]
    pairs = [
        (one, after)
        for one, after in pairwise(spelled)
        if words(one) & of and not words(after) & of
    ]
    everyday = (one.isalpha() and one.islower() and _goes_on(after) for one, after in pairs)
    return bool(pairs) and all(everyday)


def _goes_on(word: str) -> bool:
    """Whether a word behind another may be what is named by both."""
    small = is_stop_word(word) or word in table("endings")["behind"]["words"]
    return word.isalpha() and word.islower() and not small


@lru_cache(maxsize=64)
def _tellings(text: str) -> tuple[_Telling, ...]:
    if len(text) > _LONGEST:
        return ()
    return tuple(one for sentence in sentences(text) for one in _of_sentence(plain(sentence)))


def _of_sentence(sentence: str) -> Iterator[_Telling]:
    lowered = sentence.lower()
    likely = [one for one in _endings() if any(cue in lowered for cue in one.cues)]
    if not likely or asks(sentence) or _QUOTED.search(sentence):
        return
    if any(one.search(sentence) for one in _unless()):
        return
    for ending in likely:
        if ending.after is None or ending.after.search(sentence) is not None:
            found = (one for form in ending.told for one in form.finditer(sentence))
            yield from filter(None, (_telling(ending, one.groupdict()) for one in found))


def _telling(ending: Ending, groups: Mapping[str, str | None]) -> _Telling | None:
    """What a telling found tells of; None where that is only pointed at, or what is told as a place
    is known as something else ("we moved to Slack")."""
    named, who = groups.get("x"), (groups.get("w") or "").lower()
    known = lookup(groups.get("place") or "")
    if known is not None and known.kind != "place":
        return None
    of = frozenset() if named is None else words(named) - ending.besides
    told = named is None or (of and of.isdisjoint(listed("dangling")))
    return _Telling(ending, of, who) if told else None


@cache
def _unless() -> tuple[Caseless, ...]:
    return tuple(map(_composed, table("endings")["unless"]["patterns"]))


@cache
def _endings() -> tuple[Ending, ...]:
    rows = table("endings")["endings"]
    held = {row["name"]: row["held"] for row in rows if "held" in row}
    return tuple(
        Ending(
            tuple(row["cue"]),
            tuple(map(_composed, row["told"])),
            _composed(row["after"]) if "after" in row else None,
            tuple(map(_composed, held[row.get("held_of", row["name"])])),
            frozenset(row.get("besides", ())),
            row.get("seek", ""),
            row.get("inflected", False),
        )
        for row in rows
    )


def _composed(source: str) -> Caseless:
    """A pattern of the file with its macros put in, folded as the texts are."""
    macros = table("endings")["macros"]
    for _ in range(3):
        for name, macro in macros.items():
            source = source.replace(f"<<{name}>>", macro)
    return Caseless(plain(source))
