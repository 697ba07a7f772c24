"""Whether a new statement takes the place of an older one, whatever both are about.

Slots (`engraphy.text.slots`) know what a statement is about; people say it in more ways than any
list of attributes foresees. Here nothing is known about attributes: a statement that says that
something changed replaces an older one where it names what is left behind, where both speak of the
same thing and give values of the same shape, or where it corrects what was said just before.
Precision first: additions, other people's things, passing states, plans and questions replace
nothing.
"""

from collections.abc import Collection
from typing import NamedTuple

from engraphy.text.counting import counts_beside, of_other_clauses
from engraphy.text.datafiles import table
from engraphy.text.parts import (
    Part,
    READ,
    Reading,
    apart,
    listed,
    reading_of,
    stems,
    stems_of,
    told_and_held,
    words,
)
from engraphy.text.persons import people
from engraphy.text.shaped import composed, shared, values
from engraphy.text.slotvalues import domain_of
from engraphy.text.split import sentences
from engraphy.text.wordlists import plain

_COVER = 0.6
_COUNTS = frozenset({"money", "percent", "duration"})
_SHARED = 2
_PART = 0.5


class Found(NamedTuple):
    """How a statement is replaced ("left", "value", "choice"), what both speak of, and what is
    put in its place, or left behind."""

    how: str
    subject: str
    value: str


def replaced(new: str, old: str) -> Found | None:
    """How the statement `new` replaces a clause of `old`, or None. Reads 1,200 characters."""
    told, held = told_and_held(new, old)
    if not told.replaces:
        return None
    found = (_laid(told, part, before) for before in held.parts for part in told.parts)
    return next((one for one in found if one is not None), None)


def of_former(new: str, old: str) -> bool:
    """Whether only the older tells of what came first: a first car is not the present one."""
    return bool(words(old[:READ]) & listed("former") - words(new[:READ]))


def given_up_by_another(new: str, old: str) -> bool:
    """Whether somebody by name gives something up, and is not named in the older: what is told
    there of the speaker, or of anybody else, stays so."""
    found = composed(table("replacing")["guards"]["giving_up"]).search(plain(new[:READ]))
    who = "" if found is None else (found["who"] or found["wer"]).lower()
    return bool(who) and shared((who,), words(old[:READ])) == 0


def told_of_another(new: str, old: str) -> bool:
    """Whether the new text is all about somebody by name, and the older about the speaker alone
    ("Kim runs on Tuesdays now", "I run on Mondays")."""
    own = composed(table("replacing")["guards"]["speaker"])
    if len(sentences(new)) > 1 or own.search(plain(new).lower()):
        return False
    if not own.search(plain(old[:READ]).lower()):
        return False
    named = [one.slug.partition("-")[0] for one in people(new[:READ]) if one.start == 0]
    owner = composed(table("replacing")["guards"]["owner"]).match(plain(new[:READ]))
    named += [owner["who"].lower()] if owner else []
    return any(who not in words(old[:READ]) for who in named)


def leaves_alone(new: str, old: str) -> bool:
    """Whether the new text says itself that the older one holds, counts what only begins with a
    word of it, or is about another part of the same thing, or somebody else by name."""
    if _remains(new, old) or _of_another_part(new, old) or _of_other_people(new, old):
        return True
    told, held = told_and_held(new, old)
    pairs = [(part, before) for part in told.parts for before in held.parts]
    if any(counts_beside(part, before) for part, before in pairs):
        return True
    return bool(pairs) and all(of_other_clauses(part, before) for part, before in pairs)


def _of_another_part(new: str, old: str) -> bool:
    """Whether each tells of a part of one thing, and they are not called the same ("the rent of
    the shop", "insurance for the shop")."""
    pattern = composed(table("replacing")["stays"]["part"])
    mine, theirs = (pattern.match(plain(one[:READ]).lower()) for one in (new, old))
    if mine is None or theirs is None or mine["of"] != theirs["of"]:
        return False
    return not shared(stems(mine["part"]), stems(theirs["part"]))


def _of_other_people(new: str, old: str) -> bool:
    """Whether both open with somebody's name, and neither names whom the other is about."""
    mine, theirs = (
        {one.slug for one in people(text[:READ]) if one.start == 0} for text in (new, old)
    )
    if not (mine and theirs):
        return False
    return not (_named(mine, old) or _named(theirs, new))


def _named(slugs: Collection[str], text: str) -> bool:
    return any(slug.partition("-")[0] in words(text[:READ]) for slug in slugs)


def _remains(new: str, old: str) -> bool:
    """Whether the new text says of something in the older that it stays ("only X is left"), and
    gives up nothing that is told there."""
    patterns = map(composed, table("replacing")["stays"]["patterns"])
    said = [one["x"] for pattern in patterns for one in pattern.finditer(plain(new[:READ]).lower())]
    if not said:
        return False
    told, gone = stems(old[:READ]), reading_of(new).left
    return any(shared(stems(one), told) for one in said) and not shared(gone, told)


def follows(new: str) -> bool:
    """Whether a text tells what comes of what was told before it, which so holds."""
    return (
        composed(table("replacing")["stays"]["follows"]).match(plain(new[:READ]).lower())
        is not None
    )


def leaves_another(new: str, old: str) -> bool:
    """Whether the new text gives up a number, a version, a time, and the older has another one."""
    held = {(one.kind, one.form) for one in values(old[:READ])}
    return _apart(reading_of(new).gone, held)


def _apart(gone: frozenset[tuple[str, str]], held: set[tuple[str, str]]) -> bool:
    counted = {one for one in gone if one[0] != "name"}
    return held.isdisjoint(counted) and bool({kind for kind, _ in held} & dict(counted).keys())


def _laid(new: Reading, part: Part, before: Part) -> Found | None:
    """A part of a new statement beside a part of an old one."""
    cover = _cover(part, before)
    if cover < _COVER or apart(part, before):
        return None
    subject = " ".join(sorted(before.anchors & stems_of(part)))
    if _behind(new, part, before):
        return Found("left", subject, " ".join(sorted(new.left) or sorted(f for _, f in new.gone)))
    if part.adds or not (part.changed or new.corrects) or _only_gone(new, part):
        return None
    if counts_beside(part, before):
        return None
    value = " ".join(one.form for one in part.values)
    if _value(part, before):
        return Found("value", subject, value)
    return Found("choice", subject, value) if _choice(part, before) else None


def _only_gone(new: Reading, part: Part) -> bool:
    """Whether all values of a part are of what is left behind, so that it gives none anew."""
    said = {(one.kind, one.form) for one in part.values}
    return bool(said) and said <= new.gone


def _behind(new: Reading, part: Part, before: Part) -> bool:
    """Whether an old part says what the new statement leaves behind."""
    held = {(one.kind, one.form) for one in before.values}
    told = before.anchors | before.names
    if _apart(new.gone, held):
        return False
    spoken = stems_of(part)
    return bool(new.gone & held) or any(
        shared(phrase & spoken, told) > 0 and _whole(phrase, told) for phrase in new.behind
    )


def _whole(phrase: frozenset[str], told: frozenset[str]) -> bool:
    """Whether most of what is left behind is told: "coffee in the evening" is not all coffee."""
    return shared(phrase, told) > len(phrase) * _PART


def _cover(new: Part, old: Part) -> float:
    """The share of what an old part speaks of that the new one speaks of too; 1 where neither
    speaks of anything but the speaker."""
    if not old.anchors:
        return 0.0 if new.anchors - old.names else 1.0
    return shared(old.anchors, stems_of(new)) / len(old.anchors)


def _value(new: Part, old: Part) -> bool:
    """Whether both speak of one thing and give it values of one shape that differ."""
    kinds = {one.kind for one in old.values} - {"name"}
    if new.renames and _differ(new, old, "name"):
        return True
    if of_other_clauses(new, old):
        return False
    if new.names and old.names and not new.names & old.names:
        return False
    if any(_differ(new, old, kind) for kind in kinds) or _bare(new, old):
        return True
    return _reworded(new, old)


def _bare(new: Part, old: Part) -> bool:
    """Whether the new part leaves out what the one number of the old one counts ("120 pounds",
    "goes up to 130")."""
    (mine, theirs) = ({one.kind for one in part.values} - {"name"} for part in (new, old))
    return mine == {"number"} and len(theirs) == 1 and theirs <= _COUNTS


def _differ(new: Part, old: Part, kind: str) -> bool:
    """Whether a new part has another value of a kind that an old one has, in its place."""
    mine, theirs = _forms(new, kind), _forms(old, kind)
    return (
        bool(theirs) and bool(mine - theirs) and (bool(theirs - mine) or len(mine) == len(theirs))
    )


def _reworded(new: Part, old: Part) -> bool:
    """Whether two short statements differ in a word or two only: "my favourite food is X (now)"."""
    if len(old.anchors) < _SHARED or _spelled(new) == _spelled(old):
        return False
    both = shared(old.anchors, new.anchors)
    rest = len(old.anchors) - both
    own = len(new.anchors) - shared(new.anchors, old.anchors)
    return both >= _SHARED and 1 <= rest <= _SHARED and 1 <= own <= _SHARED


def _spelled(part: Part) -> frozenset[str]:
    return part.anchors | frozenset(one.form for one in part.values)


def _choice(new: Part, old: Part) -> bool:
    """Whether both name choices of one domain (an editor, a database), and none of them alike."""
    if any(_differ(new, old, one.kind) for one in old.values if one.kind != "name"):
        return False
    mine, theirs = _choices(new), _choices(old)
    return any(mine[domain].isdisjoint(theirs[domain]) for domain in mine.keys() & theirs.keys())


def _choices(one: Part) -> dict[str, set[str]]:
    """The names that a part gives of each domain."""
    found: dict[str, set[str]] = {}
    for value in one.values:
        if value.kind == "name" and (domain := domain_of(value.form)):
            found.setdefault(domain, set()).add(value.form)
    return found


def _forms(one: Part, kind: str) -> frozenset[str]:
    return frozenset(value.form for value in one.values if value.kind == kind)
