"""Federation: memories that one agent or tenant shares with another, and how they are taken back.

What arrives is a copy with a link to its source: whatever ends or changes the source, the
publication or the subscription erases the copy in the same transaction.
"""

from engraphy.model.granting import TokenRole
from engraphy.model.kinds import DataSource, Kind, Origin
from engraphy.model.memory import Memory
from engraphy.model.scope import Scope, Tenant
from engraphy.record import Record


class Publication(Record, frozen=True, kw_only=True):
    """What its owner shares, and with whom; it never changes: revoke it and make another.

    `user`, `agent`: exactly these walls are published from (None = what is shared there).
    `projects`: of these projects, where empty of none. `kinds`, `tags`, `origins`: only of these,
    where empty of any. Only what is public ever leaves. `to_tenant`, `to_user`, `to_agent`,
    `to_project`: who may subscribe; a wall that is None is open. `role`: the least role of a token
    that may subscribe. Times are microseconds UTC, None = never.
    """

    id: str
    tenant: Tenant
    name: str
    user: str | None = None
    agent: str | None = None
    projects: tuple[str, ...] = ()
    kinds: tuple[Kind, ...] = ()
    tags: tuple[str, ...] = ()
    origins: tuple[Origin, ...] = ()
    to_tenant: Tenant
    to_user: str | None = None
    to_agent: str | None = None
    to_project: str | None = None
    role: TokenRole = TokenRole.WRITE
    created_at: int = 0
    revoked_at: int | None = None

    def offered_to(self, scope: Scope) -> bool:
        """Whether who stands in this scope may subscribe."""
        walls = ((self.to_user, scope.user), (self.to_agent, scope.agent))
        named = (*walls, (self.to_project, scope.project))
        same = scope.tenant == self.to_tenant
        return same and all(to is None or to == own for to, own in named)


class Subscription(Record, frozen=True, kw_only=True):
    """That a publication of the tenant `source` is received behind these walls."""

    id: str
    tenant: Tenant
    publication: str
    source: Tenant
    user: str | None = None
    agent: str | None = None
    project: str | None = None
    created_at: int = 0
    ended_at: int | None = None

    @property
    def scope(self) -> Scope:
        """Where what arrives is put."""
        return Scope(tenant=self.tenant, user=self.user, agent=self.agent, project=self.project)


class Vicarious(Record, frozen=True, kw_only=True):
    """The link of a copy to its source. `due_at`: when its quarantine ends by itself (None = a
    person must accept it). `declined`: its receiver erased it, and it does not come again."""

    id: str
    tenant: Tenant
    subscription: str
    source: Tenant
    source_id: str
    arrived_at: int
    due_at: int | None = None
    declined: bool = False


class Fetched(Record, frozen=True, kw_only=True):
    """What a look at the subscriptions brought: copies that `arrived` and now wait, `waiting`
    altogether, and what was `released` because its time had come."""

    arrived: int = 0
    waiting: int = 0
    released: int = 0


class PutPublication(Record, frozen=True, kw_only=True):
    """Write a publication; a ConflictError where its id is taken."""

    publication: Publication
    reason: str = ""


class EndPublication(Record, frozen=True, kw_only=True):
    """End a publication from now on, with every subscription to it, and erase every copy of it at
    every receiver; one that is unknown is a NotFoundError, one that has ended stays as it is."""

    id: str
    reason: str = ""


class PutSubscription(Record, frozen=True, kw_only=True):
    """Write a subscription; a NotFoundError where its publication does not stand any more. The
    publisher's journal tells it too."""

    subscription: Subscription
    reason: str = ""


class EndSubscription(Record, frozen=True, kw_only=True):
    """End a subscription from now on and erase every copy it brought; one that is unknown is a
    NotFoundError, one that has ended stays as it is."""

    id: str
    reason: str = ""


class Adopt(Record, frozen=True, kw_only=True):
    """Link a copy, which an `Insert` beside it writes, to its source. A ConflictError where
    subscription, publication or source do not stand any more as they were read (`source`)."""

    id: str
    source: Memory
    subscription: str
    due_at: int | None = None
    reason: str = ""


class EndCopy(Record, frozen=True, kw_only=True):
    """Erase a copy and its link, whatever protects it, because what it tells is over; one that is
    gone already is no error."""

    id: str
    reason: str = ""


Federating = PutPublication | EndPublication | PutSubscription | EndSubscription | Adopt | EndCopy


def vicarious(memory: Memory) -> bool:
    """Whether a memory is known from another, by federation."""
    return memory.data_source is DataSource.FEDERATION
