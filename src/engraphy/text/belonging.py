"""Whose something is, and what it is: somebody else's same thing, and where a thing stands or what
is done with it, take nothing back that was told of it. The patterns are `lexicon/replacing.toml`.
"""

from functools import lru_cache
from typing import NamedTuple

from engraphy.text.datafiles import table
from engraphy.text.parts import READ, listed, stems, words
from engraphy.text.shaped import composed
from engraphy.text.wordlists import plain


class _Found(NamedTuple):
    """Who or what a pattern names, and what follows."""

    named: str
    rest: str


def tells_of_another(new: str, old: str) -> bool:
    """Whether the two are about things of different people, about different things of one, or the
    new one only about where a thing is."""
    if of_somebody_elses(new, old) or of_another_such(new, old):
        return True
    return only_stands(new, old)


def of_somebody_elses(new: str, old: str) -> bool:
    """Whether one of the two tells of somebody's thing or habit, and the other of the speaker's own
    ("my son's shoe size is 31 now", "my shoe size is 43")."""
    mine, theirs = _whose(new), _whose(old)
    if mine and not theirs:
        return _is("plainly", old) and not _speaks_of(old, mine)
    if theirs and not mine:
        return _is("own", new) and not _speaks_of(new, theirs)
    return False


def only_stands(new: str, old: str) -> bool:
    """Whether the older says what a thing is, and the new one where it is or what is done with it
    ("my bike is a blue Cube", "I ride the bike to work now")."""
    thing = _found("stands", new).named
    return bool(thing) and thing == _found("identity", old).named


def of_another_such(new: str, old: str) -> bool:
    """Whether each tells the same of a thing, and the things are not called the same ("the code of
    the garage", "the code for the alarm", "my bike lock code")."""
    (mine, such), (theirs, same) = _of(new), _of(old)
    return bool(mine and theirs) and such == same and mine.isdisjoint(theirs)


def _of(text: str) -> tuple[frozenset[str], str]:
    """Of what a text tells something, and what that is."""
    folded = plain(text[:READ]).lower()
    for name in ("same_of", "same_before"):
        found = composed(table("replacing")["stays"][name]).match(folded)
        if found is not None:
            of = " ".join(found.groupdict().get(one) or "" for one in ("of", "more"))
            return stems(of), found["same"]
    return frozenset(), ""


def _speaks_of(text: str, who: str) -> bool:
    """Whether a text names somebody, or may mean them by a pronoun."""
    told = words(text[:READ])
    return who in told or bool(told & listed("pronouns"))


def _whose(text: str) -> str:
    """Whom a text is about, where that is somebody by name or one of the family and the speaker has
    no part in it."""
    found = _found("anothers", text)
    speaker = composed(table("replacing")["guards"]["speaker"])
    return "" if speaker.search(found.rest) else found.named


@lru_cache(maxsize=512)
def _found(name: str, text: str) -> _Found:
    """What the first pattern of a list that fits a text finds."""
    folded = plain(text[:READ])
    for source in table("replacing")["guards"][name]:
        found = composed(source).search(folded)
        if found is not None:
            named = next(one for one in found.groups() if one is not None)
            return _Found(named.lower(), folded[found.end() :].lower())
    return _Found("", "")


def _is(name: str, text: str) -> bool:
    return composed(table("replacing")["guards"][name]).match(plain(text[:READ])) is not None
