"""The session of a browser: a token of its own, which ends with the one that was shown for it."""

from engraphy.memory import Memory
from engraphy.model import MICROSECONDS_PER_DAY
from engraphy.model.granting import Grant, Granted, session_name, session_of
from engraphy.providers.clock import now
from engraphy.serving.caller import Caller, WALLS
from engraphy.serving.house import House

_DAYS = 1.0


def session(house: House, caller: Caller) -> Granted:
    """A token for a browser: it may do what the shown one may, and ends with it or after a day.
    The server makes it, as who may only read makes none."""
    held = caller.grant
    days = _DAYS
    if held.expires_at is not None:
        days = min(days, (held.expires_at - now()) / MICROSECONDS_PER_DAY)
    return _own(house, held).grant(
        session_name(held),
        role=held.role.value,
        origin=held.origin.value,
        clearance=held.clearance.value,
        days=max(days, 0.0),
        **{wall: getattr(held, wall) for wall in WALLS},
    )


def known_as(grant: Grant) -> str:
    """The name of a token, or of the one that a session was made for."""
    found = session_of(grant)
    return grant.name if found is None else found[1]


def is_session(grant: Grant) -> bool:
    """Whether a token is the session of a browser."""
    return session_of(grant) is not None


def end(house: House, grant: Grant) -> None:
    """End the session of a browser."""
    _own(house, grant).revoke(grant.id)


def _own(house: House, grant: Grant) -> Memory:
    """The memory of a token's tenant, as the server itself uses it."""
    return house.memory.of_tenant(grant.tenant)
