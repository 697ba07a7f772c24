"""A graph of entities and relations, each a document of the store, so that recall finds it."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import count
from typing import Any

from engraphy.errors import ConflictError
from engraphy.memory import Memory
from engraphy.model.documents import Document
from engraphy.operations.shape import SCOPE, Values
from engraphy.record import Record

SHELF = "graph"
_ATTEMPTS = 8
_LONGEST = 50_000
"""So many characters of an entity's observations are searched; all of them are kept."""
GRAPH_WALLS = tuple(one for one in SCOPE if one.name != "session")
ENTITY, RELATION = "entity", "relation"


class Item(Record, frozen=True, kw_only=True):
    """An entity or a relation as it is held: `place` is its place in the order of all."""

    key: str
    place: int
    data: dict[str, Any]
    version: int = 0


class Graph(Record, frozen=True, kw_only=True):
    """All of it, in the order in which it was told."""

    entities: list[Item]
    relations: list[Item]

    @property
    def end(self) -> int:
        """The place behind everything."""
        return max((one.place for one in (*self.entities, *self.relations)), default=0)

    def told(self, entities: Iterable[Item], relations: Iterable[Item]) -> dict[str, Any]:
        """A part of it as the server tells it."""
        return {
            "entities": [one.data for one in entities],
            "relations": [one.data for one in relations],
        }

    def around(self, entities: Sequence[Item]) -> dict[str, Any]:
        """Entities, and the relations that begin or end at one of them."""
        names = {one.data["name"] for one in entities}
        ends = (one for one in self.relations if {one.data["from"], one.data["to"]} & names)
        return self.told(entities, ends)


Change = Callable[[Graph], tuple[list[Item], list[Item], Any]]
"""From what is held: what is put, what is taken out, and the answer."""


def graph_of(memory: Memory, values: Values) -> Graph:
    """The graph of exactly these walls."""
    items: dict[str, list[Item]] = {ENTITY: [], RELATION: []}
    for one in memory.documents(SHELF, **scope_of(values)):
        data = one.data
        if not isinstance(data, dict) or data.get("type") not in items:
            continue
        told = {name: part for name, part in data.items() if name not in ("type", "place")}
        item = Item(key=one.key, place=data["place"], data=told, version=one.version)
        items[data["type"]].append(item)
    in_order = {kind: sorted(found, key=_order) for kind, found in items.items()}
    return Graph(entities=in_order[ENTITY], relations=in_order[RELATION])


def _order(one: Item) -> tuple[int, str]:
    return one.place, one.key


def scope_of(values: Values) -> dict[str, Any]:
    """The walls among the arguments of a call."""
    return {one.name: values.get(one.name) for one in GRAPH_WALLS}


def changed(memory: Memory, values: Values, change: Change) -> Any:
    """One change, all or nothing, also where another process changes the graph meanwhile."""
    for attempt in range(_ATTEMPTS):
        put, gone, answer = change(graph_of(memory, values))
        try:
            memory.put_documents(
                SHELF,
                [
                    *(_document(one) for one in put),
                    *(Document(key=one.key, removed=True, expected=one.version) for one in gone),
                ],
                **scope_of(values),
            )
        except ConflictError:
            if attempt + 1 == _ATTEMPTS:
                raise
            continue
        return answer
    raise AssertionError  # pragma: no cover - the last attempt returns or raises


def _document(one: Item) -> Document:
    data = one.data
    if "name" in data:
        kind, heading = ENTITY, f"{data['name']} ({data['entityType']})"
        text = "\n".join(data["observations"])[:_LONGEST]
    else:
        kind, heading = RELATION, ""
        text = f"{data['from']} {data['relationType']} {data['to']}"
    kept = {"type": kind, "place": one.place, **data}
    return Document(key=one.key, text=text, heading=heading, data=kept, expected=one.version)


def new(graph: Graph, held: Sequence[Item], wanted: Iterable[dict[str, Any]]) -> list[Item]:
    """What is not held yet, in the order it was told; what is told twice in one call is twice."""
    known = {base_of(one.data) for one in held}
    places = count(graph.end + 1)
    seen: dict[str, int] = {}
    made = []
    for data in wanted:
        base = base_of(data)
        if base in known:
            continue
        seen[base] = seen.get(base, 0) + 1
        key = base if seen[base] == 1 else f"{base}-{seen[base]}"
        made.append(Item(key=key, place=next(places), data=data))
    return made


def base_of(data: Mapping[str, Any]) -> str:
    """The key of what the server takes for the same: an entity by its name, a relation whole."""
    if "name" in data:
        return f"{ENTITY}-{sha256(data['name'].encode()).hexdigest()[:32]}"
    ends = json.dumps([data["from"], data["to"], data["relationType"]])
    return f"{RELATION}-{sha256(ends.encode()).hexdigest()[:32]}"
