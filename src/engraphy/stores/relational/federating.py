"""Federation: how publications, subscriptions and copies are written, and taken back.

A transaction is of one tenant; what it has to do for another is collected, and done when its own
lines are written, one tenant after the other, as that tenant (`Batch.beside`).
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import Any

from engraphy.errors import ConflictError, NotFoundError
from engraphy.model.federating import (
    Adopt,
    EndCopy,
    EndPublication,
    EndSubscription,
    Publication,
    PutPublication,
    PutSubscription,
    Subscription,
    Vicarious,
)
from engraphy.model.granting import TokenRole
from engraphy.model.kinds import Kind, Origin
from engraphy.model.scope import Tenant
from engraphy.stores.relational.batch import Batch, Take
from engraphy.stores.relational.damage import decoding
from engraphy.stores.relational.journal import Line
from engraphy.stores.relational.sql import Connection, every, first, query

_PUBLICATION = tuple(Publication.__struct_fields__)
_SUBSCRIPTION = tuple(Subscription.__struct_fields__)
_LINK = tuple(Vicarious.__struct_fields__)
_LISTS = ("projects", "kinds", "tags", "origins")
Erase = Callable[[Batch, str, str], None]
"""Erases a memory by its id, also one that is only removed, for a reason."""


def put_publication(batch: Batch, change: PutPublication) -> int:
    """A new publication; the journal tells all of it. Raises ConflictError where its id is
    taken."""
    made = change.publication
    row = asdict(made) | {name: json.dumps(getattr(made, name)) for name in _LISTS}
    row["tenant"] = batch.tenant
    try:
        batch.run("put_publication", row)
    except batch.refusals.errors as problem:
        raise ConflictError(path=batch.path, id=made.id) from problem
    payload = {"shared": {name: row[name] for name in _PUBLICATION}}
    return batch.journal.append(Line("publish", made.id, change.reason, made.id, payload))


def end_publication(batch: Batch, change: EndPublication) -> int | None:
    """End a publication, every subscription to it, and every copy of it. Raises NotFoundError; None
    where it has ended already."""
    own = {"tenant": batch.tenant, "id": change.id}
    if first(batch.connection, query("publication_of"), own) is None:
        raise NotFoundError(id=change.id)
    if not batch.run("end_publication", own | {"now": batch.now}):
        return None
    bound = {"tenant": batch.tenant, "publication": change.id}
    for reader, subscription in every(batch.connection, query("readers_of"), bound):
        to = {"reader": reader, "subscription": subscription}
        batch.run("drop_lent_to", bound | to)
        batch.run("drop_reader", bound | to)
        batch.takes.append(Take(Tenant(reader), subscription, None, change.reason))
    payload = {"old": {"ended_at": None}, "unshared": {"ended_at": batch.now}}
    return batch.journal.append(Line("unpublish", change.id, change.reason, "", payload))


def put_subscription(batch: Batch, change: PutSubscription) -> int:
    """A new subscription, told by both journals. Raises NotFoundError where the publication does
    not stand."""
    made = change.subscription
    row = asdict(made) | {"tenant": batch.tenant}
    with batch.seeing(made.source):
        _standing(batch, made.source, made.publication)
        batch.run("put_reader", _read_by(batch, made))
    batch.run("put_subscription", row)
    if made.source != batch.tenant:
        told = {"publication": made.publication, "reader": batch.tenant}
        line = Line("subscribe", made.publication, change.reason, "", {"reader": told})
        batch.told.append((made.source, line))
    payload = {"shared": {name: row[name] for name in _SUBSCRIPTION}}
    return batch.journal.append(Line("subscribe", made.id, change.reason, made.id, payload))


def _standing(batch: Batch, source: Tenant, publication: str) -> None:
    found = first(batch.connection, query("publication_of"), {"tenant": source, "id": publication})
    if found is None or found[-1] is not None:
        raise NotFoundError(id=publication)


def _read_by(batch: Batch, made: Subscription) -> dict[str, Any]:
    return {
        "tenant": made.source,
        "publication": made.publication,
        "reader": batch.tenant,
        "subscription": made.id,
    }


def end_subscription(batch: Batch, change: EndSubscription) -> int | None:
    """End a subscription and erase what it brought. Raises NotFoundError; None where it has ended
    already."""
    made = _subscription_of(batch, change.id)
    if made is None:
        raise NotFoundError(id=change.id)
    return None if made.ended_at is not None else _ended(batch, made, change.reason)


def _ended(batch: Batch, made: Subscription, reason: str) -> int:
    with batch.seeing(made.source):
        batch.run("drop_lent_to", _read_by(batch, made))
        batch.run("drop_reader", _read_by(batch, made))
    if made.source != batch.tenant:
        told = {"publication": made.publication, "reader": batch.tenant}
        line = Line("unsubscribe", made.publication, reason, "", {"reader": told})
        batch.told.append((made.source, line))
    batch.takes.append(Take(batch.tenant, made.id, None, reason))
    return _over(batch, made.id, reason)


def _over(batch: Batch, id: str, reason: str) -> int:
    batch.run("end_subscription", {"tenant": batch.tenant, "id": id, "now": batch.now})
    payload = {"old": {"ended_at": None}, "unshared": {"ended_at": batch.now}}
    return batch.journal.append(Line("unsubscribe", id, reason, "", payload))


def adopt(batch: Batch, change: Adopt) -> int:
    """Link a copy to its source. Raises ConflictError where any of both sides has changed."""
    made = _subscription_of(batch, change.subscription)
    if made is None or made.ended_at is not None:
        raise ConflictError(path=batch.path, id=change.id)
    source = change.source
    own = {"tenant": made.source, "id": source.id}
    with batch.seeing(made.source):
        publication = first(
            batch.connection, query("publication_of"), own | {"id": made.publication}
        )
        stands = first(batch.connection, query("source_stands"), own)
        if publication is None or publication[-1] is not None:
            raise ConflictError(path=batch.path, id=change.id)
        if stands is None or tuple(stands) != (source.version, source.updated_at):
            raise ConflictError(path=batch.path, id=source.id)
        row = {"source_id": source.id, "copy_id": change.id}
        batch.run("put_lent", _read_by(batch, made) | row)
    link = {
        "id": change.id,
        "tenant": batch.tenant,
        "subscription": made.id,
        "source": made.source,
        "source_id": source.id,
        "arrived_at": batch.now,
        "due_at": change.due_at,
        "declined": 0,
    }
    batch.run("put_vicarious", link)
    payload = {"vicarious": link}
    return batch.journal.append(Line("adopt", change.id, change.reason, change.id, payload))


def end_copy(batch: Batch, change: EndCopy) -> None:
    """Collect a copy of this tenant's own, and tell its publisher's rows that it is gone."""
    bound = {"tenant": batch.tenant, "ids": json.dumps([change.id])}
    for link in links(batch.connection, "vicarious_by_id", bound):
        held = {"source_id": link.source_id, "reader": batch.tenant, "copy_id": link.id}
        with batch.seeing(link.source):
            batch.run("drop_lent", {"tenant": link.source} | held)
        batch.takes.append(Take(batch.tenant, "", link.id, change.reason))


def take_back(batch: Batch, sources: Sequence[str]) -> None:
    """Collect the copies of memories that ended, or say something else now."""
    bound = {"tenant": batch.tenant, "ids": json.dumps(list(sources))}
    for source, reader, copy in every(batch.connection, query("lent_of"), bound):
        held = {"source_id": source, "reader": reader, "copy_id": copy}
        batch.run("drop_lent", {"tenant": batch.tenant} | held)
        batch.takes.append(Take(Tenant(reader), "", copy, "its source ended or changed"))


def for_others(batch: Batch, erase: Erase) -> None:
    """Do what was collected: in this tenant first, whose journal is open, then as each other."""
    tenants = {take.tenant for take in batch.takes} | {tenant for tenant, _ in batch.told}
    for tenant in sorted(tenants, key=lambda one: (one != batch.tenant, one)):
        with batch.beside(tenant) as other:
            for told, line in batch.told:
                if told == tenant:
                    other.journal.append(line)
            for take in batch.takes:
                if take.tenant == tenant:
                    _taken(other, take, erase)


def _taken(batch: Batch, take: Take, erase: Erase) -> None:
    if take.copy is not None:
        _erased(batch, take.copy, take.reason, erase)
        return
    made = _subscription_of(batch, take.subscription)
    if made is not None and made.ended_at is None:
        _over(batch, made.id, take.reason)
    bound = {"tenant": batch.tenant, "subscription": take.subscription}
    for row in every(batch.connection, query("vicarious_by_subscription"), bound):
        _erased(batch, row[0], take.reason, erase)


def _erased(batch: Batch, copy: str, reason: str, erase: Erase) -> None:
    erase(batch, copy, reason)
    batch.run("drop_vicarious", {"tenant": batch.tenant, "id": copy})


def _subscription_of(batch: Batch, id: str) -> Subscription | None:
    bound = {"tenant": batch.tenant, "id": id}
    found = first(batch.connection, query("subscription_of"), bound)
    return None if found is None else _subscription(found)


def forget_shared(batch: Batch, user: str, reason: str) -> int | None:
    """End and erase what is shared in the name of a user, or with them alone, and what the journal
    tells of it; the number of the last line."""
    number, bound = None, {"tenant": batch.tenant, "user": user}
    for (held,) in every(batch.connection, query("publications_naming"), bound):
        end_publication(batch, EndPublication(id=held, reason=reason))
        number = _named_no_more(batch, "drop_publication", held, reason)
    for (held,) in every(batch.connection, query("subscriptions_of_user"), bound):
        end_subscription(batch, EndSubscription(id=held, reason=reason))
        number = _named_no_more(batch, "drop_subscription", held, reason)
    return number


def _named_no_more(batch: Batch, query_name: str, held: str, reason: str) -> int:
    batch.run(query_name, {"tenant": batch.tenant, "id": held})
    batch.traces.erase(batch.connection, held)
    return batch.journal.append(Line("forget", held, reason, "", None))


def publications(connection: Connection, tenant: Tenant) -> list[Publication]:
    """Every publication of a tenant, oldest first."""
    found = every(connection, query("publications_of_tenant"), {"tenant": tenant})
    return [_publication(row) for row in found]


def publication(connection: Connection, tenant: Tenant, id: str) -> Publication | None:
    """One publication of its publisher."""
    found = first(connection, query("publication_of"), {"tenant": tenant, "id": id})
    return None if found is None else _publication(found)


def lent(connection: Connection, tenant: Tenant, publication: str) -> dict[Tenant, int]:
    """Who holds how many copies."""
    bound = {"tenant": tenant, "publication": publication}
    return {Tenant(one): count for one, count in every(connection, query("lent_to"), bound)}


def subscriptions(connection: Connection, tenant: Tenant) -> list[Subscription]:
    """Every subscription of a tenant, oldest first."""
    found = every(connection, query("subscriptions_of_tenant"), {"tenant": tenant})
    return [_subscription(row) for row in found]


def links(connection: Connection, name: str, bound: dict[str, Any]) -> list[Vicarious]:
    """The links that a named query finds."""
    return [_link(row) for row in every(connection, query(name), bound)]


def told(row: dict[str, Any], tenant: str) -> Publication | Subscription:
    """A publication or a subscription as the journal tells it."""
    kind, made = (_SUBSCRIPTION, _subscription) if "source" in row else (_PUBLICATION, _publication)
    return made([(row | {"tenant": tenant})[name] for name in kind])


def _publication(row: Sequence[Any]) -> Publication:
    values = dict(zip(_PUBLICATION, row, strict=True))
    with decoding("a publication"):
        lists = {name: tuple(json.loads(values[name])) for name in _LISTS}
        made = lists | {
            "tenant": Tenant(values["tenant"]),
            "to_tenant": Tenant(values["to_tenant"]),
            "kinds": tuple(Kind(one) for one in lists["kinds"]),
            "origins": tuple(Origin(one) for one in lists["origins"]),
            "role": TokenRole(values["role"]),
        }
    return Publication(**values | made)


def _subscription(row: Sequence[Any]) -> Subscription:
    values = dict(zip(_SUBSCRIPTION, row, strict=True))
    made = {"tenant": Tenant(values["tenant"]), "source": Tenant(values["source"])}
    return Subscription(**values | made)


def _link(row: Sequence[Any]) -> Vicarious:
    values = dict(zip(_LINK, row, strict=True))
    made = {
        "tenant": Tenant(values["tenant"]),
        "source": Tenant(values["source"]),
        "declined": bool(values["declined"]),
    }
    return Vicarious(**values | made)
