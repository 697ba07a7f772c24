"""The session of a browser: a token of its own, which ends with the one that was shown for it."""

import re

from engraphy.errors import NotAllowedError
from engraphy.memory import Memory
from engraphy.model import MICROSECONDS_PER_DAY
from engraphy.model.granting import Grant, Granted
from engraphy.providers.clock import now
from engraphy.serving.caller import Caller, WALLS
from engraphy.serving.house import House

_NAME = "browser session {id} of {name}"
"""The id first: behind "token" or "key" it is taken for a credential, and no name has one."""
_LONGEST_NAME = 60
_READ = re.compile(
    rf"browser session (?P<id>\w{{1,64}}) of (?P<name>.{{0,{_LONGEST_NAME}}})\Z", re.DOTALL
)
_DAYS = 1.0


def session(house: House, caller: Caller) -> Granted:
    """A token for a browser: it may do what the shown one may, and ends with it or after a day.
    The server makes it, as who may only read makes none."""
    held = caller.grant
    days = _DAYS
    if held.expires_at is not None:
        days = min(days, (held.expires_at - now()) / MICROSECONDS_PER_DAY)
    return _own(house, held).grant(
        _NAME.format(name=held.name[:_LONGEST_NAME], id=held.id),
        role=held.role.value,
        origin=held.origin.value,
        clearance=held.clearance.value,
        days=max(days, 0.0),
        **{wall: getattr(held, wall) for wall in WALLS},
    )


def known_as(grant: Grant) -> str:
    """The name of a token, or of the one that a session was made for."""
    found = _READ.match(grant.name)
    return grant.name if found is None else found["name"]


def is_session(grant: Grant) -> bool:
    """Whether a token is the session of a browser."""
    return _READ.match(grant.name) is not None


def end(house: House, grant: Grant) -> None:
    """End the session of a browser."""
    _own(house, grant).revoke(grant.id)


def _own(house: House, grant: Grant) -> Memory:
    """The memory of a token's tenant, as the server itself uses it."""
    return house.memory.of_tenant(grant.tenant)


def still_stands(house: House, grant: Grant) -> None:
    """Raises NotAllowedError where the token that a session was made for is over or revoked."""
    found = _READ.match(grant.name)
    if found is None:
        return
    shown = next((one for one in _own(house, grant).grants() if one.id == found["id"]), None)
    over = shown is None or shown.revoked_at is not None
    if over or (shown is not None and shown.expires_at is not None and shown.expires_at <= now()):
        raise NotAllowedError
