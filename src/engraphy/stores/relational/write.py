"""Memories: how they are inserted, updated, reinforced and touched."""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

from engraphy.errors import ConflictError, InvalidInputError, NotFoundError, ProtectedError
from engraphy.model.change import Insert, PutVersion, Reinforce, Strengthen, Tally, Touch, Update
from engraphy.model.kinds import SENSITIVITY_RANK
from engraphy.model.memory import Memory, Version
from engraphy.stores.relational import (
    ahead,
    checksums,
    embedding,
    indexing,
    labels,
    moving,
    rows,
    scopes,
)
from engraphy.stores.relational.batch import Batch, Stored
from engraphy.stores.relational.journal import Line
from engraphy.stores.relational.sql import every, numbers, query

_TEXT = ("content", "title")


def insert(batch: Batch, change: Insert) -> int:
    """A new memory: row, labels, full text, vectors, journal."""
    memory = change.memory
    batch.own(memory.scope)
    scope_id = scopes.intern(batch.connection, memory.scope)
    made = batch.made.get(memory.id) or ahead.made(change, batch.quantise)
    row = made.row | {"scope_id": scope_id}
    batch.store("insert_memory", row, memory.id)
    seq = batch.connection.last_insert_rowid()
    labels.add(batch, seq, scope_id, memory)
    indexing.add(batch.connection, seq, row, indexing.behind(made.entry, row))
    if change.vector is not None:
        embedding.add(batch.connection, seq, scope_id, change.vector, made.codes)
    payload = {"new": rows.told(row, memory)}
    return batch.journal.append(Line(change.op, memory.id, change.reason, memory.id, payload))


def update(batch: Batch, change: Update) -> int:
    """A changed memory: only what differs between `expected` and `memory` is written, so that
    counters that moved meanwhile keep their values."""
    stored = batch.stored(change.memory.id)
    _check_expected(batch, stored, change.expected)
    memory = _merged(stored.memory, change.expected, change.memory)
    _check_allowed(batch, stored.memory, memory)
    scope_id = scopes.intern(batch.connection, memory.scope)
    row = rows.to_row(memory, scope_id)
    changed = frozenset(name for name in rows.COLUMNS if row[name] != stored.row[name])
    if any(name in changed for name in _TEXT):
        _keep_version(batch, stored.memory, change.reason)
    _rewrite(batch, stored, row, changed)
    if changed & (labels.LABELLED | {"scope_id"}):
        labels.remove(batch, stored)
        labels.add(batch, stored.seq, scope_id, memory)
    _revector(batch, stored, change, row)
    _raise_facts(batch, stored.memory, memory)
    moving.follow(batch, stored.memory, row, changed)
    old, new = rows.told(stored.row, stored.memory), rows.told(row, memory)
    names = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    payload = {
        "old": {name: old.get(name, rows.DEFAULTS.get(name)) for name in names},
        "new": {name: new.get(name, rows.DEFAULTS.get(name)) for name in names},
    }
    return batch.journal.append(Line(change.op, memory.id, change.reason, memory.id, payload))


def put_version(batch: Batch, change: PutVersion) -> int:
    """An earlier text of a memory that is brought along; one that is known stays."""
    version = change.version
    batch.require(version.memory_id)
    told = {name: getattr(version, name) for name in Version.__struct_fields__}
    batch.put("insert_version", told)
    key = version.memory_id
    return batch.journal.append(Line("import", key, change.reason, key, {"version": told}))


def reinforce(batch: Batch, change: Reinforce) -> int:
    """A re-statement, counted relative to what is stored."""
    told, stored = _strength(batch, change), batch.stored(change.id)
    bound = {"id": change.id, "tenant": batch.tenant, "until": change.until}
    batch.put("reinforce", told | bound)
    checksums.follow(batch, stored)
    if change.until is not None:
        told["until"] = change.until
    payload: dict[str, Any] = {"reinforce": told}
    if change.revive or change.until is not None:
        held = {name: stored.row[name] for name in ("state", "expires_at")}
        payload = {"old": held, **payload}
    return batch.journal.append(Line(change.op, change.id, change.reason, "", payload))


def tally(batch: Batch, change: Tally) -> int:
    """How a use went, counted relative to what is stored."""
    told: dict[str, Any] = {"successes": int(change.successes), "failures": int(change.failures)}
    # Nothing is moved by no use at all, wherever its target is.
    uses = told["successes"] + told["failures"]
    told["rate"] = float(change.utility_rate) if uses else 0.0
    told |= {"target": told["successes"] / max(1, uses), "now": batch.now}
    stored = batch.stored(change.id)
    batch.put("tally", told | {"id": change.id, "tenant": batch.tenant})
    checksums.follow(batch, stored)
    return batch.journal.append(Line("procedure", change.id, change.reason, "", {"tally": told}))


def touch(batch: Batch, change: Touch) -> int:
    """A delivery, counted relative to what is stored; one line tells of all its memories."""
    bound = {"ids": json.dumps(change.ids), "tenant": batch.tenant}
    when = {"now": batch.now, "gap": change.gap}
    stored = {row[0]: row for row in every(batch.connection, query("delivered"), bound | when)}
    grown: list[list[Any]] = []
    growing: list[dict[str, Any]] = []
    counted: Counter[int] = Counter()
    for place, touched in enumerate(change.ids):
        if touched not in stored:
            raise NotFoundError(id=touched)
        _, seq, due, sleeps = stored[touched]
        if sleeps and change.revive:
            # Only then: what sets a state writes to the index of hashes, somewhere in the file.
            stood = batch.stored(touched)
            batch.run("wake", {"seq": seq})
            checksums.follow(batch, stood)
        if due and change.growth:
            grown.append([place, *map(float, change.growth[place])])
            growing.append(_growth(batch, seq, grown[-1]))
            if change.gap <= 0:
                # The same row may grow once more.
                growing = _grow(batch, growing)
            # Named twice, it was delivered twice, and grew just now.
            stored[touched] = (touched, seq, change.gap <= 0, False)
        else:
            counted[seq] += 1
    _grow(batch, growing)
    while counted:
        # All rows in one statement; what was delivered twice once more.
        batch.put("touch", {"now": batch.now, "seqs": numbers(sorted(counted))})
        counted = +Counter({seq: often - 1 for seq, often in counted.items()})
    told: dict[str, Any] = {"now": batch.now, "revive": int(change.revive)}
    if change.growth:
        told |= {"grown": grown}
    target = change.ids[0] if len(change.ids) == 1 else ""
    payload = {"touch": told | {"ids": list(change.ids)}}
    return batch.journal.append(Line("access", target, change.reason, "", payload))


def _growth(batch: Batch, seq: int, grown: list[Any]) -> dict[str, Any]:
    _, factor, gain, harder = grown
    return {"factor": factor, "gain": gain, "harder": harder, "now": batch.now, "seq": seq}


def _grow(batch: Batch, growing: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All of these grow; nothing is left."""
    batch.connection.executemany(query("grow"), growing)
    return []


def strengthen(batch: Batch, change: Strengthen) -> int | None:
    """Stability relative to what is stored; nothing is journaled where nobody is left."""
    factor = float(change.stability_factor)
    bound = {"factor": factor, "tenant": batch.tenant}
    ids = [one for one in change.ids if batch.run("strengthen", bound | {"id": one})]
    if not ids:
        return None
    payload = {"strengthen": {"ids": ids, "factor": factor}}
    target = ids[0] if len(ids) == 1 else ""
    return batch.journal.append(Line("strengthen", target, change.reason, "", payload))


def _strength(batch: Batch, change: Reinforce) -> dict[str, Any]:
    return {
        "now": batch.now,
        "factor": float(change.stability_factor),
        "gain": float(change.storage_gain),
        "revive": int(change.revive),
    }


def _check_expected(batch: Batch, stored: Stored, expected: Memory) -> None:
    held = stored.memory
    if (held.version, held.state, held.updated_at) != (
        expected.version,
        expected.state,
        expected.updated_at,
    ):
        raise ConflictError(path=batch.path, id=held.id)


def _merged(stored: Memory, expected: Memory, wanted: Memory) -> Memory:
    changed = {
        name: getattr(wanted, name)
        for name in Memory.__dataclass_fields__
        if getattr(wanted, name) != getattr(expected, name)
    }
    return replace(stored, **changed)


def _check_allowed(batch: Batch, stored: Memory, memory: Memory) -> None:
    batch.own(memory.scope)
    if memory.origin != stored.origin:
        raise ProtectedError(id=stored.id, why="its origin never changes")
    new_text = any(getattr(memory, name) != getattr(stored, name) for name in _TEXT)
    if new_text and stored.immutable:
        raise ProtectedError(id=stored.id, why="immutable")
    version = stored.version + int(new_text)
    if memory.version != version:
        raise InvalidInputError(
            field="version",
            got=memory.version,
            allowed=f"{version}: one more where the text changes",
        )


def _keep_version(batch: Batch, memory: Memory, reason: str) -> None:
    bound = {
        "memory_id": memory.id,
        "version": memory.version,
        "content": memory.content,
        "title": memory.title,
        "replaced_at": batch.now,
        "reason": reason,
    }
    batch.put("insert_version", bound)


def _rewrite(batch: Batch, stored: Stored, row: dict[str, Any], changed: frozenset[str]) -> None:
    indexed = bool(changed & indexing.INDEXED)
    if indexed:
        indexing.remove(batch.connection, stored.seq, stored.row)
    if changed:
        # A column that stays as it is would have every index written that it stands in.
        columns = tuple(name for name in rows.COLUMNS if name in changed)
        batch.store("update_memory", row | {"seq": stored.seq}, stored.memory.id, columns)
    if indexed:
        indexing.add(batch.connection, stored.seq, row)


def _revector(batch: Batch, stored: Stored, change: Update, row: dict[str, Any]) -> None:
    before, after = int(stored.row["scope_id"] or 0), int(row["scope_id"])
    if change.vector is not None or row["content"] != stored.row["content"]:
        embedding.remove(batch.connection, stored.seq, before)
    elif before != after:
        embedding.move(batch.connection, stored.seq, before, after)
    if change.vector is not None:
        embedding.add(batch.connection, stored.seq, after, change.vector, batch.quantise)


def _raise_facts(batch: Batch, stored: Memory, memory: Memory) -> None:
    """Facts are never less sensitive than the memory they come from (R-04)."""
    higher = [
        level
        for level, rank in SENSITIVITY_RANK.items()
        if rank < SENSITIVITY_RANK[memory.sensitivity]
    ]
    if memory.sensitivity != stored.sensitivity and higher:
        for level in higher:
            bound = {"id": memory.id, "from": level, "to": memory.sensitivity}
            batch.run("raise_facts", bound)
