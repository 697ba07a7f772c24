"""What stands beside memories: relations, co-activations, facts, episodes, procedures, state."""

import json
from typing import Any

from engraphy.errors import ConflictError, NotFoundError
from engraphy.model.change import (
    CoActivate,
    DeleteFact,
    DeleteRelation,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutSessionState,
    Spread,
)
from engraphy.model.kinds import SENSITIVITY_RANK, Sensitivity
from engraphy.model.scope import Scope, WALLS
from engraphy.stores.relational import filters, removing, rows, scopes
from engraphy.stores.relational.batch import Batch
from engraphy.stores.relational.journal import Line
from engraphy.stores.relational.sql import every, first, query


def put_relation(batch: Batch, change: PutRelation) -> int:
    """A relation between two memories of this tenant; the higher confidence stays."""
    relation = change.relation
    batch.require(relation.source_id)
    batch.require(relation.target_id)
    told: dict[str, Any] = {
        "source_id": relation.source_id,
        "target_id": relation.target_id,
        "type": str(relation.type),
        "confidence": relation.confidence,
        "created_at": relation.created_at,
    }
    held = _held_relation(batch, told)
    batch.run("put_relation", told)
    line = Line("relation", relation.source_id, change.reason, "", held | {"relation": told})
    return batch.journal.append(line)


def _held_relation(batch: Batch, told: dict[str, Any]) -> dict[str, Any]:
    """What of a relation was there before, as the journal tells it."""
    held = first(batch.connection, query("held_relation"), told)
    return {} if held is None else {"old": {"confidence": held[0], "created_at": held[1]}}


def delete_relation(batch: Batch, change: DeleteRelation) -> int | None:
    """A relation of this tenant; nothing is journaled where there is none."""
    told: dict[str, Any] = {
        "source_id": change.source_id,
        "target_id": change.target_id,
        "type": str(change.type),
    }
    held = _held_relation(batch, told)
    if not batch.run("delete_relation", told | {"tenant": batch.tenant}):
        return None
    line = Line("relation_delete", change.source_id, change.reason, "", held | {"unrelated": told})
    return batch.journal.append(line)


def coactivate(batch: Batch, change: CoActivate) -> int | None:
    """One more joint delivery of every pair whose time has come; nothing is journaled where none
    counts."""
    ids = sorted(set(change.ids))
    for delivered in ids:
        batch.require(delivered)
    told: dict[str, Any] = {"now": batch.now, "gap": change.gap}
    pairs = every(batch.connection, query("count_pairs"), told | {"ids": json.dumps(ids)})
    if not pairs:
        return None
    raised: list[str] = []
    if change.stability_factor != 1.0:
        told["factor"] = float(change.stability_factor)
        counted = json.dumps(sorted({one for pair in pairs for one in pair}))
        bound = {"ids": counted, "factor": told["factor"]}
        raised = sorted(one for (one,) in every(batch.connection, query("raise_pairs"), bound))
    payload = {"coactivate": told | {"ids": ids, "raised": raised}}
    return batch.journal.append(Line("coactivation", "", change.reason, "", payload))


def spread(batch: Batch, change: Spread) -> int | None:
    """Stability of what is related, one hop; nothing is journaled where nothing is."""
    view, factor = change.view, float(change.stability_factor)
    batch.own(view.scope)
    bound = filters.bindings(view, scopes.visible(batch.connection, view))
    bound |= {"ids": json.dumps(list(change.ids)), "factor": factor, "most": change.most}
    text = query("spread", gate=filters.gate(view))
    ids = sorted(one for (one,) in every(batch.connection, text, bound))
    if not ids:
        return None
    payload = {"strengthen": {"ids": ids, "factor": factor}}
    target = ids[0] if len(ids) == 1 else ""
    return batch.journal.append(Line("strengthen", target, change.reason, "", payload))


def put_fact(batch: Batch, change: PutFact) -> int:
    """A fact; the same triple in the same scope updates confidence, source and validity, and is
    true since its first statement. One that ended stays, the same triple opens beside it."""
    fact = change.fact
    batch.own(fact.scope)
    sensitivity = Sensitivity.PUBLIC
    if fact.source_id is not None:
        sensitivity = Sensitivity(batch.require(fact.source_id))
    told: dict[str, Any] = {
        "id": fact.id,
        "user": fact.scope.user,
        "agent": fact.scope.agent,
        "project": fact.scope.project,
        "session": fact.scope.session,
        "conversation": fact.scope.conversation,
        "subject": fact.subject,
        "predicate": fact.predicate,
        "object": fact.object,
        "confidence": fact.confidence,
        "source_id": fact.source_id,
        "sensitivity": str(sensitivity),
        "valid_from": fact.valid_from,
        "valid_until": fact.valid_until,
        "recorded_at": fact.recorded_at,
        "updated_at": fact.updated_at,
    }
    bound = told | {"scope_id": scopes.intern(batch.connection, fact.scope)}
    held = first(batch.connection, query("held_fact"), bound)
    if held is not None:
        level = max(Sensitivity(held[1]), sensitivity, key=SENSITIVITY_RANK.__getitem__)
        since = min(held[2], fact.valid_from)
        told |= {"id": held[0], "sensitivity": str(level), "valid_from": since}
    before = None if held is None else removing.fact_row(batch, told["id"])
    if not batch.run("put_fact", bound | told):
        raise ConflictError(path=batch.path, id=fact.id)
    batch.run("drop_removed", {"id": told["id"]})
    payload = {"fact": told} if before is None else {"old": before, "fact": told}
    return batch.journal.append(Line("fact", told["id"], change.reason, told["id"], payload))


def delete_fact(batch: Batch, change: DeleteFact) -> int:
    """A fact and the texts the journal held of it, also of one that was taken back; with `keep`
    they stay."""
    own = {"id": change.id, "tenant": batch.tenant}
    if change.keep:
        return _take_back(batch, change)
    gone = first(batch.connection, query("removed_row"), own | {"kind": "fact"})
    if not batch.run("delete_fact", own) and gone is None:
        raise NotFoundError(id=change.id)
    batch.run("drop_removed", own)
    batch.traces.erase(batch.connection, change.id)
    return batch.journal.append(Line("fact_delete", change.id, change.reason, "", None))


def _take_back(batch: Batch, change: DeleteFact) -> int:
    told = removing.fact_row(batch, change.id)
    if told is None:
        raise NotFoundError(id=change.id)
    walls = {wall: told[wall] for wall in WALLS}
    scope_id = scopes.intern(batch.connection, Scope(tenant=batch.tenant, **walls))
    batch.run("drop_fact", {"id": change.id})
    line = Line("fact_delete", change.id, change.reason, change.id, {"unstated": told})
    number = batch.journal.append(line)
    removing.keep(batch, "fact", told | {"scope_id": scope_id}, number)
    return number


def put_episode(batch: Batch, change: PutEpisode) -> int:
    """The episode part of a memory."""
    episode = change.episode
    batch.require(episode.memory_id)
    told: dict[str, Any] = {
        "memory_id": episode.memory_id,
        "outcome": str(episode.outcome),
        "started_at": episode.started_at,
        "ended_at": episode.ended_at,
        "lesson": episode.lesson,
    }
    key, old = episode.memory_id, removing.part(batch, "episode", episode.memory_id)
    batch.run("put_episode", told)
    return batch.journal.append(Line("episode", key, change.reason, key, old | {"episode": told}))


def put_procedure(batch: Batch, change: PutProcedure) -> int:
    """The procedure part of a memory."""
    procedure = change.procedure
    batch.require(procedure.memory_id)
    told: dict[str, Any] = {
        "memory_id": procedure.memory_id,
        "name": procedure.name,
        "steps": rows.to_json(procedure.steps),
        "trigger": procedure.trigger,
    }
    key, old = procedure.memory_id, removing.part(batch, "procedure", procedure.memory_id)
    batch.run("put_procedure", told)
    payload = old | {"procedure": told}
    return batch.journal.append(Line("procedure", key, change.reason, key, payload))


def put_session_state(batch: Batch, change: PutSessionState) -> None:
    """A piece of session state; what has ended goes with it."""
    state = change.state
    batch.own(state.scope)
    batch.run("drop_ended_state", {"now": batch.now})
    bound: dict[str, Any] = {
        "scope_id": scopes.intern(batch.connection, state.scope),
        "session": state.scope.session,
        "name": state.name,
        "value": state.value,
        "updated_at": state.updated_at,
        "expires_at": state.expires_at,
    }
    if change.guarded:
        held = first(batch.connection, query("held_state"), bound)
        if (None if held is None else held[0]) != change.expected:
            raise ConflictError(path=batch.path, id=state.name)
    batch.run("put_session_state", bound)
