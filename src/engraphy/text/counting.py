"""Which values of a new statement are of something else than what an older one speaks of."""

import re
from collections.abc import Sequence
from itertools import takewhile

from engraphy.text.language import language
from engraphy.text.parts import Part, READ, listed, part_of, stems, stems_of, words
from engraphy.text.shaped import shared
from engraphy.text.split import clauses
from engraphy.text.stopwords import stop_words

_SEVERAL, _WORDS, _BESIDE = 2, 3, 1
_NAME, _NUMBER, _TIME = "name", "number", "time"
_AT = re.compile(r"\b(?:at|by|from|saat) \Z")
"""Words beside its subject and its value has a clause that hangs on another: "on port 6379"."""


def counts_beside(new: Part, old: Part) -> bool:
    """Whether the one number of a new part counts something that only begins with what the old one
    speaks of ("three shop assistants", "the shop")."""
    counted = [one.form for one in new.values if one.kind != "name"]
    return len(counted) == 1 and any(
        number == counted[0] and _counts_another(new.spelled[place + 1 :][:_WORDS], new, old)
        for place, number in enumerate(new.spelled)
    )


def _counts_another(words: Sequence[str], new: Part, old: Part) -> bool:
    """Whether words behind a number are some of what the old part speaks of, and one beside it."""
    spoken = list(takewhile(lambda word: stems(word) & old.anchors, words))
    return 0 < len(spoken) < len(words) and _own(words[len(spoken)], new, old)


def _own(word: str, new: Part, old: Part) -> bool:
    """Whether a word of a new part says what it is about, beside what the old one speaks of."""
    said = stems(word) & new.anchors - old.anchors
    return bool(said) and not word.startswith(tuple(listed("telling")))


def of_other_clauses(new: Part, old: Part) -> bool:
    """Whether a new part of several clauses gives all its values of other things than the old one:
    it counts something beside it, the value's clause speaks of nothing that the old one does, or
    only of what hangs on the clause before ("two api instances now, redis 7, port 6379")."""
    told = [part_of(one) for one in clauses(new.text)]
    if len(told) < _SEVERAL or sum(one.kind != "name" for one in new.values) < _SEVERAL:
        return False
    held = {one.form for one in old.values}
    return all(
        counts_beside(part, old) or not _hangs_on(told[: place + 1], old)
        for place, part in enumerate(told)
        if any(one.kind != "name" and one.form not in held for one in part.values)
    )


def _hangs_on(told: Sequence[Part], old: Part) -> bool:
    """Whether the last of some clauses in a row is about what an old part speaks of."""
    *before, last = told
    own = stems_of(last)
    bare = len(last.spelled) <= len(own) + len(last.values) + _BESIDE
    if not own or (before and bare and own < old.anchors):
        return not before or not stems_of(before[-1]) or _hangs_on(before, old)
    return shared(own, old.anchors | old.names) > 0


def only_the_value(new: str, old: str) -> bool:
    """Whether a text says the same of the same thing as an older one, in the same words but those
    of a change, and gives another day, time or amount of it ("the call with Ana was moved to
    Friday"). Of both 1,200 characters count."""
    mine, theirs = part_of(new[:READ]), part_of(old[:READ])
    told, held = _valued(mine), _valued(theirs)
    said = _unchanging(mine)
    return (
        bool(said)
        and said == _unchanging(theirs)
        and told.keys() == held.keys() != set()
        and all(told[kind].isdisjoint(held[kind]) for kind in told)
    )


def _valued(part: Part) -> dict[str, frozenset[str]]:
    """The values of a part by kind, but names; a bare hour is a time."""
    found: dict[str, set[str]] = {}
    for one in part.values:
        if one.kind != _NAME:
            hour = one.kind == _NUMBER and _AT.search(part.text, 0, one.start) is not None
            found.setdefault(_TIME if hour else one.kind, set()).add(one.form)
    return {kind: frozenset(forms) for kind, forms in found.items()}


def _unchanging(part: Part) -> frozenset[str]:
    """The words of a part that tell neither its values nor a change."""
    valued = {
        word
        for one in part.values
        if one.kind != _NAME
        for word in words(one.form.replace(".", " "))
    }
    small = stop_words(language(part.text)) | listed("changing")
    return frozenset(
        word
        for word in part.spelled
        if word not in small and word not in valued and not word.isdigit()
    )
