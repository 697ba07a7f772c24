"""Which values of a new statement are of something else than what an older one speaks of."""

from collections.abc import Sequence
from itertools import takewhile

from engraphy.text.parts import Part, listed, part_of, stems, stems_of
from engraphy.text.shaped import shared
from engraphy.text.split import clauses

_SEVERAL, _WORDS, _BESIDE = 2, 3, 1
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
