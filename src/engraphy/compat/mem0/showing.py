"""A memory as mem0 shows it, and as its filters read it."""

import json
from collections.abc import Callable, Mapping
from typing import Any

from engraphy.compat.mem0.filters import Record
from engraphy.compat.mem0.names import entities, shown
from engraphy.errors import InvalidInputError
from engraphy.model import Hit, Job, Memory, Outcome, State, Version
from engraphy.model.kinds import Action
from engraphy.text.moments import iso
from engraphy.write.documents import fit, put_here

METADATA = "mem0_metadata"
"""The named value under which a client's metadata stands, as JSON."""
_LONGEST = 20_000
_EVENTS = {
    Action.CREATED: "ADD",
    Action.SUPERSEDED: "ADD",
    Action.QUARANTINED: "ADD",
    Action.UPDATED: "UPDATE",
}
_NO_EVENT = "NONE"


def packed(metadata: object) -> dict[str, str]:
    """A client's metadata as it is stored: one named value, without secrets. Raises
    InvalidInputError."""
    if metadata is None:
        return {}
    if not isinstance(metadata, Mapping):
        got = type(metadata).__name__
        raise InvalidInputError(field="metadata", got=got, allowed="an object")
    try:
        told = json.dumps(fit(metadata), ensure_ascii=False, allow_nan=False)
    except ValueError as error:
        got, allowed = "a number without an end", "what JSON can say"
        raise InvalidInputError(field="metadata", got=got, allowed=allowed) from error
    if len(told) > _LONGEST:
        allowed = f"at most {_LONGEST:,} characters of JSON"
        raise InvalidInputError(field="metadata", got=f"{len(told):,}", allowed=allowed)
    return {METADATA: told}


def metadata_of(memory: Memory) -> dict[str, Any]:
    """A client's metadata as it was given; of what no client of mem0 wrote, its named values."""
    pairs = dict(memory.metadata)
    try:
        told = json.loads(pairs[METADATA])
    except (KeyError, ValueError, RecursionError):
        told = None
    if isinstance(told, dict):
        return told
    return {} if put_here(memory) else {k: v for k, v in pairs.items() if k != METADATA}


def beside(memory: Memory, metadata: object) -> dict[str, str]:
    """The named values of a memory with other metadata of a client's."""
    kept = {name: value for name, value in memory.metadata if name != METADATA}
    return {**kept, **packed(metadata)}


def record(memory: Memory) -> Record:
    """A memory as filters read it; times in microseconds UTC."""
    return {
        **entities(memory.scope, memory.scope.session),
        "id": shown(memory.id),
        "memory_ids": shown(memory.id),
        "memory": memory.content,
        "keywords": memory.content,
        "metadata": metadata_of(memory),
        "categories": _categories(memory),
        "created_at": memory.valid_from,
        "timestamp": memory.valid_from,
        "updated_at": memory.updated_at,
        "expiration_date": memory.valid_until,
    }


def row(memory: Memory) -> dict[str, Any]:
    """A memory as mem0 shows it."""
    over = memory.superseded_by is not None and memory.state is not State.ACTIVE
    until = None if over else iso(memory.valid_until)
    return {
        "id": shown(memory.id),
        "memory": memory.content,
        **entities(memory.scope, memory.scope.session),
        "metadata": metadata_of(memory),
        "categories": _categories(memory),
        "immutable": memory.immutable,
        "expiration_date": None if until is None else until[:10],
        "created_at": iso(memory.valid_from),
        "updated_at": iso(memory.updated_at),
    }


def hit(one: Hit) -> dict[str, Any]:
    """A memory that was found, with its score."""
    return {**row(one.memory), "score": one.score, "score_breakdown": dict(one.why)}


def wanted_fields(given: Mapping[str, Any]) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """What leaves of a shown memory the fields that a client wants, its id always. Raises
    InvalidInputError."""
    fields = given.get("fields")
    if fields is None:
        return dict
    if not isinstance(fields, list):
        raise InvalidInputError(field="fields", got=type(fields).__name__, allowed="a list")
    return lambda told: {name: told[name] for name in told if name == "id" or name in fields}


def result(one: Outcome) -> dict[str, Any] | None:
    """What became of a text, as an event; None where nothing is held of it."""
    if one.memory is None:
        return None
    event = _EVENTS.get(one.action, _NO_EVENT)
    told = row(one.memory)
    return {**told, "event": event, "data": {"memory": one.memory.content}}


def event(job: Job, held: Mapping[str, Memory]) -> dict[str, Any]:
    """A job as an event. `held`: the memories that came of it, as far as they are still there."""
    results = [
        {
            "id": shown(made),
            "event": _EVENTS.get(Action(action), _NO_EVENT),
            "data": {"memory": held[made].content},
            "memory": held[made].content,
        }
        for action, made in job.results
        if made in held
    ]
    status = "SUCCEEDED" if job.done else "FAILED" if job.failed else "PENDING"
    return {
        "id": shown(job.id),
        "event_id": shown(job.id),
        "event_type": "ADD",
        "status": "RUNNING" if status == "PENDING" and job.attempts else status,
        "results": results,
        "error": job.why or None,
        "created_at": iso(job.said_at),
        **entities(job.scope, job.scope.session),
    }


def history(memory: Memory, versions: list[Version]) -> list[dict[str, Any]]:
    """The texts of a memory, from the first on, as mem0's changes."""
    texts = [(one.content, one.replaced_at) for one in versions]
    texts.append((memory.content, memory.updated_at))
    entries: list[dict[str, Any]] = []
    before, since = None, memory.valid_from
    for number, (text, until) in enumerate(texts, 1):
        entries.append(
            {
                "id": f"{shown(memory.id)}:{number}",
                "memory_id": shown(memory.id),
                "input": [{"role": "user", "content": text}],
                "old_memory": before,
                "new_memory": text,
                "event": "ADD" if before is None else "UPDATE",
                "metadata": metadata_of(memory),
                "categories": _categories(memory),
                "created_at": iso(memory.valid_from),
                "updated_at": iso(since),
                **entities(memory.scope, memory.scope.session),
            }
        )
        before, since = text, until
    return entries


def _categories(memory: Memory) -> list[str]:
    if put_here(memory):
        return []
    return [one for one in dict.fromkeys((memory.category, *memory.tags)) if one]
