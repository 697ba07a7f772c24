"""A user who leaves: what stands behind their walls, counted and erased, their name with it."""

import json
from typing import Any

from engraphy.errors import NotFoundError
from engraphy.model.change import DeleteFact, Forget
from engraphy.model.leaving import ForgetUser, Holdings
from engraphy.model.scope import Tenant
from engraphy.stores.relational import attach, federating, forget, granting, removing
from engraphy.stores.relational.batch import Batch
from engraphy.stores.relational.journal import Line
from engraphy.stores.relational.sql import Connection, every, first, query


def holdings(connection: Connection, tenant: Tenant, user: str) -> Holdings:
    """What stands behind a user's walls in a tenant."""
    bound = _places(connection, tenant, user)
    own = {"tenant": tenant, "user": user}
    memories, removed, facts, sessions, places, newest = first(
        connection, query("holdings_of"), bound
    )
    return Holdings(
        memories=memories,
        removed=removed,
        facts=facts,
        grants=len(every(connection, query("grants_bound_to"), own)),
        sessions=sessions,
        places=places,
        newest=newest,
        states=tuple(every(connection, query("states_of"), bound)),
    )


def forget_user(batch: Batch, change: ForgetUser) -> int | None:
    """Erase so much of what a user holds, and with the last of it their name. The journal tells of
    each memory and fact by its id; the number of the last line, None where there was nothing."""
    bound = _places(batch.connection, batch.tenant, change.user) | {"limit": change.limit}
    batch.run("erase_states_of", bound)
    found = {
        name: [one for (one,) in every(batch.connection, query(name), bound)]
        for name in (
            "facts_held_by",
            "removed_facts_held_by",
            "removed_held_by",
            "memories_held_by",
        )
    }
    number = granting.forget_grants(batch, change.user, change.reason)
    number = federating.forget_shared(batch, change.user, change.reason) or number
    for fact in (*found["facts_held_by"], *found["removed_facts_held_by"]):
        number = attach.delete_fact(batch, DeleteFact(id=fact, reason=change.reason))
    for memory in found["removed_held_by"]:
        number = _erase_removed(batch, Forget(id=memory, reason=change.reason))
    for memory in found["memories_held_by"]:
        number = forget.erase(batch, batch.stored(memory), change.reason)
    if all(len(held) < change.limit for held in found.values()):
        number = _rename(batch, change, bound)
    return number


def _erase_removed(batch: Batch, change: Forget) -> int:
    try:
        return removing.erase(batch, change)
    except NotFoundError:
        # Its texts are gone already.
        batch.run("drop_removed", {"id": change.id})
        return batch.journal.append(Line("forget", change.id, change.reason, "", None))


def _rename(batch: Batch, change: ForgetUser, bound: dict[str, Any]) -> int | None:
    """The walls stay, under a name that tells nothing: their number must not become another's."""
    if not batch.run("rename_places", bound | {"alias": change.alias}):
        return None
    # Cycles of maintenance count by walls, whose user comes first.
    told = {
        "tenant": batch.tenant,
        "alias": f"walls/={change.alias}/",
        "quoted": f"walls/={json.dumps(change.user, ensure_ascii=False)[1:-1]}/",
        "escaped": f"walls/={json.dumps(change.user)[1:-1]}/",
    }
    batch.run("rename_runs", told)
    batch.traces.scrub(batch.connection)
    return batch.journal.append(Line("forget", change.alias, change.reason, "", None))


def _places(connection: Connection, tenant: Tenant, user: str) -> dict[str, Any]:
    found = every(connection, query("places_of"), {"tenant": tenant, "user": user})
    return {"places": json.dumps([number for (number,) in found])}
