"""What a client of mem0 tells, changes and takes out."""

from collections.abc import Mapping
from typing import Any

from engraphy.compat.mem0.asking import MOST, Place, place, places, single
from engraphy.compat.mem0.filters import moment, parsed
from engraphy.compat.mem0.names import ANY, ENTITIES, RUN, TYPES, WALLS, named
from engraphy.compat.mem0.showing import beside, packed, result, row
from engraphy.compat.refusing import UnsupportedError
from engraphy.errors import InvalidInputError, NotFoundError
from engraphy.model import Job, Memory, Outcome
from engraphy.model.granting import TokenRole
from engraphy.serving.caller import Caller

_ROLES = {"assistant": "agent", "tool": "tool"}
"""The origin of what is kept as it was said, by who said it; else the user's."""


def kept(caller: Caller, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Keep each message as it is (`infer` false)."""
    where, at = _where(caller, given), _at(given)
    fields: dict[str, Any] = _metadata(given)
    if (day := given.get("expiration_date")) is not None:
        fields["valid_until"] = moment("expiration_date", day)
    told = [one for one in _messages(given) if one["role"] != "system" and one["content"].strip()]
    if not told:
        raise InvalidInputError(field="messages", got="no text", allowed="messages with a text")
    outcomes = []
    for one in told:
        origin = _ROLES.get(one["role"])
        more = {"origin": origin} if origin else {}
        speaker = {"speaker": one["name"]} if "name" in one else {}
        outcomes.append(
            caller.memory.remember(one["content"], at=at, **where, **fields, **more, **speaker)
        )
    return _results(outcomes)


def inferred(caller: Caller, given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Read out of a conversation what is worth keeping, at once."""
    messages = _conversation(given)
    return _results(caller.memory.observe(messages, at=_at(given), **_where(caller, given)))


def queued(caller: Caller, given: Mapping[str, Any]) -> Job:
    """The same in the background; it stands in the store when this returns."""
    messages = _conversation(given)
    return caller.memory.enqueue(messages, at=_at(given), **_where(caller, given))


def is_inferred(given: Mapping[str, Any]) -> bool:
    """Whether something is to be read out of the messages. Raises InvalidInputError."""
    infer = given.get("infer")
    if infer is not None and not isinstance(infer, bool):
        raise InvalidInputError(field="infer", got=repr(infer)[:60], allowed="true or false")
    return infer is not False


def changed(caller: Caller, told: str, given: Mapping[str, Any]) -> dict[str, Any]:
    """Change a memory's text, metadata, moment or end."""
    memory, here = single(caller, told)
    fields: dict[str, Any] = {}
    if (metadata := given.get("metadata")) is not None:
        fields["metadata"] = beside(memory, metadata)
    if (at := given.get("timestamp")) is not None:
        fields["valid_from"] = moment("timestamp", at)
    if "expiration_date" in given:
        day = given["expiration_date"]
        fields["valid_until"] = None if day is None else moment("expiration_date", day)
    text = next((given[name] for name in ("text", "memory", "data") if given.get(name)), None)
    if text is None and not fields:
        allowed = "text, metadata, timestamp or expiration_date"
        raise InvalidInputError(field="body", got="nothing to change", allowed=allowed)
    new = row(caller.memory.update(memory.id, text, **fields, **here))
    return {**new, "text": new["memory"]}


def all_changed(caller: Caller, given: Mapping[str, Any]) -> int:
    """Change several memories: all are looked up before the first is changed."""
    chosen = [(_known(one), one) for one in _chosen(given)]
    for told, _ in chosen:
        single(caller, told)
    for told, one in chosen:
        changed(caller, told, {k: v for k, v in one.items() if k != "memory_id"})
    return len(chosen)


def all_removed(caller: Caller, given: Mapping[str, Any]) -> int:
    """Erase several memories: all are looked up before the first goes."""
    rows = [single(caller, _known(one)) for one in _chosen(given)]
    once = {memory.id: (memory, here) for memory, here in rows}
    for memory, here in once.values():
        caller.memory.delete(memory.id, **here)
    return len(once)


def removed(caller: Caller, told: str, *, linked: bool) -> None:
    """Erase a memory, and where wanted the earlier ones that it took the place of."""
    memory, here = single(caller, told)
    going = [(memory, here), *(_earlier(caller, memory) if linked else ())]
    for one, stands in going:
        caller.memory.delete(one.id, **stands)


def cleared(caller: Caller, given: Mapping[str, Any]) -> int:
    """Erase everything of the named entities, in every state; what is immutable stays. Raises
    ForbiddenError where it is of anybody's and the caller looks after nothing."""
    told = named(given)
    if not told:
        allowed = f"at least one of {', '.join(ENTITIES)}"
        raise InvalidInputError(field="filters", got="no entity", allowed=allowed)
    if all(value == ANY for value in told.values()) and not caller.walls:
        caller.demand(TokenRole.ADMIN)
    tree = parsed(told)
    gone = 0
    for here in places(caller, tree):
        # A run that may have any name has one.
        if told.get(RUN) == ANY:
            gone += _cleared_runs(caller, here)
        else:
            gone += caller.memory.forget_all(**here).erased
    return gone


def entity_cleared(caller: Caller, kind: str, name: str) -> int:
    """Erase an entity with all its memories; one that has none is no error, so that a client may
    go through a list of them. Raises ForbiddenError where the caller neither looks after the tenant
    nor is bound to that very entity."""
    if kind not in TYPES:
        raise InvalidInputError(field="type", got=repr(kind)[:60], allowed=", ".join(TYPES))
    field = TYPES[kind]
    wall = WALLS.get(field)
    if wall is None or caller.walls.get(wall) != name:
        caller.demand(TokenRole.ADMIN)
    gone = cleared(caller, {field: name})
    if wall == "user" and name != ANY and not caller.walls:
        caller.memory.forget_user(name, confirm=True)
    return gone


def reset(caller: Caller) -> int:
    """Erase every memory that the caller may see, whosever it is; what is immutable stays."""
    scopes = caller.memory.walls(**caller.walls)
    return sum(caller.memory.forget_all(**place(caller, scope)).erased for scope in scopes)


def _cleared_runs(caller: Caller, here: Place) -> int:
    rows = caller.memory.list(limit=MOST, include=(), **here)
    sessions = {one.scope.session for one in rows} - {None}
    return sum(
        caller.memory.forget_all(**{**here, "session": one}).erased
        for one in sorted(sessions, key=str)
    )


def _earlier(caller: Caller, memory: Memory) -> list[tuple[Memory, Place]]:
    found: list[tuple[Memory, Place]] = []
    while memory.supersedes is not None and len(found) < MOST:
        try:
            memory, here = single(caller, memory.supersedes)
        except NotFoundError:
            break
        found.append((memory, here))
    return found


def _where(caller: Caller, given: Mapping[str, Any]) -> dict[str, Any]:
    """Where something is written. Raises InvalidInputError, ForbiddenError."""
    filters = given.get("filters")
    told = {**(named(filters) if isinstance(filters, Mapping) else {}), **named(given)}
    if not told and not caller.walls:
        allowed = f"at least one of {', '.join(ENTITIES)}"
        raise InvalidInputError(field="entity", got="none", allowed=allowed)
    walls = caller.within({wall: told.get(name) for name, wall in WALLS.items()})
    return {**walls, "session": told.get(RUN)}


def _at(given: Mapping[str, Any]) -> int | None:
    at = given.get("timestamp")
    return None if at is None else moment("timestamp", at)


def _conversation(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    if given.get("expiration_date") is not None:
        raise UnsupportedError(what="expiration_date together with infer")
    more = _metadata(given)
    return [{**one, **more} for one in _messages(given)]


def _metadata(given: Mapping[str, Any]) -> dict[str, Any]:
    """A client's metadata as a field of what is told; none where nothing is said, so that what is
    told once more keeps the metadata it has."""
    metadata = given.get("metadata")
    return {} if metadata is None or metadata == {} else {"metadata": packed(metadata)}


def _messages(given: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The messages, each with a role and a text. Raises InvalidInputError."""
    told = given.get("messages")
    told = [told] if isinstance(told, str | Mapping) else told
    if not isinstance(told, list) or not told:
        allowed = "a list of messages with role and content"
        raise InvalidInputError(field="messages", got=repr(told)[:60], allowed=allowed)
    return [_message(one, f"messages[{place}]") for place, one in enumerate(told)]


def _message(told: Any, field: str) -> dict[str, Any]:
    if isinstance(told, str):
        return {"role": "user", "content": told}
    role = told.get("role", "user") if isinstance(told, Mapping) else None
    if not isinstance(told, Mapping) or not isinstance(role, str):
        raise InvalidInputError(field=field, got=repr(told)[:60], allowed="role and content")
    made = {"role": role, "content": _text(told.get("content"), field)}
    name = told.get("name")
    return {**made, "name": name} if isinstance(name, str) and name else made


def _text(content: Any, field: str) -> str:
    """A text, or the texts among the parts of a message."""
    if content is None or isinstance(content, str):
        return content or ""
    parts = [content] if isinstance(content, Mapping) else content
    if not isinstance(parts, list):
        raise InvalidInputError(field=field, got=type(content).__name__, allowed="a text")
    texts = [one.get("text") if isinstance(one, Mapping) else one for one in parts]
    return "\n".join(one for one in texts if isinstance(one, str))


def _chosen(given: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    told = given.get("memories")
    legal = isinstance(told, list) and all(isinstance(one, Mapping) for one in told)
    if not isinstance(told, list) or not legal or not 1 <= len(told) <= MOST:
        allowed = f"1 to {MOST:,} objects with memory_id"
        raise InvalidInputError(field="memories", got=repr(told)[:60], allowed=allowed)
    return told


def _known(one: Mapping[str, Any]) -> str:
    told = one.get("memory_id")
    if not isinstance(told, str) or not told:
        raise InvalidInputError(field="memory_id", got=repr(told)[:60], allowed="a memory's id")
    return told


def _results(outcomes: list[Outcome]) -> list[dict[str, Any]]:
    return [told for one in outcomes if (told := result(one)) is not None]
