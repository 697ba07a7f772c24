"""Whose something is, and what it is: somebody else's same thing, and where a thing stands or what
is done with it, take nothing back that was told of it. The patterns are `lexicon/replacing.toml`.
"""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from engraphy.text.called import called_otherwise
from engraphy.text.datafiles import table
from engraphy.text.pairing import side
from engraphy.text.partly import in_part
from engraphy.text.parts import READ, listed, reading_of, stems, words
from engraphy.text.persons import given, weak
from engraphy.text.shaped import composed, shared
from engraphy.text.split import clauses
from engraphy.text.wordlists import key, plain

AMOUNTS = frozenset({"money", "percent"})
_ROOT, _LEAST = 5, 3
"""Letters."""


class _Found(NamedTuple):
    """Who or what a pattern names, and what follows."""

    named: str
    rest: str


def tells_of_another(new: str, old: str) -> bool:
    """Whether the two are about things of different people, about different things of one, or the
    new one only about where a thing is."""
    if of_somebody_elses(new, old) or of_another_such(new, old) or _is("this_time", new):
        return True
    if only_stands(new, old) or gives_up_a_part(new, old):
        return True
    others = (_denies_another, _of_the_whole, _measures, _of_another_day, called_otherwise)
    return any(one(new, old) for one in others)


def of_a_relative(new: str, old: str) -> bool:
    """Whether one of the two tells of somebody of the one of whom the other tells ("Mert'in ablası
    Bursa'ya taşındı", "Mert İzmir'de yaşıyor"); Turkish, where both begin with the same name."""
    mine, theirs = (_named_first(one) for one in (new, old))
    return bool(mine.named) and mine.named == theirs.named and bool(mine.rest) != bool(theirs.rest)


def _named_first(text: str) -> _Found:
    """The name that a text begins with, and who it is of whose that it tells, if of anybody."""
    folded = plain(text[:READ]).lower()
    found = composed(table("replacing")["stays"]["relative"]).match(folded)
    if found is not None:
        return _Found(named=found["who"], rest=found[0])
    first = words(folded.partition(" ")[0].partition("’")[0].partition("'")[0])
    return _Found(named=next(iter(first), ""), rest="")


def gives_up_a_part(new: str, old: str) -> bool:
    """Whether a text of one clause gives something up in one place, at one time, for one purpose,
    or a thing of it, of which the older says nothing ("I stopped smoking in the house")."""
    found = in_part(new)
    rest = [one for one in clauses(new) if plain(one).lower() != found]
    if not found or (len(rest) > 1 and _tells_more(rest, old)):
        return False
    part, held = words(found), words(old[:READ])
    return not shared(part, held) or any(map(str.isdigit, part - held))


def _tells_more(rest: Iterable[str], old: str) -> bool:
    """Whether a clause beside the one that gives something up in part tells a change of what is
    told."""
    told = (one for one in rest if not in_part(one) and reading_of(one).replaces)
    return any(share_a_topic(one, old) for one in told)


def _of_another_day(new: str, old: str) -> bool:
    """Whether something is done no more on one day, and the older tells of another, or of something
    else ("no deploys on Fridays any more")."""
    found = _matched("none_on", new)
    if found is None:
        return False
    told = words(old[:READ])
    on = any(one.startswith(found["day"].rstrip("s")) for one in told)
    return not on or not _begin_alike(words(found["x"]), told)


def for_some(new: str, old: str) -> bool:
    """Whether a text gives a value for something of which the older says nothing, and tells of no
    change ("log retention is 30 days for audit logs")."""
    found = composed(table("replacing")["guards"]["for_some"]).search(plain(new[:READ]).lower())
    if found is None or reading_of(new).replaces:
        return False
    return not shared(words(found["x"]), words(old[:READ]))


def _measures(new: str, old: str) -> bool:
    """Whether the new one tells a weight, a length or a size and the older only a time of day, or
    the other way round ("Bruno is at 28 kilos now", "Bruno gets walked at 7")."""
    told = [{name for name in ("measured", "timed") if _holds(name, one)} for one in (new, old)]
    return {"measured"} in told and {"timed"} in told


def _holds(name: str, text: str) -> bool:
    source = table("replacing")["guards"][name]
    return composed(source).search(plain(text[:READ]).lower()) is not None


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
    """Whether the older says what a thing is, how it is made or that it is had, and the new one
    where it is, or what is done with it or no more ("my bike is a blue Cube", "I ride the bike to
    work now"; "we bought a piano", "I quit piano")."""
    pairs = (("stands", "identity"), ("placed", "made"), ("unused", "had"))
    told = ((_found(mine, new).named, _found(theirs, old).named) for mine, theirs in pairs)
    return any(mine and mine == theirs for mine, theirs in told)


def _denies_another(new: str, old: str) -> bool:
    """Whether only the older denies something, and of another value than the new one gives ("the
    app is not on Android yet", "the app is on iOS now")."""
    mine, theirs = side(new), side(old)
    if mine.denied or not theirs.denied:
        return False
    kinds = mine.forms.keys() & theirs.forms.keys()
    if kinds:
        return not any(mine.forms[kind] & theirs.forms[kind] for kind in kinds)
    said, gone = (_matched(*one) for one in (("does_so", new), ("does_not", old)))
    if said is None or gone is None or said["does"] != gone["does"]:
        return False
    return not shared(words(said["what"]), words(gone["what"]))


def _matched(name: str, text: str) -> re.Match[str] | None:
    return composed(table("replacing")["guards"][name]).match(plain(text[:READ]).lower())


def _of_the_whole(new: str, old: str) -> bool:
    """Whether the older tells of a part of a thing of which the new one names the whole only, and
    gives no value ("salonun perdeleri gri", "salonu yeşile boyadık"); Turkish."""
    found = _matched("part_of", old)
    if found is None or side(new).forms or len(found["of"]) < _LEAST:
        return False
    told = words(new[:READ])
    named = any(one.startswith(found["of"]) for one in told)
    return named and not any(one.startswith(found["part"]) for one in told)


def of_another_such(new: str, old: str) -> bool:
    """Whether each tells the same of a thing, and the things are not called the same ("the code of
    the garage", "the code for the alarm", "my bike lock code"); or what is done, or is somewhere,
    is another."""
    (mine, such), (theirs, same) = _of(new), _of(old)
    if such and such == same:
        return bool(mine and theirs) and not (mine <= theirs or theirs <= mine)
    return any(_another(new, old, name) for name in ("about", "doing"))


def _another(new: str, old: str, name: str) -> bool:
    """Whether both are of one form, and what each speaks of in it is not in the other."""
    mine, theirs = _what(new, name), _what(old, name)
    both = bool(mine and theirs) and not (mine <= theirs or theirs <= mine)
    return both and not mine <= stems(old)


def _what(text: str, name: str) -> frozenset[str]:
    found = composed(table("replacing")["stays"][name]).match(plain(text[:READ]).lower())
    if found is None:
        return frozenset()
    # "Run" says little elsewhere, and here all of what is done.
    what = (stems(found["what"]) or words(found["what"])) - listed("general")
    return frozenset(one for one in what if not one[0].isdigit())


def _of(text: str) -> tuple[frozenset[str], str]:
    """Of what a text tells something, and what that is."""
    folded, besides = plain(text[:READ]).lower(), table("replacing")["stays"]["same_besides"]
    for name in ("same_of", "same_before"):
        found = composed(table("replacing")["stays"][name]).match(folded)
        if found is not None:
            of = " ".join(found.groupdict().get(one) or "" for one in ("of", "more"))
            return stems(of) - stems(" ".join(besides)), found["same"]
    return frozenset(), ""


def gives_up_another(new: str, old: str) -> bool:
    """Whether a text says itself what is over, and the older one says nothing of that."""
    left = reading_of(new).left
    return bool(left) and not _begin_alike(left, stems(old))


def share_a_topic(new: str, old: str) -> bool:
    """Whether two texts speak of one thing at least; an ending may differ."""
    return _begin_alike(_topics(new), _topics(old))


def _topics(text: str) -> frozenset[str]:
    """The stems of what a text speaks of, without the words by which any change is told, and
    without those of amounts ("900 euros") and the name that it begins with."""
    told, forms = listed("telling"), side(text).forms
    amounts = stems(" ".join(one for kind in sorted(AMOUNTS) for one in forms.get(kind, ())))
    spoken = stems(text) - amounts - _somebody(text)
    return frozenset(one for one in spoken if not any(map(one.startswith, told)))


def _somebody(text: str) -> frozenset[str]:
    """The stem of a given name that a text begins with: two things that are told of somebody have
    no topic in common by that."""
    name = text[:READ].split(" ", 1)[0]
    return stems(name) if name[:1].isupper() and key(name) in given() - weak() else frozenset()


def _begin_alike(some: Iterable[str], others: Iterable[str]) -> bool:
    """Whether a word of the one begins as a word of the other does: an ending may differ, but not
    that of a path."""
    return not set(map(_root, some)).isdisjoint(map(_root, others))


def _root(stem: str) -> str:
    return stem if "/" in stem else stem[:_ROOT]


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
