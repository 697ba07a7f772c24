"""What two writers decided at the same moment, each without the other's word, put right.

A decision is made on what was read before; another writer may have stated the same attribute
meanwhile. So what states a fact looks once more after it was written: who committed last sees
both, and of two statements the one that became true first is history.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.remaining import completed
from engraphy.engine.sourcing import ended_with
from engraphy.engine.standing import own_view, standing, told_view
from engraphy.errors import ConflictError
from engraphy.model import (
    Action,
    Change,
    Draft,
    FactFilter,
    Held,
    Judgement,
    Later,
    Memory,
    Outcome,
    PutFact,
    State,
    View,
)
from engraphy.write.contradict import Standing
from engraphy.write.judge import judge
from engraphy.write.settle import history, retirement
from engraphy.write.stating import Settling

_ATTEMPTS = 8
_STATED = frozenset({Action.CREATED, Action.SUPERSEDED, Action.UPDATED})


def reconciled(engine: Engine, draft: Draft, outcome: Outcome) -> Outcome:
    """The outcome of a write, after what came in between was taken into account."""
    if not draft.slots or outcome.action not in _STATED or not engine.profile.judge.supersede:
        return outcome
    for _ in range(_ATTEMPTS):
        now = engine.clock()
        memory = outcome.memory
        if memory is None or memory.state is not State.ACTIVE:
            return outcome
        judgement, changes = _put_right(engine, replace(draft, memory=memory), now)
        if not changes:
            return outcome
        try:
            changes = completed(engine, changes)
            engine.store.apply(memory.scope.tenant, changes, now=now, actor=engine.actor)
        except ConflictError:
            continue
        return _told(engine, outcome, judgement, now)
    return outcome


def _put_right(engine: Engine, draft: Draft, now: int) -> tuple[Judgement, tuple[Change, ...]]:
    memory = draft.memory
    view = told_view(memory, now, engine.profile.sessions)
    found = standing(engine, view, draft, settled=True)
    own = _own_parts(engine, memory, found.held, now)
    held = tuple(one for one in found.held if one.source is None or one.source.id not in own)
    stands = Standing(
        held=tuple(one for one in held if _older(one, memory)),
        later=(*found.later, *_at_once(held, memory)),
    )
    judgement = judge(draft, (), stands, memory.importance, engine.profile.judge)
    settling = Settling(now=now, new_id=engine.new_id, vector=None, profile=engine.profile)
    changes: list[Change] = []
    if judgement.decision == "supersede":
        changes += retirement(memory, judgement, settling)
        changes += ended_with(engine, memory, changes, now)
    if judgement.later and (gone := list(history(memory, judgement, settling))):
        changes += [*gone, *_ended(engine, view, memory, judgement.later)]
    return judgement, tuple(changes)


def _own_parts(engine: Engine, memory: Memory, held: tuple[Held, ...], now: int) -> frozenset[str]:
    """The ids of what this very memory left standing of others: no other writer told it."""
    parts = [one.source for one in held if one.source is not None and one.source.supersedes]
    whole = [part.supersedes for part in parts if part.supersedes is not None]
    if not whole:
        return frozenset()
    view = replace(own_view(memory, now), states=frozenset(State))
    gone = {row.id for row in engine.store.get(view, whole) if row.superseded_by == memory.id}
    return frozenset(part.id for part in parts if part.supersedes in gone)


def _older(one: Held, memory: Memory) -> bool:
    """Of two that became true at the same moment, the smaller id counts as the older."""
    if one.fact is not None and one.fact.source_id == memory.id:
        return False
    source = one.source
    return source is None or (source.valid_from, source.id) < (memory.valid_from, memory.id)


def _at_once(held: tuple[Held, ...], memory: Memory) -> Iterator[Later]:
    for one in held:
        if one.source is not None and one.source.id > memory.id and not _older(one, memory):
            yield Later(slot=one.slot, at=memory.valid_from, by=one.source)


def _ended(
    engine: Engine, view: View, memory: Memory, later: tuple[Later, ...]
) -> Iterator[PutFact]:
    ends = {(x.slot.subject, x.slot.attribute, x.slot.value): x.at for x in later}
    for fact in engine.store.facts(view, FactFilter(source_id=memory.id)):
        end = ends.get((fact.subject, fact.predicate, fact.object))
        if end is not None:
            over = replace(fact, valid_until=max(fact.valid_from, end), updated_at=view.now)
            yield PutFact(fact=over, reason="told late")


def _told(engine: Engine, outcome: Outcome, judgement: Judgement, now: int) -> Outcome:
    assert outcome.memory is not None
    view = replace(own_view(outcome.memory, now), states=frozenset(State))
    rows = engine.store.get(view, [outcome.memory.id])
    row = rows[0] if rows else outcome.memory
    if judgement.decision == "supersede":
        return replace(
            outcome,
            action=Action.SUPERSEDED,
            reason=judgement.reason,
            memory=row,
            previous=outcome.previous or judgement.target,
        )
    return replace(outcome, reason=judgement.reason, memory=row)
