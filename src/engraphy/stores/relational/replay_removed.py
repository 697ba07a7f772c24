"""Replay of what is taken out and comes back: a part of `replay`."""

from typing import Any

from msgspec.structs import replace

from engraphy.model.memory import Memory, Version
from engraphy.model.past import Replayed
from engraphy.model.records import CoActivation, Fact, JournalEntry
from engraphy.model.scope import Scope, WALLS
from engraphy.stores.relational.past import episode_of, fact_of, memory_of, procedure_of


def removed(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    """A memory is taken out with what stood beside it; its relations wait for it."""
    for fact in told["facts"]:
        rebuilt.facts.pop(fact["id"], None)
    for key in [key for key in rebuilt.relations if entry.target_id in key[:2]]:
        rebuilt.apart[key] = rebuilt.relations[key]
    _taken_out(rebuilt, entry.target_id)


def restored(rebuilt: Replayed, entry: JournalEntry, told: dict[str, Any]) -> None:
    """A memory comes back, and what stood beside it as far as the other end is there."""
    memory = memory_of(told["row"], entry.tenant)
    rebuilt.memories[memory.id] = memory
    if told["versions"]:
        rebuilt.versions[memory.id] = [Version(**one) for one in told["versions"]]
    if told["episode"]:
        rebuilt.episodes[memory.id] = episode_of(told["episode"])
    if told["procedure"]:
        rebuilt.procedures[memory.id] = procedure_of(told["procedure"])
    _rejoined(rebuilt, memory, told["coactivations"])
    _facts(rebuilt, memory, told)


def _rejoined(rebuilt: Replayed, memory: Memory, pairs: list[dict[str, Any]]) -> None:
    known = rebuilt.memories.keys()
    for one in pairs:
        pair = one["first_id"], one["second_id"]
        if set(pair) <= known:
            rebuilt.coactivations.setdefault(pair, CoActivation(**one))
    for key in [key for key in rebuilt.apart if memory.id in key[:2] and set(key[:2]) <= known]:
        rebuilt.relations.setdefault(key, rebuilt.apart.pop(key))


def _facts(rebuilt: Replayed, memory: Memory, told: dict[str, Any]) -> None:
    for one in told["facts"]:
        fact = fact_of(one, memory.scope.tenant)
        if fact.id not in rebuilt.facts and not _stands(rebuilt, fact):
            rebuilt.facts[fact.id] = fact
    for name in told["linked"]:
        held = rebuilt.facts.get(name)
        if held is not None and held.source_id is None:
            rebuilt.facts[name] = replace(held, source_id=memory.id)


def _stands(rebuilt: Replayed, fact: Fact) -> bool:
    """Whether the same triple is open in the same place."""
    return fact.valid_until is None and any(
        (one.subject, one.predicate, one.object) == (fact.subject, fact.predicate, fact.object)
        and one.valid_until is None
        and _place(one.scope) == _place(fact.scope)
        for one in rebuilt.facts.values()
    )


def _place(scope: Scope) -> tuple[str | None, ...]:
    return tuple(getattr(scope, wall) for wall in WALLS)


def forgotten(rebuilt: Replayed, gone: str) -> None:
    """A memory is erased for good, or what was left of a removed one, or a grant."""
    for key in [key for key in rebuilt.apart if gone in key[:2]]:
        del rebuilt.apart[key]
    rebuilt.grants.pop(gone, None)
    rebuilt.shared.pop(gone, None)
    _taken_out(rebuilt, gone)


def _taken_out(rebuilt: Replayed, gone: str) -> None:
    for kept in (rebuilt.memories, rebuilt.versions, rebuilt.episodes, rebuilt.procedures):
        kept.pop(gone, None)
    for key in [key for key in rebuilt.relations if gone in key[:2]]:
        del rebuilt.relations[key]
    for pair in [pair for pair in rebuilt.coactivations if gone in pair]:
        del rebuilt.coactivations[pair]
    for fact in [fact for fact in rebuilt.facts.values() if fact.source_id == gone]:
        rebuilt.facts[fact.id] = replace(fact, source_id=None)
