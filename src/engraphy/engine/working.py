"""Working memory: what a session is about just now, a few items, the weakest pushed out (D-31).

It is a row of session state that ends with its session; it holds ids and numbers, no texts.
"""

from collections.abc import Iterable, Iterator, Sequence

import msgspec

from engraphy.engine.parts import Engine
from engraphy.engine.session_rows import exact
from engraphy.formulas import elapsed_days, leaves_working_memory, working_memory_score
from engraphy.model import (
    Change,
    MICROSECONDS_PER_DAY,
    Memory,
    PutSessionState,
    Scope,
    SessionState,
    State,
    View,
    WorkingItem,
)
from engraphy.profile import Working

_NAME = "memory.working"
_MINUTES_PER_DAY = 1_440.0
_HOURS_PER_DAY = 24.0


class Entry(msgspec.Struct, frozen=True):
    """One item; times in microseconds UTC."""

    id: str
    importance: float
    access_count: int
    added_at: int
    last_at: int


def noted(engine: Engine, scope: Scope, memories: Iterable[Memory], now: int) -> Iterator[Change]:
    """The change that takes memories into the working memory of `scope.session`: one that is in it
    is updated in its place and pushes none out; of the others the weakest leaves for a new one."""
    knobs = engine.profile.working
    current = [one for one in memories if one.state is State.ACTIVE]
    if scope.session is None or not knobs.items or not current:
        return
    raw, held = _held(engine, scope, now)
    entries = {one.id: one for one in held}
    for memory in current:
        old = entries.get(memory.id)
        entries[memory.id] = Entry(
            id=memory.id,
            importance=memory.importance,
            access_count=old.access_count + 1 if old else 0,
            added_at=old.added_at if old else now,
            last_at=now,
        )
        if len(entries) > knobs.items:
            others = [one for one in entries.values() if one.id != memory.id]
            del entries[min(others, key=lambda one: _strength(one, knobs, now)).id]
    yield _put(engine, scope, list(entries.values()), now, raw)


def items(engine: Engine, view: View) -> list[WorkingItem]:
    """The working memory of `view.scope.session`, the strongest first, as far as it is seen."""
    knobs = engine.profile.working
    _, entries = _held(engine, view.scope, view.now)
    rows = {row.id: row for row in engine.store.get(view, [one.id for one in entries])}
    found = [
        WorkingItem(
            memory=rows[one.id],
            score=_strength(one, knobs, view.now),
            access_count=one.access_count,
            added_at=one.added_at,
            promotable=leaves_working_memory(
                access_count=one.access_count,
                importance=one.importance,
                access_from=knobs.promote_access,
                importance_from=knobs.promote_importance,
            ),
        )
        for one in entries
        if one.id in rows
    ]
    return sorted(found, key=lambda one: (-one.score, one.memory.id))


def cleared(engine: Engine, scope: Scope) -> None:
    """Empty the working memory of a session."""
    now = engine.clock()
    raw, _ = _held(engine, scope, now)
    if raw is not None and not engine.store.read_only:
        state = SessionState(scope=scope, name=_NAME, value="[]", updated_at=now, expires_at=now)
        change = PutSessionState(state=state)
        engine.store.apply(scope.tenant, [change], now=now, actor=engine.actor)


def _strength(one: Entry, knobs: Working, now: int) -> float:
    return working_memory_score(
        importance=one.importance,
        age_minutes=elapsed_days(now=now, then=one.last_at) * _MINUTES_PER_DAY,
        access_count=one.access_count,
        half_life_minutes=knobs.half_life_minutes,
        access_gain=knobs.access_gain,
    )


def _held(engine: Engine, scope: Scope, now: int) -> tuple[str | None, Sequence[Entry]]:
    row = engine.store.session_state(exact(scope, now), _NAME)
    if row is None:
        return None, []
    return row.value, msgspec.json.decode(row.value, type=list[Entry])


def _put(
    engine: Engine, scope: Scope, entries: Sequence[Entry], now: int, raw: str | None
) -> Change:
    """What is left of a session that never ended goes when such sessions are closed."""
    days = engine.profile.sessions.abandoned_hours / _HOURS_PER_DAY
    state = SessionState(
        scope=scope,
        name=_NAME,
        value=msgspec.json.encode(entries).decode(),
        updated_at=now,
        expires_at=now + round(days * MICROSECONDS_PER_DAY),
    )
    return PutSessionState(state=state, guarded=True, expected=raw)
