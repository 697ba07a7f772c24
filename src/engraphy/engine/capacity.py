"""Keeping a store as small as its profile wants: at every write, at rest, and on demand."""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from engraphy.dream.capacity import CAP, over_cap, prune, too_old
from engraphy.engine.parts import Engine
from engraphy.engine.removal import removed
from engraphy.engine.standing import own_view
from engraphy.model import (
    Action,
    Forgotten,
    Memory,
    Origin,
    Outcome,
    Remove,
    Scope,
    Snapshot,
    State,
    View,
)
from engraphy.write.ceiling import exceeds

_BATCH = 200
_MADE = frozenset({Action.CREATED, Action.SUPERSEDED, Action.QUARANTINED})
_LOOKED_AT = 5_000
_OLDEST = 8
"""So many of the memories written first are looked at whenever one is written."""
Told = Callable[[str, str], None]
"""Is told the id of what went, and why."""


def made_room(engine: Engine, outcome: Outcome, now: int) -> Outcome:
    """The outcome of a write, after what it made too many was taken out (A-08, C-10); the row just
    written is spared."""
    memory = outcome.memory
    if memory is not None and outcome.action in _MADE:
        view = own_view(memory, now)
        if engine.profile.dream.max_age_days:
            _without_old(engine, view)
        if engine.profile.write.max_memories:
            _without_most(engine, view, (memory.id,))
    return outcome


def _without_old(engine: Engine, view: View) -> None:
    first = engine.store.written_first(view.scope, _OLDEST)
    old = [one for one in first if too_old(one, view.now, engine.profile)]
    if old:
        removed(engine, old, view, "prune: it is too old")


def _without_most(
    engine: Engine, view: View, spared: Sequence[str] = (), actor: str = ""
) -> list[str]:
    """Takes at most one batch; the ids of what went."""
    cap, count = engine.profile.write.max_memories, engine.store.crowd(view.scope)
    if count <= cap:
        return []
    wanted = min(count - cap, _BATCH)
    # What the user said is not pushed out by what others write (P-10).
    look = wanted + len(spared) if engine.most is Origin.USER else min(count, _LOOKED_AT)
    found = engine.store.least_used(view.scope, look)
    rows = [one for one in found if not exceeds(one.origin, engine.most)]
    gone = over_cap(rows, cap + wanted, cap, spared)
    return removed(engine, gone, view, CAP, actor=actor) if gone else []


def capped(
    engine: Engine, now: int, go_on: Callable[[], bool], told: Told, actor: str = ""
) -> bool:
    """Every place of the tenant with no more memories than `write.max_memories`; whether the time
    sufficed. A place is a user, an agent and a project; conversations in it count together."""
    if not engine.profile.write.max_memories:
        return True
    for scope in _places(engine):
        view = View(scope=scope, now=now)
        while gone := _without_most(engine, view, actor=actor):
            for one in gone:
                told(one, CAP)
            if not go_on():
                return False
    return True


def _places(engine: Engine) -> list[Scope]:
    scopes = (scope for scope, _ in engine.store.scopes(engine.tenant))
    return list(dict.fromkeys(replace(one, conversation=None, session=None) for one in scopes))


def pruned(engine: Engine, views: Sequence[View]) -> Forgotten:
    """Take out what is too old, what consolidation evicts, and what is too many, at once."""
    gone: list[str] = []
    for view in views:
        for batch in _prunable(engine, view):
            for reason in sorted({one.reason for one in batch}):
                rows = [m for one in batch if one.reason == reason and (m := one.expected)]
                gone += removed(engine, rows, view, reason, asked=True)
    if views:
        capped(engine, views[0].now, lambda: True, lambda one, _: gone.append(one))
    return Forgotten(ids=tuple(gone), erased=len(gone))


def _prunable(engine: Engine, view: View) -> Iterator[list[Remove]]:
    after, states = 0, tuple(State)
    while rows := engine.store.walk(view.scope, states, after=after, limit=_BATCH):
        after = rows[-1][0]
        snapshot = Snapshot(memories=tuple(memory for _, memory in rows))
        found = prune(snapshot, view.now, engine.profile)
        yield [one for one in found if isinstance(one, Remove)]


def imagined(engine: Engine, views: Sequence[View]) -> list[Memory]:
    """What `pruned` would take out by age and importance; nothing is changed."""
    batches = (batch for view in views for batch in _prunable(engine, view))
    return [memory for batch in batches for one in batch if (memory := one.expected)]
