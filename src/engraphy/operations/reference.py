"""The operations of the official memory server: a graph of entities, observations and relations.

They give what that server (npm `@modelcontextprotocol/server-memory` 2026.8.31) gives, in its
order. Every entity and every relation is a document of the store, so that recall finds it.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from itertools import count
from typing import Any

from engraphy.errors import ConflictError, NotFoundError
from engraphy.memory import Memory
from engraphy.model.documents import Document
from engraphy.operations.shape import Argument, Operation, SCOPE, Values
from engraphy.text.fence import strip_injected
from engraphy.write.intake import storable

SHELF = "graph"
_ATTEMPTS = 8
_LONGEST = 50_000
"""So many characters of an entity's observations are searched; all of them are kept."""
_WALLS = tuple(one for one in SCOPE if one.name != "session")
_ENTITY, _RELATION = "entity", "relation"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    """An entity or a relation as it is held: `place` is its place in the order of all."""

    key: str
    place: int
    data: dict[str, Any]
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Graph:
    entities: list[_Item]
    relations: list[_Item]

    @property
    def end(self) -> int:
        """The place behind everything."""
        return max((one.place for one in (*self.entities, *self.relations)), default=0)

    def told(self, entities: Iterable[_Item], relations: Iterable[_Item]) -> dict[str, Any]:
        """A part of it as the server tells it."""
        return {
            "entities": [one.data for one in entities],
            "relations": [one.data for one in relations],
        }

    def around(self, entities: Sequence[_Item]) -> dict[str, Any]:
        """Entities, and the relations that begin or end at one of them."""
        names = {one.data["name"] for one in entities}
        ends = (one for one in self.relations if {one.data["from"], one.data["to"]} & names)
        return self.told(entities, ends)


_Change = Callable[[_Graph], tuple[list[_Item], list[_Item], Any]]
"""From what is held: what is put, what is taken out, and the answer."""


def _held(memory: Memory, values: Values) -> _Graph:
    items: dict[str, list[_Item]] = {_ENTITY: [], _RELATION: []}
    for one in memory.documents(SHELF, **_scope(values)):
        data = one.data
        if not isinstance(data, dict) or data.get("type") not in items:
            continue
        told = {name: part for name, part in data.items() if name not in ("type", "place")}
        item = _Item(key=one.key, place=data["place"], data=told, version=one.version)
        items[data["type"]].append(item)
    in_order = {kind: sorted(found, key=_order) for kind, found in items.items()}
    return _Graph(entities=in_order[_ENTITY], relations=in_order[_RELATION])


def _order(one: _Item) -> tuple[int, str]:
    return one.place, one.key


def _scope(values: Values) -> dict[str, Any]:
    return {one.name: values.get(one.name) for one in _WALLS}


def _changed(memory: Memory, values: Values, change: _Change) -> Any:
    """One change, all or nothing, also where another process changes the graph meanwhile."""
    for attempt in range(_ATTEMPTS):
        put, gone, answer = change(_held(memory, values))
        try:
            memory.put_documents(
                SHELF,
                [
                    *(_document(one) for one in put),
                    *(Document(key=one.key, removed=True, expected=one.version) for one in gone),
                ],
                **_scope(values),
            )
        except ConflictError:
            if attempt + 1 == _ATTEMPTS:
                raise
            continue
        return answer
    raise AssertionError  # pragma: no cover - the last attempt returns or raises


def _document(one: _Item) -> Document:
    data = one.data
    if "name" in data:
        kind, heading = _ENTITY, f"{data['name']} ({data['entityType']})"
        text = "\n".join(data["observations"])[:_LONGEST]
    else:
        kind, heading = _RELATION, ""
        text = f"{data['from']} {data['relationType']} {data['to']}"
    kept = {"type": kind, "place": one.place, **data}
    return Document(key=one.key, text=text, heading=heading, data=kept, expected=one.version)


def _new(graph: _Graph, held: Sequence[_Item], wanted: Iterable[dict[str, Any]]) -> list[_Item]:
    """What is not held yet, in the order it was told; what is told twice in one call is twice."""
    known = {_base(one.data) for one in held}
    places = count(graph.end + 1)
    seen: dict[str, int] = {}
    made = []
    for data in wanted:
        base = _base(data)
        if base in known:
            continue
        seen[base] = seen.get(base, 0) + 1
        key = base if seen[base] == 1 else f"{base}-{seen[base]}"
        made.append(_Item(key=key, place=next(places), data=data))
    return made


def _base(data: Mapping[str, Any]) -> str:
    """The key of what the server takes for the same: an entity by its name, a relation whole."""
    if "name" in data:
        return f"{_ENTITY}-{sha256(data['name'].encode()).hexdigest()[:32]}"
    ends = json.dumps([data["from"], data["to"], data["relationType"]])
    return f"{_RELATION}-{sha256(ends.encode()).hexdigest()[:32]}"


def _parts(values: Values, name: str, *keys: str) -> list[dict[str, Any]]:
    """The objects of an argument, of each only these keys, as they may be stored."""
    return [{key: _fit(one[key]) for key in keys} for one in values[name]]


def _fit(value: str | Sequence[str]) -> str | list[str]:
    """Texts as a document keeps them (R-10, P-14), so that what is held is found to be the same."""
    if isinstance(value, str):
        return storable(strip_injected(value))
    return [storable(strip_injected(one)) for one in value]


def _texts(values: Values, name: str) -> set[str]:
    return {storable(strip_injected(one)) for one in values[name]}


def _create_entities(memory: Memory, values: Values) -> Any:
    wanted = _parts(values, "entities", "name", "entityType", "observations")

    def change(graph: _Graph) -> tuple[list[_Item], list[_Item], Any]:
        made = _new(graph, graph.entities, wanted)
        return made, [], {"entities": [one.data for one in made]}

    return _changed(memory, values, change)


def _create_relations(memory: Memory, values: Values) -> Any:
    wanted = _parts(values, "relations", "from", "to", "relationType")

    def change(graph: _Graph) -> tuple[list[_Item], list[_Item], Any]:
        made = _new(graph, graph.relations, wanted)
        return made, [], {"relations": [one.data for one in made]}

    return _changed(memory, values, change)


def _add_observations(memory: Memory, values: Values) -> Any:
    wanted = _parts(values, "observations", "entityName", "contents")

    def change(graph: _Graph) -> tuple[list[_Item], list[_Item], Any]:
        first: dict[str, _Item] = {}
        for one in graph.entities:
            first.setdefault(one.data["name"], one)
        put: dict[str, _Item] = {}
        told = []
        for each in wanted:
            name = each["entityName"]
            if name not in first:
                raise NotFoundError(f"Entity with name {name} not found", id=name)
            item = put.get(name, first[name])
            held = item.data["observations"]
            added = [one for one in each["contents"] if one not in held]
            if added:
                put[name] = replace(item, data={**item.data, "observations": [*held, *added]})
            told.append({"entityName": name, "addedObservations": added})
        return list(put.values()), [], {"results": told}

    return _changed(memory, values, change)


def _delete_entities(memory: Memory, values: Values) -> Any:
    names = _texts(values, "entityNames")

    def change(graph: _Graph) -> tuple[list[_Item], list[_Item], Any]:
        gone = [one for one in graph.entities if one.data["name"] in names]
        ends = [one for one in graph.relations if {one.data["from"], one.data["to"]} & names]
        return [], [*gone, *ends], _done("Entities")

    return _changed(memory, values, change)


def _delete_observations(memory: Memory, values: Values) -> Any:
    wanted = _parts(values, "deletions", "entityName", "observations")

    def change(graph: _Graph) -> tuple[list[_Item], list[_Item], Any]:
        first: dict[str, _Item] = {}
        for one in graph.entities:
            first.setdefault(one.data["name"], one)
        put: dict[str, _Item] = {}
        for each in wanted:
            name = each["entityName"]
            if name not in first:
                continue
            item = put.get(name, first[name])
            held = item.data["observations"]
            left = [one for one in held if one not in each["observations"]]
            if left != held:
                put[name] = replace(item, data={**item.data, "observations": left})
        return list(put.values()), [], _done("Observations")

    return _changed(memory, values, change)


def _delete_relations(memory: Memory, values: Values) -> Any:
    bases = {_base(one) for one in _parts(values, "relations", "from", "to", "relationType")}

    def change(graph: _Graph) -> tuple[list[_Item], list[_Item], Any]:
        gone = [one for one in graph.relations if _base(one.data) in bases]
        return [], gone, _done("Relations")

    return _changed(memory, values, change)


def _done(what: str) -> dict[str, Any]:
    return {"success": True, "message": f"{what} deleted successfully"}


def _read_graph(memory: Memory, values: Values) -> Any:
    graph = _held(memory, values)
    return graph.told(graph.entities, graph.relations)


def _search_nodes(memory: Memory, values: Values) -> Any:
    graph, wanted = _held(memory, values), values["query"].lower()
    return graph.around([one for one in graph.entities if _tells(one.data, wanted)])


def _tells(data: Mapping[str, Any], wanted: str) -> bool:
    texts = (data["name"], data["entityType"], *data["observations"])
    return any(wanted in one.lower() for one in texts)


def _open_nodes(memory: Memory, values: Values) -> Any:
    graph, names = _held(memory, values), _texts(values, "names")
    return graph.around([one for one in graph.entities if one.data["name"] in names])


def _part(name: str, help: str, type: Any = "text") -> Argument:
    return Argument(name=name, help=help, type=type, required=True)


def _objects(name: str, *parts: Argument) -> Argument:
    return Argument(name=name, help=name, type="objects", required=True, parts=parts)


def _operation(name: str, run: Callable[[Memory, Values], Any], *arguments: Argument) -> Operation:
    reads = run in (_read_graph, _search_nodes, _open_nodes)
    return Operation(name=name, help=name, arguments=(*arguments, *_WALLS), run=run, reads=reads)


_RELATIONS = _objects(
    "relations",
    _part("from", "The name of the entity where the relation starts"),
    _part("to", "The name of the entity where the relation ends"),
    _part("relationType", "The type of the relation"),
)
_ENTITIES = _objects(
    "entities",
    _part("name", "The name of the entity"),
    _part("entityType", "The type of the entity"),
    _part("observations", "An array of observation contents associated with the entity", "texts"),
)
_ADDED = _objects(
    "observations",
    _part("entityName", "The name of the entity to add the observations to"),
    _part("contents", "An array of observation contents to add", "texts"),
)
_DELETED = _objects(
    "deletions",
    _part("entityName", "The name of the entity containing the observations"),
    _part("observations", "An array of observations to delete", "texts"),
)
REFERENCE: tuple[Operation, ...] = (
    _operation("create_entities", _create_entities, _ENTITIES),
    _operation("create_relations", _create_relations, _RELATIONS),
    _operation("add_observations", _add_observations, _ADDED),
    _operation("delete_entities", _delete_entities, _part("entityNames", "names", "texts")),
    _operation("delete_observations", _delete_observations, _DELETED),
    _operation("delete_relations", _delete_relations, _RELATIONS),
    _operation("read_graph", _read_graph),
    _operation("search_nodes", _search_nodes, _part("query", "the words")),
    _operation("open_nodes", _open_nodes, _part("names", "names", "texts")),
)
