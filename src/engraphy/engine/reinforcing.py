"""What a delivery changes: it is counted, and strengthens what came together and what is near."""

from collections.abc import Sequence

from engraphy.engine.parts import Engine
from engraphy.errors import StoreBusyError, StoreFullError, StoreReadOnlyError
from engraphy.model import Change, CoActivate, Memory, Spread, State, Touch, View

_NOT_DELIVERED = frozenset({State.SUPERSEDED, State.EXPIRED, State.QUARANTINED})
_HOUR = 3_600_000_000


def reinforce(engine: Engine, memories: Sequence[Memory], view: View, reason: str) -> None:
    """Count a delivery: what is current grows stronger, what is stale never does (R-03)."""
    changes = reinforcement(engine, memories, view, reason)
    if not changes or engine.store.read_only:
        return
    try:
        engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
    except (StoreBusyError, StoreFullError, StoreReadOnlyError):
        # The answer is worth more than the count of it: a full or locked disk still answers.
        return


def reinforcement(
    engine: Engine, memories: Sequence[Memory], view: View, reason: str
) -> list[Change]:
    """The changes that count a delivery of these memories to the caller of `view`."""
    current = [m for m in memories if m.state not in _NOT_DELIVERED]
    if not current:
        return []
    knobs = engine.profile.reinforce
    ids = tuple(m.id for m in current)
    changes: list[Change] = [
        Touch(
            ids=ids,
            stability_factor=knobs.stability_factor,
            storage_gain=knobs.storage_gain,
            reason=reason,
        )
    ]
    if knobs.coactivate and len(current) > 1:
        together = CoActivate(
            ids=tuple(sorted(ids)),
            stability_factor=knobs.together_factor,
            gap=_gap(engine),
            reason=reason,
        )
        changes.append(together)
    return [*changes, *spreading(engine, current, view, reason)]


def spreading(engine: Engine, memories: Sequence[Memory], view: View, reason: str) -> list[Change]:
    """What an access to these memories does to what is related to them (D-50); nothing for one
    that was accessed a moment ago, so that asking again and again changes nothing."""
    knobs = engine.profile.reinforce
    if knobs.neighbour_factor == 1.0:
        return []
    since = view.now - _gap(engine)
    fresh = [m.id for m in memories if m.last_accessed_at is None or m.last_accessed_at <= since]
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
