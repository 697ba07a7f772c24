"""From a judgement to the changes that carry it out; everything of one draft in one list."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from engraphy.model import (
    Action,
    Change,
    Draft,
    Fact,
    Held,
    Insert,
    Judgement,
    Memory,
    Origin,
    Outcome,
    PutFact,
    PutRelation,
    Reinforce,
    Relation,
    RelationType,
    State,
    Step,
    Update,
    moved,
)
from engraphy.record import Record
from engraphy.text.foresight import begins_at
from engraphy.text.moments import iso
from engraphy.text.rewrite import title
from engraphy.write.carried import carried
from engraphy.write.form import asked_as
from engraphy.write.relate import related
from engraphy.write.remainder import left, split_off
from engraphy.write.stating import Settling, since, stated, succeeded
from engraphy.write.synthesis import inheriting

_LISTED = ("entities", "tags", "concepts", "files_read", "files_modified")
_MAY_GO = frozenset({State.ACTIVE, State.DORMANT, State.ARCHIVED})


class Settled(Record, frozen=True, kw_only=True):
    """The changes of one draft and the outcome to tell once they are written."""

    changes: tuple[Change, ...]
    outcome: Outcome


def settle(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    """The changes for a draft whose weighed row is `memory` (still without an id)."""
    return _announcing(_settled(draft, memory, judgement, given), given.now)


def _settled(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    if judgement.decision == "skip":
        told = _told(draft, Action.SKIPPED, judgement, None)
        return Settled(changes=(), outcome=told)
    if judgement.decision == "reinforce":
        return _reinforce(draft, memory, judgement, given)
    table = {"supersede": _supersede, "merge": _merge}
    return table.get(judgement.decision, _create)(draft, memory, judgement, given)


def _announcing(settled: Settled, now: int) -> Settled:
    """`settled` telling that no read shows its memory yet, where it begins later than now."""
    row = settled.outcome.memory
    if row is None or row.valid_from <= max(now, row.recorded_at):
        return settled
    reason = f"{settled.outcome.reason}; it holds from {iso(row.valid_from)} on, not before"
    return replace(settled, outcome=replace(settled.outcome, reason=reason))


def _create(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    new = _timed(moved(memory, id=given.new_id(given.now)), judgement, given)
    action = Action.QUARANTINED if new.state is State.QUARANTINED else Action.CREATED
    linked = (*links(new, judgement, given), *_overtakers(new, judgement, given))
    beside = (*linked, *_related(new, linked, given))
    facts = () if action is Action.QUARANTINED else tuple(stated(draft, new, judgement, given))
    insert = Insert(memory=new, vector=given.vector, reason=_journaled(judgement))
    return Settled(changes=(insert, *beside, *facts), outcome=_told(draft, action, judgement, new))


def _supersede(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    new = _timed(moved(memory, id=given.new_id(given.now)), judgement, given)
    whole = replaced(new, judgement, given)
    new = moved(new, supersedes=whole[0].id if whole else None)
    context = new.context
    if whole:
        stays = left(whole[0], new, judgement.held) or ""
        context = carried(whole[0], new, judgement.held, stays)
    vector = given.vector if context == new.context else None
    new = moved(new, context=context)
    retired = (*retirement(new, judgement, given), *_overtakers(new, judgement, given))
    changes: list[Change] = [
        Insert(memory=new, vector=vector, reason=_journaled(judgement)),
        *retired,
        *_related(new, retired, given),
        *stated(draft, new, judgement, given),
    ]
    told = _told(draft, Action.SUPERSEDED, judgement, new, whole[0] if whole else None)
    return Settled(changes=tuple(changes), outcome=told)


def retirement(new: Memory, judgement: Judgement, given: Settling) -> Iterator[Change]:
    """The changes that end what `new` disagrees with: memories, links to them, facts."""
    for old in replaced(new, judgement, given):
        why = _journaled(judgement, old.id)
        gone = succeeded(old, new.id, since(new, old), given.now)
        yield Update(memory=gone, expected=old, reason=why, op="supersede")
        if text := left(old, new, judgement.held):
            yield from split_off(old, new, text, given)
    sources = {one.source.id for one in judgement.held if one.source is not None}
    for old_id in sorted(sources - {new.id}):
        yield _superseding(new.id, old_id, _journaled(judgement, old_id), given)
    ended = {one.fact.id: one.fact for one in judgement.held if one.fact is not None}
    for fact in ended.values():
        yield _ended(fact, new, given)


def replaced(new: Memory, judgement: Judgement, given: Settling) -> list[Memory]:
    """The memories that go as a whole: short ones that were held at `new`'s own time, and of which
    what still holds, if anything does, can be told apart."""
    limit = given.profile.judge.supersede_whole_chars
    sources = {one.source.id: one.source for one in judgement.held if one.source is not None}
    going = [old for old in sources.values() if old.id != new.id and _goes(old, new, limit)]
    return [old for old in going if left(old, new, judgement.held) is not None]


def _goes(old: Memory, new: Memory, limit: int) -> bool:
    if len(old.content) > limit or old.tells_others:
        return False
    if old.state is State.SUPERSEDED:
        return old.valid_until is not None and old.valid_until > new.valid_from
    ended = old.valid_until is not None and old.valid_until <= new.valid_from
    return old.state in _MAY_GO and not (ended and old.superseded_by)


def _timed(memory: Memory, judgement: Judgement, given: Settling) -> Memory:
    """What is told late stands in the store as history from the start."""
    limit = given.profile.judge.supersede_whole_chars
    if not judgement.later or len(memory.content) > limit or memory.state is not State.ACTIVE:
        return memory
    first = min(judgement.later, key=lambda one: one.at)
    until = first.at if memory.valid_until is None else min(first.at, memory.valid_until)
    by = None if first.by is None else first.by.id
    return succeeded(memory, by, until, given.now)


def history(old: Memory, judgement: Judgement, given: Settling) -> Iterator[Change]:
    """The changes that make a stored memory the history that it turned out to be."""
    gone = _timed(old, judgement, given)
    if gone != old:
        yield Update(memory=gone, expected=old, reason=_journaled(judgement), op="supersede")
        yield from _overtakers(gone, judgement, given)


def _overtakers(new: Memory, judgement: Judgement, given: Settling) -> Iterator[PutRelation]:
    ids = {one.by.id for one in judgement.later if one.by is not None}
    for newer in sorted(ids):
        yield _superseding(newer, new.id, _journaled(judgement), given)


def _superseding(newer: str, older: str, why: str, given: Settling) -> PutRelation:
    relation = Relation(
        source_id=newer,
        target_id=older,
        type=RelationType.SUPERSEDES,
        created_at=given.now,
    )
    return PutRelation(relation=relation, reason=why)


def _ended(fact: Fact, new: Memory, given: Settling) -> PutFact:
    ended = replace(
        fact,
        valid_until=max(fact.valid_from, begins_at(new.content, now=new.valid_from)),
        updated_at=given.now,
    )
    return PutFact(fact=ended, reason=f"no longer true since {new.id}")


def links(new: Memory, judgement: Judgement, given: Settling) -> Iterator[PutRelation]:
    """The link to what stands nearest, or to the immutable memory that `new` disagrees with."""
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
    yield PutRelation(relation=relation, reason=_journaled(judgement))


def _related(new: Memory, linked: Iterable[Change], given: Settling) -> Iterator[PutRelation]:
    """What else stands near: no memory is related twice by one write."""
    if new.state is State.QUARANTINED:
        return
    pairs = [one.relation for one in linked if isinstance(one, PutRelation)]
    taken = {end for one in pairs for end in (one.source_id, one.target_id)}
    for relation in related(new, given.near, taken, given.profile.relate, given.now):
        yield PutRelation(relation=relation, reason="stands near")


def _merge(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    old = judgement.target
    assert old is not None
    if draft.memory.content.strip() in old.content:
        return _reinforce(draft, memory, judgement, given)
    content = f"{old.content.rstrip()}\n{draft.memory.content}"
    if len(content) > given.profile.write.max_content_chars:
        return _create(draft, memory, judgement, given)
    listed: dict[str, Any] = {
        name: tuple(dict.fromkeys((*getattr(old, name), *getattr(memory, name))))
        for name in _LISTED
    }
    new = replace(
        old,
        content=content,
        context=asked_as(replace(old, content=content)) or old.context,
        title=old.title or title(content),
        **listed,
        importance=max(old.importance, memory.importance),
        updated_at=max(old.updated_at, memory.updated_at),
        version=old.version + 1,
    )
    new = inheriting(new, [memory])
    update = Update(memory=new, expected=old, vector=given.vector, reason=judgement.reason)
    return Settled(
        changes=(update, *stated(draft, new, judgement, given)),
        outcome=_told(draft, Action.UPDATED, judgement, new, old),
    )


def _reinforce(draft: Draft, memory: Memory, judgement: Judgement, given: Settling) -> Settled:
    held = judgement.target
    assert held is not None
    knobs = given.profile.reinforce
    # Only the user's word is evidence: what others say twice grows no stronger by it.
    evidence = draft.memory.origin is Origin.USER
    change = Reinforce(
        id=held.id,
        stability_factor=knobs.restate_stability_factor if evidence else 1.0,
        storage_gain=knobs.storage_gain if evidence else 0.0,
        revive=True,
        until=memory.expires_at,
        reason=judgement.reason,
    )
    return Settled(changes=(change,), outcome=_told(draft, Action.REINFORCED, judgement, held))


def _journaled(judgement: Judgement, old_id: str = "") -> str:
    """The reason as the journal keeps it for ever: without a word of any memory (R-07). `old_id`:
    the memory that it is the reason for, the first of those held where none is named."""
    if judgement.decision == "report":
        return "disagrees with an immutable memory"
    if judgement.held:
        of = [one for one in judgement.held if one.source is not None and one.source.id == old_id]
        return _why(*(of or judgement.held)[:1])
    return "told late" if judgement.later else judgement.reason


def _why(held: Held) -> str:
    if held.likely is None:
        return "the same attribute has another value"
    return f"likely takes its place ({held.likely:.2f})"


def _told(
    draft: Draft,
    action: Action,
    judgement: Judgement,
    memory: Memory | None,
    previous: Memory | None = None,
) -> Outcome:
    detail = f"{judgement.decision}: {judgement.reason}"
    step = Step(stage="judge", detail=detail, passed=judgement.decision != "skip")
    return Outcome(
        action=action,
        reason=judgement.reason,
        memory=memory,
        previous=previous,
        content=draft.memory.content,
        trace=(*draft.trace, step),
    )
