"""What an edit and an erasure bring along: facts that are no longer said, and what they end."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from engraphy.dream.ripe import RECURRING
from engraphy.engine.parts import Engine
from engraphy.engine.remaining import completed
from engraphy.engine.sourcing import ended_with, unsourced
from engraphy.engine.standing import (
    content_hash,
    derived,
    own_view,
    standing,
    told_view,
)
from engraphy.model import (
    Change,
    Draft,
    Fact,
    Forget,
    Judgement,
    Kind,
    Listing,
    Memory,
    PutFact,
    RelationType,
    SENSITIVITY_RANK,
    Sensitivity,
    State,
    Update,
    View,
)
from engraphy.write.form import stated_slots
from engraphy.write.judge import judge
from engraphy.write.settle import links, retirement
from engraphy.write.stating import Settling, stated

_PAGE = 1_000
_TELLING = (
    Listing(kinds=frozenset({Kind.SUMMARY, Kind.PATTERN, Kind.PROCEDURE}), limit=_PAGE),
    Listing(kinds=frozenset({Kind.FACT}), tag=RECURRING, limit=_PAGE),
)
"""Where that is found which tells other memories."""
_CHAIN = 4
_SUPERSEDES = frozenset({RelationType.SUPERSEDES.value})
_OVER = frozenset({State.SUPERSEDED, State.EXPIRED})


def retold(engine: Engine, old: Memory, new: Memory, view: View) -> list[Change]:
    """What follows from new words, or from who is known to have said them how: facts that are no
    longer stated end now, facts that are stated begin now, and what disagrees with them is
    superseded as if it had been told. What is history already states nothing anew."""
    if not engine.profile.form.extract_facts:
        return []
    own = told_view(new, view.now, engine.profile.sessions)
    told = replace(new, valid_from=view.now)
    draft = Draft(memory=told, explicit=True, slots=stated_slots(new))
    if new.state in _OVER:
        return list(_over(derived(engine, own, old), draft, view))
    judgement = _judged(engine, own, draft)
    settling = Settling(now=view.now, new_id=engine.new_id, vector=None, profile=engine.profile)
    changes: list[Change] = list(_over(derived(engine, own, old), draft, view))
    said = list(stated(draft, told, judgement, settling))
    if judgement.decision == "supersede":
        changes += retirement(told, judgement, settling)
        changes += ended_with(engine, told, [*changes, *said], view.now)
    elif judgement.decision == "report":
        changes += links(told, judgement, settling)
    return [*completed(engine, changes), *said]


def _judged(engine: Engine, own: View, draft: Draft) -> Judgement:
    """A memory does not disagree with what it said itself before."""
    stands = standing(engine, own, draft, settled=True)
    others = tuple(
        one
        for one in stands.held
        if draft.memory.id != (one.source.id if one.source is not None else _source_of(one.fact))
    )
    stands = replace(stands, held=others, later=())
    return judge(draft, (), stands, draft.memory.importance, engine.profile.judge)


def _source_of(fact: Fact | None) -> str | None:
    return None if fact is None else fact.source_id


def _over(facts: Sequence[Fact], draft: Draft, view: View) -> Iterator[PutFact]:
    said = {(s.subject, s.attribute, s.value) for s in draft.slots if s.polarity}
    for fact in facts:
        ends = max(fact.valid_from, view.now)
        held = fact.valid_until is None or fact.valid_until > ends
        if held and (fact.subject, fact.predicate, fact.object) not in said:
            over = replace(fact, valid_until=ends, updated_at=view.now)
            yield PutFact(fact=over, reason="its source says so no longer")


def summaries(engine: Engine, memories: Sequence[Memory], view: View) -> list[Memory]:
    """The summaries, patterns, workflows and recurring facts that tell any of these (P-16),
    those that the caller may not see included: none may go on telling what is forgotten."""
    gone = {memory.id for memory in memories}
    found: dict[str, Memory] = {}
    for scope in {replace(memory.scope, session=None) for memory in memories}:
        wide = View(
            scope=scope,
            now=view.now,
            states=frozenset(State),
            sensitivities=frozenset(Sensitivity),
        )
        for listing in _TELLING:
            for row in _pages(engine, wide, listing):
                if row.id not in gone and not gone.isdisjoint(row.source_ids):
                    found[row.id] = row
    return list(found.values())


def stricter(engine: Engine, old: Memory, new: Memory, view: View) -> list[Change]:
    """Where a memory becomes more sensitive, so do the summaries that tell it (R-04)."""
    rank = SENSITIVITY_RANK
    if rank[new.sensitivity] <= rank[old.sensitivity]:
        return []
    reason = "what it tells became more sensitive"
    return [
        Update(
            memory=replace(one, sensitivity=new.sensitivity),
            expected=one,
            reason=reason,
        )
        for one in summaries(engine, [old], view)
        if rank[one.sensitivity] < rank[new.sensitivity]
    ]


def _pages(engine: Engine, view: View, listing: Listing) -> Iterator[Memory]:
    while rows := engine.store.page(view, listing):
        yield from rows
        if len(rows) < _PAGE:
            return
        listing = replace(listing, after=rows[-1].id)


def erasure(engine: Engine, memories: Sequence[Memory], view: View, reason: str) -> list[Change]:
    """The changes that erase memories with everything that was read out of them, and the facts that
    rest on them alone (P-16)."""
    gone = [memory.id for memory in memories]
    changes: list[Change] = []
    for memory in memories:
        changes += unsourced(engine, memory, view.now, gone, reason)
    changes += released(engine, memories, view)
    return [*changes, *(Forget(id=one, reason=reason) for one in gone)]


def released(engine: Engine, memories: Sequence[Memory], view: View) -> Iterator[Change]:
    """What a summary took the place of is current again once that summary goes, unless it goes as
    well or its text was told anew since; what was to end with what is announced goes on."""
    gone = {memory.id for memory in memories}
    for memory in memories:
        if memory.kind is not Kind.SUMMARY or not memory.source_ids:
            continue
        own = replace(own_view(memory, view.now), states=frozenset({State.SUPERSEDED}))
        for source in engine.store.get(own, [one for one in memory.source_ids if one not in gone]):
            if source.superseded_by != memory.id:
                continue
            if engine.store.find_hash(own, content_hash(source.content)) is None:
                back = replace(source, state=State.ACTIVE, superseded_by=None, valid_until=None)
                reason = "what condensed it is gone"
                yield Update(memory=back, expected=source, reason=reason, op="state")
    yield from _lasting(engine, [one for one in memories if one.valid_from > view.now], gone)


def _lasting(
    engine: Engine, announced: Sequence[Memory], gone: Collection[str]
) -> Iterator[Change]:
    """What was to end with something announced goes on where that is gone before it began, also
    where it had taken the place of something announced itself."""
    reason = "what was announced is gone"
    for memory in announced:
        wide = replace(own_view(memory, memory.valid_from), states=frozenset(State))
        told = engine.store.relations(wide, [memory.id], hops=_CHAIN, types=_SUPERSEDES)
        ids = sorted({one.target_id for one in told} - {*gone})
        rows = engine.store.get(wide, ids) if ids else []
        never = {memory.id, *(row.id for row in rows if row.valid_until == row.valid_from)}
        for row in rows:
            if row.state is not State.ACTIVE or row.superseded_by not in never:
                continue
            back = replace(row, superseded_by=None, valid_until=None)
            yield Update(memory=back, expected=row, reason=reason, op="state")
            for fact in derived(engine, wide, row):
                if fact.valid_until == memory.valid_from:
                    yield PutFact(fact=replace(fact, valid_until=None), reason=reason)
