"""Removing and bringing back: the journal keeps what is taken out whole, under its own key."""

import json
from collections.abc import Sequence
from typing import Any

from engraphy.errors import ConflictError, NotFoundError, ProtectedError
from engraphy.model.change import Forget, Restore
from engraphy.model.memory import Memory, Version
from engraphy.model.outlasting import Mark, Remove
from engraphy.model.query import View
from engraphy.model.scope import Scope, Tenant, WALLS
from engraphy.stores.relational import embedding, filters, indexing, labels, past, rows, scopes
from engraphy.stores.relational.batch import Batch, Stored
from engraphy.stores.relational.journal import Line, unpacked
from engraphy.stores.relational.sql import Connection, every, first, query

FACT = (
    "id", "user", "agent", "project", "session", "conversation", "subject", "predicate", "object",
    "confidence", "source_id", "sensitivity", "valid_from", "valid_until", "recorded_at",
    "updated_at",
)  # fmt: skip
_VERSION = tuple(Version.__struct_fields__)
_RELATION = ("source_id", "target_id", "type", "confidence", "created_at")
_PAIR = ("first_id", "second_id", "count", "last_at")
EPISODE = ("memory_id", "outcome", "started_at", "ended_at", "lesson")
PROCEDURE = ("memory_id", "name", "steps", "trigger")
_BESIDE = (
    "forget_versions", "forget_relations", "forget_coactivations", "forget_episode",
    "forget_procedure", "unlink_facts",
)  # fmt: skip
_SLOTS = {"columns": rows.SELECTED, "walls": rows.WALLS_SELECTED}


def remove(batch: Batch, change: Remove) -> int:
    """Take a memory out; one line of the journal keeps it whole. Raises ProtectedError where it is
    pinned or immutable, ConflictError where it is not as expected."""
    stored = batch.stored(change.id)
    _check_removable(batch, stored.memory, change.expected)
    batch.changed.append(change.id)
    told = _whole(batch, stored, change.facts)
    for fact in told["facts"]:
        batch.run("drop_fact", {"id": fact["id"]})
    batch.run("part_relations", {"id": change.id})
    for name in _BESIDE:
        batch.run(name, {"id": change.id})
    scope_id = int(stored.row["scope_id"] or 0)
    embedding.remove(batch.connection, stored.seq, scope_id)
    indexing.remove(batch.connection, stored.seq, stored.row)
    labels.remove(batch, stored)
    batch.run("forget_memory", {"seq": stored.seq})
    line = Line("delete", change.id, change.reason, change.id, {"removed": told})
    number = batch.journal.append(line)
    keep(batch, "memory", stored.row | {"memory_seq": stored.seq}, number)
    return number


def keep(batch: Batch, kind: str, told: dict[str, Any], number: int) -> None:
    """Note what was taken out and the number of the line that keeps it; `told`: id, scope_id,
    session and sensitivity, of a memory its row number, of a fact its source."""
    own = {"kind": kind, "removed_at": batch.now, "journal_seq": number}
    batch.run("put_removed", {"memory_seq": 0, "source_id": None} | told | own)


def _check_removable(batch: Batch, held: Memory, expected: Memory | None) -> None:
    if held.pinned or held.immutable:
        raise ProtectedError(id=held.id, why="pinned" if held.pinned else "immutable")
    if expected is None:
        return
    watched = ("version", "state", "updated_at", "expires_at", "reinforcement_count")
    if any(getattr(held, name) != getattr(expected, name) for name in watched):
        raise ConflictError(path=batch.path, id=held.id)


def _whole(batch: Batch, stored: Stored, along: Sequence[str]) -> dict[str, Any]:
    one = {"id": stored.memory.id}
    facts = _named(batch, "facts_of", one, FACT)
    episodes = _named(batch, "episode_of", one, EPISODE)
    procedures = _named(batch, "procedure_of", one, PROCEDURE)
    return {
        "row": rows.told(stored.row, stored.memory),
        "versions": _named(batch, "versions_of", one, _VERSION),
        "relations": _named(batch, "relations_of", one, _RELATION),
        "coactivations": _named(batch, "coactivations_of", one, _PAIR),
        "episode": episodes[0] if episodes else None,
        "procedure": procedures[0] if procedures else None,
        "facts": [fact for fact in facts if fact["id"] in along],
        "linked": [fact["id"] for fact in facts if fact["id"] not in along],
    }


def _named(
    batch: Batch, name: str, bound: dict[str, Any], columns: Sequence[str]
) -> list[dict[str, Any]]:
    found = every(batch.connection, query(name), bound)
    return [dict(zip(columns, row, strict=True)) for row in found]


def fact_row(batch: Batch, id: str) -> dict[str, Any] | None:
    """A fact as the journal tells it; None where this tenant has none."""
    found = _named(batch, "fact_of", {"id": id, "tenant": batch.tenant}, FACT)
    return found[0] if found else None


def part(batch: Batch, name: str, id: str) -> dict[str, Any]:
    """The episode or the procedure that a memory has, as the journal tells what was before."""
    columns = {"episode": EPISODE, "procedure": PROCEDURE}[name]
    found = _named(batch, f"{name}_of", {"id": id}, columns)
    return {"old": found[0]} if found else {}


def restore(batch: Batch, change: Restore) -> int:
    """Bring back what was removed: its row under its old number, and what stood beside it as far
    as the other end is there. Raises NotFoundError, ConflictError."""
    scope_id, seq, told = _kept(batch, change.id)
    memory = past.memory_of(told["row"], batch.tenant)
    row = rows.to_row(memory, scope_id)
    batch.store("restore_memory", row | {"seq": seq}, memory.id)
    labels.add(batch, seq, scope_id, memory)
    indexing.add(batch.connection, seq, row)
    if change.vector is not None:
        embedding.add(batch.connection, seq, scope_id, change.vector, batch.quantise)
    _put_beside(batch, memory, told)
    batch.run("rejoin_relations", {"id": memory.id})
    batch.run("rejoined_relations", {"id": memory.id})
    batch.run("drop_removed", {"id": memory.id})
    line = Line("undo", memory.id, change.reason, memory.id, {"restored": told})
    return batch.journal.append(line)


def _kept(batch: Batch, id: str) -> tuple[int, int, dict[str, Any]]:
    bound = {"id": id, "tenant": batch.tenant, "kind": "memory"}
    found = first(batch.connection, query("removed_row"), bound)
    if found is None or found[2] is None:
        raise NotFoundError(id=id)
    return int(found[0]), int(found[1]), json.loads(unpacked(found[2]))["removed"]


def _put_beside(batch: Batch, memory: Memory, told: dict[str, Any]) -> None:
    for version in told["versions"]:
        batch.run("insert_version", version)
    if told["episode"]:
        batch.run("put_episode", told["episode"])
    if told["procedure"]:
        batch.run("put_procedure", told["procedure"])
    for pair in told["coactivations"]:
        batch.run("restore_coactivation", pair)
    for fact in told["facts"]:
        walls = {wall: fact[wall] for wall in WALLS}
        scope = Scope(tenant=batch.tenant, **walls)
        scope_id = scopes.intern(batch.connection, scope)
        batch.run("restore_fact", fact | {"scope_id": scope_id})
    for fact in told["linked"]:
        batch.run("relink_fact", {"id": memory.id, "fact": fact})


def erase(batch: Batch, change: Forget) -> int:
    """Erase what is removed for good: the texts the journal kept of it and of the facts that went
    along. Raises NotFoundError."""
    _, _, told = _kept(batch, change.id)
    forget_session_state(batch, change.id, told["row"]["content"])
    for fact in told["facts"]:
        if fact_row(batch, fact["id"]) is None:
            batch.traces.erase(batch.connection, fact["id"])
    batch.run("forget_parted_relations", {"id": change.id})
    batch.run("drop_removed", {"id": change.id})
    erase_facts_of(batch, change.id)
    batch.traces.erase(batch.connection, change.id)
    return batch.journal.append(Line("forget", change.id, change.reason, "", None))


def forget_session_state(batch: Batch, id: str, content: str) -> None:
    """Session state is JSON text of its owner's making: look for the id and for the words."""
    quoted = json.dumps(content, ensure_ascii=False)[1:-1]
    escaped = json.dumps(content)[1:-1]
    told = {"id": id, "quoted": quoted, "escaped": escaped, "tenant": batch.tenant}
    batch.run("forget_session_state", told)


def erase_facts_of(batch: Batch, id: str) -> None:
    """Facts that were read out of a memory and taken back go for good with it."""
    for (fact,) in every(batch.connection, query("removed_facts_of"), {"id": id}):
        batch.traces.erase(batch.connection, fact)
        batch.run("drop_removed", {"id": fact})


def mark(batch: Batch, change: Mark) -> int:
    """A name for this point of the journal."""
    return batch.journal.append(Line("snapshot", change.name, change.reason, "", None))


def visible(connection: Connection, view: View, ids: Sequence[str]) -> list[Memory]:
    """The removed memories among `ids` that stood where a view reaches, in no order."""
    bound = filters.bindings(view, scopes.visible(connection, view))
    bound |= {"ids": json.dumps(list(ids)), "closed": int(view.closed_session)}
    found = every(connection, query("removed_visible"), bound)
    return [_row_of(payload, view.scope.tenant) for (payload,) in found]


def of_tenant(connection: Connection, tenant: Tenant, ids: Sequence[str]) -> list[Memory]:
    """The removed memories among `ids`, whoever may see them, in no order."""
    bound = {"tenant": tenant, "ids": json.dumps(list(ids))}
    found = every(connection, query("removed_of_tenant"), bound)
    return [_row_of(payload, tenant) for (payload,) in found]


def _row_of(payload: bytes, tenant: Tenant) -> Memory:
    return past.memory_of(json.loads(unpacked(payload))["removed"]["row"], tenant)


def since(
    connection: Connection, tenant: Tenant, before: int, limit: int
) -> list[tuple[str, bool]]:
    """(id, whether it is a memory) of what was removed before a moment, the first removed first."""
    bound = {"tenant": tenant, "before": before, "limit": limit}
    found = every(connection, query("removed_since"), bound)
    return [(one, kind == "memory") for one, kind in found]


def crowd(connection: Connection, scope: Scope) -> int:
    """How many memories one place holds, every state and conversation of it."""
    return int(first(connection, query("crowd"), _place(scope))[0])


def least_used(connection: Connection, scope: Scope, limit: int) -> list[Memory]:
    """Of each conversation of a place at most `limit` of its least used memories."""
    text, found = query("least_used", **_SLOTS), list[Memory]()
    for (number,) in every(connection, query("neighbouring_scopes"), _place(scope)):
        lines = connection.execute(text, {"limit": limit, "scope": number})
        found += map(rows.from_tuple, lines)
    return found


def written_first(connection: Connection, scope: Scope, limit: int) -> list[Memory]:
    """The first memories of exactly these walls that nothing protects."""
    bound = {"scope": scopes.find(connection, scope), "limit": limit}
    lines = connection.execute(query("written_first", **_SLOTS), bound)
    return [rows.from_tuple(line) for line in lines]


def _place(scope: Scope) -> dict[str, Any]:
    return {
        "tenant": scope.tenant,
        "user": scope.user,
        "agent": scope.agent,
        "project": scope.project,
    }
