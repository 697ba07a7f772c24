"""What becomes of the facts whose source is forgotten (P-16) or over (D-08)."""

from collections.abc import Collection, Iterator, Sequence

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.standing import another_source, derived, own_view
from engraphy.model import (
    Change,
    DeleteFact,
    Fact,
    FactFilter,
    Memory,
    PutFact,
    Sensitivity,
    State,
    Update,
    View,
    WALLS,
)
from engraphy.model.past import LineFilter
from engraphy.text.parts import upholds

_MOST = 1_000
_HEIR = "another memory states it"
_OVER = "its source is over"


def unsourced(
    engine: Engine, memory: Memory, now: int, gone: Collection[str], reason: str
) -> Iterator[Change]:
    """The changes to the facts of a memory that is forgotten with all of `gone`: a fact that
    another memory states, or was told to state, goes over to it; one that a caller gave without a
    source as well stays without one; every other one goes. Where the profile lets given facts
    outlive their source (A-12) they are left to the store, which clears the link."""
    own = own_view(memory, now)
    read = derived(engine, own, memory)
    for fact in read:
        heir = None if fact.valid_until else another_source(engine, own, fact, gone)
        yield _following(fact, heir, reason)
    if engine.profile.form.facts_outlive:
        return
    known = {fact.id for fact in read}
    for fact in _resting_on(engine, memory, now):
        if fact.id not in known:
            yield _given(engine, fact, replace(own, scope=fact.scope), gone, reason)


def ended_with(
    engine: Engine, new: Memory, changes: Sequence[Change], now: int
) -> Iterator[PutFact]:
    """The changes to the facts that were read out of memories which `changes` supersede by `new`,
    and which say nothing of them: a fact that another living memory states goes over to it, one
    whose value `new` says itself stays, every other one ends with its source."""
    over = [
        one.memory
        for one in changes
        if isinstance(one, Update) and one.op == "supersede"
        if one.expected.state is not State.SUPERSEDED and one.memory.superseded_by == new.id
    ]
    gone = {one.id for one in over}
    put = [one.fact for one in changes if isinstance(one, PutFact)]
    told = {one.id for one in put} | {(one.subject, one.predicate, one.object) for one in put}
    for memory in over:
        own = own_view(memory, now)
        for fact in derived(engine, own, memory):
            triple = (fact.subject, fact.predicate, fact.object)
            if not told & {fact.id, triple} and not upholds(new.content, fact.object):
                yield from _ended(fact, another_source(engine, own, fact, gone), memory, now)


def _ended(fact: Fact, heir: str | None, source: Memory, now: int) -> Iterator[PutFact]:
    ends = max(fact.valid_from, source.valid_until or now)
    if fact.valid_until is not None and fact.valid_until <= ends:
        return
    if heir is not None:
        yield PutFact(fact=replace(fact, source_id=heir, updated_at=now), reason=_HEIR)
        return
    yield PutFact(fact=replace(fact, valid_until=ends, updated_at=now), reason=_OVER)


def _following(fact: Fact, heir: str | None, reason: str) -> Change:
    if heir is None:
        return DeleteFact(id=fact.id, reason=reason)
    return PutFact(fact=replace(fact, source_id=heir), reason=_HEIR)


def _given(engine: Engine, fact: Fact, view: View, gone: Collection[str], reason: str) -> Change:
    told = _told_before(engine, fact)
    wide = replace(
        view,
        scope=replace(fact.scope, session=None),
        states=frozenset(State),
        sensitivities=frozenset(Sensitivity),
    )
    named = [one for one in told if one is not None and one not in gone]
    standing = [one.id for one in engine.store.get(wide, named)]
    heir = next((one for one in named if one in standing), None)
    if heir is None and not fact.valid_until:
        heir = another_source(engine, replace(wide, states=view.states), fact, gone)
    if heir is None and None in told:
        return PutFact(fact=replace(fact, source_id=None), reason="it was given without a source")
    return _following(fact, heir, reason)


def _told_before(engine: Engine, fact: Fact) -> list[str | None]:
    """The sources that a fact was given with so far, None where it was given without one; the
    last first."""
    lines = engine.store.past(engine.tenant, LineFilter(target=fact.id, limit=_MOST))
    values = [value for line in lines if line.fact for value in line.fact if value is not None]
    return list(dict.fromkeys(value.source_id for value in values))


def _resting_on(engine: Engine, memory: Memory, now: int) -> list[Fact]:
    """The facts whose source is a memory, in its walls and in those that see into them."""
    wanted = FactFilter(source_id=memory.id, current=False, limit=_MOST)
    found: dict[str, Fact] = {}
    for scope, _ in engine.store.scopes(memory.scope.tenant):
        if all(getattr(memory.scope, one) in (None, getattr(scope, one)) for one in WALLS):
            wide = replace(
                own_view(memory, now),
                scope=scope,
                states=frozenset(State),
                sensitivities=frozenset(Sensitivity),
            )
            found |= {fact.id: fact for fact in engine.store.facts(wide, wanted)}
    return list(found.values())
