"""What a memory inherits that was made of others: merges, summaries, abstractions (R-04)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engraphy.model import (
    Change,
    Evidence,
    Insert,
    Memory,
    PutRelation,
    Relation,
    RelationType,
    SENSITIVITY_RANK,
    State,
    Update,
    VectorRow,
)
from engraphy.record import Record

_RETIRABLE = frozenset({State.ACTIVE, State.DORMANT, State.ARCHIVED})
_FIRMNESS = {
    Evidence.STATED: 5,
    Evidence.OBSERVED: 4,
    Evidence.INFERRED: 3,
    Evidence.QUOTED: 2,
    Evidence.HYPOTHETICAL: 1,
    Evidence.RETRACTED: 0,
}


class Synthesis(Record, frozen=True, kw_only=True):
    """A new memory that stands for others: `memory` has its id and text; each of `sources` is
    linked to it, and retired by it unless `keep_sources`."""

    memory: Memory
    sources: Sequence[Memory]
    vector: VectorRow | None = None
    keep_sources: bool = False
    reason: str = ""


def inheriting(memory: Memory, sources: Sequence[Memory]) -> Memory:
    """`memory` as careful as the most careful of `sources`: the highest sensitivity, the lowest
    trust and confidence, the least firm evidence, and all their scope limits. Sources that have an
    id are named. Raises ValueError where a source is of other walls."""
    walls = replace(memory.scope, session=None)
    if any(replace(one.scope, session=None) != walls for one in sources):
        raise ValueError("a memory is only made of memories of its own walls")
    every = (memory, *sources)
    ids = (one.id for one in sources if one.id and one.id != memory.id)
    return replace(
        memory,
        sensitivity=max((one.sensitivity for one in every), key=SENSITIVITY_RANK.__getitem__),
        trust=min(one.trust for one in every),
        source_confidence=min(one.source_confidence for one in every),
        evidence=min((one.evidence for one in every), key=_FIRMNESS.__getitem__),
        scope_globs=tuple(dict.fromkeys(glob for one in every for glob in one.scope_globs)),
        source_ids=tuple(dict.fromkeys((*memory.source_ids, *ids))),
    )


def synthesised(made: Synthesis, now: int) -> tuple[Change, ...]:
    """The changes that write a memory made of others, all for one transaction: the row, its links,
    and the retirement of its sources. What is protected stays as it is, and is only linked."""
    new = inheriting(made.memory, made.sources)
    return (
        Insert(memory=new, vector=made.vector, reason=made.reason),
        *_beside(new, made, now),
    )


def _beside(new: Memory, made: Synthesis, now: int) -> Iterator[Change]:
    for source in made.sources:
        retired = not made.keep_sources and source.state in _RETIRABLE and not source.protected
        kind = RelationType.SUPERSEDES if retired else RelationType.ELABORATES
        relation = Relation(source_id=new.id, target_id=source.id, type=kind, created_at=now)
        yield PutRelation(relation=relation, reason=made.reason)
        if retired:
            ends = max(source.valid_from, new.valid_from)
            until = ends if source.valid_until is None else min(source.valid_until, ends)
            gone = replace(source, state=State.SUPERSEDED, superseded_by=new.id, valid_until=until)
            yield Update(memory=gone, expected=source, reason=made.reason, op="supersede")
