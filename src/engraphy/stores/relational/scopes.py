"""Scopes: the interned walls, and the tokens that stand for them in the full-text index."""

from collections.abc import Iterable, Mapping

from engraphy.model.kinds import Sensitivity
from engraphy.model.query import View
from engraphy.model.scope import Scope, Tenant, WALLS
from engraphy.stores.relational.sql import Connection, Query, every, first, once, query

_MARKS = {Sensitivity.PUBLIC: "", Sensitivity.PRIVATE: "p", Sensitivity.SECRET: "s"}


def visible(connection: Connection, view: View) -> list[int]:
    """The numbers of the scopes whose walls are open to a view."""
    if not view.shared:
        own = {find(connection, one) for one in (view.scope, view.asker)}
        return sorted(one for one in own if one is not None)
    found = once(connection, query("visible_scopes"), _walls(view.asker))
    return [number for (number,) in found]


def find(connection: Connection, scope: Scope) -> int | None:
    """The number of exactly these walls."""
    found = once(connection, *search(scope))
    return int(found[0][0]) if found else None


def search(scope: Scope) -> tuple[Query, dict[str, str | None]]:
    """What asks for the number of exactly these walls."""
    return query("find_scope"), _walls(scope)


def intern(connection: Connection, scope: Scope) -> int:
    """The number of exactly these walls, given now if they are new."""
    number = find(connection, scope)
    if number is not None:
        return number
    connection.execute(query("insert_scope"), _walls(scope))
    return connection.last_insert_rowid()


def in_use(connection: Connection, tenant: Tenant) -> list[tuple[Scope, int]]:
    """The walls of a tenant that memories stand behind, with how many."""
    return [
        (Scope(tenant=tenant, **dict(zip(WALLS, walls, strict=True))), count)
        for *walls, count in every(connection, query("scopes_in_use"), {"tenant": tenant})
    ]


def named(connection: Connection, tenant: Tenant, walls: Mapping[str, str]) -> list[Scope]:
    """The walls of a tenant that something stands behind, and that are these."""
    texts = [f"coalesce('=' || s.{wall}, '') = '=' || :{wall}" for wall in WALLS if wall in walls]
    text = query("places", named=" AND ".join(texts) or "TRUE")
    return [
        Scope(tenant=tenant, **dict(zip(WALLS, found, strict=True)))
        for found in every(connection, text, {"tenant": tenant, **walls})
    ]


def of(connection: Connection, tenant: Tenant, id: str) -> Scope | None:
    """The walls that a memory of a tenant stands behind."""
    found = first(connection, query("scope_of"), {"tenant": tenant, "id": id})
    return None if found is None else Scope(tenant=tenant, **dict(zip(WALLS, found, strict=True)))


def tenants(connection: Connection) -> list[Tenant]:
    """Every tenant that has walls or tokens, sorted."""
    return [Tenant(name) for (name,) in every(connection, query("tenants"), {})]


def wall(scope_id: int, sensitivity: Sensitivity | str) -> str:
    """The index token of the rows of one scope and sensitivity, so that neither what they hold
    nor how often shows to who may not see them."""
    return f"w{scope_id}{_MARKS[Sensitivity(sensitivity)]}"


def walls(scope_ids: Iterable[int], sensitivities: Iterable[Sensitivity]) -> list[str]:
    """The index tokens of all rows of these scopes and sensitivities."""
    levels = sorted(sensitivities)
    return [wall(number, level) for number in scope_ids for level in levels]


def _walls(scope: Scope) -> dict[str, str | None]:
    return {
        "tenant": scope.tenant,
        "user": scope.user,
        "agent": scope.agent,
        "project": scope.project,
        "conversation": scope.conversation,
    }
