"""What was removed so long ago that it can no longer be brought back is erased for good."""

from collections.abc import Callable, Sequence

from engraphy.engine.parts import Engine
from engraphy.engine.removal import SKIPPED
from engraphy.model import Change, DeleteFact, Forget, MICROSECONDS_PER_DAY, View

_BATCH = 200


def expunge(
    engine: Engine,
    views: Sequence[View],
    go_on: Callable[[], bool] = lambda: True,
    actor: str = "",
) -> int:
    """Destroy the texts of what was removed more than `dream.undo_days` ago, as `forget` does, in
    the tenants of the views; how many memories and facts that were."""
    count = 0
    for tenant, now in {view.scope.tenant: view.now for view in views}.items():
        days = engine.profile.dream.undo_days
        before = now - round(days * MICROSECONDS_PER_DAY)
        reason = f"expunged: removed more than {days:g} days ago"
        while batch := engine.store.removed_since(tenant, before, _BATCH):
            changes: list[Change] = [
                Forget(id=one, reason=reason) if memory else DeleteFact(id=one, reason=reason)
                for one, memory in batch
            ]
            try:
                engine.store.apply(tenant, changes, now=now, actor=actor or engine.actor)
            except SKIPPED:
                # Somebody brings it back, or forgets it, this moment: next time.
                return count
            count += len(batch)
            if not go_on():
                return count
    return count
