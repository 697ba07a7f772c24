"""Which held facts a draft disagrees with (D-08): by subject and attribute, never by likeness.

Statements are held against each other in the order in which they became true, not in which they
were told: a draft ends what held at its own time, and is itself over where something newer is
known already.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from engraphy.model import Draft, Evidence, Fact, Held, Later, Memory, Origin, Slot, State
from engraphy.text.fold import fold, fold_text
from engraphy.text.frames import corrects
from engraphy.text.overtaking import overtakes, tells_change
from engraphy.text.parts import stems
from engraphy.text.shaped import shared
from engraphy.text.slots import contradicts, counterparts
from engraphy.write.form import stated_slots


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """What a draft disagrees with, and what is newer than it already."""

    held: tuple[Held, ...] = ()
    later: tuple[Later, ...] = ()


def subjects(draft: Draft) -> tuple[tuple[str, str | None], ...]:
    """The (subject, attribute) pairs whose held facts must be looked up; None = any attribute: what
    is denied ("no longer X") may stand under any."""
    wanted = ((slot.subject, name) for slot in draft.slots for name in counterparts(slot))
    return tuple(dict.fromkeys(wanted))


def disagreements(
    draft: Draft, facts: Iterable[Fact], sources: Mapping[str, Memory]
) -> tuple[Held, ...]:
    """The facts that held at the draft's own time and cannot stand together with it."""
    moment = draft.memory.valid_from
    return tuple(
        Held(fact=fact, slot=found.new, source=source)
        for fact in facts
        if (source := sources.get(fact.source_id or "")) is None or source.valid_from <= moment
        if fact.valid_from <= moment and (fact.valid_until is None or fact.valid_until > moment)
        if (found := contradicts(draft.slots, [_slot(fact)])) is not None
    )


def also_said(draft: Draft, held: Sequence[Held], memories: Iterable[Memory]) -> Iterator[Held]:
    """What other memories say of the same: a fact names one source, but may have been told in
    several wordings, and all of them are over."""
    known = {one.source.id for one in held if one.source is not None}
    facts = {(one.fact.subject, one.fact.predicate): one.fact for one in held if one.fact}
    for memory in memories:
        if memory.id in known or memory.valid_from > draft.memory.valid_from:
            continue
        found = contradicts(draft.slots, stated_slots(memory))
        fact = None if found is None else facts.get((found.old.subject, found.old.attribute))
        if found is not None and fact is not None:
            yield Held(fact=fact, slot=found.new, source=memory)


def overtaking(draft: Draft, memories: Iterable[Memory], limit: int) -> Iterator[Held]:
    """The short memories of the same speaker, at most `limit` characters, whose words the draft's
    take the place of, though no fact of theirs is known."""
    new = draft.memory
    if not may_overtake(draft):
        return
    for old in memories:
        if old.id in {new.id, *draft.beside} or len(old.content) > limit or not _own(old, new):
            continue
        found = overtakes(new.content, old.content)
        if found is not None and not _of_another(draft.slots, stated_slots(old)):
            slot = Slot(
                subject=found.subject,
                attribute="told",
                value=found.value,
                polarity=not found.negated,
                single=True,
            )
            yield Held(fact=None, slot=slot, source=old)


def corrected(draft: Draft, last: Memory, limit: int) -> Held | None:
    """What was said just before, where the draft is a short remark that puts it right."""
    new = draft.memory
    if last.id in {new.id, *draft.beside} or len(last.content) > limit or not _own(last, new):
        return None
    found = corrects(new.content, last.content)
    said = stated_slots(last)
    if found is None or _of_another(draft.slots, said) or _unrelated(draft.slots, said):
        return None
    slot = Slot(subject=found.subject, attribute="told", value=found.value, single=True)
    return Held(fact=None, slot=slot, source=last)


_SPEAKERS = frozenset({"user", "project"})


def _of_another(new: Iterable[Slot], old: Iterable[Slot]) -> bool:
    """Whether the two are known to tell the same attribute of different things: both name of what,
    or what for, and neither name is part of the other ("basic plan", "pro plan")."""
    pairs = [
        (_thing(one), _thing(other))
        for one in new
        for other in old
        if _attribute(one) == _attribute(other)
    ]
    return bool(pairs) and all(
        mine and theirs and shared(mine, theirs) < min(len(mine), len(theirs))
        for mine, theirs in pairs
    )


def _unrelated(new: Iterable[Slot], old: Iterable[Slot]) -> bool:
    """Whether what both state is known, and of no attribute in common."""
    mine, theirs = (frozenset(map(_attribute, slots)) for slots in (new, old))
    return bool(mine) and bool(theirs) and mine.isdisjoint(theirs)


def _attribute(slot: Slot) -> str:
    return slot.attribute.partition("@")[0]


def _thing(slot: Slot) -> frozenset[str]:
    """The words for what a slot is of, or for; none where that is the speaker."""
    subject = "" if slot.subject in _SPEAKERS else slot.subject
    purpose = slot.attribute.partition("@")[2]
    return stems(f"{subject} {purpose}")


def may_overtake(draft: Draft) -> bool:
    """Whether the draft's words say that something changed, and are the user's own."""
    new = draft.memory
    stated = new.evidence is Evidence.STATED and new.origin is Origin.USER
    return stated and new.state is State.ACTIVE and tells_change(new.content)


def _own(old: Memory, new: Memory) -> bool:
    """Whether an older memory is the same speaker's own statement, and true before the new one."""
    stated = old.evidence is Evidence.STATED and old.origin is Origin.USER
    same = fold(old.speaker) == fold(new.speaker)
    return stated and same and old.state is State.ACTIVE and old.valid_from <= new.valid_from


def overtaken(draft: Draft, facts: Iterable[Fact], memories: Iterable[Memory]) -> tuple[Later, ...]:
    """What is known already to be newer than the draft and to exclude it: per slot the first.

    `memories`: the sources of the facts and what stands near; of a fact without a source the
    triple itself counts.
    """
    moment = draft.memory.valid_from
    newer: list[tuple[int, tuple[Slot, ...], Memory | None]] = [
        (one.valid_from, stated_slots(one), one) for one in memories if one.valid_from > moment
    ]
    newer += [
        (fact.valid_from, (_slot(fact),), None)
        for fact in facts
        if fact.source_id is None and fact.valid_from > moment
    ]
    found: dict[Slot, Later] = {}
    for at, said, by in sorted(newer, key=lambda row: row[0]):
        for slot in draft.slots:
            if slot not in found and contradicts(said, [slot]) is not None:
                found[slot] = Later(slot=slot, at=at, by=by)
    return tuple(found.values())


def _slot(fact: Fact) -> Slot:
    return Slot(
        subject=fact.subject, attribute=fact.predicate, value=fold_text(fact.object), single=True
    )
