"""The contract's reads as plain Python over a dictionary: what engines are compared with."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from engraphy.model.change import Forget, Growth, Insert, Reinforce, Touch, Update
from engraphy.model.kinds import State
from engraphy.model.memory import Memory
from engraphy.model.query import View

MOST_STABILITY = 36_500.0
MOST_STORAGE = 10.0
ASLEEP = frozenset({State.DORMANT, State.ARCHIVED})
"""What a delivery wakes; a re-statement also brings back what has expired (R-06)."""


def visible(view: View, memory: Memory, rows: Mapping[str, Memory] | None = None) -> bool:
    """Whether a view shows a memory: walls, sensitivity, kind, session, time and state. `rows`:
    all there are, by id, among them what superseded it."""
    later = (rows or {}).get(memory.superseded_by or "")
    if view.known_at is not None and later is not None and later.recorded_at > view.known_at:
        # What ended it was not known yet.
        state = State.ACTIVE if memory.state is State.SUPERSEDED else memory.state
        seen = view.states | {State.ACTIVE}
        view, memory = replace(view, states=seen), replace(memory, state=state, valid_until=None)
    return (
        _open(view, memory)
        and memory.sensitivity in view.sensitivities
        and (not view.kinds or memory.kind in view.kinds)
        and _in_session(view, memory)
        and (view.known_at is None or memory.recorded_at <= view.known_at)
        and _alive(view, memory)
    )


def _open(view: View, memory: Memory) -> bool:
    own = [replace(one, session=None) for one in (view.scope, view.asker)]
    exactly = replace(memory.scope, session=None) in own
    return exactly or (view.shared and view.asker.sees(memory.scope))


def _in_session(view: View, memory: Memory) -> bool:
    session = memory.scope.session
    if view.session is not None and session != view.session:
        return False
    return not view.closed_session or session in (None, view.scope.session)


def _alive(view: View, memory: Memory) -> bool:
    expired = memory.expires_at is not None and memory.expires_at <= view.now
    if expired and State.EXPIRED not in view.states:
        return False
    seen = view.states if view.as_of is None else view.states | {State.SUPERSEDED}
    if State.SUPERSEDED in seen:
        seen |= {State.EXPIRED}
    if view.as_of is None:
        ended = memory.valid_until is not None and memory.valid_until <= view.now
        ended = ended or memory.valid_from > max(view.now, memory.recorded_at)
        history = not view.states.isdisjoint({State.EXPIRED, State.SUPERSEDED})
        return memory.state in seen and (history or not (ended and memory.state is State.ACTIVE))
    if memory.state not in seen:
        return False
    return memory.valid_from <= view.as_of and (
        memory.valid_until is None or view.as_of < memory.valid_until
    )


@dataclass
class Reference:
    """A dictionary that takes the changes of memories as the contract describes them."""

    rows: dict[str, Memory] = field(default_factory=dict)

    def apply(self, change: Insert | Update | Reinforce | Touch | Forget, now: int) -> None:
        """Take one change; the caller checks beforehand that it is a legal one."""
        match change:
            case Insert(memory=memory) | Update(memory=memory):
                self.rows[memory.id] = memory
            case Forget(id=id):
                del self.rows[id]
            case Reinforce():
                self.rows[change.id] = self._reinforced(change, now)
            case Touch():
                self.rows |= {name: self._touched(name, change, now) for name in change.ids}

    def _reinforced(self, change: Reinforce, now: int) -> Memory:
        memory = self._strengthened(self.rows[change.id], change)
        return replace(
            memory,
            reinforcement_count=memory.reinforcement_count + 1,
            last_reinforced_at=now,
        )

    def _touched(self, id: str, change: Touch, now: int) -> Memory:
        memory = self.rows[id]
        if change.growth:
            memory = self._grown(memory, change.growth[change.ids.index(id)], now - change.gap, now)
        wakes = change.revive and memory.state in ASLEEP
        return replace(
            memory,
            access_count=memory.access_count + 1,
            last_accessed_at=now,
            retrieval_loss=0.0,
            state=State.ACTIVE if wakes else memory.state,
        )

    def _grown(self, memory: Memory, growth: Growth, before: int, now: int) -> Memory:
        last = memory.last_strengthened_at
        if last is not None and last > before:
            return memory
        difficulty = min(10.0, max(1.0, memory.difficulty + growth.difficulty_shift))
        return replace(
            memory,
            stability=min(MOST_STABILITY, memory.stability * growth.stability_factor),
            storage_strength=min(MOST_STORAGE, memory.storage_strength + growth.storage_gain),
            difficulty=difficulty,
            last_strengthened_at=now,
        )

    def _strengthened(self, memory: Memory, change: Reinforce) -> Memory:
        wakes = change.revive and memory.state in ASLEEP | {State.EXPIRED}
        return replace(
            memory,
            stability=min(MOST_STABILITY, memory.stability * change.stability_factor),
            storage_strength=min(MOST_STORAGE, memory.storage_strength + change.storage_gain),
            state=State.ACTIVE if wakes else memory.state,
        )
