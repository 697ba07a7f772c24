"""Replay: the rows of a tenant, made anew from nothing but its journal.

What was forgotten stays forgotten: its texts are gone, and lines without texts are left out.
Vectors are no part of the journal; they are made from the texts again.
"""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import combinations
from typing import Any

from engraphy.model.federating import Publication
from engraphy.model.kinds import RelationType
from engraphy.model.memory import Memory, Version
from engraphy.model.past import Replayed
from engraphy.model.records import CoActivation, JournalEntry
from engraphy.model.scope import WALLS
from engraphy.stores.relational import federating, granting, replay_removed, rows
from engraphy.stores.relational.past import (
    episode_of,
    fact_of,
    memory_of,
    procedure_of,
    relation_of,
)

_TEXT = ("content", "title")


def replay(entries: Iterable[JournalEntry]) -> Replayed:
    """Take a tenant's entries from the first to the last."""
    rebuilt = Replayed()
    follow(rebuilt, entries)
    return rebuilt


def follow(rebuilt: Replayed, entries: Iterable[JournalEntry]) -> None:
    """Take further entries, in order."""
    for entry in entries:
        rebuilt.seq = entry.seq
        if entry.payload is not None:
            told = json.loads(entry.payload)
            told.pop("old", None)
            for key, values in told.items():
                _TAKES[key](rebuilt, entry, values)
        elif entry.op == "forget":
            replay_removed.forgotten(rebuilt, entry.target_id)
        elif entry.op == "fact_delete":
            rebuilt.facts.pop(entry.target_id, None)


def _row(memory: Memory) -> dict[str, Any]:
    walls = {wall: getattr(memory.scope, wall) for wall in WALLS}
    return rows.to_row(memory, 0) | walls


def _new(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    held = rebuilt.memories.get(entry.target_id)
    row = ({} if held is None else _row(held)) | told
    if held is not None and any(name in told for name in _TEXT):
        earlier = Version(
            memory_id=held.id,
            version=held.version,
            content=held.content,
            title=held.title,
            replaced_at=entry.at,
            reason=entry.reason,
        )
        rebuilt.versions.setdefault(held.id, []).append(earlier)
    rebuilt.memories[entry.target_id] = memory_of(row, entry.tenant)


def _versioned(rebuilt: Replayed, _: JournalEntry, told: dict[str, Any]) -> None:
    version = Version(**told)
    kept = rebuilt.versions.setdefault(version.memory_id, [])
    if all(held.version != version.version for held in kept):
        kept.append(version)
        kept.sort(key=lambda held: held.version)


def _strengthened(memory: Memory, told: dict[str, Any]) -> Memory:
    return replace(
        memory,
        stability=min(36_500.0, max(1e-6, memory.stability * told.get("factor", 1.0))),
        storage_strength=min(10.0, max(1.0, memory.storage_strength + told.get("gain", 0.0))),
    )


def _reinforced(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    memory = rebuilt.memories.get(entry.target_id)
    if memory is None:
        return
    now, expires, until = told["now"], memory.expires_at, told.get("until")
    if expires is not None:
        if until is not None and until > expires:
            expires = until
        elif told["revive"] and expires <= now:
            expires = now + max(1, expires - memory.recorded_at)
    rebuilt.memories[memory.id] = replace(
        _strengthened(_awake(memory, told, rows.WOKEN_BY_RESTATEMENT), told),
        reinforcement_count=memory.reinforcement_count + 1,
        last_reinforced_at=_later(memory.last_reinforced_at, now),
        expires_at=expires,
    )


def _tallied(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    memory = rebuilt.memories.get(entry.target_id)
    if memory is not None:
        moved = told.get("rate", 0.0) * (told.get("target", 0.0) - memory.utility)
        rebuilt.memories[memory.id] = replace(
            memory,
            success_count=memory.success_count + told["successes"],
            failure_count=memory.failure_count + told["failures"],
            utility=min(1.0, max(0.0, memory.utility + moved)),
            last_drifted_at=_later(memory.last_drifted_at, told["now"])
            if told.get("rate")
            else memory.last_drifted_at,
        )


def _touched(rebuilt: Replayed, _: JournalEntry, told: dict[str, Any]) -> None:
    for touched in told["ids"]:
        memory = rebuilt.memories.get(touched)
        if memory is not None:
            rebuilt.memories[touched] = replace(
                _strengthened(_awake(memory, told, rows.WOKEN_BY_DELIVERY), told),
                access_count=memory.access_count + 1,
                last_accessed_at=_later(memory.last_accessed_at, told["now"]),
                retrieval_loss=0.0,
            )
    for place, factor, gain, harder in told.get("grown", ()):
        memory = rebuilt.memories.get(told["ids"][place])
        if memory is not None:
            rebuilt.memories[memory.id] = replace(
                _strengthened(memory, {"factor": factor, "gain": gain}),
                difficulty=min(10.0, max(1.0, memory.difficulty + harder)),
                last_strengthened_at=told["now"],
            )


def _steadied(rebuilt: Replayed, _: JournalEntry, told: dict[str, Any]) -> None:
    for steadied in told["ids"]:
        memory = rebuilt.memories.get(steadied)
        if memory is not None:
            rebuilt.memories[steadied] = _strengthened(memory, told | {"gain": 0.0})


def _as_told(value: Any) -> Any:
    return value


def _settled(rebuilt: Replayed, _: JournalEntry, told: dict[str, Any]) -> None:
    for one, moved in told.items():
        memory = rebuilt.memories.get(one)
        if memory is not None:
            words = {name: rows.VOCABULARIES.get(name, _as_told) for name in moved}
            values: dict[str, Any] = {name: words[name](value) for name, value in moved.items()}
            rebuilt.memories[one] = replace(memory, **values)


def _awake(memory: Memory, told: dict[str, Any], woken: frozenset[Any]) -> Memory:
    if told["revive"] and memory.state in woken:
        return replace(memory, state=rows.AWAKE)
    return memory


def _later(held: int | None, now: int) -> int:
    return now if held is None else max(held, now)


def _related(rebuilt: Replayed, _: JournalEntry, told: dict[str, Any]) -> None:
    relation = relation_of(told)
    ends = {relation.source_id, relation.target_id}
    if ends <= rebuilt.memories.keys():
        key = (relation.source_id, relation.target_id, relation.type)
        held = rebuilt.relations.get(key)
        if held is not None:
            confidence = max(held.confidence, relation.confidence)
            relation = replace(held, confidence=confidence)
        rebuilt.relations[key] = relation


def _unrelated(rebuilt: Replayed, _: JournalEntry, told: dict[str, Any]) -> None:
    key = (told["source_id"], told["target_id"], RelationType(told["type"]))
    rebuilt.relations.pop(key, None)


def _coactivated(rebuilt: Replayed, _: JournalEntry, told: dict[str, Any]) -> None:
    known = [one for one in told["ids"] if one in rebuilt.memories]
    gap = told.get("gap", 0)
    for pair in combinations(known, 2):
        held = rebuilt.coactivations.get(pair)
        if held is not None and gap > 0 and held.last_at > told["now"] - gap:
            continue
        rebuilt.coactivations[pair] = CoActivation(
            first_id=pair[0],
            second_id=pair[1],
            count=1 + (held.count if held else 0),
            last_at=_later(held.last_at if held else None, told["now"]),
        )
    if told.get("raised"):
        _steadied(rebuilt, _, {"ids": told["raised"], "factor": told["factor"]})


def _stated(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    fact = fact_of(told, entry.tenant)
    held = rebuilt.facts.get(fact.id)
    if held is not None:
        updated_at = max(held.updated_at, fact.updated_at)
        fact = replace(fact, recorded_at=held.recorded_at, updated_at=updated_at)
    if fact.source_id not in rebuilt.memories:
        fact = replace(fact, source_id=None)
    rebuilt.facts[fact.id] = fact


def _unstated(rebuilt: Replayed, _: JournalEntry, told: dict[str, Any]) -> None:
    rebuilt.facts.pop(told["id"], None)


def _episode(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    rebuilt.episodes[entry.target_id] = episode_of(told)


def _procedure(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    rebuilt.procedures[entry.target_id] = procedure_of(told)


def _granted(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    rebuilt.grants[entry.target_id] = granting.told(told, entry.tenant)


def _revoked(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    if (held := rebuilt.grants.get(entry.target_id)) is not None:
        rebuilt.grants[held.id] = replace(held, revoked_at=told["revoked_at"])


def _shared(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    rebuilt.shared[entry.target_id] = federating.told(told, entry.tenant)


def _unshared(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    held = rebuilt.shared.get(entry.target_id)
    if isinstance(held, Publication):
        rebuilt.shared[held.id] = replace(held, revoked_at=told["ended_at"])
    elif held is not None:
        rebuilt.shared[held.id] = replace(held, ended_at=told["ended_at"])


def _elsewhere(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    """The rows of another tenant, and links, which follow from what their sources hold."""


_TAKES: dict[str, Callable[[Replayed, JournalEntry, Any], None]] = {
    "new": _new,
    "version": _versioned,
    "reinforce": _reinforced,
    "tally": _tallied,
    "touch": _touched,
    "strengthen": _steadied,
    "settle": _settled,
    "relation": _related,
    "unrelated": _unrelated,
    "coactivate": _coactivated,
    "fact": _stated,
    "unstated": _unstated,
    "episode": _episode,
    "procedure": _procedure,
    "removed": replay_removed.removed,
    "restored": replay_removed.restored,
    "grant": _granted,
    "revoked": _revoked,
    "shared": _shared,
    "unshared": _unshared,
    "reader": _elsewhere,
    "vicarious": _elsewhere,
}
