"""The routes of mem0's own server, under `/mem0`: at the root stand pages with the same paths."""

from collections.abc import Mapping
from typing import Any

from starlette.routing import BaseRoute

from engraphy.compat.mem0 import asking, platform, telling
from engraphy.compat.mem0.names import ENTITIES, named
from engraphy.compat.mem0.showing import history, row
from engraphy.compat.refusing import UnsupportedError
from engraphy.errors import InvalidInputError
from engraphy.model.granting import TokenRole
from engraphy.serving.caller import Caller

PREFIX = "/mem0"
_WRITE = TokenRole.WRITE


def routes() -> list[BaseRoute]:
    """Every path of the server, with the prefix before it."""
    told, all_of, one = platform.told, f"{PREFIX}/memories", f"{PREFIX}/memories/{{memory_id}}"
    return [
        told(all_of, _added, "POST", _WRITE),
        told(all_of, _listed),
        told(all_of, _cleared, "DELETE", _WRITE),
        told(one, _single),
        told(one, _changed, "PUT", _WRITE),
        told(one, _removed, "DELETE", _WRITE),
        told(f"{one}/history", _history),
        told(f"{PREFIX}/search", _found, "POST"),
        told(f"{PREFIX}/reset", _reset, "POST", TokenRole.ADMIN),
        told(f"{PREFIX}/configure", _configured, "POST", TokenRole.ADMIN),
    ]


def _added(caller: Caller, given: Mapping[str, Any]) -> Any:
    return {"results": platform.added(caller, given)}


def _listed(caller: Caller, given: Mapping[str, Any]) -> Any:
    _check_named(caller, given)
    most = asking.count(given, "top_k", asking.count(given, "limit", 100))
    _, rows = asking.listed(caller, asking.wanted(given), 0, most)
    return {"results": [row(one) for one in rows]}


def _found(caller: Caller, given: Mapping[str, Any]) -> Any:
    return {"results": platform.search(caller, given)}


def _cleared(caller: Caller, given: Mapping[str, Any]) -> Any:
    _check_named(caller, given)
    telling.cleared(caller, given)
    return {"message": "All relevant memories deleted"}


def _single(caller: Caller, given: Mapping[str, Any]) -> Any:
    return row(asking.single(caller, given["memory_id"], touch=True)[0])


def _changed(caller: Caller, given: dict[str, Any]) -> Any:
    telling.changed(caller, given.pop("memory_id"), given)
    return {"message": "Memory updated successfully!"}


def _removed(caller: Caller, given: Mapping[str, Any]) -> Any:
    telling.removed(caller, given["memory_id"], linked=False)
    return {"message": "Memory deleted successfully"}


def _history(caller: Caller, given: Mapping[str, Any]) -> Any:
    memory, here = asking.single(caller, given["memory_id"])
    return history(memory, caller.memory.history(memory.id, **here))


def _reset(caller: Caller, given: Mapping[str, Any]) -> Any:  # noqa: ARG001 - the shape of `Answer`
    telling.reset(caller)
    return {"message": "All memories reset"}


def _configured(caller: Caller, given: Mapping[str, Any]) -> Any:  # noqa: ARG001 - as above
    raise UnsupportedError(what="configuring by request; start it with other settings")


def _check_named(caller: Caller, given: Mapping[str, Any]) -> None:
    if not named(given) and not caller.walls:
        allowed = f"at least one of {', '.join(ENTITIES)}"
        raise InvalidInputError(field="entity", got="none", allowed=allowed)
