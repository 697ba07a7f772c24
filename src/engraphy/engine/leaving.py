"""Forgetting a whole user: counted first, erased once it is confirmed."""

import hashlib

from msgspec.structs import asdict, replace

from engraphy.engine.embedding import forgetting
from engraphy.engine.forgotten import marks, user_marks
from engraphy.engine.parts import Engine
from engraphy.engine.pending import FAILED, PREFIX
from engraphy.engine.receipts import SLOTS
from engraphy.engine.session_rows import exact
from engraphy.errors import ConfirmationRequiredError
from engraphy.model import ForgetUser, ForgottenUser, Holdings, Listing, State

_BATCH = 1_000
_MARKED = 200
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
    _mark(engine, user, now)
    change = ForgetUser(user=user, alias=engine.new_id(now), limit=_BATCH, reason=_REASON)
    while _holds(engine, user):
        engine.store.apply(engine.tenant, [change], now=now, actor=engine.actor)
    forgetting(engine)
    return replace(told, erased=True)


def _mark(engine: Engine, user: str, now: int) -> None:
    """Keep out what was said before, once everything of the user is gone."""
    store, actor = engine.store, engine.actor
    store.apply(engine.tenant, list(user_marks(engine, user, now)), now=now, actor=actor)
    for scope in store.places(engine.tenant, {"user": user}):
        view = replace(exact(replace(scope, session=None), now), shared=False)
        view = replace(view, states=frozenset(State))
        listing = Listing(limit=_MARKED)
        while rows := store.page(view, listing):
            store.apply(engine.tenant, list(marks(engine, rows, now)), now=now, actor=actor)
            listing = replace(listing, after=rows[-1].id)


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
