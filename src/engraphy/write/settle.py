"""From a judgement to the changes that carry it out; everything of one draft in one list."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from engraphy.model import (
    Action,
    Change,
    Draft,
    Fact,
    Held,
    Insert,
    Judgement,
    Memory,
    Outcome,
    PutFact,
    PutRelation,
    Reinforce,
    Relation,
    RelationType,
    Slot,
    State,
    Step,
    Update,
    VectorRow,
)
from engraphy.profile import Profile
from engraphy.text.rewrite import title


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """The changes of one draft and the outcome to tell once they are written."""

    changes: tuple[Change, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Settling:
    """What settling needs beside the judgement: the moment, fresh ids, vector, knobs."""

    now: int
    new_id: Callable[[int], str]
    vector: VectorRow | None
    profile: Profile


def settle(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    """The changes for a draft whose weighed row is `memory` (still without an id)."""
    if judgement.decision == "skip":
        told = _told(draft, Action.SKIPPED, judgement, None)
        return Settled(changes=(), outcome=told)
    if judgement.decision == "reinforce":
        return _reinforce(draft, judgement, given)
    table = {"supersede": _supersede, "merge": _merge}
    return table.get(judgement.decision, _create)(draft, memory, judgement, given)


def _create(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    new = replace(memory, id=given.new_id(given.now))
    action = Action.QUARANTINED if new.state is State.QUARANTINED else Action.CREATED
    links = tuple(_links(new, judgement, given))
    facts = () if action is Action.QUARANTINED else tuple(_stated(draft.slots, new, given))
    insert = Insert(memory=new, vector=given.vector, reason=judgement.reason)
    return Settled(changes=(insert, *links, *facts), outcome=_told(draft, action, judgement, new))


def _supersede(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    limit = given.profile.judge.supersede_whole_chars
    replaced = {h.source.id: h.source for h in judgement.held if h.source is not None}
    whole = [old for old in replaced.values() if _goes(old, limit)]
    new = replace(
        memory,
        id=given.new_id(given.now),
        supersedes=whole[0].id if whole else None,
    )
    insert = Insert(memory=new, vector=given.vector, reason=judgement.reason, op="insert")
    changes: list[Change] = [insert]
    changes += [_retired(old, new, judgement.reason) for old in whole]
    changes += [
        PutRelation(
            relation=Relation(
                source_id=new.id,
                target_id=old,
                type=RelationType.SUPERSEDES,
                created_at=given.now,
            ),
            reason=judgement.reason,
        )
        for old in replaced
    ]
    changes += [_ended(held, new, given) for held in judgement.held]
    changes += _stated(draft.slots, new, given)
    told = _told(draft, Action.SUPERSEDED, judgement, new, whole[0] if whole else None)
    return Settled(changes=tuple(changes), outcome=told)


def _goes(old: Memory, limit: int) -> bool:
    return old.state is State.ACTIVE and len(old.content) <= limit


def _retired(old: Memory, new: Memory, reason: str) -> Update:
    gone = replace(
        old,
        state=State.SUPERSEDED,
        superseded_by=new.id,
        valid_until=max(old.valid_from, new.valid_from),
    )
    return Update(memory=gone, expected=old, reason=reason, op="supersede")


def _ended(held: Held, new: Memory, given: Settling) -> PutFact:
    ended = replace(
        held.fact,
        valid_until=max(held.fact.valid_from, new.valid_from),
        updated_at=given.now,
    )
    return PutFact(fact=ended, reason=f"no longer true since {new.id}")


def _stated(slots: tuple[Slot, ...], new: Memory, given: Settling) -> Iterator[PutFact]:
    for slot in slots:
        if slot.polarity:
            yield PutFact(
                fact=Fact(
                    id=given.new_id(given.now),
                    scope=new.scope,
                    subject=slot.subject,
                    predicate=slot.attribute,
                    object=slot.value,
                    confidence=new.source_confidence,
                    source_id=new.id,
                    valid_from=new.valid_from,
                    valid_until=new.valid_until,
                    recorded_at=given.now,
                    updated_at=given.now,
                ),
                reason="stated",
            )


def _links(new: Memory, judgement: Judgement, given: Settling) -> Iterator[PutRelation]:
    target = judgement.target
    if target is None:
        return
    kind = RelationType.ELABORATES
    if judgement.decision == "report":
        kind = RelationType.CONTRADICTS
    elif judgement.similarity < given.profile.judge.update_from:
        kind = RelationType.RELATED_TO
    relation = Relation(
        source_id=new.id,
        target_id=target.id,
        type=kind,
        confidence=min(1.0, judgement.similarity) if judgement.similarity else 1.0,
        created_at=given.now,
    )
    yield PutRelation(relation=relation, reason=judgement.reason)


def _merge(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    old = judgement.target
    assert old is not None
    content = f"{old.content.rstrip()}\n{draft.memory.content}"
    if len(content) > given.profile.write.max_content_chars:
        return _create(draft, memory, judgement, given)
    new = replace(
        old,
        content=content,
        title=old.title or title(content),
        entities=tuple(dict.fromkeys((*old.entities, *memory.entities))),
        trust=min(old.trust, memory.trust),
        importance=max(old.importance, memory.importance),
        updated_at=max(old.updated_at, memory.updated_at),
        version=old.version + 1,
    )
    update = Update(memory=new, expected=old, vector=given.vector, reason=judgement.reason)
    return Settled(
        changes=(update, *_stated(draft.slots, new, given)),
        outcome=_told(draft, Action.UPDATED, judgement, new, old),
    )


def _reinforce(draft: Draft, judgement: Judgement, given: Settling) -> Settled:
    held = judgement.target
    assert held is not None
    knobs = given.profile.reinforce
    change = Reinforce(
        id=held.id,
        stability_factor=knobs.restate_stability_factor,
        storage_gain=knobs.storage_gain,
        revive=True,
        reason=judgement.reason,
    )
    return Settled(changes=(change,), outcome=_told(draft, Action.REINFORCED, judgement, held))


def _told(
    draft: Draft,
    action: Action,
    judgement: Judgement,
    memory: Memory | None,
    previous: Memory | None = None,
) -> Outcome:
    step = Step(stage="judge", detail=f"{judgement.decision}: {judgement.reason}")
    return Outcome(
        action=action,
        reason=judgement.reason,
        memory=memory,
        previous=previous,
        content=draft.memory.content,
        trace=(*draft.trace, step),
    )
