"""What is known from others never stands against what was said here (D-70)."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from engraphy.engine.parts import Engine
from engraphy.model import Evidence, Fact, FactFilter, Memory, Origin, Slot, Step, View
from engraphy.model.federating import vicarious
from engraphy.read.select import FEDERATED, Scored
from engraphy.text.fold import fold_text
from engraphy.text.slots import contradicts, counterparts
from engraphy.write.form import stated_slots

_LOOKED = 50
"""So many of the best rows are held against each other."""
_FACTS = 20


def own_first(
    engine: Engine, rows: Sequence[Scored], view: View
) -> tuple[list[Scored], tuple[Step, ...]]:
    """The rows without those that are known from others and say otherwise than a fact or another
    of the best rows, said here. Where nothing is known from others it asks nothing."""
    best = rows[:_LOOKED]
    if not any(row.measured.candidate.data_source == FEDERATED for row in best):
        return list(rows), ()
    held = {one.id: one for one in engine.store.get(view, [row.id for row in best])}
    own = [slot for one in held.values() if not vicarious(one) for slot in _said(one)]
    others = [one for one in held.values() if vicarious(one)]
    gone = {one.id for one in others if _denied(engine, view, _said(one), own)}
    detail = f"{len(gone)} known from others leave: what was said here says otherwise"
    steps = (Step(stage="own", detail=detail),) if gone else ()
    return [row for row in rows if row.id not in gone], steps


def _said(memory: Memory) -> tuple[Slot, ...]:
    """What a text says, whoever said it: to compare it, not to believe it."""
    return stated_slots(replace(memory, evidence=Evidence.STATED, origin=Origin.USER))


def _denied(engine: Engine, view: View, said: Sequence[Slot], own: Sequence[Slot]) -> bool:
    if not said:
        return False
    return (
        contradicts(own, said) is not None
        or contradicts(_facts(engine, view, said), said) is not None
    )


def _facts(engine: Engine, view: View, said: Iterable[Slot]) -> list[Slot]:
    wanted = {(slot.subject, name) for slot in said for name in counterparts(slot)}
    found = (
        fact
        for subject, attribute in sorted(wanted, key=str)
        for fact in engine.store.facts(
            view, FactFilter(subject=subject, predicate=attribute, limit=_FACTS)
        )
    )
    return [_slot(fact) for fact in found]


def _slot(fact: Fact) -> Slot:
    value = fold_text(fact.object)
    return Slot(subject=fact.subject, attribute=fact.predicate, value=value, single=True)
