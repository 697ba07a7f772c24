"""Export and import as JSON Lines: a round trip gives back every row, identical."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import msgspec

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
from engraphy.write.ceiling import at_most
from engraphy.write.distrust import Terms, brought_in
from engraphy.write.form import embedded
from engraphy.write.imported import Arrived, FORMAT, FORMAT_VERSION

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
    file: Arrived,
    path: str,
    view: View,
    *,
    terms: Terms,
    progress: Callable[[int], None] | None = None,
) -> Transfer:
    """Bring an export in: ids, times and history as they were; what stands already is skipped,
    and what belongs to a memory that could not come in as well. An id that stands in other walls
    is given anew."""
    if terms.trusted:
        vouching(engine)
    rows, written = renamed(engine, brought_in(file, terms), view), dict[str, int]()
    rows = replace(rows, memories=tuple(at_most(one, engine.most) for one in rows.memories))
    fresh, held = _sorted_out(engine, rows.memories, view)
    came = _memories(engine, fresh, view, progress)
    scopes = {memory.id: memory.scope for memory in rows.memories}
    written["memory"] = len(came)
    # A stranger's file lays no link upon what stands already.
    standing = held | came if terms.trusted else came
    beside: dict[str, list[Change]] = {
        "version": [
            PutVersion(version=v, reason="import") for v in rows.versions if v.memory_id in came
        ],
        "episode": [
            PutEpisode(episode=e, reason="import") for e in rows.episodes if e.memory_id in came
        ],
        "procedure": [
            PutProcedure(procedure=p, reason="import")
            for p in rows.procedures
            if p.memory_id in came
        ],
        "relation": [
            PutRelation(relation=r, reason="import")
            for r in rows.relations
            if {r.source_id, r.target_id} <= standing
            and ({r.source_id, r.target_id} & came or not _linked(engine, r, scopes, view))
        ],
        "fact": _facts(engine, rows.facts, view, standing),
    }
    for name, changes in beside.items():
        written[name] = len(_applied(engine, changes, view, progress))
    if len(came) >= _MANY:
        engine.store.tidy(_to_the_end)
    total = sum(len(getattr(file, name)) for name in file.__dataclass_fields__)
    return Transfer(
        path=path,
        memories=written["memory"],
        facts=written["fact"],
        relations=written["relation"],
        skipped=total - sum(written.values()),
        held_back=sum(m.id in came and m.state is State.QUARANTINED for m in rows.memories),
    )


def _to_the_end() -> bool:
    return True


def _sorted_out(
    engine: Engine, memories: Sequence[Memory], view: View
) -> tuple[list[Memory], set[str]]:
    """The memories that are new, and the ids of those that stand already in the same walls."""
    groups: dict[Scope, list[Memory]] = {}
    for memory in memories:
        groups.setdefault(replace(memory.scope, session=None), []).append(memory)
    held: set[str] = set()
    for scope, members in groups.items():
        wide = replace(every_state(view), scope=scope, sensitivities=frozenset(Sensitivity))
        for start in range(0, len(members), _BATCH):
            ids = [memory.id for memory in members[start : start + _BATCH]]
            held |= {m.id for m in engine.store.get(wide, ids) if same_walls(m.scope, scope)}
    fresh = [memory for memory in memories if memory.id not in held]
    # The order of the rows is the order in which things were learnt, whatever that of the file.
    return sorted(fresh, key=lambda memory: (memory.recorded_at, memory.id)), held


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
    fresh: Sequence[Memory],
    view: View,
    progress: Callable[[int], None] | None,
) -> set[str]:
    came: set[str] = set()
    for start in range(0, len(fresh), _BATCH):
        batch = fresh[start : start + _BATCH]
        vectors = document_vectors(engine, [embedded(memory) for memory in batch])
        inserts = [
            Insert(memory=memory, vector=vector, reason="import", op="import")
            for memory, vector in zip(batch, vectors, strict=True)
        ]
        written = _applied(engine, inserts, view, progress)
        came |= {one.memory.id for one in written if isinstance(one, Insert)}
    return came


def _facts(
    engine: Engine, facts: Sequence[Fact], view: View, standing: Collection[str]
) -> list[Change]:
    """The facts that do not stand yet; a source that did not come in is no source."""
    changes: list[Change] = []
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
        changes.append(PutFact(fact=replace(fact, source_id=source), reason="import"))
    return changes


def _applied(
    engine: Engine,
    changes: Sequence[Change],
    view: View,
    progress: Callable[[int], None] | None,
) -> list[Change]:
    """Write in batches; where something stands already, one by one. Gives back what was written."""
    done: list[Change] = []
    for start in range(0, len(changes), _BATCH):
        batch = changes[start : start + _BATCH]
        if _written(engine, batch, view):
            done += batch
        else:
            done += [change for change in batch if _written(engine, [change], view)]
        if progress is not None:
            progress(len(batch))
    return done


def _written(engine: Engine, changes: Sequence[Change], view: View) -> bool:
    try:
        engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
    except ConflictError:
        return False
    return True
