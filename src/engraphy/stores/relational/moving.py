"""Updates that move only numbers, moments and states: nothing that words, labels, vectors or facts
are found by. Maintenance writes tens of thousands of them, so only their own columns are written;
conflicts and the journal's line are those of any update."""

from collections.abc import Mapping
from typing import Any

from engraphy.errors import ConflictError
from engraphy.model.change import SETTLED, Update
from engraphy.model.federating import vicarious
from engraphy.model.kinds import State
from engraphy.model.memory import Memory
from engraphy.stores.relational import rows
from engraphy.stores.relational.batch import Batch
from engraphy.stores.relational.journal import Line

MOVABLE = frozenset({*SETTLED, "state", "valid_until", "expires_at", "superseded_by"})
"""What may differ."""
_FOLLOWED = frozenset(
    {"content", "title", "subtitle", "kind", "category", "speaker", "tags", "concepts"}
    | {"entities", "files_read", "files_modified", "scope_globs", "priority", "sensitivity"}
    | {"scope_id", "evidence", "temporal_type", "valid_from", "valid_until", "expires_at"}
)
"""What copies say, and what decides who may have one."""
_GONE = frozenset({State.SUPERSEDED, State.EXPIRED, State.QUARANTINED})


def move(batch: Batch, change: Update, names: tuple[str, ...]) -> int:
    """Write these fields of a memory where they differ from what is stored."""
    wanted, expected = change.memory, change.expected
    seq, stood, _ = batch.stored(wanted.id)
    if any(stood[name] != getattr(expected, name) for name in ("version", "state", "updated_at")):
        raise ConflictError(path=batch.path, id=wanted.id)
    old = {name: stood[name] for name in names}
    new: dict[str, Any] = {
        name: str(value) if name in rows.VOCABULARIES else value
        for name in names
        if (value := getattr(wanted, name)) != old[name]
    }
    if new:
        written = new | {"checksum": rows.checksum(stood | new)}
        batch.store("update_memory", written | {"seq": seq}, wanted.id, tuple(written))
        follow(batch, expected, new, frozenset(new))
    told = _in_order(old, new)
    payload = {"old": {name: old[name] for name in told}, "new": {name: new[name] for name in told}}
    return batch.journal.append(Line(change.op, wanted.id, change.reason, wanted.id, payload))


def follow(batch: Batch, held: Memory, row: Mapping[str, Any], changed: frozenset[str]) -> None:
    """Note what changed for those who may hold a copy, and that a copy waits no longer (D-70)."""
    if changed & _FOLLOWED or ("state" in changed and row["state"] in _GONE):
        batch.changed.append(held.id)
    if "state" in changed and held.state is State.QUARANTINED and vicarious(held):
        batch.run("waits_no_more", {"tenant": batch.tenant, "id": held.id})


def _in_order(old: dict[str, Any], new: dict[str, Any]) -> list[str]:
    """As any update tells them: what stood there first, then what had its default value."""
    stood = [name for name in rows.COLUMNS if name in new and old[name] != rows.DEFAULTS[name]]
    return [*stood, *(name for name in rows.DEFAULTS if name in new and name not in stood)]
