"""Export and import as JSON Lines: a round trip gives back every row, identical."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec

from engraphy.engine.embedding import document_vectors
from engraphy.engine.manage import everything
from engraphy.engine.manage import whole as every_state
from engraphy.engine.parts import Engine
from engraphy.errors import ConflictError, ImportFormatError
from engraphy.model import (
    Change,
    Episode,
    Fact,
    FactFilter,
    Insert,
    Memory,
    Procedure,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutVersion,
    Relation,
    Sensitivity,
    Tenant,
    Transfer,
    Version,
    View,
)

FORMAT = "engraphy-export"
FORMAT_VERSION = 1
_BATCH = 200
Row = TypeVar("Row", Memory, Fact)
_TYPES: dict[str, Any] = {
    "memory": Memory,
    "version": Version,
    "relation": Relation,
    "fact": Fact,
    "episode": Episode,
    "procedure": Procedure,
}


def lines(engine: Engine, views: Sequence[View], *, whole: bool) -> Iterator[str]:
    """The export, line by line: a header, memories with what belongs to them, links, facts.

    `views`: one per exported scope; of each only the rows of exactly its walls are written, so
    that nothing appears twice. `whole`: what has expired too, for the operator's copy.
    """
    yield _line({"format": FORMAT, "version": FORMAT_VERSION})
    for view in views:
        yield from _of_scope(engine, every_state(view) if whole else everything(view))


def _of_scope(engine: Engine, view: View) -> Iterator[str]:
    ids: list[str] = []
    for memory in engine.store.dump(view):
        if not _exactly(memory.scope, view):
            continue
        ids.append(memory.id)
        yield _row("memory", memory)
        for version in engine.store.versions(view, memory.id):
            yield _row("version", version)
        if (episode := engine.store.episode(view, memory.id)) is not None:
            yield _row("episode", episode)
        if (procedure := engine.store.procedure(view, memory.id)) is not None:
            yield _row("procedure", procedure)
    yield from _links(engine, view, ids)
    wanted = FactFilter(current=False, limit=1_000_000)
    facts = [f for f in engine.store.facts(view, wanted) if _exactly(f.scope, view)]
    yield from (_row("fact", fact) for fact in sorted(facts, key=lambda fact: fact.id))


def _links(engine: Engine, view: View, ids: Sequence[str]) -> Iterator[str]:
    own = set(ids)
    seen = {
        (r.source_id, r.target_id, r.type.value): r
        for start in range(0, len(ids), _BATCH)
        for r in engine.store.relations(view, ids[start : start + _BATCH])
        if r.source_id in own
    }
    yield from (_row("relation", seen[key]) for key in sorted(seen))


def _exactly(scope: Any, view: View) -> bool:
    return (scope.user, scope.agent, scope.project) == (
        view.scope.user,
        view.scope.agent,
        view.scope.project,
    )


def _row(type: str, value: object) -> str:
    return _line({"record": type, **msgspec.to_builtins(value)})


def type_of(line: str) -> str:
    """The type of an exported line ("" for the header)."""
    return str(json.loads(line).get("record", ""))


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"


@dataclass(slots=True)
class _Counts:
    memories: int = 0
    facts: int = 0
    relations: int = 0
    skipped: int = 0


def load(
    engine: Engine,
    path: str,
    text: Iterable[str],
    view: View,
    progress: Callable[[int], None] | None = None,
) -> Transfer:
    """Bring an export in: ids, times and history as they were; what stands already is skipped.

    The whole file is checked before the first row is written. Raises ImportFormatError.
    """
    rows = list(_checked(path, text))
    counts = _Counts()
    order = ("memory", "version", "episode", "procedure", "relation", "fact")
    for name in order:
        chosen = [value for kind, value in rows if kind == name]
        for start in range(0, len(chosen), _BATCH):
            _bring(engine, name, chosen[start : start + _BATCH], view, counts)
            if progress is not None:
                progress(min(_BATCH, len(chosen) - start))
    return Transfer(
        path=path,
        memories=counts.memories,
        facts=counts.facts,
        relations=counts.relations,
        skipped=counts.skipped,
    )


def _checked(path: str, text: Iterable[str]) -> Iterator[tuple[str, Any]]:
    headed = False
    for number, line in enumerate(text, 1):
        if not line.strip():
            continue
        value = _parsed(path, number, line)
        if not headed:
            _check_header(path, number, value)
            headed = True
            continue
        name = value.pop("record", None)
        if name not in _TYPES:
            problem = f"record is {name!r}; allowed: {', '.join(_TYPES)}"
            raise ImportFormatError(line=number, path=path, problem=problem)
        try:
            yield name, msgspec.convert(value, _TYPES[name], strict=True)
        except msgspec.ValidationError as error:
            raise ImportFormatError(line=number, path=path, problem=str(error)) from error
    if not headed:
        raise ImportFormatError(line=1, path=path, problem="the file is empty")


def _parsed(path: str, number: int, line: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except ValueError as error:
        raise ImportFormatError(line=number, path=path, problem=str(error)) from error
    if not isinstance(value, dict):
        raise ImportFormatError(line=number, path=path, problem="a line must be a JSON object")
    return value


def _check_header(path: str, number: int, value: dict[str, Any]) -> None:
    if value.get("format") != FORMAT:
        problem = f"the first line must be {{'format': '{FORMAT}', ...}}"
        raise ImportFormatError(line=number, path=path, problem=problem)
    if value.get("version") != FORMAT_VERSION:
        problem = f"version {value.get('version')!r}; this engraphy reads {FORMAT_VERSION}"
        raise ImportFormatError(line=number, path=path, problem=problem)


def _bring(engine: Engine, type: str, rows: list[Any], view: View, counts: _Counts) -> None:
    changes = _changes(engine, type, rows, view)
    done = _applied(engine, changes, view)
    counts.skipped += len(rows) - done
    if type == "memory":
        counts.memories += done
    elif type == "fact":
        counts.facts += done
    elif type == "relation":
        counts.relations += done


def _changes(engine: Engine, type: str, rows: list[Any], view: View) -> list[Change]:
    tenant = view.scope.tenant
    if type == "memory":
        fresh = _unknown(engine, [_in_tenant(m, tenant) for m in rows], view)
        vectors = document_vectors(engine, [m.content for m in fresh])
        return [
            Insert(memory=m, vector=v, reason="import", op="import")
            for m, v in zip(fresh, vectors, strict=True)
        ]
    if type == "fact":
        return [PutFact(fact=_in_tenant(f, tenant), reason="import") for f in rows]
    if type == "relation":
        return [PutRelation(relation=r, reason="import") for r in rows]
    if type == "version":
        return [PutVersion(version=v, reason="import") for v in rows]
    if type == "episode":
        return [PutEpisode(episode=e, reason="import") for e in rows]
    return [PutProcedure(procedure=p, reason="import") for p in rows]


def _in_tenant(row: Row, tenant: Tenant) -> Row:
    """Rows come into the tenant of whoever imports, whatever tenant they were exported from."""
    return replace(row, scope=replace(row.scope, tenant=tenant))


def _unknown(engine: Engine, memories: Sequence[Memory], view: View) -> list[Memory]:
    """Those whose id does not stand in the store for anybody of the same walls."""
    fresh: list[Memory] = []
    for memory in memories:
        wide = replace(every_state(view), scope=memory.scope, sensitivities=frozenset(Sensitivity))
        if not engine.store.get(wide, [memory.id]):
            fresh.append(memory)
    return fresh


def _applied(engine: Engine, changes: list[Change], view: View) -> int:
    """Write a batch at once; where something stands already, one by one."""
    tenant, actor = view.scope.tenant, engine.actor
    if not changes:
        return 0
    try:
        engine.store.apply(tenant, changes, now=view.now, actor=actor)
        return len(changes)
    except ConflictError:
        pass
    done = 0
    for change in changes:
        try:
            engine.store.apply(tenant, [change], now=view.now, actor=actor)
            done += 1
        except ConflictError:
            continue
    return done
