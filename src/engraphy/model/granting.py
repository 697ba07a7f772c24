"""Access tokens: who may do what, in whose name, behind which walls."""

import re
from dataclasses import dataclass, field
from enum import StrEnum

from engraphy.model.kinds import Origin, Sensitivity
from engraphy.model.scope import Tenant
from engraphy.record import Record

_SESSION = "browser session {id} of {name}"
"""The id first: behind "token" or "key" it is taken for a credential, and no name has one."""
_LONGEST_NAME = 60
_SESSION_OF = re.compile(
    rf"browser session (?P<id>\w{{1,64}}) of (?P<name>.{{0,{_LONGEST_NAME}}})\Z", re.DOTALL
)


class TokenRole(StrEnum):
    """What a token may do: each does what the one before it does, and more; see `ROLE_RANK`."""

    READ = "read"
    """Ask; what is delivered is counted as delivered."""
    WRITE = "write"
    """Tell, correct and forget."""
    ADMIN = "admin"
    """Look after the whole tenant, its tokens too."""


ROLE_RANK = {TokenRole.READ: 0, TokenRole.WRITE: 1, TokenRole.ADMIN: 2}


class Grant(Record, frozen=True, kw_only=True):
    """What one token allows; the token itself is not in it.

    `user`, `agent`, `project`: the walls it is bound to; of a wall that is None its holder names
    one itself. `origin`: the most that what it writes may count as (P-10). `clearance`: the highest
    sensitivity it may see. Times are microseconds UTC, None = never.
    """

    id: str
    tenant: Tenant
    name: str
    role: TokenRole
    user: str | None = None
    agent: str | None = None
    project: str | None = None
    origin: Origin = Origin.USER
    clearance: Sensitivity = Sensitivity.PUBLIC
    created_at: int = 0
    expires_at: int | None = None
    revoked_at: int | None = None
    last_used_at: int | None = None
    """Of its last use, give or take some minutes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Granted:
    """A token, shown this once, and what it allows."""

    token: str = field(repr=False)
    grant: Grant


@dataclass(frozen=True, slots=True, kw_only=True)
class PutGrant:
    """Write a grant and the SHA-256 of its token, which stands nowhere else (P-21)."""

    grant: Grant
    digest: bytes = field(repr=False)
    reason: str = ""


class RevokeGrant(Record, frozen=True, kw_only=True):
    """End a grant from now on; one that is unknown is a NotFoundError, one that is revoked already
    stays as it is. `drop`: nothing of it stays but what the journal tells."""

    id: str
    reason: str = ""
    drop: bool = False


def session_name(shown: Grant) -> str:
    """What the session of a browser is called, which got in by the token of this grant."""
    return _SESSION.format(id=shown.id, name=shown.name[:_LONGEST_NAME])


def session_of(grant: Grant) -> tuple[str, str] | None:
    """The id and the name of the grant that the session of a browser stands on; None where a grant
    is no session."""
    found = _SESSION_OF.match(grant.name)
    return None if found is None else (found["id"], found["name"])
