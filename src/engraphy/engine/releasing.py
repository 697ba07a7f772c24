"""Copies from others whose quarantine is over are let in, by whoever asks next (D-70).

A process looks once in `federation.look_seconds`; in between, and where nobody subscribes to
anything, asking costs no statement.
"""

from contextlib import suppress

from engraphy.engine.parts import Engine
from engraphy.errors import ConflictError, StoreError
from engraphy.model import State, Update
from engraphy.write.federating import released

WHY = "its quarantine is over"
ACTOR = "federation"
_AT_ONCE = 500


def looked(engine: Engine, now: int) -> int:
    """Let in what is due, where it is time to look for it; how many were."""
    every = round(engine.profile.federation.look_seconds * 1_000_000)
    last = engine.looked.get(engine.tenant)
    # A clock that was put back is no reason to wait for it.
    if engine.store.read_only or (last is not None and 0 <= now - last < every):
        return 0
    engine.looked[engine.tenant] = now
    # Nobody is kept from an answer because a store is busy.
    with suppress(StoreError):
        return release(engine, now)
    return 0


def release(engine: Engine, now: int) -> int:
    """Let in every copy that waits and is due; how many were."""
    count = 0
    while links := engine.store.quarantine_over(engine.tenant, now, _AT_ONCE):
        ids = [link.id for link in links]
        held = engine.store.standing(engine.tenant, ids, ()).memories
        moved = [one for one in held.values() if one.state is State.QUARANTINED]
        for one in moved:
            change = Update(memory=released(one), expected=one, reason=WHY, op="state")
            with suppress(ConflictError):
                engine.store.apply(engine.tenant, [change], now=now, actor=ACTOR)
                count += 1
        if len(links) < _AT_ONCE or not moved:
            break
    return count
