"""Grants: how they are written, ended and read."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import asdict

from engraphy.errors import ConflictError, NotFoundError
from engraphy.model.granting import Grant, PutGrant, RevokeGrant, TokenRole
from engraphy.model.kinds import Origin, Sensitivity
from engraphy.model.scope import Tenant
from engraphy.stores.relational.batch import Batch
from engraphy.stores.relational.damage import decoding
from engraphy.stores.relational.journal import Line
from engraphy.stores.relational.sql import Connection, every, first, query

_COLUMNS = tuple(Grant.__struct_fields__)
_TOLD = tuple(name for name in _COLUMNS if name not in ("tenant", "last_used_at"))


def put_grant(batch: Batch, change: PutGrant) -> int:
    """A new grant; the journal tells all of it but the digest. Raises ConflictError where its id is
    taken."""
    grant = change.grant
    row = asdict(grant) | {"tenant": batch.tenant, "digest": change.digest}
    try:
        batch.run("put_grant", row)
    except batch.refusals.errors as problem:
        raise ConflictError(path=batch.path, id=grant.id) from problem
    payload = {"grant": {name: row[name] for name in _TOLD}}
    return batch.journal.append(Line("grant", grant.id, change.reason, grant.id, payload))


def revoke_grant(batch: Batch, change: RevokeGrant) -> int | None:
    """End a grant. Raises NotFoundError; None where it has ended already."""
    own = {"id": change.id, "tenant": batch.tenant}
    if first(batch.connection, query("known_grant"), own) is None:
        raise NotFoundError(id=change.id)
    if change.drop:
        batch.run("drop_grant", own)
        return batch.journal.append(Line("forget", change.id, change.reason, "", None))
    if not batch.run("revoke_grant", own | {"now": batch.now}):
        return None
    payload = {"old": {"revoked_at": None}, "revoked": {"revoked_at": batch.now}}
    return batch.journal.append(Line("revoke", change.id, change.reason, "", payload))


def forget_grants(batch: Batch, user: str, reason: str) -> int | None:
    """Erase the grants that are bound to a user, and what the journal tells of them; the number of
    the last line."""
    number: int | None = None
    bound = {"tenant": batch.tenant, "user": user}
    for (held,) in every(batch.connection, query("grants_bound_to"), bound):
        batch.run("drop_grant", {"id": held, "tenant": batch.tenant})
        batch.traces.erase(batch.connection, held)
        number = batch.journal.append(Line("forget", held, reason, "", None))
    return number


def of_tenant(connection: Connection, tenant: Tenant) -> list[Grant]:
    """Every grant of a tenant, oldest first."""
    rows = every(connection, query("grants_of_tenant"), {"tenant": tenant})
    return [_grant(row) for row in rows]


def by_id(connection: Connection, id: str) -> tuple[Grant, bytes] | None:
    """A grant of whatever tenant, and the SHA-256 of its token."""
    found = first(connection, query("grant_of"), {"id": id})
    return None if found is None else (_grant(found[:-1]), bytes(found[-1]))


def used(connection: Connection, tenant: Tenant, id: str, now: int) -> None:
    """Note when a grant was last used."""
    connection.execute(query("grant_used"), {"id": id, "tenant": tenant, "now": now})


def told(row: dict[str, Any], tenant: str) -> Grant:
    """A grant as the journal tells it."""
    return _grant([({"tenant": tenant, "last_used_at": None} | row)[name] for name in _COLUMNS])


def _grant(row: Sequence[Any]) -> Grant:
    values = dict(zip(_COLUMNS, row, strict=True))
    with decoding("a grant"):
        made = {
            "tenant": Tenant(values["tenant"]),
            "role": TokenRole(values["role"]),
            "origin": Origin(values["origin"]),
            "clearance": Sensitivity(values["clearance"]),
        }
    return Grant(**values | made)
