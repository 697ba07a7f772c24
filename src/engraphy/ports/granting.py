"""What a store keeps of access tokens: never a token, only the SHA-256 of one."""

from collections.abc import Sequence
from typing import Protocol

from engraphy.model.granting import Grant
from engraphy.model.scope import Tenant


class Granting(Protocol):
    """The part of the contract that says who may come in. `PutGrant` and `RevokeGrant` are changes
    like any other."""

    def grants(self, tenant: Tenant) -> Sequence[Grant]:
        """Every grant of a tenant, the revoked and the expired too, oldest first."""

    def grant_of(self, id: str) -> tuple[Grant, bytes] | None:
        """The grant with this id and the SHA-256 of its token, whosever it is: the one look-up that
        crosses tenants, because a token says whose it is. None where there is none."""

    def grant_used(self, tenant: Tenant, id: str, *, now: int) -> None:
        """Note when a grant was last used (not journaled); nothing where the store is read only."""
