"""mem0's entities: the users, agents, apps and runs that memories stand behind."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from starlette.routing import BaseRoute

from engraphy.compat.mem0.asking import MOST, Place, count, place
from engraphy.compat.mem0.names import TYPES, WALLS
from engraphy.compat.mem0.telling import entity_cleared
from engraphy.model.granting import TokenRole
from engraphy.serving.caller import Caller
from engraphy.text.moments import iso

_ROUTE = Callable[..., BaseRoute]


@dataclass(frozen=True, slots=True)
class Entity:
    """One of them: how many current memories it has, and when the first and the last of them came
    or changed (microseconds UTC)."""

    kind: str
    name: str
    memories: int
    first: int
    last: int

    def with_more(self, other: "Entity") -> "Entity":
        """The same entity behind more walls."""
        return replace(
            self,
            memories=self.memories + other.memories,
            first=min(self.first, other.first),
            last=max(self.last, other.last),
        )


def routes(told: _ROUTE) -> list[BaseRoute]:
    """The paths about entities, in the form that `told` gives them."""
    return [
        told("/v1/entities/", _listed),
        told("/v1/entities/{type}/{name:path}/", _cleared, "DELETE", TokenRole.WRITE),
        told("/v2/entities/{type}/{name:path}/", _cleared, "DELETE", TokenRole.WRITE),
    ]


def _listed(caller: Caller, given: Mapping[str, Any]) -> Any:
    found = sorted(known(caller).values(), key=lambda one: (one.kind, one.name))
    page = count(given, "page", 1, most=1_000_000)
    size = count(given, "page_size", max(1, len(found)), most=1_000_000)
    start = (page - 1) * size
    return {
        "count": len(found),
        "next": f"/v1/entities/?page={page + 1}" if start + size < len(found) else None,
        "previous": f"/v1/entities/?page={page - 1}" if page > 1 else None,
        "results": [_shown(one) for one in found[start : start + size]],
    }


def known(caller: Caller) -> dict[tuple[str, str], Entity]:
    """Every entity that has a current memory the caller may see."""
    found: dict[tuple[str, str], Entity] = {}
    for scope in caller.memory.walls(**caller.walls):
        here = place(caller, scope)
        walls = {name: getattr(scope, wall) for name, wall in WALLS.items()}
        for one in (*_behind(caller, here, walls), *_runs(caller, here)):
            held = found.get((one.kind, one.name))
            found[one.kind, one.name] = one if held is None else held.with_more(one)
    return found


def _behind(caller: Caller, here: Place, walls: Mapping[str, str | None]) -> Iterator[Entity]:
    memory = caller.memory
    if not (first := memory.list(order="oldest", limit=1, **here)):
        return
    last = memory.list(order="updated", limit=1, **here)
    held, ended = memory.count(**here), max(one.updated_at for one in (*first, *last))
    for kind, field in TYPES.items():
        if (name := walls.get(field)) is not None:
            yield Entity(kind, name, held, first[0].recorded_at, ended)


def _runs(caller: Caller, here: Place) -> Iterator[Entity]:
    for one in caller.memory.sessions(limit=MOST, **here):
        yield Entity("run", one.session, one.memories, one.first_at, one.last_at)


def _cleared(caller: Caller, given: Mapping[str, Any]) -> Any:
    entity_cleared(caller, given["type"], given["name"])
    return {"message": "Entity deleted successfully!"}


def _shown(one: Entity) -> dict[str, Any]:
    return {
        "id": f"{one.kind}:{one.name}",
        "name": one.name,
        "type": one.kind,
        "total_memories": one.memories,
        "metadata": None,
        "owner": "",
        "organization": "",
        "created_at": iso(one.first),
        "updated_at": iso(one.last),
    }
