"""A draft that is ready to be judged, and what of it may still be told."""

from dataclasses import replace

from engraphy.engine.embedding import document_vectors
from engraphy.engine.forgotten import FORGOTTEN, lifted, remaining, watch
from engraphy.engine.parts import Beside, Engine, nothing
from engraphy.engine.standing import content_hash, own_view, same_walls
from engraphy.model import (
    Action,
    Change,
    Draft,
    Listing,
    Memory,
    Origin,
    Outcome,
    State,
    Step,
    VectorRow,
)
from engraphy.record import Record
from engraphy.text.entities import entities
from engraphy.text.rewrite import title
from engraphy.write.form import asked_as, embedded, stated_slots
from engraphy.write.given import Given

_STANDS = "it was written before its job was broken off"


class Prepared(Record, frozen=True, kw_only=True):
    """A draft with its vector, ready to be judged."""

    draft: Draft
    vector: VectorRow | None
    given_importance: bool
    wanted: Given | None = None
    """The fields that a caller gave by name."""
    beside: Beside = nothing
    apart: bool = False
    """Whether it stays a row of its own, however much another one reads alike."""
    once: bool = False
    """Whether it is a copy from elsewhere, which strengthens nothing that stands already."""

    @property
    def ranked(self) -> bool:
        """Whether a caller gave the priority, or a kind that has its own (D-10)."""
        return self.wanted is not None and self.wanted.urgent


class Left(Record, frozen=True, kw_only=True):
    """What is left of a draft, and what is written beside it; or, where nothing is, the outcome."""

    prepared: Prepared
    changes: tuple[Change, ...] = ()
    outcome: Outcome | None = None


def still_told(engine: Engine, prepared: Prepared, now: int) -> Left:
    """A draft without what was forgotten since it was said, and not told again where it stands
    already. What the user asks to be remembered is no longer forgotten."""
    draft = prepared.draft
    memory = draft.memory
    if engine.earlier is None:
        own = draft.explicit and memory.origin is Origin.USER
        return Left(prepared=prepared, changes=tuple(lifted(engine, memory, now)) if own else ())
    if engine.earlier.again and (stands := _standing(engine, memory, now)) is not None:
        return Left(prepared=prepared, outcome=_told_before(draft, stands))
    changes = (*watch(engine, now), *engine.earlier.beside(now))
    text = remaining(engine, memory, now)
    if text == memory.content:
        return Left(prepared=prepared, changes=changes)
    if not text:
        steps = (*draft.trace, Step(stage="forgotten", detail=FORGOTTEN, passed=False))
        gone = Outcome(action=Action.SKIPPED, reason=FORGOTTEN, trace=steps)
        return Left(prepared=prepared, outcome=gone)
    return Left(prepared=_shortened(engine, prepared, text), changes=changes)


def _standing(engine: Engine, memory: Memory, now: int) -> Memory | None:
    """The row that the same saying made before its job was broken off, whatever came of it since:
    of the same words, place and moment."""
    view = replace(own_view(memory, now), states=frozenset(State))
    said = memory.valid_from
    alike = Listing(content_hash=content_hash(memory.content), since=said, until=said + 1)
    found = engine.store.page(view, alike)
    return next((one for one in found if same_walls(one.scope, memory.scope)), None)


def _told_before(draft: Draft, stands: Memory) -> Outcome:
    step = Step(stage="again", detail=_STANDS, passed=False)
    trace = (*draft.trace, step)
    return Outcome(action=Action.SKIPPED, memory=stands, reason=_STANDS, trace=trace)


def _shortened(engine: Engine, prepared: Prepared, text: str) -> Prepared:
    draft = prepared.draft
    found = tuple(dict.fromkeys(one.uri for one in entities(text)))
    told = replace(draft.memory, content=text, title=title(text), entities=found, context="")
    slots = stated_slots(told) if draft.slots else ()
    told = replace(told, context=asked_as(told)) if slots else told
    [vector] = document_vectors(engine, [embedded(told)])
    return replace(prepared, draft=replace(draft, memory=told, slots=slots), vector=vector)
