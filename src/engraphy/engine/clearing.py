"""Taking out what has outlived its time."""

from collections.abc import Iterator, Sequence

from engraphy.engine.manage import whole
from engraphy.engine.parts import Engine
from engraphy.engine.removal import removed
from engraphy.engine.standing import same_walls
from engraphy.model import Forgotten, Memory, View

_BATCH = 200
_REASON = "purge: its time to live is over"


def purge(engine: Engine, views: Sequence[View]) -> Forgotten:
    """Take out what has outlived its time to live in each of the scopes; what is pinned or
    immutable stays. A summary that tells of it stays as well: it has a time of its own."""
    gone: list[str] = []
    for view in views:
        expired = list(_expired(engine, view))
        for start in range(0, len(expired), _BATCH):
            batch = expired[start : start + _BATCH]
            gone += removed(engine, batch, view, _REASON, asked=True)
    return Forgotten(ids=tuple(gone), erased=len(gone))


def _expired(engine: Engine, view: View) -> Iterator[Memory]:
    for memory in engine.store.dump(whole(view)):
        over = memory.expires_at is not None and memory.expires_at <= view.now
        kept = memory.pinned or memory.immutable
        if over and not kept and same_walls(memory.scope, view.scope):
            yield memory
