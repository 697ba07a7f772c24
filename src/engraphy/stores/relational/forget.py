"""Forgetting: every table that knows a memory, and the texts the journal held of it."""

from engraphy.errors import NotFoundError, ProtectedError
from engraphy.model.change import Forget
from engraphy.model.federating import vicarious
from engraphy.stores.relational import embedding, indexing, labels, removing
from engraphy.stores.relational.batch import Batch, Stored
from engraphy.stores.relational.journal import Line

_BY_ID = (
    "forget_versions",
    "forget_relations",
    "forget_coactivations",
    "forget_episode",
    "forget_procedure",
    "unlink_facts",
    "forget_parted_relations",
)


def forget(batch: Batch, change: Forget) -> int:
    """Erase a memory, or what is left of a removed one; the journal keeps that it was there and
    that it was forgotten. Raises ProtectedError where it is immutable."""
    try:
        stored = batch.stored(change.id)
    except NotFoundError:
        return removing.erase(batch, change)
    if stored.memory.immutable:
        # It may have been protected since the decision to forget it was made.
        raise ProtectedError(id=change.id, why="immutable")
    return erase(batch, stored, change.reason)


def erase(batch: Batch, stored: Stored, reason: str) -> int:
    """Erase a memory, whatever protects it."""
    forgotten = stored.memory.id
    if vicarious(stored.memory):
        batch.run("decline", {"tenant": batch.tenant, "id": forgotten})
    else:
        batch.changed.append(forgotten)
    scope_id = int(stored.row["scope_id"] or 0)
    for name in _BY_ID:
        batch.run(name, {"id": forgotten})
    removing.forget_session_state(batch, forgotten, stored.memory.content)
    removing.erase_facts_of(batch, forgotten)
    embedding.remove(batch.connection, stored.seq, scope_id)
    indexing.remove(batch.connection, stored.seq, stored.row)
    labels.remove(batch, stored)
    batch.run("forget_memory", {"seq": stored.seq})
    batch.traces.erase(batch.connection, forgotten)
    return batch.journal.append(Line("forget", forgotten, reason, "", None))
