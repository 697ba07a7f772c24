"""Undoing what stands beside memories: relations, facts, episodes, procedures."""

from collections.abc import Collection, Iterator
from typing import Any

from engraphy.model import (
    Change,
    DeleteFact,
    DeleteRelation,
    Fact,
    LeftAlone,
    Past,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    Relation,
    Replayed,
)

_AGAIN = "it was changed again since"
_OWN = "it goes and comes with its memory"
Key = tuple[str, str, str]


class Beside:
    """What stands beside memories, as it would be once the lines so far were undone."""

    def __init__(self, held: Replayed, reason: str) -> None:
        self._reason = reason
        self._relations: dict[Key, Relation] = dict(held.relations)
        self._facts: dict[str, Fact] = dict(held.facts)
        self._parts: dict[tuple[str, str], Any] = {
            **{("episode", own): part for own, part in held.episodes.items()},
            **{("procedure", own): part for own, part in held.procedures.items()},
        }
        self._before = (dict(self._relations), dict(self._facts), dict(self._parts))

    def take(self, line: Past, known: Collection[str]) -> Iterator[LeftAlone]:
        """Undo one line more; what is left is told."""
        if line.relation is not None and (why := self._relate(*line.relation)):
            yield _left(line, line.entry.target_id, why)
        if line.fact is not None and (why := self._state(*line.fact)):
            yield _left(line, line.entry.target_id, why)
        for name, told in (("episode", line.episode), ("procedure", line.procedure)):
            if told is None or line.entry.target_id not in known:
                continue
            if why := self._part((name, line.entry.target_id), *told):
                yield _left(line, line.entry.target_id, why)

    def _relate(self, before: Relation | None, after: Relation | None) -> str:
        one = before or after
        if one is None:
            return "what it was is not told"
        key = (one.source_id, one.target_id, one.type)
        held = self._relations.get(key)
        if after is not None:
            strongest = max(after.confidence, before.confidence if before else 0.0)
            if held is None or held.confidence != strongest:
                return _AGAIN
        elif held is not None:
            return _AGAIN
        _put(self._relations, key, before)
        return ""

    def _state(self, before: Fact | None, after: Fact | None) -> str:
        one = before or after
        if one is None:
            return "what it was is not told"
        held = self._facts.get(one.id)
        if _watched(held) != _watched(after):
            return _AGAIN
        _put(self._facts, one.id, before)
        return ""

    def _part(self, key: tuple[str, str], before: Any, after: Any) -> str:
        if before is None:
            return _OWN
        if self._parts.get(key) != after:
            return _AGAIN
        self._parts[key] = before
        return ""

    def along(self, own: str) -> tuple[str, ...]:
        """The facts that go with a memory that is taken out: those whose statement is undone."""
        _, before, _ = self._before
        gone = before.keys() - self._facts.keys()
        return tuple(sorted(one for one in gone if before[one].source_id == own))

    def changes(self, out: Collection[str], known: Collection[str]) -> list[Change]:
        """What is put back and taken away; with a memory that goes, what is its own goes anyway."""
        relations, facts, parts = self._before
        made: list[Change] = []
        for key in relations.keys() | self._relations.keys():
            if not set(key[:2]) & set(out) and set(key[:2]) <= set(known):
                made += self._related(relations.get(key), self._relations.get(key))
        for name in facts.keys() | self._facts.keys():
            made += self._stated(facts.get(name), self._facts.get(name), out)
        for (kind, own), part in self._parts.items():
            if parts.get((kind, own)) != part and own in known:
                made.append(
                    PutEpisode(episode=part, reason=self._reason)
                    if kind == "episode"
                    else PutProcedure(procedure=part, reason=self._reason)
                )
        return made

    def _related(self, held: Relation | None, wanted: Relation | None) -> Iterator[Change]:
        if held == wanted:
            return
        if held is not None:
            yield DeleteRelation(
                source_id=held.source_id,
                target_id=held.target_id,
                type=held.type,
                reason=self._reason,
            )
        if wanted is not None:
            yield PutRelation(relation=wanted, reason=self._reason)

    def _stated(
        self, held: Fact | None, wanted: Fact | None, out: Collection[str]
    ) -> Iterator[Change]:
        if held == wanted:
            return
        if wanted is not None:
            yield PutFact(fact=wanted, reason=self._reason)
        elif held is not None and held.source_id not in out:
            yield DeleteFact(id=held.id, keep=True, reason=self._reason)


def _watched(fact: Fact | None) -> tuple[Any, ...] | None:
    """What makes a fact another one; its source may have changed hands."""
    return None if fact is None else (fact.confidence, fact.valid_until, fact.object)


def _put(held: dict[Any, Any], key: Any, wanted: Any) -> None:
    if wanted is None:
        held.pop(key, None)
    else:
        held[key] = wanted


def _left(line: Past, id: str, why: str) -> LeftAlone:
    return LeftAlone(line=line.entry.seq, id=id, why=why)
