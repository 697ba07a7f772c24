"""Scopes: tenant, user, agent and project are walls, session is provenance (R-05), and a
conversation is the wall around a session where a profile has one (C-12)."""

from typing import NewType

from engraphy.record import Record

Tenant = NewType("Tenant", str)
"""A tenant's name. Its own type, so that a store call without one does not type-check."""

WALLS = ("user", "agent", "project", "conversation")


class Scope(Record, frozen=True, kw_only=True):
    """Where a memory lives, or who is asking.

    A memory whose `user`, `agent`, `project` or `conversation` is None is shared inside the tenant
    on that wall. A caller who names none on a wall sees only what is shared there. `session`
    filters only where a caller asks for it; `conversation` is the name of the session a memory is
    closed into, None where sessions are no walls.
    """

    tenant: Tenant
    user: str | None = None
    agent: str | None = None
    project: str | None = None
    session: str | None = None
    conversation: str | None = None

    def sees(self, other: "Scope") -> bool:
        """Whether a caller in this scope may see what lives in `other` (sessions not asked)."""
        return self.tenant == other.tenant and all(
            getattr(other, wall) in (None, getattr(self, wall)) for wall in WALLS
        )
