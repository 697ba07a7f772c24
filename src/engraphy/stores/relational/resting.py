"""What maintenance reads: exactly one set of walls at a time, and the cycles there were."""

import json
from collections.abc import Sequence
from functools import cache
from itertools import compress
from operator import attrgetter, is_not
from typing import Any

import msgspec

from engraphy.model.change import PutDream, SETTLED, Settle
from engraphy.model.dreaming import Census, DreamRun, DreamStep, Progress
from engraphy.model.kinds import State
from engraphy.model.memory import Memory
from engraphy.model.records import CoActivation, Procedure, Relation
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.relational import around, rows, scopes
from engraphy.stores.relational.batch import Batch, RowLine
from engraphy.stores.relational.damage import decoding
from engraphy.stores.relational.journal import Line
from engraphy.stores.relational.sketch import sketching
from engraphy.stores.relational.sql import Connection, every, query

_SLOTS = {"columns": rows.SELECTED, "walls": rows.WALLS_SELECTED}
_SHARED_BY = 3
"""Memories an entity must be shared by to stand in a census."""
_KEPT_DAYS = 400
_WORDS = frozenset(name for name in SETTLED if name in rows.VOCABULARIES)
_MICROSECONDS_PER_DAY = 86_400_000_000


class Kept(msgspec.Struct, frozen=True, kw_only=True):
    """What the JSON columns of a cycle hold."""

    stages: tuple[str, ...]
    progress: Progress
    census: Census | None = None


def walk(
    connection: Connection,
    scope: Scope,
    states: Sequence[State],
    part: tuple[int, int],
    fields: frozenset[str],
) -> list[tuple[int, Memory]]:
    """The next rows of exactly these walls, with their numbers; `part`: behind which number, and
    how many."""
    number = scopes.find(connection, scope)
    if number is None:
        return []
    after, limit = part
    wanted = json.dumps([state.value for state in states])
    bound = {"scope": number, "after": after, "states": wanted, "limit": limit}
    if fields:
        sketch = sketching(fields)
        lines = every(connection, query("walk", columns=sketch.columns), bound)
        with decoding("a memory"):
            return [(row[0], sketch.memory(scope, row)) for row in lines]
    found = connection.execute(query("walk_whole", **_SLOTS), bound)
    return [(row[0], rows.from_tuple(row[1:])) for row in found]


def among(
    connection: Connection, scope: Scope, ids: Sequence[str], fields: frozenset[str]
) -> list[Memory]:
    """Those of these memories that stand behind exactly these walls, in part."""
    sketch = sketching(fields)
    bound = {"scope": scopes.find(connection, scope), "ids": json.dumps(list(ids))}
    lines = every(connection, query("among", columns=sketch.columns), bound)
    with decoding("a memory"):
        return [sketch.memory(scope, row) for row in lines]


def census(connection: Connection, scope: Scope) -> Census:
    """Counts over the active memories of exactly these walls."""
    number = scopes.find(connection, scope)
    if number is None:
        return Census()
    kinds: dict[str, int] = {}
    categories: dict[str, int] = {}
    active = accesses = 0
    for kind, category, count, accessed in connection.execute(query("census"), {"scope": number}):
        kinds[kind] = kinds.get(kind, 0) + count
        categories[category] = categories.get(category, 0) + count
        active, accesses = active + count, accesses + accessed
    shared = {"scope": number, "least": _SHARED_BY}
    return Census(
        active=active,
        mean_accesses=accesses / active if active else 0.0,
        entities=dict(every(connection, query("census_entities"), shared)),
        kinds=kinds,
        categories=categories,
    )


def contradictions(connection: Connection, scope: Scope, ids: Sequence[str]) -> list[Relation]:
    """The `contradicts` relations of these memories, both ends behind exactly these walls."""
    found = connection.execute(query("contradictions_of"), {"ids": json.dumps(list(ids))})
    relations = [around.relation(row) for row in found]
    ends = {end for one in relations for end in (one.source_id, one.target_id)}
    within = of_walls(connection, scope, sorted(ends))
    return [one for one in relations if {one.source_id, one.target_id} <= within]


def of_walls(connection: Connection, scope: Scope, ids: Sequence[str]) -> set[str]:
    """Those of `ids` that stand behind exactly these walls."""
    number = scopes.find(connection, scope)
    bound = {"ids": json.dumps(list(ids)), "scope": number}
    return {one for (one,) in connection.execute(query("of_walls"), bound)}


def coactivated(
    connection: Connection, ids: Sequence[str], since: int, least: int
) -> list[CoActivation]:
    """Pairs delivered together since a moment, with an end among `ids`."""
    bound = {"ids": json.dumps(list(ids)), "since": since, "least": least}
    return [
        CoActivation(first_id=first, second_id=second, count=count, last_at=last)
        for first, second, count, last in connection.execute(query("coactivated_since"), bound)
    ]


def procedures(connection: Connection, ids: Sequence[str]) -> dict[str, Procedure]:
    """The procedure parts of these memories."""
    found = connection.execute(query("procedures_of"), {"ids": json.dumps(list(ids))})
    with decoding("a procedure"):
        return {
            own: Procedure(
                memory_id=own, name=name, steps=tuple(json.loads(steps)), trigger=trigger
            )
            for own, name, steps, trigger in found
        }


def dream_runs(connection: Connection, tenant: Tenant, limit: int) -> list[DreamRun]:
    """The newest cycles of a tenant, the newest first."""
    found = connection.execute(query("dream_runs"), {"tenant": tenant, "limit": limit})
    with decoding("a cycle of maintenance"):
        return [_run(row) for row in found]


def _run(row: Sequence[Any]) -> DreamRun:
    number, profile, started_at, finished_at, first_seq, last_seq, progress, report = row
    kept = msgspec.json.decode(progress, type=Kept)
    return DreamRun(
        id=number,
        profile=profile,
        started_at=started_at,
        finished_at=finished_at,
        first_seq=first_seq,
        last_seq=last_seq,
        stages=kept.stages,
        progress=kept.progress,
        census=kept.census,
        steps=msgspec.json.decode(report, type=tuple[DreamStep, ...]),
    )


def put_dream(batch: Batch, change: PutDream) -> None:
    """How far a cycle has come; cycles that are long over go."""
    run = change.run
    kept = Kept(stages=run.stages, progress=run.progress, census=run.census)
    bound = {
        "id": run.id,
        "tenant": batch.tenant,
        "profile": run.profile,
        "started_at": run.started_at,
        "finished_at": run.finished_at,
        "progress": msgspec.json.encode(kept).decode(),
        "report": msgspec.json.encode(run.steps).decode(),
    }
    batch.run("put_dream", bound)
    if run.finished_at is not None:
        before = run.started_at - _KEPT_DAYS * _MICROSECONDS_PER_DAY
        batch.run("drop_old_dreams", {"tenant": batch.tenant, "before": before})


def settle(batch: Batch, change: Settle) -> int | None:
    """What maintenance moves of many memories; who was changed or delivered meanwhile is left."""
    old: dict[str, dict[str, Any]] = {}
    new: dict[str, dict[str, Any]] = {}
    moves = [(held, *_moved(held, wanted)) for held, wanted in change.rows]
    checked = [held.id for held, _, after in moves if not rows.UNCHECKED.issuperset(after)]
    lines = batch.lines(checked)
    for held, before, after in moves:
        if not after:
            continue
        stood = lines.get(held.id)
        line = None if stood is None else rows.moved(stood.line, after)
        written = after if line is None else after | {"checksum": rows.sum_of(line)}
        # A number that stays as it is would have every index written that it stands in.
        text = _settling(tuple(written))
        batch.connection.execute(text, written | _as_it_was(batch, held))
        if batch.connection.changes():
            old[held.id], new[held.id] = before, after
            if stood is not None and line is not None:
                lines[held.id] = RowLine(stood.seq, line)
    if not new:
        return None
    target = next(iter(new)) if len(new) == 1 else ""
    payload = {"old": old, "settle": new}
    return batch.journal.append(Line("maintenance", target, change.reason, "", payload))


_settled = attrgetter(*SETTLED)


def _moved(held: Memory, wanted: Memory) -> tuple[dict[str, Any], dict[str, Any]]:
    """What is moved, as it was and as it is to be."""
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    there, here = _settled(held), _settled(wanted)
    # Nearly all of them are the same objects.
    others = compress(zip(SETTLED, there, here, strict=True), map(is_not, there, here))
    for name, old, new in others:
        if old != new:
            word = name in _WORDS
            before[name], after[name] = (str(old), str(new)) if word else (old, new)
    return before, after


@cache
def _settling(names: tuple[str, ...]) -> str:
    places = ", ".join(f":{name}" for name in names)
    return query("settle", columns=", ".join(names), values=places)


def _as_it_was(batch: Batch, held: Memory) -> dict[str, Any]:
    return {
        "id": held.id,
        "tenant": batch.tenant,
        "version": held.version,
        "state": held.state.value,
        "updated_at": held.updated_at,
        "access_count": held.access_count,
        "reinforcement_count": held.reinforcement_count,
        "held_decayed_at": held.last_decayed_at,
    }
