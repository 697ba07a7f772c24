"""Whether a statement takes the place of another though no rule knows the attribute (D-08).

Three readers, each sure of other wordings: words laid beside words (`engraphy.text.frames`), what
is left behind or has another value of the same shape (`engraphy.text.replacing`), and what ends
something without a word of change (`engraphy.text.ending`).
"""

from functools import lru_cache

from engraphy.text import frames
from engraphy.text.belonging import gives_up_a_part, tells_of_another
from engraphy.text.canonical import both, canonical, for_once
from engraphy.text.counting import counts_beside, of_other_clauses
from engraphy.text.ending import ends, of_another_thing, over
from engraphy.text.frames import Overtaking
from engraphy.text.numbered import of_another_number
from engraphy.text.parts import begins, listed, reading_of, says_of_change, told_and_held, words
from engraphy.text.replacing import (
    given_up_by_another,
    of_former,
    replaced,
    told_of_another,
)
from engraphy.text.slots import abreast

_LONGEST = 140
"""Longer texts tell a story: of CRI's diary, every one that took another's place did so wrongly."""


@lru_cache(maxsize=64)
def tells_change(text: str) -> bool:
    """Whether a text says that something changed, is over or is put right; quick."""
    if len(text) > _LONGEST:
        return False
    told = canonical(text)
    return frames.tells_change(told) or says_of_change(told)


def may_replace(text: str) -> bool:
    """Whether a text tells a change, from when on something is so, or what has ended: rules look
    at all."""
    return tells_change(text) or (len(text) <= _LONGEST and (begins(text) or ends(text)))


def ended(new: str, old: str) -> Overtaking | None:
    """How a new text tells that what an older one says has ended, or None: it is sure of it."""
    of = over(new, old)
    return None if of is None else Overtaking(subject=of, value=of, negated=True)


def overtakes(new: str, old: str) -> Overtaking | None:
    """How a new text overtakes a statement of an old one, or a clause that stands beside others
    ("the live database is on 5432, the test database on 5433"), or None; both short enough."""
    if max(len(new), len(old)) > _LONGEST or for_once(new):
        return None
    new, old = both(new, old)
    if gives_up_a_part(new, old):
        return None
    found = (_overtakes(new, one) for one in (old, *abreast(old)))
    return next((one for one in found if one is not None), None)


def _overtakes(new: str, old: str) -> Overtaking | None:
    if (certain := ended(new, old)) is not None:
        return certain
    if words(new) == words(old) or of_former(new, old) or of_another_number(new, old):
        return None
    found = frames.overtakes(new, old)
    if found is not None and found.value[:1].isdigit() and _of_another_thing(new, old):
        found = None
    if found is None and (other := replaced(new, old)) is not None:
        negated = other.how == "left"
        found = Overtaking(subject=other.subject, value=other.value, negated=negated)
    if found is None or told_of_another(new, old) or _denied(found, old):
        return None
    if tells_of_another(new, old) or of_another_thing(new, old):
        return None
    return None if found.negated and given_up_by_another(new, old) else found


def _of_another_thing(new: str, old: str) -> bool:
    """Whether what the new text counts or gives a value of only hangs on what the old one says."""
    told, held = told_and_held(new, old)
    pairs = [(part, before) for part in told.parts for before in held.parts]
    return bool(pairs) and all(
        counts_beside(part, before) or of_other_clauses(part, before) for part, before in pairs
    )


def _denied(found: Overtaking, old: str) -> bool:
    """Whether the older itself says that it is no more what the new one leaves behind."""
    said = frozenset(found.value.split()) - listed("vague")
    return found.negated and said <= reading_of(old).left
