"""Scopes: tenant, user, agent and project are walls, session is provenance (R-05)."""

from dataclasses import dataclass
from typing import NewType

Tenant = NewType("Tenant", str)
"""A tenant's name. Its own type, so that a store call without one does not type-check."""

WALLS = ("user", "agent", "project")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Where a memory lives, or who is asking.

    A memory whose `user`, `agent` or `project` is None is shared inside the tenant on that wall.
    A caller who names none on a wall sees only what is shared there. `session` filters only
    where a caller asks for it.
    """

    tenant: Tenant
    user: str | None = None
    agent: str | None = None
    project: str | None = None
    session: str | None = None

    def sees(self, other: "Scope") -> bool:
        """Whether a caller in this scope may see what lives in `other` (sessions not asked)."""
        return self.tenant == other.tenant and all(
            getattr(other, wall) in (None, getattr(self, wall)) for wall in WALLS
        )
