"""Which held facts a draft disagrees with (D-08): by subject and attribute, never by likeness."""

from collections.abc import Iterable, Mapping, Sequence

from engraphy.model import Draft, Fact, Held, Memory, Slot
from engraphy.text.slots import contradicts


def subjects(draft: Draft) -> tuple[tuple[str, str], ...]:
    """The (subject, attribute) pairs whose held facts must be looked up."""
    return tuple(dict.fromkeys((slot.subject, slot.attribute) for slot in draft.slots))


def disagreements(
    draft: Draft, facts: Iterable[Fact], sources: Mapping[str, Memory]
) -> tuple[Held, ...]:
    """The held facts that cannot stand together with the draft, one per fact."""
    return tuple(
        Held(fact=fact, slot=slot, source=sources.get(fact.source_id or ""))
        for fact in facts
        if (slot := _against(draft.slots, fact)) is not None
    )


def _against(slots: Sequence[Slot], fact: Fact) -> Slot | None:
    held = [slot for slot in slots if (slot.subject, slot.attribute) == _key(fact)]
    if not held:
        return None
    old = Slot(subject=fact.subject, attribute=fact.predicate, value=fact.object, single=True)
    found = contradicts(held, [old])
    return found.new if found is not None else None


def _key(fact: Fact) -> tuple[str, str]:
    return fact.subject, fact.predicate
