"""Undoing lines of the journal: which, what stands of them today, and the one transaction."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec.structs import replace

from engraphy.dream.undoing import Plan, undone
from engraphy.engine.dreaming import numbers
from engraphy.engine.embedding import document_vectors, reembedded
from engraphy.engine.parts import Engine
from engraphy.engine.standing import content_hash, derived, own_view
from engraphy.errors import ConflictError, NotFoundError, ProtectedError
from engraphy.model import (
    Change,
    LeftAlone,
    Memory,
    Past,
    Remove,
    Replayed,
    Restore,
    Settle,
    State,
    Undone,
    Update,
    VectorRow,
)
from engraphy.record import Record
from engraphy.write.form import embedded

_ATTEMPTS = 8
_BATCH = 200
_MEANWHILE = (ConflictError, NotFoundError, ProtectedError)


class Chosen(Record, frozen=True, kw_only=True):
    """Lines to undo, newest first, and what they are in words; `beside`: what is taken away with
    them that no line tells."""

    what: str
    lines: Sequence[Past]
    beside: Callable[[], list[Change]] = list


def undo(engine: Engine, chosen: Chosen, *, dry_run: bool) -> Undone:
    """Undo lines in one transaction of the journal, whose lines can be undone in turn. What
    somebody changes meanwhile is looked at again. Raises ConflictError."""
    for attempt in range(_ATTEMPTS):
        plan = planned(engine, chosen)
        beside = chosen.beside()
        if dry_run or not (plan.changes or beside):
            return _told(chosen, plan, (), dry_run=dry_run)
        try:
            numbers_of = engine.store.apply(
                engine.tenant,
                [*_written(engine, plan.changes), *beside],
                now=engine.clock(),
                actor=engine.actor,
                op="undo",
            )
        except _MEANWHILE:
            if attempt == _ATTEMPTS - 1:
                raise
            continue
        return _told(chosen, plan, numbers_of, dry_run=False)
    raise ConflictError(path=engine.store.path, id=chosen.what)


def planned(engine: Engine, chosen: Chosen) -> Plan:
    """What undoes the lines, on what stands today."""
    held = _standing(engine, chosen.lines)
    plan = undone(chosen.lines, held, engine.clock(), f"undo of {chosen.what}")
    plan.changes = [_whole(engine, one) for one in plan.changes]
    return _without_copies(engine, plan)


def _standing(engine: Engine, lines: Iterable[Past]) -> Replayed:
    ids: dict[str, None] = {}
    facts: dict[str, None] = {}
    for line in lines:
        ids.update(dict.fromkeys((*line.ids, *line.moved)))
        came = line.inserted or (line.restored and line.restored.memory)
        if came:
            ids.update(dict.fromkeys(one for one in (*came.source_ids, came.supersedes) if one))
        for fact in line.fact or ():
            if fact is not None:
                facts[fact.id] = None
    return engine.store.standing(engine.tenant, list(ids), list(facts))


def _whole(engine: Engine, change: Change) -> Change:
    """A memory that goes takes along what was read out of it."""
    if not isinstance(change, Remove) or change.expected is None:
        return change
    own = own_view(change.expected, engine.clock())
    read = (fact.id for fact in derived(engine, own, change.expected))
    return replace(change, facts=tuple(sorted({*change.facts, *read})))


def _without_copies(engine: Engine, plan: Plan) -> Plan:
    """What would be a second copy of a text that is held again stays as it is."""
    out = set(plan.removed)
    for change in list(plan.changes):
        row = _told_anew(engine, change)
        if row is None:
            continue
        same = engine.store.find_hash(own_view(row, 0), content_hash(row.content))
        if same is None or same.id == row.id or same.id in out:
            continue
        plan.changes.remove(change)
        for listed in (plan.restored, plan.changed):
            if row.id in listed:
                listed.remove(row.id)
        why = f"memory {same.id} holds its text"
        plan.left.append(LeftAlone(line=0, id=row.id, why=why))
    return plan


def _told_anew(engine: Engine, change: Change) -> Memory | None:
    """The row whose text comes to be current by a change."""
    if isinstance(change, Restore):
        found = removed_rows(engine, [change.id])
        return found.get(change.id)
    if not isinstance(change, Update) or change.memory.state is State.SUPERSEDED:
        return None
    old, new = change.expected, change.memory
    moved = (old.content, old.scope, old.sensitivity) != (new.content, new.scope, new.sensitivity)
    return new if moved or old.state is State.SUPERSEDED else None


def removed_rows(engine: Engine, ids: Sequence[str]) -> dict[str, Memory]:
    """Removed memories of the tenant by id, as they were."""
    return {row.id: row for row in engine.store.removed_of(engine.tenant, ids)}


def _written(engine: Engine, changes: Sequence[Change]) -> list[Change]:
    """The changes with the vectors they need, those of mere numbers as one."""
    restored = [one.id for one in changes if isinstance(one, Restore)]
    rows = removed_rows(engine, restored)
    vectors = dict(_vectors(engine, [rows[one] for one in restored if one in rows]))
    together = [one for one in changes if isinstance(one, Update) and numbers(one)]
    settled = {one.memory.id: one for one in together if one.memory.id not in rows}
    others = [one for one in changes if not (isinstance(one, Update) and one.memory.id in settled)]
    made = [
        replace(one, vector=vectors.get(one.id)) if isinstance(one, Restore) else one
        for one in reembedded(engine, others)
    ]
    if settled:
        pairs = tuple((one.expected, one.memory) for one in settled.values())
        made.append(Settle(rows=pairs, reason=together[0].reason))
    return made


def _vectors(engine: Engine, rows: Sequence[Memory]) -> Iterator[tuple[str, VectorRow | None]]:
    for start in range(0, len(rows), _BATCH):
        batch = rows[start : start + _BATCH]
        found = document_vectors(engine, [embedded(row) for row in batch])
        yield from zip((row.id for row in batch), found, strict=True)


def _told(chosen: Chosen, plan: Plan, journal: tuple[int, ...], *, dry_run: bool) -> Undone:
    return Undone(
        dry_run=dry_run,
        what=chosen.what,
        lines=tuple(line.entry.seq for line in chosen.lines),
        restored=tuple(plan.restored),
        removed=tuple(plan.removed),
        changed=tuple(plan.changed),
        beside=plan.beside,
        left=tuple(plan.left),
        journal=journal,
    )
