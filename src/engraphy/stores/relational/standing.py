"""What a tenant holds now of some memories and facts, whoever may see it: for undoing."""

import json
from collections.abc import Callable, Sequence
from typing import Any

from engraphy.model.past import Replayed
from engraphy.model.scope import Tenant
from engraphy.stores.relational import around, past, removing, rows
from engraphy.stores.relational.sql import Connection, every, query


def standing(
    connection: Connection, tenant: Tenant, ids: Sequence[str], facts: Sequence[str]
) -> Replayed:
    """Rows, relations that touch them, parts, facts by id or by source, and what is removed."""
    bound = {"tenant": tenant, "ids": json.dumps(list(ids)), "facts": json.dumps(list(facts))}
    held = Replayed()
    text = query("standing", columns=rows.SELECTED, walls=rows.WALLS_SELECTED)
    found = map(rows.from_tuple, connection.execute(text, bound))
    held.memories = {memory.id: memory for memory in found}
    for row in connection.execute(query("relations_touching"), bound):
        one = around.relation(row)
        held.relations[one.source_id, one.target_id, one.type] = one
    told = [dict(zip(removing.FACT, row, strict=True))
            for row in every(connection, query("facts_standing"), bound)]  # fmt: skip
    held.facts = {one["id"]: past.fact_of(one, tenant) for one in told}
    held.episodes = _parts(
        connection, "episodes_standing", removing.EPISODE, past.episode_of, bound
    )
    held.procedures = _parts(
        connection, "procedures_standing", removing.PROCEDURE, past.procedure_of, bound
    )
    held.away = {one for (one,) in every(connection, query("removed_standing"), bound)}
    return held


def _parts(
    connection: Connection,
    name: str,
    columns: Sequence[str],
    made: Callable[[dict[str, Any]], Any],
    bound: dict[str, Any],
) -> dict[str, Any]:
    told = [dict(zip(columns, row, strict=True)) for row in every(connection, query(name), bound)]
    return {one["memory_id"]: made(one) for one in told}
