"""Lines of the journal as values: payloads that the writers of changes put together, read again."""

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from engraphy.model.kinds import EpisodeOutcome, RelationType
from engraphy.model.memory import Channels, Memory, Version
from engraphy.model.past import Fields, Past, Removed
from engraphy.model.records import CoActivation, Episode, Fact, JournalEntry, Procedure, Relation
from engraphy.model.scope import Scope, Tenant, WALLS
from engraphy.stores.relational import rows
from engraphy.stores.relational.damage import decoding

Told = dict[str, Any]
_ENDS = ("source_id", "target_id", "type")


class _Line(NamedTuple):
    """A line of the journal, one part of its payload, and what was there before."""

    entry: JournalEntry
    told: Any
    old: Any


def past(entry: JournalEntry) -> Past:
    """One line as values; where its payload is gone it tells nothing."""
    if entry.payload is None:
        return Past(entry=entry)
    with decoding("a line of the journal"):
        told = json.loads(entry.payload)
        old = told.pop("old", None)
        made: dict[str, Any] = {}
        for key, values in told.items():
            made |= _TAKES[key](_Line(entry, values, old))
    return Past(entry=entry, **made)


def memory_of(row: Mapping[str, Any], tenant: str) -> Memory:
    """The memory of a row as the journal tells it."""
    whole = rows.DEFAULTS | dict(row)
    return rows.to_memory(whole, (tenant, *(row.get(wall) for wall in WALLS)))


def relation_of(told: Told) -> Relation:
    """The relation of a payload."""
    return Relation(**(told | {"type": RelationType(told["type"])}))


def fact_of(told: Told, tenant: str) -> Fact:
    """The fact of a payload."""
    walls = {name: told.get(name) for name in (*WALLS, "session")}
    own = {name: told[name] for name in Fact.__struct_fields__ if name != "scope" and name in told}
    return Fact(scope=Scope(tenant=Tenant(tenant), **walls), **own)


def episode_of(told: Told) -> Episode:
    """The episode of a payload."""
    return Episode(**(told | {"outcome": EpisodeOutcome(told["outcome"])}))


def procedure_of(told: Told) -> Procedure:
    """The procedure of a payload."""
    return Procedure(**(told | {"steps": tuple(json.loads(told["steps"]))}))


def removed_of(told: Told, tenant: str) -> Removed:
    """What a line tells of a memory that was taken out, or of one that came back."""
    return Removed(
        memory=memory_of(told["row"], tenant),
        versions=tuple(Version(**one) for one in told["versions"]),
        relations=tuple(relation_of(one) for one in told["relations"]),
        coactivations=tuple(CoActivation(**one) for one in told["coactivations"]),
        episode=episode_of(told["episode"]) if told["episode"] else None,
        procedure=procedure_of(told["procedure"]) if told["procedure"] else None,
        along=tuple(one["id"] for one in told["facts"]),
        linked=tuple(told["linked"]),
    )


def fields_of(told: Told) -> Fields:
    """Values of columns as values of a memory's fields; those of scope and channels by dotted
    names."""
    return dict(_field(name, value) for name, value in told.items())


def _field(name: str, value: Any) -> tuple[str, Any]:
    if name in rows.LISTS:
        listed = tuple(json.loads(value))
        return name, tuple(map(tuple, listed)) if name == "metadata" else listed
    if name in rows.FLAGS:
        return name, bool(value)
    if name in rows.VOCABULARIES:
        return name, rows.VOCABULARIES[name](value)
    if name in Channels._fields:
        return f"channels.{name}", value
    return (f"scope.{name}" if name in (*WALLS, "session") else name), value


def _new(line: _Line) -> Told:
    if line.old is None:
        memory = memory_of(line.told, line.entry.tenant)
        return {"inserted": memory, "ids": (memory.id,)}
    moved = {line.entry.target_id: (fields_of(line.old), fields_of(line.told))}
    return {"moved": moved, "ids": (line.entry.target_id,)}


def _settled(line: _Line) -> Told:
    before = line.old or {}
    moved = {
        one: (fields_of(before.get(one, {})), fields_of(values))
        for one, values in line.told.items()
    }
    return {"moved": moved, "ids": tuple(line.told)}


def _reinforced(line: _Line) -> Told:
    made: Told = {
        "ids": (line.entry.target_id,),
        "factor": line.told.get("factor", 1.0),
        "counted": {"reinforcement_count": 1, "storage_strength": line.told.get("gain", 0.0)},
    }
    if line.old is not None:
        woken = line.told["revive"] and line.old["state"] in rows.WOKEN_BY_RESTATEMENT
        after = {"state": rows.AWAKE.value} if woken else {}
        before = {"state": line.old["state"]} if woken else {}
        if _lasts_longer(line.old["expires_at"], line.told):
            before |= {"expires_at": line.old["expires_at"]}
        if before:
            made["moved"] = {line.entry.target_id: (fields_of(before), fields_of(after))}
    return made


def _lasts_longer(end: int | None, told: Mapping[str, Any]) -> bool:
    if end is None:
        return False
    later = told.get("until") is not None and told["until"] > end
    return later or bool(told["revive"] and end <= told["now"])


def _tallied(line: _Line) -> Told:
    counted = {"success_count": line.told["successes"], "failure_count": line.told["failures"]}
    pull = (line.told.get("rate", 0.0), line.told.get("target", 0.0))
    return {"ids": (line.entry.target_id,), "counted": counted, "pull": pull}


def _strengthened(line: _Line) -> Told:
    return {"ids": tuple(line.told["ids"]), "factor": line.told["factor"]}


def _delivered(line: _Line) -> Told:
    return {"ids": tuple(line.told["ids"]), "delivered": True}


def _related(line: _Line) -> Told:
    relation = relation_of(line.told)
    ends = (relation.source_id, relation.target_id)
    before = None if line.old is None else relation_of(line.told | line.old)
    return {"relation": (before, relation), "ids": ends}


def _unrelated(line: _Line) -> Told:
    ends = {name: line.told[name] for name in _ENDS}
    before = None if line.old is None else relation_of(ends | line.old)
    return {"relation": (before, None), "ids": (line.told["source_id"], line.told["target_id"])}


def _stated(line: _Line) -> Told:
    before = None if line.old is None else fact_of(line.old, line.entry.tenant)
    return {"fact": (before, fact_of(line.told, line.entry.tenant)), "ids": (line.entry.target_id,)}


def _unstated(line: _Line) -> Told:
    return {"fact": (fact_of(line.told, line.entry.tenant), None), "ids": (line.entry.target_id,)}


def _episode(line: _Line) -> Told:
    before = None if line.old is None else episode_of(line.old)
    return {"episode": (before, episode_of(line.told)), "ids": (line.entry.target_id,)}


def _procedure(line: _Line) -> Told:
    before = None if line.old is None else procedure_of(line.old)
    return {"procedure": (before, procedure_of(line.told)), "ids": (line.entry.target_id,)}


def _removed(line: _Line) -> Told:
    return {"removed": removed_of(line.told, line.entry.tenant), "ids": (line.entry.target_id,)}


def _restored(line: _Line) -> Told:
    return {"restored": removed_of(line.told, line.entry.tenant), "ids": (line.entry.target_id,)}


def _versioned(line: _Line) -> Told:
    return {"ids": (line.entry.target_id,)}


def _of_a_grant(line: _Line) -> Told:  # noqa: ARG001 - the shape of a taker
    return {}


_TAKES: Mapping[str, Callable[[_Line], Told]] = {
    "new": _new,
    "version": _versioned,
    "reinforce": _reinforced,
    "tally": _tallied,
    "touch": _delivered,
    "strengthen": _strengthened,
    "settle": _settled,
    "relation": _related,
    "unrelated": _unrelated,
    "coactivate": _delivered,
    "fact": _stated,
    "unstated": _unstated,
    "episode": _episode,
    "procedure": _procedure,
    "removed": _removed,
    "restored": _restored,
    "grant": _of_a_grant,
    "revoked": _of_a_grant,
    "shared": _of_a_grant,
    "unshared": _of_a_grant,
    "reader": _of_a_grant,
    "vicarious": _of_a_grant,
}
