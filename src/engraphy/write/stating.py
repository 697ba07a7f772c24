"""What settling is given, how a memory ends, and the facts that a settled one states."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from engraphy.model import Draft, Fact, Judgement, Memory, Near, PutFact, Slot, State, VectorRow
from engraphy.profile import Profile
from engraphy.record import Record
from engraphy.text.foresight import begins_at


class Settling(Record, frozen=True, kw_only=True):
    """What settling needs beside the judgement: the moment, fresh ids, vector, knobs."""

    now: int
    new_id: Callable[[int], str]
    vector: VectorRow | None
    profile: Profile
    near: tuple[Near, ...] = ()


def since(new: Memory, old: Memory) -> int:
    """From when on `new` is so and `old` no longer, where both tell the same: where it is announced
    in its words ("from March"), then."""
    return max(old.valid_from, begins_at(new.content, now=new.valid_from))


def succeeded(old: Memory, by: str | None, until: int, now: int) -> Memory:
    """`old` with its end and with what takes its place: history at once, or, where that is only
    announced, current until then."""
    if until <= max(now, old.valid_from):
        return replace(old, state=State.SUPERSEDED, superseded_by=by, valid_until=until)
    ends = until if old.valid_until is None else min(until, old.valid_until)
    return replace(old, superseded_by=by, valid_until=ends)


def stated(draft: Draft, new: Memory, judgement: Judgement, given: Settling) -> Iterator[PutFact]:
    """The facts a draft states, each until something newer is known to exclude it; against an
    immutable memory it states none."""
    bounds = {one.slot: one.at for one in judgement.later}
    barred = {one.slot for one in judgement.held if judgement.decision == "report"}
    for slot in draft.slots:
        if slot.polarity and slot not in barred:
            ends = [end for end in (draft.memory.valid_until, bounds.get(slot)) if end is not None]
            yield put(slot, new, min(ends, default=None), given)


def put(slot: Slot, memory: Memory, until: int | None, given: Settling) -> PutFact:
    """The fact that a memory's slot is, held from the memory's own time until `until`."""
    fact = Fact(
        id=given.new_id(given.now),
        scope=memory.scope,
        subject=slot.subject,
        predicate=slot.attribute,
        object=slot.value,
        confidence=memory.source_confidence,
        source_id=memory.id,
        valid_from=memory.valid_from,
        valid_until=until,
        recorded_at=given.now,
        updated_at=given.now,
    )
    return PutFact(fact=fact, reason="stated")
