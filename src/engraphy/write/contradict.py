"""Which held facts a draft disagrees with (D-08): by subject and attribute, never by likeness.

Statements are held against each other in the order in which they became true, not in which they
were told: a draft ends what held at its own time, and is itself over where something newer is
known already.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from engraphy.model import Draft, Fact, Held, Later, Memory, Slot
from engraphy.record import Record
from engraphy.text.belonging import for_some
from engraphy.text.fold import fold_text
from engraphy.text.slots import contradicts, counterparts, excludes_any, exclusive
from engraphy.write.form import stated_slots


class Doubted(Record, frozen=True, kw_only=True):
    """The likeliest of the memories that may be over because of a draft and are left as they are:
    how likely that is, and from which probability on it would be held to be so."""

    memory: Memory
    likely: float
    least: float


class Standing(Record, frozen=True, kw_only=True):
    """What a draft disagrees with, what is newer than it already, and what it may disagree with."""

    held: tuple[Held, ...] = ()
    later: tuple[Later, ...] = ()
    doubted: Doubted | None = None


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
    few = exclusive(draft.slots)
    return tuple(
        Held(fact=fact, slot=found.new, source=source)
        for fact in facts
        if (source := sources.get(fact.source_id or "")) is None or source.valid_from <= moment
        if fact.valid_from <= moment and (fact.valid_until is None or fact.valid_until > moment)
        for said in (_slot(fact),)
        if (found := contradicts(draft.slots if excludes_any(said) else few, [said])) is not None
        if source is None or not for_some(draft.memory.content, source.content)
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


def overtaken(draft: Draft, facts: Iterable[Fact], memories: Iterable[Memory]) -> tuple[Later, ...]:
    """What is known already to be newer than the draft and to exclude it: per slot the first.

    `memories`: the sources of the facts and what stands near; of a fact without a source the
    triple itself counts.
    """
    moment = draft.memory.valid_from
    newer: list[tuple[int, Memory | Fact]] = [
        (one.valid_from, one) for one in memories if one.valid_from > moment
    ]
    newer += [
        (fact.valid_from, fact)
        for fact in facts
        if fact.source_id is None and fact.valid_from > moment
    ]
    found: dict[Slot, Later] = {}
    left = list(draft.slots)
    for at, one in sorted(newer, key=lambda row: row[0]):
        if not left:
            break  # before anything more is read: a long history of one slot is not read through
        by = one if isinstance(one, Memory) else None
        said = (_slot(one),) if isinstance(one, Fact) else stated_slots(one)
        for slot in [slot for slot in left if contradicts(said, [slot]) is not None]:
            found[slot] = Later(slot=slot, at=at, by=by)
            left.remove(slot)
    return tuple(found.values())


def _slot(fact: Fact) -> Slot:
    return Slot(
        subject=fact.subject, attribute=fact.predicate, value=fold_text(fact.object), single=True
    )
