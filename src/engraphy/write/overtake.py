"""Which memories a draft takes the place of though no fact of theirs is known (D-08): by what is
said of the change, and by how people tell one.

Rules know what is foreseen (`engraphy.text.overtaking`); a learned model knows the rest
(`engraphy.text.succession`), and forbids what it holds impossible. One message seldom changes two
things: of what only the model finds, the likeliest memory is over, others only where it is certain.
"""

from collections.abc import Collection, Iterable
from dataclasses import replace

from engraphy.model import Draft, Evidence, Held, Kind, Memory, Origin, Slot, State
from engraphy.profile import Judge
from engraphy.record import Record
from engraphy.text.belonging import AMOUNTS, gives_up_another, of_a_relative, share_a_topic
from engraphy.text.canonical import both, orders
from engraphy.text.correcting import corrects
from engraphy.text.counting import only_the_value
from engraphy.text.frames import Overtaking
from engraphy.text.leant import renames_another
from engraphy.text.overtaking import ended, may_replace, overtakes, tells_change
from engraphy.text.pairing import READ, side, subject_and_value
from engraphy.text.parts import apart, reading_of, stems
from engraphy.text.quantities import count_apart
from engraphy.text.relayed import without_relayed
from engraphy.text.replacing import follows, leaves_alone
from engraphy.text.slots import statements
from engraphy.text.slotvalues import ANY
from engraphy.text.split import sentences
from engraphy.text.succession import excluded, succession
from engraphy.write.contradict import Doubted
from engraphy.write.form import stated_slots
from engraphy.write.leaning import comparable

_SPEAKERS = frozenset({"user", "project"})
_TASTES = frozenset({"likes", "dislikes"})
_OF_ANYTHING = AMOUNTS | {"name", "number"}
"""Kinds of values that say nothing of what they are of, as a phone number does."""
_OF_EACH = frozenset({"age"})
"""What the speaker and somebody else each have of their own."""
_CLAUSES = 2
_TOPICS = 2
"""From so many words of its own on, each of two statements says what it is about."""


class _Compared(Record, frozen=True, kw_only=True):
    """A memory, how likely it is over, and how a rule says so: of the change, or as a correction
    of what was told just before."""

    memory: Memory
    likely: float
    ruled: Overtaking | None
    corrected: Overtaking | None
    least: float = 0.0
    """How likely it has to be where only the model says that both speak of one matter."""


def may_overtake(draft: Draft) -> bool:
    """Whether the draft states something in the user's own words, short enough to be compared."""
    new = draft.memory
    stated = new.evidence is Evidence.STATED and new.origin is Origin.USER
    return stated and new.state is State.ACTIVE and len(new.content) <= READ


def overtaking(
    draft: Draft,
    memories: Iterable[Memory],
    knobs: Judge,
    *,
    just: Collection[str] = (),
    known: bool = False,
) -> tuple[list[Held], Doubted | None]:
    """The short memories of the same speaker that the draft takes the place of, and the likeliest
    of those that it may and does not.

    `just`: the ids of what was told right before it in the same conversation. `known`: facts say
    already what the draft changes.
    """
    if not may_overtake(draft):
        return [], None
    draft = _in_own_words(draft)
    compared = [
        _compared(draft, one, knobs, just=one.id in just)
        for one in memories
        if _comparable(draft, one, knobs.supersede_whole_chars)
    ]
    possible = [one for one in compared if one.likely >= knobs.supersede_never_below]
    found = [(one, one.ruled) for one in possible if one.ruled is not None]
    if not found and not known:
        found = [(one, one.corrected) for one in compared if one.corrected is not None]
    ids = {one.memory.id for one, _ in found}
    learned = (one for one in possible if one.memory.id not in ids and _single(one.memory))
    ordered = all(map(orders, sentences(draft.memory.content)))
    rest = [] if ordered else sorted(learned, key=_order, reverse=True)
    first, other = _least(draft, knobs, alone=not found and not known)
    sure: list[_Compared] = []
    doubted: Doubted | None = None
    for one in rest:
        least = other if sure else max(first, one.least)
        if one.likely >= least:
            sure.append(one)
        elif doubted is None and one.likely > 0:
            doubted = Doubted(memory=one.memory, likely=one.likely, least=least)
    held = [_held(one.memory, how) for one, how in found]
    held += [_held(one.memory, _of(draft, one.memory), one.likely) for one in sure]
    return held, doubted


def _in_own_words(draft: Draft) -> Draft:
    """The draft without what it passes on of others, which ends nothing of the user's."""
    told, said = draft.memory.content, without_relayed(draft.memory.content)
    return draft if said == told else replace(draft, memory=replace(draft.memory, content=said))


def _single(memory: Memory) -> bool:
    """Whether a memory is one sentence that says no more than two things: of several the model
    cannot tell which of them is over."""
    found = sentences(memory.content)
    return len(found) == 1 and len(tuple(statements(found[0]))) <= _CLAUSES


def _order(one: _Compared) -> tuple[float, int, str]:
    """The likelier, and of two that are alike the one told later."""
    return one.likely, one.memory.valid_from, one.memory.id


def _least(draft: Draft, knobs: Judge, *, alone: bool) -> tuple[float, float]:
    """From which probability on the likeliest memory that only the model finds is over, and any
    other; `alone`: nothing else says what the draft changes."""
    if knobs.supersede_likely >= 1:
        return 1.0, 1.0
    told = tells_change(draft.memory.content)
    likely = knobs.supersede_likely if told else knobs.supersede_untold
    certain = knobs.supersede_certain
    return min(likely, certain) if alone else certain, certain


def _compared(draft: Draft, old: Memory, knobs: Judge, *, just: bool) -> _Compared:
    """An older memory beside the draft; below `supersede_never_below` it is no matter how unlikely
    it is."""
    (new, told), least = both(draft.memory.content, old.content), knobs.supersede_never_below
    said = stated_slots(old) if draft.slots else ()
    # What is told to have ended is named in both: whatever facts are read there.
    sure = ended(new, told) is not None
    if not sure and (
        _of_another(draft.slots, said)
        or _of_another_domain(draft.slots, said)
        or _denies_another(draft.slots, said, old.content)
        or renames_another(draft.memory.content, old.content)
        or of_a_relative(draft.memory.content, old.content)
    ):
        return _Compared(memory=old, likely=0.0, ruled=None, corrected=None)
    unrelated = _unrelated(draft.slots, said)
    besides = _one_more_rule(draft.memory, old) or _tastes(draft.slots, said)
    ruled = overtakes(new, told) if may_replace(new) else None
    excepted = ruled is None and (unrelated or besides)
    # A bare word said right after may answer a question that nobody has kept.
    leans = just and side(new).leans and (side(new).corrects or tells_change(new))
    leans = leans and not gives_up_another(new, told)
    excepted = excepted or (just and (follows(new) or (leans and count_apart(new, told))))
    likely = 0.0 if excepted else succession(new, told, just=leans)
    if ruled is not None and likely < least:
        certain = sure or only_the_value(new, told)
        likely = least if certain else _by_a_clause(new, told)
    # What forbids it is read only where it matters: most memories are unlikely, and it costs more.
    if ruled is None and likely >= least and (excluded(new, told) or leaves_alone(new, told)):
        likely = 0.0
    return _Compared(
        memory=old,
        likely=likely,
        ruled=ruled,
        corrected=corrects(new, old.content) if just and not unrelated else None,
        least=_least_apart(draft, old, said, knobs) if likely >= least and not leans else 0.0,
    )


def _by_a_clause(new: str, old: str) -> float:
    """How likely an older text is over by the one clause of a new one of which that is the most
    likely: "I sold the Skoda", whatever was bought."""
    told = tuple(statements(new))
    return max((succession(one, old) for one in told if overtakes(one, old)), default=0.0)


def _least_apart(draft: Draft, old: Memory, said: Iterable[Slot], knobs: Judge) -> float:
    """How likely an old memory has to be with which the draft has nothing in common; 0 where it
    has something. Of two such the model knows only that the one tells of some change; where that
    one says what it leaves, and it is not this, it must be all but certain."""
    new = draft.memory.content[:READ]
    attributes = {_attribute(one) for one in said}
    shares = any(_attribute(one) in attributes for one in draft.slots)
    kinds = side(new).forms.keys() & side(old.content).forms.keys()
    if shares or kinds - _OF_ANYTHING or share_a_topic(new, old.content):
        return 0.0
    if apart(side(new).part, side(old.content).part):
        return 1.0
    read = reading_of(new)
    topics = min(len(side(one).part.anchors) for one in (new, old.content))
    if topics >= (1 if kinds & AMOUNTS else _TOPICS):
        return knobs.supersede_certain
    return knobs.supersede_certain if read.left or read.gone else knobs.supersede_apart


def _comparable(draft: Draft, old: Memory, limit: int) -> bool:
    """Whether an older memory may be over because of the draft, and is short enough."""
    return len(old.content) <= limit and comparable(draft, old)


def _of(draft: Draft, old: Memory) -> Overtaking:
    subject, value = subject_and_value(draft.memory.content, old.content)
    return Overtaking(subject=subject, value=value, negated=False)


def _held(memory: Memory, found: Overtaking, likely: float | None = None) -> Held:
    slot = Slot(
        subject=found.subject,
        attribute="told",
        value=found.value,
        polarity=not found.negated,
        single=True,
    )
    return Held(fact=None, slot=slot, source=memory, likely=likely)


def _of_another(new: Iterable[Slot], old: Iterable[Slot]) -> bool:
    """Whether the two are known to tell the same attribute of different things: both name of what,
    or what for, and neither name is part of the other ("basic plan", "pro plan"); an age is also
    the speaker's or not."""
    pairs = [
        (_thing(one), _thing(other), _attribute(one) in _OF_EACH)
        for one in new
        for other in old
        if _attribute(one) == _attribute(other)
    ]
    return bool(pairs) and all(
        _alike(mine, theirs) < min(len(mine), len(theirs))
        if mine and theirs
        else each and mine != theirs
        for mine, theirs, each in pairs
    )


def _of_another_domain(new: Iterable[Slot], old: Iterable[Slot]) -> bool:
    """Whether both state one attribute each of the same sort in another domain: a favourite film
    is no favourite book."""
    mine, theirs = (frozenset(map(_attribute, slots)) for slots in (new, old))
    sorts = {one.partition(":")[0] for one in mine | theirs if ":" in one}
    return (
        len(mine) == len(theirs) == len(sorts) == 1
        and mine != theirs
        and all(":" in one for one in mine | theirs)
    )


def _denies_another(new: Iterable[Slot], old: Iterable[Slot], told: str) -> bool:
    """Whether the new statement only denies values of which the old one, which states some, says
    nothing ("we use Django", "we don't use Flask anymore")."""
    mine, theirs = tuple(new), tuple(old)
    if not theirs or not mine or any(one.polarity or one.value == ANY for one in mine):
        return False
    gone = stems(" ".join(one.value for one in mine))
    stated = bool(gone) and all(one.polarity for one in theirs)
    return stated and not _alike(gone, stems(told))


def _alike(one: frozenset[str], other: frozenset[str]) -> int:
    """How many words of the one stand in the other; an ending may be left on either."""
    return sum(any(a.startswith(b) or b.startswith(a) for b in other) for a in one)


def _tastes(new: Iterable[Slot], old: Iterable[Slot]) -> bool:
    """Whether both only say what one likes or dislikes: who likes one thing more likes no other
    less, and what excludes what is known there."""
    mine, theirs = (frozenset(_family(one) for one in slots) for slots in (new, old))
    return bool(mine) and bool(theirs) and mine | theirs <= _TASTES


def _one_more_rule(new: Memory, old: Memory) -> bool:
    """Whether both are rules and the new one does not say that it changes any."""
    return {new.kind, old.kind} == {Kind.POLICY} and not tells_change(new.content)


def _unrelated(new: Iterable[Slot], old: Iterable[Slot]) -> bool:
    """Whether what both state is known, and of no attribute in common."""
    mine, theirs = (frozenset(map(_attribute, slots)) for slots in (new, old))
    return bool(mine) and bool(theirs) and mine.isdisjoint(theirs)


def _attribute(slot: Slot) -> str:
    return slot.attribute.partition("@")[0]


def _family(slot: Slot) -> str:
    return _attribute(slot).partition(":")[0]


def _thing(slot: Slot) -> frozenset[str]:
    """The words for what a slot is of, or for; none where that is the speaker."""
    subject = "" if slot.subject in _SPEAKERS else slot.subject
    purpose = slot.attribute.partition("@")[2]
    return stems(f"{subject} {purpose}")
