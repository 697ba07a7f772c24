"""The sharing half of the store: publications, subscriptions, and the links of copies."""

import json
from collections.abc import Sequence

from engraphy.model.federating import Publication, Subscription, Vicarious
from engraphy.model.scope import Tenant
from engraphy.stores.relational import federating
from engraphy.stores.relational.rest import Rest


class Sharing(Rest):
    """What one tenant publishes, and what one receives; never both in one call."""

    def publications(self, tenant: Tenant) -> list[Publication]:
        """Every publication of a tenant, oldest first."""
        with self._access.reading(tenant) as connection:
            return federating.publications(connection, tenant)

    def publication(self, tenant: Tenant, id: str) -> Publication | None:
        """One publication of its publisher's tenant."""
        with self._access.reading(tenant) as connection:
            return federating.publication(connection, tenant, id)

    def lent(self, tenant: Tenant, publication: str) -> dict[Tenant, int]:
        """Who holds how many copies of a publication."""
        with self._access.reading(tenant) as connection:
            return federating.lent(connection, tenant, publication)

    def subscriptions(self, tenant: Tenant) -> list[Subscription]:
        """Every subscription of a tenant, oldest first."""
        with self._access.reading(tenant) as connection:
            return federating.subscriptions(connection, tenant)

    def links(self, tenant: Tenant, subscription: str) -> list[Vicarious]:
        """The links of everything that a subscription brought."""
        bound = {"tenant": tenant, "subscription": subscription}
        with self._access.reading(tenant) as connection:
            return federating.links(connection, "vicarious_by_subscription", bound)

    def links_of(self, tenant: Tenant, ids: Sequence[str]) -> list[Vicarious]:
        """The links of these copies."""
        bound = {"tenant": tenant, "ids": json.dumps(list(ids))}
        with self._access.reading(tenant) as connection:
            return federating.links(connection, "vicarious_by_id", bound)

    def quarantine_over(self, tenant: Tenant, now: int, limit: int) -> list[Vicarious]:
        """The links of copies that still wait and are due."""
        bound = {"tenant": tenant, "now": now, "limit": limit}
        with self._access.reading(tenant) as connection:
            return federating.links(connection, "vicarious_over", bound)
