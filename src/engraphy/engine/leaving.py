"""Forgetting a whole user: counted first, erased once it is confirmed."""

import hashlib
from dataclasses import asdict, replace

from engraphy.engine.embedding import forgetting
from engraphy.engine.parts import Engine
from engraphy.engine.pending import FAILED, PREFIX
from engraphy.engine.receipts import SLOTS
from engraphy.errors import ConfirmationRequiredError
from engraphy.model import ForgetUser, ForgottenUser, Holdings

_BATCH = 1_000
_REASON = "forget user"


def forget_user(engine: Engine, user: str, confirm: str | bool | None) -> ForgottenUser:
    """Erase everything behind a user's walls in the tenant, with the token that the count gave out
    (True confirms whatever stands there now). Where something came or went since the count, the
    new one is raised as ConfirmationRequiredError.

    Batch by batch, so that nobody waits long for the store: what was interrupted is gone on with by
    the next call.
    """
    held = engine.store.holdings(engine.tenant, user)
    told = _receipt(user, held)
    if not (held.places or held.grants):
        return told
    if confirm is None or confirm is False:
        return replace(told, confirm=_token(user, held))
    if confirm is not True and confirm != _token(user, held):
        raise ConfirmationRequiredError(count=held.memories, token=_token(user, held))
    now = engine.clock()
    change = ForgetUser(user=user, alias=engine.new_id(now), limit=_BATCH, reason=_REASON)
    while _holds(engine, user):
        engine.store.apply(engine.tenant, [change], now=now, actor=engine.actor)
    forgetting(engine)
    return replace(told, erased=True)


def _holds(engine: Engine, user: str) -> bool:
    held = engine.store.holdings(engine.tenant, user)
    return bool(held.places or held.grants)


def _receipt(user: str, held: Holdings) -> ForgottenUser:
    def states(*beginnings: str) -> int:
        return sum(count for name, count in held.states if name.startswith(beginnings))

    return ForgottenUser(
        user=user,
        memories=held.memories,
        removed=held.removed,
        facts=held.facts,
        grants=held.grants,
        sessions=held.sessions,
        receipts=states(SLOTS),
        jobs=states(PREFIX, FAILED),
    )


def _token(user: str, held: Holdings) -> str:
    told = repr((user, sorted(asdict(held).items())))
    return hashlib.sha256(told.encode()).hexdigest()[:8]
