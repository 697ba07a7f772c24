"""The verbs about what agents and tenants share with each other (D-70)."""

from collections.abc import Iterable
from typing import Unpack

from engraphy.engine import federating, keeping, scoping
from engraphy.errors import InvalidInputError
from engraphy.model import Origin, Tenant
from engraphy.model.federating import Fetched, Publication, Subscription
from engraphy.model.granting import TokenRole
from engraphy.verbs.base import Bound, Verbs
from engraphy.verbs.granting import ORIGINS

_ROLES = tuple(one.value for one in TokenRole)
_TO = ("to_tenant", "to_user", "to_agent", "to_project")


class Federating(Verbs):
    """Nothing is shared unless one side publishes it and the other subscribes; either takes
    everything back at any time."""

    def publish(
        self,
        name: str,
        *,
        to_tenant: str | None = None,
        to_user: str | None = None,
        to_agent: str | None = None,
        to_project: str | None = None,
        role: str = TokenRole.WRITE.value,
        kind: str | Iterable[str] = (),
        tags: Iterable[str] = (),
        projects: Iterable[str] = (),
        origins: Iterable[str] = (),
        user: str | None = None,
        agent: str | None = None,
    ) -> Publication:
        """Offer memories to others of this store: to a tenant (this one where none is named), and
        there to a user, an agent or a project; somebody has to be named.

        What is offered stands behind exactly the walls `user` and `agent` (not named: what is
        shared in the tenant) and in one of `projects` (not named: in none), is public, active and
        one's own, and is of these kinds (`kind`), has one of these `tags`, is of one of these
        `origins` (not named: any). Private, secret, and what others shared never leaves. `role`:
        the least role of a token that may subscribe. A publication never changes: end it and make
        another. Raises InvalidInputError, ForbiddenError for who is no admin.
        """
        given = {"to_tenant": to_tenant, "to_user": to_user, "to_agent": to_agent}
        to = {k: scoping.name(k, v) for k, v in {**given, "to_project": to_project}.items()}
        if not any(to.values()):
            allowed = f"somebody: one of {', '.join(_TO)}"
            raise InvalidInputError(field="to_tenant", got="nobody", allowed=allowed)
        told = scoping.name("name", name)
        if told is None:
            raise InvalidInputError(field="name", got="nothing", allowed="what you know it by")
        walls = self._bound({"user": user, "agent": agent})
        wanted = Publication(
            id="",
            tenant=self.tenant,
            name=told,
            user=scoping.name("user", walls["user"]),
            agent=scoping.name("agent", walls["agent"]),
            projects=_names("projects", projects),
            kinds=tuple(sorted(keeping.kinds(kind))),
            tags=_names("tags", tags),
            origins=tuple(
                Origin(scoping.one_of("origins", one, ORIGINS))
                for one in _names("origins", origins)
            ),
            to_tenant=Tenant(to["to_tenant"] or self.tenant),
            to_user=to["to_user"],
            to_agent=to["to_agent"],
            to_project=to["to_project"],
            role=TokenRole(scoping.one_of("role", role, _ROLES)),
        )
        return federating.publish(self._engine, wanted)

    def unpublish(self, id: str) -> Publication:
        """End a publication at once: every copy of it, at every receiver, is erased with its bytes,
        also one that was edited there. Once more is no error. Raises UnknownPublicationError."""
        return federating.unpublish(self._engine, scoping.text("id", id))

    def publications(self) -> list[Publication]:
        """What this tenant publishes, also what has ended, oldest first. Raises ForbiddenError on
        behalf of who is no admin."""
        return federating.publications(self._engine)

    def lent(self, id: str) -> dict[str, int]:
        """Which tenants hold how many copies of a publication. Raises ForbiddenError on behalf of
        who is no admin."""
        return federating.lent(self._engine, scoping.text("id", id))

    def offers(self, *, source: str | None = None, **walls: Unpack[Bound]) -> list[Publication]:
        """What is published for who stands behind these walls, by the tenant `source` (not named:
        by others in this one)."""
        scope = scoping.scope(self.tenant, self._bound(walls), self._engine.profile.sessions)
        return federating.offers(self._engine, scope, self._source(source))

    def subscribe(
        self, id: str, *, source: str | None = None, **walls: Unpack[Bound]
    ) -> Subscription:
        """Receive a publication behind these walls, by its id and the tenant it comes from (not
        named: this one). What it shares arrives at once, and later with `fetch` and `dream`.

        What arrives waits for `federation.quarantine_hours` in `review`, and is found after that,
        or once somebody accepts it: as known from another, for less (`score.vicarious_factor`),
        never as the user's word, and only where nothing said here says otherwise. What its source
        forgets, changes or ends is gone here at once; a new text waits anew. Raises
        UnknownPublicationError, the same for what is unknown, has ended and is for others.
        """
        scope = scoping.scope(self.tenant, self._bound(walls), self._engine.profile.sessions)
        known, from_ = scoping.text("id", id), self._source(source)
        return federating.subscribe(self._engine, known, scope, from_)

    def unsubscribe(self, id: str, **walls: Unpack[Bound]) -> Subscription:
        """End a subscription at once: everything it brought is erased with its bytes. Raises
        UnknownSubscriptionError."""
        own = scoping.walls(self._bound(walls))
        return federating.unsubscribe(self._engine, scoping.text("id", id), own)

    def subscriptions(self, **walls: Unpack[Bound]) -> list[Subscription]:
        """What is received behind these walls (none named: in the whole tenant), also what has
        ended, oldest first."""
        return federating.subscriptions(self._engine, scoping.walls(self._bound(walls)))

    def fetch(self, **walls: Unpack[Bound]) -> Fetched:
        """Bring what is new in the subscriptions behind these walls (none named: of the whole
        tenant), and let in what has waited long enough."""
        return federating.fetch(self._engine, scoping.walls(self._bound(walls)))

    def _source(self, source: str | None) -> Tenant:
        return Tenant(scoping.name("source", source) or self.tenant)


def _names(field: str, given: Iterable[str]) -> tuple[str, ...]:
    """Names, each once; a single text is one name. Raises InvalidInputError."""
    told = (given,) if isinstance(given, str) else tuple(given)
    return tuple(dict.fromkeys(name for one in told if (name := scoping.name(field, one))))
