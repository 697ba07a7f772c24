"""Whether a new statement takes the place of an older one, whatever both are about.

Slots (`engraphy.text.slots`) know what a statement is about; people say it in more ways than any
list of attributes foresees. Here nothing is known about attributes: a statement that says that
something changed replaces an older one where it names what is left behind, where both speak of the
same thing and give values of the same shape, or where it corrects what was said just before.
Precision first: additions, other people's things, passing states, plans and questions replace
nothing.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from engraphy.model.language import Stance
from engraphy.text.datafiles import table
from engraphy.text.evidence import asks, stance_of
from engraphy.text.fold import fold_text
from engraphy.text.language import language
from engraphy.text.shaped import Value, composed, shared, values
from engraphy.text.slotvalues import domain_of
from engraphy.text.split import clauses, sentences
from engraphy.text.stems import english_stem, turkish_stem
from engraphy.text.stopwords import is_stop_word
from engraphy.text.wordlists import plain

_WORD = re.compile(r"[^\W_][\w'’.+#/@-]*[\w+#]|[^\W_]")
_TOLD = frozenset({Stance.STATED})
_READ = 1_200
_SHORT = 160
_FEW_ANCHORS = 2
_COVER = 0.6
_SENTENCE = 400
_LEAST_WORD = 3
_SHARED = 2
_LOOK_BACK = 24
_LEFT_WORDS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A clause, or a short sentence: its signs, its values, what it speaks of and whose it is."""

    text: str
    changed: bool
    adds: bool
    renames: bool
    values: tuple[Value, ...]
    anchors: frozenset[str]
    """Stems of what it speaks of, values and signs aside."""
    names: frozenset[str]
    words: frozenset[str]

    @property
    def owners(self) -> frozenset[str]:
        """The people other than the speaker whose it is."""
        return self.words & _listed("others")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A statement read for what it may replace, or for what may replace it."""

    parts: tuple[Part, ...]
    corrects: bool
    left: frozenset[str]
    """Stems of what it says is left behind."""
    gone: frozenset[tuple[str, str]]
    """Values of what it says is left behind, with their kinds."""

    @property
    def replaces(self) -> bool:
        """Whether it can replace anything at all."""
        behind = bool(self.left or self.gone)
        return self.corrects or behind or any(part.changed for part in self.parts)


def reading(text: str, *, held: bool = False) -> Reading:
    """A statement read for what it may replace, or, where it is `held`, for what may replace it.
    What only supposes, asks, quotes or tells of a passing state replaces nothing."""
    read = text[:_READ]
    told = tuple(clauses(read)) if held else tuple(_said(read))
    spoken = " ".join(one for one in sentences(read) if not _supposed(one[:_SENTENCE]))
    behind = () if held else tuple(_left(plain(spoken).lower()))
    return Reading(
        parts=tuple(_part(one) for one in told),
        corrects=not held and _has("corrected", plain(read).lower()),
        left=frozenset(stem for phrase in behind for stem in stems(phrase)),
        gone=frozenset((v.kind, v.form) for phrase in behind for v in values(phrase)),
    )


def _part(text: str) -> Part:
    folded = plain(text).lower()
    found = values(text)
    return Part(
        text=text,
        changed=_has("changed", folded),
        adds=_has("added", folded),
        renames=_has("renamed", folded),
        values=found,
        anchors=stems(_without(text, found)),
        names=frozenset(stem for one in found if one.kind == "name" for stem in stems(one.form)),
        words=words(text),
    )


class Found(NamedTuple):
    """How a statement is replaced ("left", "value", "choice"), what both speak of, and what is
    put in its place, or left behind."""

    how: str
    subject: str
    value: str


def replaced(new: str, old: str) -> Found | None:
    """How the statement `new` replaces a clause of `old`, or None. Reads 1,200 characters."""
    told = _reading(new)
    if not told.replaces:
        return None
    held = _reading(old, held=True)
    found = (_laid(told, part, before) for before in held.parts for part in told.parts)
    return next((one for one in found if one is not None), None)


def tells_replacing(text: str) -> bool:
    """Whether a text says that it replaces something; quick."""
    folded = plain(text[:_READ]).lower()
    signs = _has("changed", folded) or _has("corrected", folded)
    return signs or any(True for _ in _left(folded))


def of_former(new: str, old: str) -> bool:
    """Whether only the older tells of what came first: a first car is not the present one."""
    return bool(words(old[:_READ]) & _listed("former") - words(new[:_READ]))


@lru_cache(maxsize=256)
def _reading(text: str, *, held: bool = False) -> Reading:
    return reading(text, held=held)


def _laid(new: Reading, part: Part, before: Part) -> Found | None:
    """A part of a new statement beside a part of an old one."""
    cover = _cover(part, before)
    if cover < _COVER or _apart(part, before):
        return None
    subject = " ".join(sorted(before.anchors & _stems_of(part)))
    if _behind(new, part, before):
        return Found("left", subject, " ".join(sorted(new.left) or sorted(f for _, f in new.gone)))
    if part.adds or not (part.changed or new.corrects):
        return None
    value = " ".join(one.form for one in part.values)
    if _value(part, before):
        return Found("value", subject, value)
    return Found("choice", subject, value) if _choice(part, before) else None


def _behind(new: Reading, part: Part, before: Part) -> bool:
    """Whether an old part says what the new statement leaves behind."""
    held = {(one.kind, one.form) for one in before.values}
    stems_left = new.left & _stems_of(part)
    return bool(new.gone & held) or shared(stems_left, before.anchors | before.names) > 0


def _cover(new: Part, old: Part) -> float:
    """The share of what an old part speaks of that the new one speaks of too; 1 where neither
    speaks of anything but the speaker."""
    if not old.anchors:
        return 0.0 if new.anchors - old.names and len(new.anchors) > _FEW_ANCHORS else 1.0
    return shared(old.anchors, _stems_of(new)) / len(old.anchors)


def _stems_of(part: Part) -> frozenset[str]:
    return part.anchors | part.names


def _said(text: str) -> Iterator[str]:
    """The clauses that say how things are, together where their sentence is short; a condition
    takes a whole sentence away."""
    for sentence in sentences(text):
        if _supposed(sentence[:_SENTENCE]):
            continue
        told = list(_told(sentence[:_SENTENCE]))
        yield from [", ".join(told)] if told and len(sentence) <= _SHORT else told


def _supposed(sentence: str) -> bool:
    folded = plain(sentence).lower()
    return _has("supposed", folded) or _has("passing", folded)


def _told(sentence: str) -> Iterator[str]:
    for clause in clauses(sentence):
        folded = plain(clause).lower()
        asked = asks(folded) or stance_of(clause) not in _TOLD
        if not asked and not any(_has(name, folded) for name in ("wished", "reported")):
            yield clause


def _has(name: str, folded: str) -> bool:
    return any(composed(one).search(folded) for one in table("replacing")["signs"][name])


def _left(folded: str) -> Iterator[str]:
    for source in table("replacing")["left"]["patterns"]:
        for match in composed(source).finditer(folded):
            before = folded[max(0, match.start() - _LOOK_BACK) : match.start()]
            if any(composed(one).search(before) for one in table("replacing")["left"]["kept"]):
                continue
            phrase = next(group for group in match.groups() if group is not None)
            yield " ".join(phrase.split()[:_LEFT_WORDS])


def stems(text: str) -> frozenset[str]:
    """The stems of a text's telling words."""
    spoken = language(text)
    found = set()
    for bare in words(text):
        if len(bare) < _LEAST_WORD or bare.isdigit() or bare in _listed("vague"):
            continue
        if not is_stop_word(bare, spoken):
            found.add(turkish_stem(bare) if spoken == "tr" else english_stem(bare))
    return frozenset(found)


def words(text: str) -> frozenset[str]:
    """The words of a text in plain lower case, without the ending behind an apostrophe."""
    return frozenset(found[0].partition("'")[0] for found in _WORD.finditer(fold_text(plain(text))))


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(table("replacing")["guards"][name])


def _without(text: str, found: tuple[Value, ...]) -> str:
    for value in reversed(found):
        text = f"{text[: value.start]} {text[value.end :]}"
    return text


def _apart(new: Part, old: Part) -> bool:
    """Whether the two speak of different people, places or times, which differ and stay so."""
    if new.owners - old.owners or (old.owners and not new.owners & old.owners):
        return True
    for group in table("replacing")["guards"]["apart"]:
        mine, theirs = new.words & set(group), old.words & set(group)
        if mine and theirs and not mine & theirs:
            return True
    return False


def _value(new: Part, old: Part) -> bool:
    """Whether both speak of one thing and give it values of one shape that differ."""
    kinds = {one.kind for one in old.values} - {"name"}
    if new.renames and _differ(new, old, "name"):
        return True
    if new.names and old.names and not new.names & old.names:
        return False
    return any(_differ(new, old, kind) for kind in kinds) or _reworded(new, old)


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
    """Whether both name a choice of one domain (an editor, a database), and not the same."""
    mine = {domain_of(form): form for form in _forms(new, "name")}
    theirs = {domain_of(form): form for form in _forms(old, "name")}
    if any(_differ(new, old, one.kind) for one in old.values if one.kind != "name"):
        return False
    both = (mine.keys() & theirs.keys()) - {""}
    return any(mine[domain] not in _forms(old, "name") for domain in both)


def _forms(one: Part, kind: str) -> frozenset[str]:
    return frozenset(value.form for value in one.values if value.kind == kind)
