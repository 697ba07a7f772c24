"""What a delivery changes: it is counted, and strengthens what came together and what is near."""

from collections.abc import Sequence
from contextlib import suppress

from engraphy.dream.strength import retention
from engraphy.engine.parts import Engine
from engraphy.errors import StoreBusyError, StoreFullError, StoreReadOnlyError
from engraphy.formulas import (
    elapsed_days,
    fsrs_next_difficulty,
    fsrs_next_stability,
    grown_storage,
)
from engraphy.model import Change, CoActivate, Memory, Spread, State, Touch, View
from engraphy.model.change import Growth

_NOT_DELIVERED = frozenset({State.SUPERSEDED, State.EXPIRED, State.QUARANTINED})
_HOUR = 3_600_000_000
_GOOD = 3
_COUNTED_WITHIN = 1.0
"""Seconds that an answer waits for other writers so that its delivery is counted."""
_NONE = Growth(stability_factor=1.0, storage_gain=0.0)


def reinforce(engine: Engine, memories: Sequence[Memory], view: View, reason: str) -> None:
    """Count a delivery: what is current grows stronger, what is stale never does (R-03)."""
    changes = reinforcement(engine, memories, view, reason)
    if not changes or engine.store.read_only:
        return
    count(engine, changes, view)


def count(engine: Engine, changes: Sequence[Change], view: View) -> None:
    """Write down what was delivered. The answer is worth more than that: a full or locked disk
    still answers, and soon. Raises ConflictError."""
    with suppress(StoreBusyError, StoreFullError, StoreReadOnlyError):
        engine.store.apply(
            view.scope.tenant, changes, now=view.now, actor=engine.actor, seconds=_COUNTED_WITHIN
        )


def reinforcement(
    engine: Engine, memories: Sequence[Memory], view: View, reason: str
) -> list[Change]:
    """The changes that count a delivery of these memories to the caller of `view`."""
    current = [m for m in memories if m.state not in _NOT_DELIVERED]
    if not current:
        return []
    knobs = engine.profile.reinforce
    ids = tuple(m.id for m in current)
    spaced = round(knobs.spaced_hours * _HOUR)
    # Of one that was strengthened a moment ago the delivery is only counted.
    growth = tuple(
        _growth(engine, memory, view.now) if _is_due(memory, view.now - spaced) else _NONE
        for memory in current
    )
    changes: list[Change] = [Touch(ids=ids, growth=growth, gap=spaced, reason=reason)]
    if knobs.coactivate and len(current) > 1:
        together = CoActivate(
            ids=tuple(sorted(ids)),
            stability_factor=knobs.together_factor,
            gap=_gap(engine),
            reason=reason,
        )
        changes.append(together)
    return [*changes, *spreading(engine, current, view, reason)]


def _is_due(memory: Memory, since: int) -> bool:
    last = memory.last_strengthened_at
    return last is None or last <= since


def _growth(engine: Engine, memory: Memory, now: int) -> Growth:
    """What a retrieval does to the two strengths of a memory (D-40), more where it was nearly
    lost; a rating of FSRS-6 is "good", as what is delivered was found."""
    knobs, decay = engine.profile.reinforce, engine.profile.dream.decay
    held = retention(memory, decay.curve, now)
    grown = grown_storage(
        storage=memory.storage_strength, retrievability=held, gain=knobs.retrieval_gain
    )
    storage_gain = grown - memory.storage_strength
    if decay.curve != "fsrs6":
        return Growth(stability_factor=knobs.stability_factor, storage_gain=storage_gain)
    last = memory.last_strengthened_at or memory.recorded_at
    age = elapsed_days(now=now, then=last)
    stability = fsrs_next_stability(
        stability=memory.stability, difficulty=memory.difficulty, age_days=age, rating=_GOOD
    )
    harder = fsrs_next_difficulty(difficulty=memory.difficulty, rating=_GOOD)
    return Growth(
        stability_factor=stability / memory.stability,
        storage_gain=storage_gain,
        difficulty_shift=harder - memory.difficulty,
    )


def spreading(engine: Engine, memories: Sequence[Memory], view: View, reason: str) -> list[Change]:
    """What an access to these memories does to what is related to them (D-50); nothing for one
    that was accessed a moment ago, so that asking again and again changes nothing."""
    knobs = engine.profile.reinforce
    if knobs.neighbour_factor == 1.0:
        return []
    since = view.now - _gap(engine)
    counted = {m.id: m.last_strengthened_at for m in memories}
    fresh = [one for one, last in counted.items() if last is None or last <= since]
    if not fresh:
        return []
    near = View(
        scope=view.scope,
        now=view.now,
        sensitivities=view.sensitivities,
        closed_session=view.closed_session,
    )
    factor = knobs.neighbour_factor
    return [Spread(ids=tuple(fresh), view=near, stability_factor=factor, reason=reason)]


def _gap(engine: Engine) -> int:
    return round(engine.profile.reinforce.together_hours * _HOUR)
