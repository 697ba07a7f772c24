"""What follows from a write and is written with it: synaptic tags, working memory, and room for
relations."""

from collections.abc import Sequence

from engraphy.engine.parts import Engine
from engraphy.engine.sourcing import ended_with
from engraphy.engine.standing import own_view
from engraphy.engine.themes import put_right
from engraphy.engine.working import noted
from engraphy.model import (
    Action,
    Change,
    DeleteRelation,
    Outcome,
    PRUNED_FIRST,
    PutRelation,
    UNPRUNABLE,
    View,
)
from engraphy.write.tag import NAME, tagged, wanted

_STORED = frozenset({Action.CREATED, Action.UPDATED, Action.SUPERSEDED})
_MET = _STORED | {Action.REINFORCED}
_COUNTED = 1_000_000


def followed(
    engine: Engine, outcome: Outcome, changes: Sequence[Change], now: int
) -> tuple[Change, ...]:
    """`changes` with what follows from them, all for one transaction."""
    memory = outcome.memory
    if memory is None:
        return tuple(changes)
    roomy = with_room(engine, own_view(memory, now), changes)
    if outcome.action is Action.SUPERSEDED:
        roomy = (*roomy, *put_right(engine, memory, changes, now))
        roomy = (*roomy, *ended_with(engine, memory, changes, now))
    if outcome.action in _MET:
        roomy = (*roomy, *noted(engine, memory.scope, (memory,), now))
    knobs = engine.profile.tag
    if outcome.action not in _STORED or not wanted(memory, knobs):
        return roomy
    # A session's state is of exactly its walls and session.
    held = engine.store.session_state(View(scope=memory.scope, now=now), NAME)
    return (*roomy, *tagged(memory, held, now, knobs))


def with_room(engine: Engine, view: View, changes: Sequence[Change]) -> tuple[Change, ...]:
    """`changes`, and where they bring a scope to its most relations those that go for it (D-13):
    the loosest type first, of a type the least certain. Never supersedes, contradicts or causes;
    where only such are left, no looser one comes beside them."""
    new = sum(isinstance(one, PutRelation) for one in changes)
    most, wanted_count = engine.profile.relate.prune_at, engine.profile.relate.prune_to
    if not new or engine.store.count_relations(view, most) + new < most:
        return tuple(changes)
    held = engine.store.count_relations(view, _COUNTED)
    surplus = max(0, held + new - wanted_count)
    gone = engine.store.weakest_relations(view, PRUNED_FIRST, surplus)
    left = surplus - len(gone)
    kept = [one for one in changes if not (left and _prunable(one))]
    deletions = (
        DeleteRelation(
            source_id=one.source_id, target_id=one.target_id, type=one.type, reason="pruned"
        )
        for one in gone
    )
    return (*kept, *deletions)


def _prunable(change: Change) -> bool:
    return isinstance(change, PutRelation) and change.relation.type not in UNPRUNABLE
