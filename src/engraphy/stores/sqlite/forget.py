"""Forgetting: every table that knows a memory, and the texts the journal held of it."""

import json

from engraphy.errors import ProtectedError
from engraphy.model.change import Forget
from engraphy.stores.sqlite import embedding, indexing, labels
from engraphy.stores.sqlite.batch import Batch
from engraphy.stores.sqlite.journal import Line

_BY_ID = (
    "forget_versions",
    "forget_relations",
    "forget_coactivations",
    "forget_episode",
    "forget_procedure",
    "unlink_facts",
)


def forget(batch: Batch, change: Forget) -> int:
    """Erase a memory; the journal keeps that it was there and that it was forgotten. Raises
    ProtectedError where it is immutable."""
    stored = batch.stored(change.id)
    if stored.memory.immutable:
        # It may have been protected since the decision to forget it was made.
        raise ProtectedError(id=change.id, why="immutable")
    scope_id = int(stored.row["scope_id"] or 0)
    for name in _BY_ID:
        batch.run(name, {"id": change.id})
    # Session state is JSON text of its owner's making: look for the id and for the words.
    quoted = json.dumps(stored.memory.content, ensure_ascii=False)[1:-1]
    escaped = json.dumps(stored.memory.content)[1:-1]
    told = {"id": change.id, "quoted": quoted, "escaped": escaped, "tenant": batch.tenant}
    batch.run("forget_session_state", told)
    embedding.remove(batch.connection, stored.seq, scope_id)
    indexing.remove(batch.connection, stored.seq, stored.row)
    labels.remove(batch, stored)
    batch.run("forget_memory", {"seq": stored.seq})
    batch.run("erase_texts", {"key": change.id})
    return batch.journal.append(Line("forget", change.id, change.reason, "", None))
