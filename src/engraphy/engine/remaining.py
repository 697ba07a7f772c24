"""What is left of a memory of which a part is over, where it stands already."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from engraphy.engine.embedding import reembedded
from engraphy.engine.parts import Engine
from engraphy.engine.standing import content_hash, own_view
from engraphy.model import Change, Insert, Memory, PutFact, PutRelation, State, Update
from engraphy.write.remainder import LEFT

_ASLEEP = frozenset({State.DORMANT, State.ARCHIVED})


def completed(engine: Engine, changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes as they are written: what is left of a memory and stands already in the same
    walls is not written once more, and each text that is new has its vector."""
    listed = tuple(changes)
    over = {one.expected.id for one in listed if isinstance(one, Update) and _is_over(one)}
    stands: dict[str, Memory] = {}
    came: dict[tuple[object, ...], Memory] = {}
    for one in listed:
        if isinstance(one, Insert) and one.reason == LEFT:
            row, digest = one.memory, content_hash(one.memory.content)
            held = engine.store.find_hash(own_view(row, row.recorded_at), digest)
            if held is None or held.id in over:
                held = came.setdefault((row.scope, row.sensitivity, digest), row)
            if held.id != row.id:
                stands[row.id] = held
    return reembedded(engine, _standing(listed, stands) if stands else listed)


def _is_over(change: Update) -> bool:
    return change.memory.state is State.SUPERSEDED


def _standing(changes: Iterable[Change], stands: Mapping[str, Memory]) -> Iterator[Change]:
    """The changes without the rows that stand already, whose facts are then of what stands; what
    sleeps wakes."""
    for one in changes:
        if isinstance(one, Insert) and (held := stands.get(one.memory.id)) is not None:
            if held.state in _ASLEEP:
                awake = replace(held, state=State.ACTIVE)
                yield Update(memory=awake, expected=held, reason=LEFT, op="state")
            continue
        if isinstance(one, PutRelation) and one.relation.source_id in stands:
            continue
        if isinstance(one, PutFact) and (held := stands.get(one.fact.source_id or "")) is not None:
            yield replace(one, fact=replace(one.fact, source_id=held.id))
        else:
            yield one
