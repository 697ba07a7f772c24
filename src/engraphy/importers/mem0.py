"""mem0: what its platform lists and exports, `Memory.get_all()`, and the history of changes."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

from engraphy.errors import EngraphyError
from engraphy.importers.notes import Notes
from engraphy.importers.reading import (
    LARGEST_FILE,
    document,
    files,
    items,
    mapping,
    moment,
    name_of,
    records,
    text,
    undated,
)
from engraphy.importers.source import Source, unknown
from engraphy.model.importing import Item

NAME = "mem0"
EXPECTS = (
    'JSON with a list, or {"results": [...]}, of {"id", "memory", ...}; or of history entries '
    '{"memory_id", "old_memory", "new_memory", "event"}'
)
_LISTS = ("results", "memories", "items", "data")
_WORDS = ("memory", "text", "content", "data")
_DATES = ("created_at", "expiration_date")
_LONG, _LONGEST = 2_000, 200
_MOST = 64
_LOOKED_AT = 50
_WALLS = {
    "user": ("user_id",),
    "agent": ("agent_id",),
    "project": ("app_id",),
    "session": ("run_id", "session_id"),
}
_SAYS, _SPEAKERS = ("role", "type"), {"user", "assistant", "gemini", "human", "system", "tool"}
_WHOSE = "an owner that is no name"


class Walls(TypedDict):
    """Behind which walls something stands."""

    user: str | None
    agent: str | None
    project: str | None
    session: str | None


class Owner(NamedTuple):
    """Whose something is."""

    user: str | None = None
    agent: str | None = None
    project: str | None = None
    session: str | None = None

    def walls(self) -> Walls:
        """As an item names them."""
        return Walls(user=self.user, agent=self.agent, project=self.project, session=self.session)


def fits(path: Path) -> bool:
    """Whether its first entry is a memory, or a change of one; of a folder, that of any file."""
    if path.is_dir():
        return any(one.is_file() and fits(one) for one in sorted(path.glob("*.json*"))[:_LOOKED_AT])
    if not _named(path) or not path.is_file() or path.stat().st_size > LARGEST_FILE:
        return False
    try:
        entry = mapping(next(iter(_entries_of(path, Notes())), None))
    except EngraphyError:
        return False
    return "memory_id" in entry or ("id" in entry and "memory" in entry)


def read(path: Path, notes: Notes) -> Iterator[Item]:
    """What is kept now, and what has expired, as over; what was replaced or deleted is left out."""
    for file in files(path, _named, notes):
        owners = set[Owner]()
        for item in _entries(_entries_of(file, notes), file, notes):
            owners.add(Owner(user=item.user, agent=item.agent, project=item.project))
            yield item
        if file.suffix == ".json":
            yield from _relations(mapping(document(file)).get("relations"), owners, notes)


def _entries_of(file: Path, notes: Notes) -> list[Any]:
    if file.suffix == ".jsonl":
        return [one for _, one in records(file, notes)]
    found = _listed(document(file))
    if found is None:
        raise unknown(file, "which has no list of memories", EXPECTS)
    return found


def _named(path: Path) -> bool:
    return path.suffix in (".json", ".jsonl")


def _listed(whole: object) -> list[Any] | None:
    if isinstance(whole, list):
        return whole
    return next(
        (found for name in _LISTS if isinstance(found := mapping(whole).get(name), list)), None
    )


def _entries(entries: list[Any], file: Path, notes: Notes) -> Iterator[Item]:
    changes: dict[str, list[Mapping[str, Any]]] = {}
    for number, one in enumerate(entries, 1):
        if not isinstance(one, dict):
            notes.wrong(file, number, "it is no JSON object")
        elif "memory_id" in one and "event" in one:
            changes.setdefault(str(one["memory_id"]), []).append(one)
        else:
            for name in _DATES:
                if one.get(name) and moment(one[name]) is None:
                    notes.wrong(file, number, undated(name, one[name]))
            yield from _memory(one, notes)
    for own, told in changes.items():
        yield from _last(own, told, notes)


def _memory(entry: Mapping[str, Any], notes: Notes) -> Iterator[Item]:
    told = next((text(entry[name]) for name in _WORDS if text(entry.get(name)).strip()), "")
    if not told.strip():
        notes.skip("no text")
    elif "memory" not in entry and _SPEAKERS & {text(entry.get(name)) for name in _SAYS}:
        notes.skip("a message of a conversation")
    elif entry.get("replaced_by"):
        notes.skip("replaced")
    elif (whose := _owner(entry)) is None:
        notes.skip(_WHOSE)
    else:
        at = moment(entry.get("created_at")) or moment(entry.get("updated_at"))
        until = moment(entry.get("expiration_date"))
        ends = {} if until is None else {"valid_until": until}
        yield Item(
            id=name_of(entry.get("id") or "", told),
            content=told,
            at=at,
            name=text(entry.get("actor_id")) or None,
            **whose.walls(),
            fields={
                "tags": [str(one)[:_LONGEST] for one in items(entry.get("categories"))][:_MOST],
                "metadata": dict(_pairs(mapping(entry.get("metadata")), notes)),
                **ends,
            },
        )


def _last(id: str, told: list[Mapping[str, Any]], notes: Notes) -> Iterator[Item]:
    """A memory as its history leaves it, kept since it was added first."""
    ordered = sorted(told, key=_when)
    last = ordered[-1]
    for _ in ordered[:-1]:
        notes.skip("replaced")
    if text(last.get("event")).upper() == "DELETE" or last.get("is_deleted"):
        notes.skip("deleted")
    elif not (words := text(last.get("new_memory")).strip()):
        notes.skip("no text")
    elif (whose := _owner(last)) is None:
        notes.skip(_WHOSE)
    else:
        yield Item(id=name_of(id, words), content=words, at=_when(last)[0] or None, **whose.walls())


def _when(change: Mapping[str, Any]) -> tuple[int, int]:
    updated, created = moment(change.get("updated_at")), moment(change.get("created_at"))
    return updated or created or 0, created or 0


def _relations(found: object, owners: set[Owner], notes: Notes) -> Iterator[Item]:
    """Links of the graph, as sentences of their own. They name nobody: they are whose the memories
    beside them are, all of them."""
    for one in map(mapping, items(found)):
        ends = [str(one.get(key) or "") for key in ("source", "relationship", "target")]
        ends[2] = ends[2] or str(one.get("destination") or "")
        if not all(ends):
            notes.skip("no text")
            continue
        if len(owners) > 1:
            notes.skip("a relation in a file of several users")
            continue
        told = " ".join(end.replace("_", " ") for end in ends)
        yield Item(
            id=name_of(*ends),
            content=told,
            fields={"kind": "relationship", "entities": [ends[0][:200], ends[2][:200]]},
            **next(iter(owners), Owner()).walls(),
        )


def _owner(entry: Mapping[str, Any]) -> Owner | None:
    """Whose a memory is; None where that cannot be read: it would be everybody's."""
    found: dict[str, str] = {}
    for wall, names in _WALLS.items():
        places = (entry, mapping(entry.get("metadata")))
        told = (place.get(name) for name in names for place in places)
        value = next((one for one in told if one is not None and one != ""), "")
        if isinstance(value, bool) or not isinstance(value, (str, int)):
            return None
        found[wall] = str(value)
    return Owner(**{wall: name or None for wall, name in found.items()})


def _pairs(metadata: Mapping[str, Any], notes: Notes) -> Iterator[tuple[str, str]]:
    for number, (key, value) in enumerate(metadata.items(), 1):
        told = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        if len(told) > _LONG or len(key) > _LONGEST or number > _MOST:
            notes.skip("the rest of much metadata")
        if number <= _MOST:
            yield key[:_LONGEST], told[:_LONG]


SOURCE = Source(name=NAME, expects=EXPECTS, fits=fits, items=read)
