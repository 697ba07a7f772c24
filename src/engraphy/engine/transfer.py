"""Export and import as JSON Lines: a round trip gives back every row, identical."""

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace

from engraphy.engine.ceiling import vouching
from engraphy.engine.embedding import document_vectors
from engraphy.engine.manage import everything
from engraphy.engine.manage import whole as every_state
from engraphy.engine.parts import Engine
from engraphy.engine.renaming import renamed
from engraphy.engine.standing import same_walls
from engraphy.errors import ConflictError
from engraphy.model import (
    Change,
    Fact,
    FactFilter,
    Insert,
    Memory,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutVersion,
    Relation,
    Scope,
    Sensitivity,
    State,
    Transfer,
    View,
    WALLS,
)
from engraphy.write.distrust import Terms, brought_in
from engraphy.write.form import embedded
from engraphy.write.imported import Arrived, FORMAT, FORMAT_VERSION
from engraphy.write.packed import Packed

One = TypeVar("One", bound=Change)
_BATCH = 200
_MANY = 1_000
"""So many memories that come at once leave the indexes in pieces, through which every search would
have to look."""


def lines(engine: Engine, views: Sequence[View], *, whole: bool) -> Iterator[str]:
    """The export, line by line: a header, memories with what belongs to them, links, facts.

    `views`: one per exported scope; of each only the rows of exactly its walls are written, so
    that nothing appears twice. `whole`: what has expired too, for the operator's copy.
    """
    yield _line({"format": FORMAT, "version": FORMAT_VERSION})
    for view in views:
        seen = every_state(view) if whole else everything(view)
        yield from _of_scope(engine, seen, whole=whole)


def _of_scope(engine: Engine, view: View, *, whole: bool) -> Iterator[str]:
    ids: set[str] = set()
    for memory in engine.store.dump(view):
        if not same_walls(memory.scope, view.scope):
            continue
        ids.add(memory.id)
        yield _row("memory", memory)
        for version in engine.store.versions(view, memory.id):
            yield _row("version", version)
        if (episode := engine.store.episode(view, memory.id)) is not None:
            yield _row("episode", episode)
        if (procedure := engine.store.procedure(view, memory.id)) is not None:
            yield _row("procedure", procedure)
    yield from _links(engine, view, ids, whole=whole)
    wanted = FactFilter(current=False, limit=1_000_000)
    facts = [f for f in engine.store.facts(view, wanted) if same_walls(f.scope, view.scope)]
    for fact in sorted(facts, key=lambda fact: fact.id):
        # A file names no memory that is not in it.
        source = fact.source_id if whole or fact.source_id in ids else None
        yield _row("fact", replace(fact, source_id=source))


def _links(engine: Engine, view: View, own: Collection[str], *, whole: bool) -> Iterator[str]:
    """Links between these memories, and of a whole export also those to what they see beside."""
    ids = sorted(own)
    seen = {
        (r.source_id, r.target_id, r.type.value): r
        for start in range(0, len(ids), _BATCH)
        for r in engine.store.relations(view, ids[start : start + _BATCH])
        if whole or (r.source_id in own and r.target_id in own)
    }
    yield from (_row("relation", seen[key]) for key in sorted(seen))


def _row(type: str, value: object) -> str:
    return _line({"record": type, **msgspec.to_builtins(value)})


def type_of(line: str) -> str:
    """The type of an exported line ("" for the header)."""
    return str(json.loads(line).get("record", ""))


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"


def load(
    engine: Engine,
    files: Sequence[Arrived],
    path: str,
    view: View,
    *,
    terms: Terms,
    progress: Callable[[int], None] | None = None,
) -> Transfer:
    """Bring exports in, one after the other: ids, times and history as they were; what stands
    already is skipped, and what belongs to a memory that could not come in as well. An id that
    stands in other walls is given anew."""
    done = [_loaded(engine, one, path, view, terms=terms, progress=progress) for one in files]
    return Transfer(
        path=path,
        memories=sum(one.memories for one in done),
        facts=sum(one.facts for one in done),
        relations=sum(one.relations for one in done),
        skipped=sum(one.skipped for one in done),
        held_back=sum(one.held_back for one in done),
    )


def _loaded(
    engine: Engine,
    file: Arrived,
    path: str,
    view: View,
    *,
    terms: Terms,
    progress: Callable[[int], None] | None,
) -> Transfer:
    if terms.trusted:
        vouching(engine)
    total = sum(len(getattr(file, name)) for name in file.__struct_fields__)
    rows = renamed(engine, brought_in(file, terms, view.now), view)
    fresh, held = _sorted_out(engine, rows.memories, view)
    came, held_back = _memories(engine, map(rows.memories.__getitem__, fresh), view, progress)
    # A stranger's file lays no link upon what stands already.
    beside = _beside(engine, rows, view, came=came, standing=held | came if terms.trusted else came)
    written = {name: _applied(engine, changes, view, progress) for name, changes in beside.items()}
    if len(came) >= _MANY:
        engine.store.tidy(_to_the_end)
    return Transfer(
        path=path,
        memories=len(came),
        facts=written["fact"],
        relations=written["relation"],
        skipped=total - len(came) - sum(written.values()),
        held_back=held_back,
    )


def _beside(
    engine: Engine, rows: Arrived, view: View, *, came: Collection[str], standing: set[str]
) -> dict[str, Iterator[Change]]:
    """What comes in with the memories that `came`, and between those that are `standing` then."""
    ends = {end for one in rows.relations for end in (one.source_id, one.target_id)}
    scopes = {one.id: one.scope for one in rows.memories if one.id in ends} if ends else {}
    return {
        "version": (
            PutVersion(version=v, reason="import") for v in rows.versions if v.memory_id in came
        ),
        "episode": (
            PutEpisode(episode=e, reason="import") for e in rows.episodes if e.memory_id in came
        ),
        "procedure": (
            PutProcedure(procedure=p, reason="import")
            for p in rows.procedures
            if p.memory_id in came
        ),
        "relation": (
            PutRelation(relation=r, reason="import")
            for r in rows.relations
            if {r.source_id, r.target_id} <= standing
            and (r.source_id in came or r.target_id in came or not _linked(engine, r, scopes, view))
        ),
        "fact": _facts(engine, rows.facts, view, standing),
    }


def _to_the_end() -> bool:
    return True


def _sorted_out(engine: Engine, memories: Packed[Memory], view: View) -> tuple[list[int], set[str]]:
    """The places of the memories that are new, and the ids of those that stand already in the same
    walls."""
    groups: dict[Scope, list[str]] = {}
    learnt: list[tuple[int, str]] = []
    for memory in memories:
        groups.setdefault(replace(memory.scope, session=None), []).append(memory.id)
        learnt.append((memory.recorded_at, memory.id))
    held: set[str] = set()
    for scope, members in groups.items():
        wide = replace(every_state(view), scope=scope, sensitivities=frozenset(Sensitivity))
        for start in range(0, len(members), _BATCH):
            ids = members[start : start + _BATCH]
            held |= {m.id for m in engine.store.get(wide, ids) if same_walls(m.scope, scope)}
    fresh = [place for place, (_, own) in enumerate(learnt) if own not in held]
    # The order of the rows is the order in which things were learnt, whatever that of the file.
    return sorted(fresh, key=learnt.__getitem__), held


def _linked(engine: Engine, link: Relation, scopes: Mapping[str, Scope], view: View) -> bool:
    """Whether a link stands already, as seen by who sees both its ends."""
    one, two = scopes[link.source_id], scopes[link.target_id]
    both = {wall: getattr(one, wall) or getattr(two, wall) for wall in WALLS}
    wide = replace(
        every_state(view),
        scope=Scope(tenant=view.scope.tenant, **both),
        sensitivities=frozenset(Sensitivity),
    )
    key = (link.source_id, link.target_id, link.type)
    found = engine.store.relations(wide, [link.source_id])
    return key in {(r.source_id, r.target_id, r.type) for r in found}


def _memories(
    engine: Engine,
    fresh: Iterator[Memory],
    view: View,
    progress: Callable[[int], None] | None,
) -> tuple[set[str], int]:
    """The ids of those that came in, and how many of them are held back."""
    came, held_back = set[str](), 0
    while batch := list(islice(fresh, _BATCH)):
        vectors = document_vectors(engine, [embedded(memory) for memory in batch])
        inserts = [
            Insert(memory=memory, vector=vector, reason="import", op="import")
            for memory, vector in zip(batch, vectors, strict=True)
        ]
        for one in _batch(engine, inserts, view):
            came.add(one.memory.id)
            held_back += one.memory.state is State.QUARANTINED
        if progress is not None:
            progress(len(batch))
    return came, held_back


def _facts(
    engine: Engine, facts: Iterable[Fact], view: View, standing: Collection[str]
) -> Iterator[Change]:
    """The facts that do not stand yet; a source that did not come in is no source."""
    for fact in facts:
        wide = replace(
            every_state(view),
            scope=replace(fact.scope, session=None),
            sensitivities=frozenset(Sensitivity),
        )
        same = FactFilter(
            subject=fact.subject, predicate=fact.predicate, object=fact.object, current=False
        )
        held = [f for f in engine.store.facts(wide, same) if same_walls(f.scope, fact.scope)]
        if any(f.id == fact.id or f.valid_until == fact.valid_until is None for f in held):
            continue
        source = fact.source_id if fact.source_id in standing else None
        yield PutFact(fact=replace(fact, source_id=source), reason="import")


def _applied(
    engine: Engine,
    changes: Iterator[Change],
    view: View,
    progress: Callable[[int], None] | None,
) -> int:
    """Write in batches; says how many were written."""
    count = 0
    while batch := list(islice(changes, _BATCH)):
        count += len(_batch(engine, batch, view))
        if progress is not None:
            progress(len(batch))
    return count


def _batch(engine: Engine, batch: Sequence[One], view: View) -> Sequence[One]:
    """Write together; where something stands already, one by one. Gives back what was written."""
    if _written(engine, batch, view):
        return batch
    return [change for change in batch if _written(engine, [change], view)]


def _written(engine: Engine, changes: Sequence[Change], view: View) -> bool:
    try:
        engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
    except ConflictError:
        return False
    return True
