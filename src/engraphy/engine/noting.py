"""What a language model does on the way in, where one is configured for it: it notes what a
message says, before the rules would (D-06), and may veto a contradiction that they found (D-08).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from engraphy.engine.ask import Asked, ask, asks
from engraphy.engine.parts import Engine
from engraphy.engine.standing import standing, told_view
from engraphy.model import (
    Draft,
    Evidence,
    Kind,
    MICROSECONDS_PER_DAY,
    Memory,
    Slot,
    State,
    Step,
    TemporalType,
    WriteSource,
)
from engraphy.profile import Profile
from engraphy.skills.contradiction import CONTRADICTION, Compared, Relation
from engraphy.skills.formation import FORMATION, Statement, Told
from engraphy.skills.shape import Skill
from engraphy.skills.telling import LONGEST_TITLE, Notes, SUMMARY, TITLE
from engraphy.text.cues import reminds, zone_of
from engraphy.text.entities import slug
from engraphy.text.fence import sanitise_visible, strip_injected
from engraphy.text.injection import injection_signals
from engraphy.text.moments import microseconds
from engraphy.text.rewrite import shortened, title
from engraphy.text.zones import wall
from engraphy.write.form import Source, observed, requests, stated_slots
from engraphy.write.given import kind_priority
from engraphy.write.intake import storable
from engraphy.write.overtake import may_overtake
from engraphy.write.quarantine import quarantined

_MOST_COMPARED = 5
_MOST_TOLD = 40
_LONGEST_TOLD = 400
_Claim = tuple[str, str, str, bool]


class Noted(NamedTuple):
    """The drafts that a model made of a message (none: the rules are to make them), and the steps
    of the message with what came of asking."""

    drafts: list[Draft]
    steps: tuple[Step, ...]


def noted(engine: Engine, text: str, source: Source, steps: tuple[Step, ...]) -> Noted:
    """What a model notes of a message that the gates let in.

    Each note goes through the rules as a message of the same speaker would: its origin is the
    message's, and it states no fact that the rules do not read out of the message as well.
    """
    if not asks(engine, FORMATION.name):
        return Noted([], steps)
    ruled = list(observed(text, source, engine.profile.form, engine.profile.write, ()))
    if any(quarantined(draft).memory.state is State.QUARANTINED for draft in ruled):
        # In a model's words it might no longer be seen for what it is.
        kept_away = Step(stage="model", detail="not asked: the text instructs")
        return Noted([], (*steps, kept_away))
    # What the user asks to be reminded of, the rules read: no model moves its day.
    rest = "\n".join(one for one, asked in requests(text, source, engine.profile.form) if not asked)
    if not rest:
        return Noted([], (*steps, Step(stage="model", detail="not asked: a request to remind")))
    known = tuple(dict.fromkeys(one.name for one in source.known))
    told = Told(
        text=rest,
        at=wall(source.at, zone_of(source.metadata, engine.profile.form.remind.timezone)),
        speaker=source.speaker,
        known=known,
        most=engine.profile.model.statements,
    )
    asked = ask(engine, FORMATION, told)
    steps = (*steps, *asked.steps)
    if asked.answer is None:
        return Noted([], steps)
    claims = frozenset(
        _claim(slot) for draft in ruled for slot in (*draft.slots, *_slots_of(draft.memory, text))
    )
    drafts = [
        _checked(draft, statement, claims, engine.profile)
        for statement in asked.answer
        for draft in _read(engine, statement, source, steps)
    ]
    nothing = () if drafts else (Step(stage="model", detail="it noted nothing, the rules decide"),)
    reminders = [replace(one, trace=steps) for one in ruled if reminds(one.memory)]
    return Noted([*reminders, *drafts] if drafts else [], (*steps, *nothing))


def advised(engine: Engine, draft: Draft) -> Draft:
    """A draft that is about to be judged, with what a model has to say of it."""
    return _titled(engine, confirmed(engine, draft))


def in_short(engine: Engine, rows: Sequence[Memory], now: int) -> str | None:
    """A paragraph of what memories (public ones, oldest first) tell, by a model; None where there
    is to be none."""
    shown = rows[-_MOST_TOLD:]
    if not shown or not all(asks(engine, SUMMARY.name, row.sensitivity) for row in shown):
        return None
    texts = tuple(shortened(row.content, _LONGEST_TOLD) for row in shown)
    files = (file for row in shown for file in (*row.files_modified, *row.files_read))
    names = (*(row.speaker for row in shown if row.speaker), *files)
    notes = Notes(texts=texts, at=now, names=tuple(dict.fromkeys(names)))
    return told_shorter(engine, SUMMARY, notes).answer


def told_shorter(
    engine: Engine, skill: Skill[Notes, str], notes: Notes, *, tries: int = 2
) -> Asked[str]:
    """A summary or a title by a model; no answer where the rules are to make it, which is also so
    where it would instruct whoever reads it."""
    asked = ask(engine, skill, notes, tries=tries)
    told = _storable(asked.answer or "")
    if told and not injection_signals(told):
        return replace(asked, answer=told)
    return replace(asked, answer=None)


def _titled(engine: Engine, draft: Draft) -> Draft:
    """The draft under a title of its own words; a caller's title, and short texts, stay."""
    memory = draft.memory
    if not asks(engine, TITLE.name, memory.sensitivity) or memory.state is State.QUARANTINED:
        return draft
    if len(memory.content) <= LONGEST_TITLE or memory.title != title(memory.content):
        return draft
    names = (memory.speaker,) if memory.speaker else ()
    notes = Notes(texts=(memory.content,), at=memory.valid_from, names=names)
    asked = told_shorter(engine, TITLE, notes)
    new = replace(memory, title=asked.answer or memory.title)
    return replace(draft, memory=new, trace=(*draft.trace, *asked.steps))


def confirmed(engine: Engine, draft: Draft) -> Draft:
    """The draft without what a model says is no contradiction of what is held.

    What rules found stands where the model agrees, fails, or is not asked: it can keep an old
    memory alive, and never end one. What it vetoes is stated beside what is held.
    """
    if not draft.slots and not may_overtake(draft):
        return draft
    if not asks(engine, CONTRADICTION.name, draft.memory.sensitivity):
        return draft
    view = told_view(draft.memory, engine.clock(), engine.profile.sessions)
    held = standing(engine, view, draft).held
    sources = {one.source.id: one.source.content for one in held if one.source is not None}
    ids = list(sources)[:_MOST_COMPARED]
    if not ids:
        return draft
    compared = Compared(new=draft.memory.content, old=tuple(sources[one] for one in ids))
    asked = ask(engine, CONTRADICTION, compared)
    told = replace(draft, trace=(*draft.trace, *asked.steps))
    if asked.answer is None:
        return told
    said = dict(zip(ids, asked.answer, strict=True))
    against = {one.slot for one in held if one.source and said.get(one.source.id) is not None}
    ended = {
        one.slot
        for one in held
        if one.source is None or said.get(one.source.id, Relation.UPDATE) is Relation.UPDATE
    }
    kept = frozenset(one for one in ids if said.get(one, Relation.UPDATE) is not Relation.UPDATE)
    return _without(replace(told, beside=kept), against - ended)


def _without(draft: Draft, vetoed: set[Slot]) -> Draft:
    """The draft with slots that exclude nothing any more; a vetoed denial is none at all."""
    if not vetoed:
        return draft
    step = Step(stage="model", detail=f"{len(vetoed)} contradictions are none")
    slots = tuple(
        replace(slot, single=False) if slot in vetoed else slot
        for slot in draft.slots
        if slot.polarity or slot not in vetoed
    )
    return replace(draft, slots=slots, trace=(*draft.trace, step))


def _read(
    engine: Engine, statement: Statement, source: Source, steps: tuple[Step, ...]
) -> Iterator[Draft]:
    """A statement as the rules read it; what may not be stored of it is gone."""
    content = _storable(statement.text)
    if content:
        profile = engine.profile
        yield from observed(content, source, profile.form, profile.write, steps)


def _storable(text: str) -> str:
    """What may be stored of a model's text: without secrets, fences and hidden characters."""
    return storable(strip_injected(sanitise_visible(text))).strip()


def _checked(
    draft: Draft, statement: Statement, claims: frozenset[_Claim], profile: Profile
) -> Draft:
    memory = _as_told(draft.memory, statement, profile)
    slots = stated_slots(memory)
    if not claims.issuperset(map(_claim, slots)):
        memory, slots = replace(memory, evidence=Evidence.INFERRED, context=""), ()
    return replace(draft, memory=memory, slots=slots if profile.form.extract_facts else ())


def _as_told(memory: Memory, statement: Statement, profile: Profile) -> Memory:
    """The row with what the model says of it; a stance that the rules see in it stays."""
    kind = statement.kind
    if kind in _delivered_always(profile) and kind is not memory.kind:
        kind = memory.kind
    named = (f"entity://{which}/{slug(name)}" for which, name in statement.entities)
    new = replace(
        memory,
        kind=kind,
        priority=kind_priority(kind),
        evidence=statement.evidence if memory.evidence is Evidence.STATED else memory.evidence,
        entities=tuple(dict.fromkeys((*memory.entities, *named))),
        write_source=WriteSource.FORMATION,
    )
    return _bounded(new, statement.valid_until)


def _delivered_always(profile: Profile) -> frozenset[Kind]:
    """The kinds that stand in every prompt: whether something is one is for the rules to say."""
    layers = (layer for layer in profile.inject.layers if layer.source == "standing")
    return frozenset(Kind(kind) for layer in layers for kind in layer.kinds)


def _bounded(memory: Memory, day: str | None) -> Memory:
    until = memory.valid_from if day is None else microseconds(day) + MICROSECONDS_PER_DAY
    if until <= memory.valid_from:
        return memory
    return replace(memory, temporal_type=TemporalType.TIME_BOUNDED, valid_until=until)


def _slots_of(memory: Memory, text: str) -> tuple[Slot, ...]:
    return stated_slots(replace(memory, content=text, evidence=Evidence.STATED))


def _claim(slot: Slot) -> _Claim:
    return (slot.subject, slot.attribute, slot.value, slot.polarity)
