"""Which held facts a draft disagrees with (D-08): by subject and attribute, never by likeness."""

from collections.abc import Iterable, Mapping

from engraphy.model import Draft, Fact, Held, Memory, Slot
from engraphy.text.fold import fold_text
from engraphy.text.slots import contradicts

_ANY = "*"


def subjects(draft: Draft) -> tuple[tuple[str, str | None], ...]:
    """The (subject, attribute) pairs whose held facts must be looked up; None = any attribute
    (what "no longer X" denies may be anything)."""
    wanted = (
        (slot.subject, None if slot.attribute == _ANY else slot.attribute) for slot in draft.slots
    )
    return tuple(dict.fromkeys(wanted))


def disagreements(
    draft: Draft, facts: Iterable[Fact], sources: Mapping[str, Memory]
) -> tuple[Held, ...]:
    """The held facts that cannot stand together with the draft, one per fact.

    A fact that began after the draft's own time is not held against it: what is told late is
    history, and does not end what is newer.
    """
    return tuple(
        Held(fact=fact, slot=found.new, source=sources.get(fact.source_id or ""))
        for fact in facts
        if fact.valid_from <= draft.memory.valid_from
        and (found := contradicts(draft.slots, [_slot(fact)])) is not None
    )


def _slot(fact: Fact) -> Slot:
    return Slot(
        subject=fact.subject, attribute=fact.predicate, value=fold_text(fact.object), single=True
    )
