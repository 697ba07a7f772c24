"""Access tokens: given, shown, ended, recognised, and what is done on their behalf.

The text of a token is `egr_<id>_<secret>`. The store keeps the id and the SHA-256 of the text.
"""

import hmac
from contextlib import suppress
from hashlib import sha256

from msgspec.structs import replace

from engraphy.engine.ceiling import BOUND, bounded
from engraphy.engine.parts import Engine
from engraphy.errors import (
    ForbiddenError,
    LostRevocationsError,
    NotAllowedError,
    NotFoundError,
    SettingsError,
    StoreCorruptError,
    StoreError,
    UnknownGrantError,
)
from engraphy.model import (
    MICROSECONDS_PER_DAY,
    ORIGIN_TRUST,
    Origin,
    SENSITIVITY_RANK,
    Sensitivity,
)
from engraphy.model.granting import (
    Grant,
    Granted,
    PutGrant,
    ROLE_RANK,
    RevokeGrant,
    TokenRole,
    session_of,
)
from engraphy.model.scope import Tenant
from engraphy.record import Record
from engraphy.text.secrets import redact

BEGINNING = "egr_"
ACTOR = "token:{id}"
_LONGEST = 200
_NOTED_EVERY = 5 * 60 * 1_000_000
"""A use is noted once in so many microseconds: a write for each would slow every answer."""
_NOBODY = bytes(32)
_KEPT_DAYS = 30
_AT_ONCE = 200
_LONG_OVER = f"it had been over for {_KEPT_DAYS} days"
_GIVEN_FOR = "the token that it was given for was revoked"
_REVOKED_SINCE = "revoked after the backup that was restored"


class Wanted(Record, frozen=True, kw_only=True):
    """What a new token is to allow; `days` until it ends, None = never."""

    name: str
    role: TokenRole
    walls: dict[str, str | None]
    origin: Origin
    clearance: Sensitivity
    days: float | None


def grant(engine: Engine, wanted: Wanted) -> Granted:
    """A new token. Raises SettingsError where this memory has no source of secrets,
    ForbiddenError where it were to do more than the token on whose behalf it is made."""
    if engine.new_secret is None:
        raise SettingsError(setting="tokens", problem="there is no source of secrets")
    now = engine.clock()
    ends = None if wanted.days is None else now + round(wanted.days * MICROSECONDS_PER_DAY)
    made = Grant(
        id=engine.new_id(now),
        tenant=engine.tenant,
        name=wanted.name,
        role=wanted.role,
        user=wanted.walls["user"],
        agent=wanted.walls["agent"],
        project=wanted.walls["project"],
        origin=wanted.origin,
        clearance=wanted.clearance,
        created_at=now,
        expires_at=ends,
    )
    _within(engine.grant, made)
    token = f"{BEGINNING}{made.id}_{engine.new_secret()}"
    change = PutGrant(grant=made, digest=_digest(token))
    engine.store.apply(
        engine.tenant, [change, *_long_over(engine, now)], now=now, actor=engine.actor
    )
    return Granted(token=token, grant=made)


def _long_over(engine: Engine, now: int) -> list[RevokeGrant]:
    """What ends the grants that have been over for a month: a browser gets one at each sign-in.
    Those that were revoked while they would hold stay, so that no old backup lets them in."""
    ends = now - _KEPT_DAYS * MICROSECONDS_PER_DAY
    over = [
        one
        for one in engine.store.grants(engine.tenant)
        if one.expires_at is not None and one.expires_at < ends
    ]
    return [RevokeGrant(id=one.id, reason=_LONG_OVER, drop=True) for one in over[:_AT_ONCE]]


def _within(own: Grant | None, made: Grant) -> None:
    """Nobody gives away more than they have. Raises ForbiddenError."""
    if own is None:
        return
    walls = all(getattr(own, wall) in (None, getattr(made, wall)) for wall in BOUND)
    origin = ORIGIN_TRUST[made.origin] <= ORIGIN_TRUST[own.origin]
    clearance = SENSITIVITY_RANK[made.clearance] <= SENSITIVITY_RANK[own.clearance]
    if not (walls and origin and clearance and ROLE_RANK[made.role] <= ROLE_RANK[own.role]):
        raise ForbiddenError(problem="it gives no token that may do more than itself")


def listed(engine: Engine) -> list[Grant]:
    """The tokens of the tenant, oldest first. Raises ForbiddenError for who is no admin."""
    own = engine.grant
    if own is not None and own.role is not TokenRole.ADMIN:
        raise ForbiddenError(problem=f"it needs the role admin, this one has {own.role.value}")
    return list(engine.store.grants(engine.tenant))


def revoke(engine: Engine, id: str) -> Grant:
    """End a token of the tenant, by its id or its text, and the sessions of browsers that stand on
    it. Raises UnknownGrantError."""
    # What is no id of a token may hold one: it comes near no error.
    now, own = engine.clock(), _id(id) or redact(id)[0]
    try:
        ends = [RevokeGrant(id=own), *_sessions(engine, {own})]
        engine.store.apply(engine.tenant, ends, now=now, actor=engine.actor)
    except NotFoundError as error:
        raise UnknownGrantError(id=own) from error
    return next(one for one in engine.store.grants(engine.tenant) if one.id == own)


def _sessions(engine: Engine, ids: set[str]) -> list[RevokeGrant]:
    """What ends the sessions that stand on these grants, and those that stand on such a session."""
    ends, gone = list[RevokeGrant](), set(ids)
    # A session is younger than what it stands on.
    for one in engine.store.grants(engine.tenant):
        stands_on = session_of(one)
        if stands_on is not None and stands_on[0] in gone and one.revoked_at is None:
            gone.add(one.id)
            ends.append(RevokeGrant(id=one.id, reason=_GIVEN_FOR))
    return ends


def restore(engine: Engine, path: str) -> None:
    """Replace the whole store by a backup; a token that was revoked since stays revoked. Raises
    LostRevocationsError, once that is done, where the replaced file could not say which they are.
    """
    revoked = _revoked(engine)
    engine.store.restore(path)
    if revoked is None:
        raise LostRevocationsError(path=path)
    for tenant, ids in revoked.items():
        again = [
            RevokeGrant(id=one.id, reason=_REVOKED_SINCE)
            for one in engine.store.grants(tenant)
            if one.id in ids and one.revoked_at is None
        ]
        if again:
            engine.store.apply(tenant, again, now=engine.clock(), actor=engine.actor)


def _revoked(engine: Engine) -> dict[Tenant, set[str]] | None:
    """The revoked tokens of each tenant; None where a damaged file cannot tell them."""
    try:
        return {
            tenant: {one.id for one in engine.store.grants(tenant) if one.revoked_at is not None}
            for tenant in engine.store.tenants()
        }
    except StoreCorruptError:
        return None


def identify(engine: Engine, token: object) -> Grant:
    """The grant of a token, of whatever tenant of the store. Raises NotAllowedError, the same for
    what is unknown, wrong, over or revoked."""
    text = token if isinstance(token, str) and len(token) <= _LONGEST else ""
    found = engine.store.grant_of(_id(text)) if text.isascii() else None
    held, digest = (None, _NOBODY) if found is None else found
    # Whatever is found, the same is compared, in the same time.
    fits = hmac.compare_digest(digest, _digest(text))
    now = engine.clock()
    if held is None or not fits or not _stands(engine, held, now):
        raise NotAllowedError
    if held.last_used_at is None or now - held.last_used_at >= _NOTED_EVERY:
        # Nobody is kept out because a note about them could not be written.
        with suppress(StoreError):
            engine.store.grant_used(held.tenant, held.id, now=now)
    return held


def acting(engine: Engine, held: Grant) -> Engine:
    """The same engine on behalf of a grant."""
    actor, store = ACTOR.format(id=held.id), bounded(engine.store, held)
    return replace(engine, tenant=held.tenant, actor=actor, grant=held, store=store)


def _stands(engine: Engine, held: Grant, now: int) -> bool:
    """Whether a grant holds, and where it is the session of a browser what that stands on."""
    if held.revoked_at is not None or (held.expires_at is not None and now >= held.expires_at):
        return False
    stands_on = session_of(held)
    if stands_on is None:
        return True
    found = engine.store.grant_of(stands_on[0])
    return found is not None and _stands(engine, found[0], now)


def _id(token: str) -> str:
    return token.removeprefix(BEGINNING).partition("_")[0] if token.startswith(BEGINNING) else ""


def _digest(token: str) -> bytes:
    return sha256(token.encode("utf-8", "replace")).digest()
