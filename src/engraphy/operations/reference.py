"""The operations of the official memory server: a graph of entities, observations and relations.

They give what that server (npm `@modelcontextprotocol/server-memory` 2026.8.31) gives, in its
order; `graph.py` keeps it.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from engraphy.errors import ImportFormatError, NotFoundError, UnreadableFileError
from engraphy.memory import Memory
from engraphy.operations.graph import (
    ENTITY,
    GRAPH_WALLS,
    Graph,
    Item,
    RELATION,
    SHELF,
    base_of,
    changed,
    graph_of,
    new,
    scope_of,
)
from engraphy.operations.shape import Argument, Operation, Values
from engraphy.text.fence import strip_injected
from engraphy.write.intake import storable

_KEYS = {
    ENTITY: ("name", "entityType", "observations"),
    RELATION: ("from", "to", "relationType"),
}


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
    wanted = _parts(values, "entities", *_KEYS[ENTITY])

    def change(graph: Graph) -> tuple[list[Item], list[Item], Any]:
        made = new(graph, graph.entities, wanted)
        return made, [], {"entities": [one.data for one in made]}

    return changed(memory, values, change)


def _create_relations(memory: Memory, values: Values) -> Any:
    wanted = _parts(values, "relations", *_KEYS[RELATION])

    def change(graph: Graph) -> tuple[list[Item], list[Item], Any]:
        made = new(graph, graph.relations, wanted)
        return made, [], {"relations": [one.data for one in made]}

    return changed(memory, values, change)


def _add_observations(memory: Memory, values: Values) -> Any:
    wanted = _parts(values, "observations", "entityName", "contents")

    def change(graph: Graph) -> tuple[list[Item], list[Item], Any]:
        first: dict[str, Item] = {}
        for one in graph.entities:
            first.setdefault(one.data["name"], one)
        put: dict[str, Item] = {}
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

    return changed(memory, values, change)


def _delete_entities(memory: Memory, values: Values) -> Any:
    names = _texts(values, "entityNames")

    def change(graph: Graph) -> tuple[list[Item], list[Item], Any]:
        gone = [one for one in graph.entities if one.data["name"] in names]
        ends = [one for one in graph.relations if {one.data["from"], one.data["to"]} & names]
        return [], [*gone, *ends], _done("Entities")

    return changed(memory, values, change)


def _delete_observations(memory: Memory, values: Values) -> Any:
    wanted = _parts(values, "deletions", "entityName", "observations")

    def change(graph: Graph) -> tuple[list[Item], list[Item], Any]:
        first: dict[str, Item] = {}
        for one in graph.entities:
            first.setdefault(one.data["name"], one)
        put: dict[str, Item] = {}
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

    return changed(memory, values, change)


def _delete_relations(memory: Memory, values: Values) -> Any:
    bases = {base_of(one) for one in _parts(values, "relations", *_KEYS[RELATION])}

    def change(graph: Graph) -> tuple[list[Item], list[Item], Any]:
        gone = [one for one in graph.relations if base_of(one.data) in bases]
        return [], gone, _done("Relations")

    return changed(memory, values, change)


def take_in(memory: Memory, values: Values, file: Path) -> None:
    """Bring the graph of the official server's file in, once: what is held already stays as it is,
    and what is deleted later does not come back. Raises ImportFormatError before anything is
    written, UnreadableFileError."""
    try:
        text = file.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise UnreadableFileError(path=str(file), problem=str(error)) from error
    entities, relations = _read(text, file)
    who = json.dumps([text, *scope_of(values).values()])
    mark = f"{SHELF} {sha256(who.encode()).hexdigest()[:32]}"
    if mark in {one.name for one in memory.snapshots()}:
        return
    _create_entities(memory, {**values, "entities": entities})
    _create_relations(memory, {**values, "relations": relations})
    memory.snapshot(mark)


def _read(text: str, file: Path) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The entities and the relations of a file, a JSON object in each line."""
    found: dict[str, list[dict[str, Any]]] = {ENTITY: [], RELATION: []}
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            keys = _KEYS[told["type"]]
            found[told["type"]].append({key: _own_type(key, told[key]) for key in keys})
        except (ValueError, KeyError, TypeError) as error:
            problem = f"it is no entity or relation ({type(error).__name__}: {error})"
            raise ImportFormatError(line=number, path=str(file), problem=problem) from error
    return found[ENTITY], found[RELATION]


def _own_type(key: str, value: Any) -> Any:
    listed = isinstance(value, list) and all(isinstance(one, str) for one in value)
    if not (listed if key == "observations" else isinstance(value, str)):
        raise TypeError(f"{key} is {type(value).__name__}")
    return value


def _done(what: str) -> dict[str, Any]:
    return {"success": True, "message": f"{what} deleted successfully"}


def _read_graph(memory: Memory, values: Values) -> Any:
    graph = graph_of(memory, values)
    return graph.told(graph.entities, graph.relations)


def _search_nodes(memory: Memory, values: Values) -> Any:
    graph, wanted = graph_of(memory, values), values["query"].lower()
    return graph.around([one for one in graph.entities if _tells(one.data, wanted)])


def _tells(data: Mapping[str, Any], wanted: str) -> bool:
    texts = (data["name"], data["entityType"], *data["observations"])
    return any(wanted in one.lower() for one in texts)


def _open_nodes(memory: Memory, values: Values) -> Any:
    graph, names = graph_of(memory, values), _texts(values, "names")
    return graph.around([one for one in graph.entities if one.data["name"] in names])


def _part(name: str, help: str, type: Any = "text") -> Argument:
    return Argument(name=name, help=help, type=type, required=True)


def _objects(name: str, *parts: Argument) -> Argument:
    return Argument(name=name, help=name, type="objects", required=True, parts=parts)


def _operation(name: str, run: Callable[[Memory, Values], Any], *arguments: Argument) -> Operation:
    reads = run in (_read_graph, _search_nodes, _open_nodes)
    return Operation(
        name=name, help=name, arguments=(*arguments, *GRAPH_WALLS), run=run, reads=reads
    )


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
