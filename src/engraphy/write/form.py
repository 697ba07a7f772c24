"""From an admitted text to drafts: chunks, kind, title, entities, validity, slots."""

from collections.abc import Iterator
from dataclasses import replace

from engraphy.model import (
    DataSource,
    Draft,
    Entity,
    Evidence,
    Kind,
    Memory,
    Origin,
    Role,
    Scope,
    Slot,
    Stance,
    Step,
    SubTier,
    TemporalType,
    WriteSource,
)
from engraphy.model.kinds import ORIGIN_SUB_TIER, ORIGIN_TRUST
from engraphy.profile import Form, Write
from engraphy.record import Record
from engraphy.text.capture import captures
from engraphy.text.classify import classify
from engraphy.text.cues import reminds, zone_of
from engraphy.text.entities import entities
from engraphy.text.evidence import stance
from engraphy.text.fold import fold
from engraphy.text.foresight import foresight, lasts_besides, standing
from engraphy.text.gloss import gloss
from engraphy.text.promised import promised
from engraphy.text.relayed import without_relayed
from engraphy.text.reminding import apart
from engraphy.text.rewrite import title
from engraphy.text.slots import slots
from engraphy.text.slotvalues import subject_of
from engraphy.text.split import chunks
from engraphy.text.zones import at_wall, wall
from engraphy.write.ceiling import at_most
from engraphy.write.formation import Telling, formed
from engraphy.write.given import Given, kind_priority, laid_on
from engraphy.write.reminding import reminding

_FIRST_PERSON = "user"
_USES = "uses:"
_NAME = "name"
_ANNOUNCED = frozenset({Kind.PLAN, Kind.FACT, Kind.ENTITY, Kind.DECISION})
_EVIDENCE = {
    Stance.HYPOTHETICAL: Evidence.HYPOTHETICAL,
    Stance.QUOTED: Evidence.QUOTED,
    Stance.RETRACTED: Evidence.RETRACTED,
}
_SOURCES = {
    Role.USER: (Origin.USER, DataSource.USER_MESSAGE),
    Role.ASSISTANT: (Origin.AGENT, DataSource.ASSISTANT_MESSAGE),
    Role.SYSTEM: (Origin.AGENT, DataSource.SYSTEM),
    Role.TOOL: (Origin.TOOL, DataSource.TOOL_OUTPUT),
}


class Source(Record, frozen=True, kw_only=True):
    """Whose words a draft is made of, and when they were said and recorded."""

    scope: Scope
    role: Role
    at: int
    now: int
    speaker: str = ""
    known: tuple[Entity, ...] = ()
    """What was named before in the same conversation, oldest first."""
    metadata: tuple[tuple[str, str], ...] = ()
    most: Origin = Origin.USER
    """What they count as at most, whoever is said to have said them."""


def explicit(
    text: str, source: Source, wanted: Given, form: Form, steps: tuple[Step, ...]
) -> Draft:
    """The draft of a `remember`: the caller's text whole, the caller's fields over ours."""
    memory = laid_on(_described(text, source, WriteSource.MANUAL), wanted)
    if isinstance(wanted.origin, Origin) and not isinstance(wanted.trust, float):
        memory = replace(memory, trust=ORIGIN_TRUST[wanted.origin])
    memory = at_most(memory, source.most)
    memory = reminding(memory, text, form.remind, wanted)
    return _drafted(memory, form, steps, explicit=True)


def observed(
    text: str, source: Source, form: Form, write: Write, steps: tuple[Step, ...]
) -> Iterator[Draft]:
    """The drafts of an observed message: its own words in chunks, or statements of their own.
    "Tomorrow" is that of who says it: days begin and end in their zone (D-06)."""
    zone = zone_of(source.metadata, form.remind.timezone)
    said_at = wall(source.at, zone)
    telling = Telling(role=source.role, at=said_at, speaker=source.speaker, known=source.known)
    for piece, asks in requests(text, source, form):
        for part in chunks(piece, limit=write.chunk_chars):
            for one in formed(part, telling, form):
                made = WriteSource.OBSERVER if one.kept == part else WriteSource.FORMATION
                memory = _described(one.kept, source, made, original=one.said)
                plan = _foreseen(memory, one.said, form, zone)
                memory = reminding(memory, part, form.remind) if asks else plan
                yield _drafted(memory, form, steps, explicit=False)


def requests(text: str, source: Source, form: Form) -> Iterator[tuple[str, bool]]:
    """A message in pieces, each with whether it is a sentence in which the user asks to be
    reminded: that is a memory of its own."""
    if not form.remind.asked or source.role is not Role.USER:
        yield text, False
        return
    zone = zone_of(source.metadata, form.remind.timezone)
    yield from apart(text, now=source.at, zone=zone)


def captured(text: str, source: Source, form: Form, steps: tuple[Step, ...]) -> Iterator[Draft]:
    """The drafts of the capture patterns alone (B-07): one per preference, correction, policy."""
    for found in captures(text):
        base = _described(found.content, source, WriteSource.CAPTURE)
        memory = replace(base, kind=found.kind, priority=found.priority)
        yield _drafted(memory, form, steps, explicit=False)


def _described(
    text: str, source: Source, write_source: WriteSource, *, original: str = ""
) -> Memory:
    """A memory of `text`; what it is, and how it was meant, the original words tell."""
    origin, data_source = _SOURCES[source.role]
    said = classify(original or text)
    memory = Memory(
        id="",
        scope=source.scope,
        content=text,
        kind=said.kind,
        category=said.category,
        title=title(text),
        speaker=source.speaker,
        entities=tuple(dict.fromkeys(one.uri for one in entities(text))),
        metadata=source.metadata,
        priority=kind_priority(said.kind),
        origin=origin,
        write_source=write_source,
        data_source=data_source,
        evidence=_EVIDENCE.get(stance(without_relayed(original or text)), Evidence.STATED),
        trust=ORIGIN_TRUST[origin],
        source_confidence=_confidence(write_source, said.confidence),
        sub_tier=ORIGIN_SUB_TIER.get(origin, SubTier.OBSERVED),
        valid_from=source.at,
        recorded_at=source.now,
        updated_at=source.at,
    )
    return at_most(memory, source.most)


def _confidence(write_source: WriteSource, found: float) -> float:
    """A caller's word is certain; an observation starts at one half and grows with evidence."""
    return 1.0 if write_source is WriteSource.MANUAL else min(1.0, 0.5 + found / 2)


def _foreseen(memory: Memory, said: str, form: Form, zone: str) -> Memory:
    """What is announced is a plan that ends (D-06); without a stated date only where the profile
    assumes one. What an agent promises is owed beyond its date, until it is done."""
    planned, assumed = memory.kind is Kind.PLAN, form.foresight == "assumed"
    if form.foresight == "off" or not (planned or (assumed and memory.kind in _ANNOUNCED)):
        return memory
    if memory.origin is Origin.AGENT and promised(said):
        return memory
    now = wall(memory.valid_from, zone)
    seen = foresight(said, now=now)
    undated = assumed and (planned or (memory.kind is not Kind.DECISION and not standing(said)))
    if seen is None or not (seen.stated or undated):
        return memory
    if memory.kind is Kind.DECISION and standing(said):
        return memory
    if not (assumed and planned) and lasts_besides(said, now=now):
        return memory
    return replace(
        memory,
        kind=Kind.PLAN,
        priority=kind_priority(Kind.PLAN),
        temporal_type=TemporalType.TIME_BOUNDED,
        valid_until=at_wall(seen.valid_until, zone),
    )


def _drafted(memory: Memory, form: Form, steps: tuple[Step, ...], *, explicit: bool) -> Draft:
    """A draft with what it states, and with the words under which people ask for that."""
    slots = stated_slots(memory) if form.extract_facts else ()
    if not memory.context and slots:
        memory = replace(memory, context=asked_as(memory))
    return Draft(memory=memory, explicit=explicit, slots=slots, trace=steps)


def asked_as(memory: Memory) -> str:
    """The words under which people ask for what a memory states of its speaker, decides to use, or
    says how somebody is called; may be empty."""
    who, decided = _speaker(memory), memory.kind is Kind.DECISION
    own = [
        slot
        for slot in stated_slots(memory)
        if slot.subject == who
        or slot.attribute == _NAME
        or (decided and slot.attribute.startswith(_USES))
    ]
    return gloss(memory.content, own) if own else ""


def embedded(memory: Memory) -> str:
    """The text an embedder sees of a memory: its words, and those under which it is asked for."""
    return f"{memory.content}\n{memory.context}" if memory.context else memory.content


def stated_slots(memory: Memory) -> tuple[Slot, ...]:
    """What a memory states of whom; only the user's own statements count (P-10).

    "I" is the speaker where one is named: two people in one conversation never become one.
    """
    if memory.evidence is not Evidence.STATED or memory.origin is not Origin.USER:
        return ()
    if reminds(memory):
        # "Remind me when I move to Rome" states nothing.
        return ()
    who = _speaker(memory)
    return tuple(
        replace(slot, subject=who) if slot.subject == _FIRST_PERSON else slot
        for slot in slots(memory.content)
    )


def _speaker(memory: Memory) -> str:
    if not memory.speaker or fold(memory.speaker) == fold(memory.scope.user or ""):
        return _FIRST_PERSON
    return subject_of(memory.speaker, _FIRST_PERSON) or fold(memory.speaker)
