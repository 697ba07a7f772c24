"""What a store keeps of federation: publications, subscriptions, and the links of copies."""

from collections.abc import Sequence
from typing import Protocol

from engraphy.model.federating import Publication, Subscription, Vicarious
from engraphy.model.scope import Tenant


class Federating(Protocol):
    """The part of the contract that memories shared between agents and tenants use. Each call is of
    one tenant; a copy, and what was lent, stand in the rows of their own side.

    `Forget`, `Remove`, `ForgetUser` and every `Update` that changes what a source says, or ends it,
    erase its copies at every receiver in the same transaction (journaled there as `withdraw`).
    """

    def publications(self, tenant: Tenant) -> Sequence[Publication]:
        """Every publication of a tenant, the revoked ones too, oldest first."""

    def publication(self, tenant: Tenant, id: str) -> Publication | None:
        """One publication of its publisher's tenant; None where there is none."""

    def lent(self, tenant: Tenant, publication: str) -> dict[Tenant, int]:
        """Who holds how many copies of a publication of this tenant."""

    def subscriptions(self, tenant: Tenant) -> Sequence[Subscription]:
        """Every subscription of a tenant, those that ended too, oldest first."""

    def links(self, tenant: Tenant, subscription: str) -> Sequence[Vicarious]:
        """The links of everything that a subscription brought and still stands at its source."""

    def links_of(self, tenant: Tenant, ids: Sequence[str]) -> Sequence[Vicarious]:
        """The links of these copies."""

    def quarantine_over(self, tenant: Tenant, now: int, limit: int) -> Sequence[Vicarious]:
        """At most `limit` links of copies that still wait and whose quarantine is over, the first
        to be due first."""
