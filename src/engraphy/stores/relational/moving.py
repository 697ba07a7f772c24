"""Updates that move only numbers, moments and states: nothing that words, labels, vectors or facts
are found by. Maintenance writes tens of thousands of them, so only their own columns are written;
conflicts and the journal's line are those of any update."""

from collections.abc import Mapping, Sequence
from typing import Any

from engraphy.errors import ConflictError, NotFoundError
from engraphy.model.change import Change, SETTLED, Update
from engraphy.model.federating import vicarious
from engraphy.model.kinds import State
from engraphy.model.memory import Memory, differing
from engraphy.stores.relational import rows
from engraphy.stores.relational.batch import Batch, RowLine
from engraphy.stores.relational.journal import Line

MOVABLE = frozenset({*SETTLED, "state", "valid_until", "expires_at", "superseded_by"})
"""What may differ."""
_STOOD = ("version", "state", "updated_at")
"""What is as it was where nobody wrote in between."""
_FOLLOWED = frozenset(
    {"content", "title", "subtitle", "kind", "category", "speaker", "tags", "concepts"}
    | {"entities", "files_read", "files_modified", "scope_globs", "priority", "sensitivity"}
    | {"scope_id", "evidence", "temporal_type", "valid_from", "valid_until", "expires_at"}
)
"""What copies say, and what decides who may have one."""
_GONE = frozenset({State.SUPERSEDED, State.EXPIRED, State.QUARANTINED})


def names_of(change: Change) -> tuple[str, ...] | None:
    """What such an update moves; None of a change that is none."""
    if not isinstance(change, Update):
        return None
    names = differing(change.expected, change.memory)
    return names if MOVABLE.issuperset(names) else None


def move(batch: Batch, moves: Sequence[tuple[Update, tuple[str, ...]]]) -> list[int]:
    """Write these fields of memories where they differ from what is stored, in order; returns the
    numbers of the lines. The rows of all are read at once."""
    lines = batch.lines([change.memory.id for change, _ in moves])
    return [_moved(batch, lines, change, names) for change, names in moves]


def _moved(batch: Batch, lines: dict[str, RowLine], change: Update, names: tuple[str, ...]) -> int:
    wanted, expected = change.memory, change.expected
    if wanted.id not in lines:
        raise NotFoundError(id=wanted.id)
    seq, line = lines[wanted.id]
    if rows.values_of(line, _STOOD) != (expected.version, expected.state, expected.updated_at):
        raise ConflictError(path=batch.path, id=wanted.id)
    old = dict(zip(names, rows.values_of(line, names), strict=True))
    new: dict[str, Any] = {
        name: str(value) if name in rows.VOCABULARIES else value
        for name in names
        if (value := getattr(wanted, name)) != old[name]
    }
    line = rows.moved(line, new)
    if new:
        written = new | {"checksum": rows.sum_of(line), "seq": seq}
        batch.store("update_memory", written, wanted.id, (*new, "checksum"))
        follow(batch, expected, new, frozenset(new))
        lines[wanted.id] = RowLine(seq, line)
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
