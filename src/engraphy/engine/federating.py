"""Federation: what is published, received, and taken back (D-70).

The other tenant's rows are read as that tenant, behind the walls of its publication, and written
never; what arrives is written as the receiver's own.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from msgspec.structs import replace

from engraphy.engine.embedding import document_vectors
from engraphy.engine.parts import Engine
from engraphy.engine.releasing import ACTOR, release
from engraphy.errors import (
    ConflictError,
    ForbiddenError,
    InvalidInputError,
    NotFoundError,
    UnknownPublicationError,
    UnknownSubscriptionError,
)
from engraphy.model import Insert, Listing, Memory, Scope, Sensitivity, State, Tenant, View
from engraphy.model.federating import (
    Adopt,
    EndCopy,
    EndPublication,
    EndSubscription,
    Fetched,
    Publication,
    PutPublication,
    PutSubscription,
    Subscription,
)
from engraphy.model.granting import ROLE_RANK, TokenRole
from engraphy.write.federating import admits, copied, over
from engraphy.write.form import embedded
from engraphy.write.quarantine import signs

_PAGE = 500
_TOGETHER = 50
"""Copies in one transaction."""


def publish(engine: Engine, wanted: Publication) -> Publication:
    """Write a publication of the engine's tenant. Raises ForbiddenError on behalf of who is no
    admin."""
    now = engine.clock()
    made = replace(wanted, id=engine.new_id(now), created_at=now)
    change = PutPublication(publication=made)
    engine.store.apply(engine.tenant, [change], now=now, actor=engine.actor)
    return made


def unpublish(engine: Engine, id: str) -> Publication:
    """End a publication; every copy of it is erased at once. Raises UnknownPublicationError."""
    try:
        change = EndPublication(id=id, reason="its publisher took it back")
        engine.store.apply(engine.tenant, [change], now=engine.clock(), actor=engine.actor)
    except NotFoundError as error:
        raise UnknownPublicationError(id=id) from error
    found = engine.store.publication(engine.tenant, id)
    assert found is not None
    return found


def offers(engine: Engine, scope: Scope, source: Tenant) -> list[Publication]:
    """What a tenant publishes for who stands in this scope, oldest first."""
    found = engine.store.publications(source)
    return [one for one in found if _open(engine, one, scope)]


def _open(engine: Engine, publication: Publication, scope: Scope) -> bool:
    own = engine.grant
    may = own is None or ROLE_RANK[own.role] >= ROLE_RANK[publication.role]
    return may and publication.revoked_at is None and publication.offered_to(scope)


def subscribe(engine: Engine, id: str, scope: Scope, source: Tenant) -> Subscription:
    """Receive a publication behind these walls; one that is received there already stays as it is.
    Raises UnknownPublicationError, the same for what is unknown, over and for others,
    InvalidInputError for one's own."""
    found = engine.store.publication(source, id)
    if found is None or not _open(engine, found, scope):
        raise UnknownPublicationError(id=id)
    where = replace(scope, session=None, conversation=None)
    if _own(found, where):
        allowed = "what somebody else publishes"
        raise InvalidInputError(
            field="id", got="a publication of these very walls", allowed=allowed
        )
    for held in engine.store.subscriptions(engine.tenant):
        if held.ended_at is None and (held.publication, held.scope) == (id, where):
            return held
    now = engine.clock()
    made = Subscription(
        id=engine.new_id(now),
        tenant=engine.tenant,
        publication=id,
        source=source,
        user=where.user,
        agent=where.agent,
        project=where.project,
        created_at=now,
    )
    try:
        change = PutSubscription(subscription=made)
        engine.store.apply(engine.tenant, [change], now=now, actor=engine.actor)
    except NotFoundError as error:
        raise UnknownPublicationError(id=id) from error
    _received(engine, made, now)
    release(engine, now)
    return made


def _own(publication: Publication, where: Scope) -> bool:
    walls = [(where.user, where.agent, project) for project in publication.projects or (None,)]
    own = (publication.user, publication.agent)
    same = any((user, agent) == own and project == where.project for user, agent, project in walls)
    return publication.tenant == where.tenant and same


def unsubscribe(engine: Engine, id: str, walls: dict[str, str]) -> Subscription:
    """End a subscription; everything it brought is erased at once. Raises
    UnknownSubscriptionError."""
    known = {one.id: one for one in subscriptions(engine, walls)}
    if id not in known:
        raise UnknownSubscriptionError(id=id)
    change = EndSubscription(id=id, reason="its receiver ended it")
    engine.store.apply(engine.tenant, [change], now=engine.clock(), actor=engine.actor)
    return next(one for one in engine.store.subscriptions(engine.tenant) if one.id == id)


def publications(engine: Engine) -> list[Publication]:
    """Every publication of the tenant, oldest first. Raises ForbiddenError for who is no admin."""
    _refuse(engine, "seeing what is published")
    return list(engine.store.publications(engine.tenant))


def lent(engine: Engine, id: str) -> dict[str, int]:
    """Who holds how many copies of a publication. Raises ForbiddenError for who is no admin."""
    _refuse(engine, "seeing who holds what is published")
    return {str(one): count for one, count in engine.store.lent(engine.tenant, id).items()}


def subscriptions(engine: Engine, walls: dict[str, str]) -> list[Subscription]:
    """The subscriptions of the tenant that are received behind these walls, oldest first."""
    found = engine.store.subscriptions(engine.tenant)
    return [one for one in found if all(getattr(one, k) == v for k, v in walls.items())]


def fetch(engine: Engine, walls: dict[str, str]) -> Fetched:
    """Bring what is new in every live subscription behind these walls, let in what is due, and
    erase what is over."""
    now = engine.clock()
    live = [one for one in subscriptions(engine, walls) if one.ended_at is None]
    for one in live:
        _end(engine, one, now)
    arrived = sum(_received(engine, one, now) for one in live)
    let_in = release(engine, now)
    return Fetched(
        arrived=arrived,
        waiting=sum(_waiting(engine, one) for one in live),
        released=let_in,
    )


def _end(engine: Engine, subscription: Subscription, now: int) -> None:
    """Erase the copies of what was said to end by now."""
    held = _held(engine, subscription)
    found = engine.store.standing(subscription.source, sorted(held), ()).memories
    past = [held[one.id] for one in found.values() if over(one, now)]
    if past:
        changes = [EndCopy(id=one, reason="its source's time has passed") for one in past]
        engine.store.apply(engine.tenant, changes, now=now, actor=ACTOR)


def _waiting(engine: Engine, subscription: Subscription) -> int:
    ids = [*_held(engine, subscription).values()]
    held = engine.store.standing(engine.tenant, ids, ()).memories.values()
    return sum(one.state is State.QUARANTINED for one in held)


def _held(engine: Engine, subscription: Subscription) -> dict[str, str]:
    """The copies that a subscription brought, by the ids of their sources."""
    links = engine.store.links(engine.tenant, subscription.id)
    return {link.source_id: link.id for link in links if not link.declined}


def _received(engine: Engine, subscription: Subscription, now: int) -> int:
    """How many copies a subscription brought just now."""
    found = engine.store.publication(subscription.source, subscription.publication)
    if found is None or found.revoked_at is not None:
        return 0
    links = engine.store.links(engine.tenant, subscription.id)
    known = {link.source_id for link in links}
    room = engine.profile.federation.most - sum(not link.declined for link in links)
    new = (one for one in _shared(engine, found, now) if one.id not in known)
    wanted = list(islice(new, max(0, room)))
    return sum(
        _adopted(engine, found, subscription, wanted[at : at + _TOGETHER], now)
        for at in range(0, len(wanted), _TOGETHER)
    )


def _shared(engine: Engine, publication: Publication, now: int) -> Iterator[Memory]:
    """What a publication shares now, read as its publisher, the newest of each project first."""
    for project in publication.projects or (None,):
        scope = Scope(
            tenant=publication.tenant,
            user=publication.user,
            agent=publication.agent,
            project=project,
        )
        view = View(
            scope=scope,
            now=now,
            states=frozenset({State.ACTIVE}),
            sensitivities=frozenset({Sensitivity.PUBLIC}),
            kinds=frozenset(publication.kinds),
        )
        listing = Listing(limit=_PAGE)
        while rows := engine.store.page(view, listing):
            own = (one for one in rows if one.scope.project == project)
            yield from (one for one in own if admits(publication, one, now))
            if len(rows) < _PAGE:
                break
            listing = replace(listing, after=rows[-1].id)


def _adopted(
    engine: Engine,
    publication: Publication,
    subscription: Subscription,
    sources: Sequence[Memory],
    now: int,
) -> int:
    """Write the copies of some sources, together or, where one of them cannot come in, one by one:
    a text that stands here already is known here."""
    copies = [
        copied(one, publication, subscription, id=engine.new_id(now), now=now) for one in sources
    ]
    vectors = document_vectors(engine, [embedded(one) for one in copies])
    why = f"published as {publication.id}"
    pairs = [
        (
            Insert(memory=copy, vector=vector, reason=why),
            Adopt(
                id=copy.id,
                source=source,
                subscription=subscription.id,
                due_at=_due(engine, copy, now),
                reason=why,
            ),
        )
        for copy, source, vector in zip(copies, sources, vectors, strict=True)
    ]
    if _wrote(engine, [change for pair in pairs for change in pair], now):
        return len(pairs)
    return sum(_wrote(engine, pair, now) for pair in pairs) if len(pairs) > 1 else 0


def _due(engine: Engine, copy: Memory, now: int) -> int | None:
    """When a copy's quarantine ends; never by itself where it tries to instruct."""
    if signs(copy):
        return None
    return now + round(engine.profile.federation.quarantine_hours * 3_600_000_000)


def _wrote(engine: Engine, changes: Sequence[Insert | Adopt], now: int) -> bool:
    try:
        engine.store.apply(engine.tenant, changes, now=now, actor=ACTOR)
    except ConflictError:
        return False
    return True


def _refuse(engine: Engine, what: str) -> None:
    """Raise ForbiddenError on behalf of a token that is not of the role admin."""
    held = engine.grant
    if held is not None and held.role is not TokenRole.ADMIN:
        raise ForbiddenError(problem=f"{what} needs the role admin, this one has {held.role.value}")
