"""What the stages after the gate found, as steps that a user can read."""

from collections.abc import Iterator, Sequence

from engraphy.model import Draft, Evidence, Held, Memory, Near, Step, TemporalType, WriteSource
from engraphy.text.moments import iso
from engraphy.text.rewrite import shortened
from engraphy.write.contradict import Standing

_SHOWN = 3
_PREVIEW = 80


def understood(memory: Memory) -> Iterator[Step]:
    """What the text was taken for: its kind, how it was put, what it names, how it feels."""
    sure = f"{memory.kind.value}, confidence {memory.source_confidence:.2f}"
    yield Step(stage="classify", detail=sure)
    if memory.write_source is WriteSource.FORMATION:
        yield Step(stage="form", detail=f"kept as: {shortened(memory.content, _PREVIEW)}")
    if memory.temporal_type is TemporalType.TIME_BOUNDED:
        yield Step(stage="foresight", detail=f"holds until {iso(memory.valid_until)}")
    if memory.evidence is not Evidence.STATED:
        yield Step(stage="evidence", detail=memory.evidence.value)
    if memory.entities:
        yield Step(stage="entities", detail=", ".join(memory.entities))


def compared(draft: Draft, near: Sequence[Near], stands: Standing) -> Iterator[Step]:
    """What stands near, and what the draft states against what is held."""
    if near:
        best = near[0]
        kept_apart = f"; differs in {', '.join(sorted(best.guards))}" if best.guards else ""
        closest = f"{best.similarity:.2f} to {best.memory.id}{kept_apart}"
        yield Step(stage="near", detail=f"{len(near)} compared, closest {closest}")
    for slot in draft.slots[:_SHOWN]:
        sign = "is" if slot.polarity else "is no longer"
        yield Step(stage="states", detail=f"{slot.subject} {slot.attribute} {sign} {slot.value}")
    for held in stands.held[:_SHOWN]:
        yield Step(stage="contradiction", detail=_was(held))
    if (doubted := stands.doubted) is not None:
        told = f"likely {doubted.likely:.2f}, taken as over from {doubted.least:.2f}"
        yield Step(stage="succession", detail=f"{doubted.memory.id} may be over: {told}")


def _was(held: Held) -> str:
    fact, source = held.fact, held.source
    if fact is not None:
        return f"{fact.subject} {fact.predicate} was {fact.object}"
    if source is None:
        return f"{held.slot.subject} {held.slot.attribute} otherwise"
    how = "by its wording" if held.likely is None else f"likely {held.likely:.2f}"
    return f"{source.id} is over: {how}"


def importance(memory: Memory) -> Step:
    """The importance with its four channels (D-10) and what the text feels like (D-12)."""
    channels = zip(memory.channels._fields, memory.channels, strict=True)
    parts = ", ".join(f"{name} {value:.2f}" for name, value in channels)
    feeling = f"{memory.emotion.value} {memory.valence:+.2f}"
    flash = ", a flashbulb: pinned" if memory.flashbulb else ""
    return Step(stage="importance", detail=f"{memory.importance:.2f} ({parts}; {feeling}{flash})")
