"""What a change is of that leaves that open ("agreed on 1525"): what was told right before it in
the same conversation, past what was only offered, or the latest statement that it says it is of."""

from collections.abc import Iterable, Sequence

from engraphy.model import Draft, Evidence, Held, Memory, Origin, Slot, State
from engraphy.text.fold import fold
from engraphy.text.frames import Overtaking
from engraphy.text.leaning import leaning
from engraphy.text.leant import bargained, gives, leant, offers

_AT_ONCE = 900_000_000
"""Microseconds for which "it" is what was told last."""
_MOST_OFFERS = 2


def leaned(draft: Draft, recent: Sequence[Memory], around: Iterable[Memory]) -> list[Held]:
    """What the draft changes without saying what that is. `recent`: what was told before it in the
    same conversation, the latest first; `around`: whatever speaks of the same."""
    said = leaning(draft.memory.content)
    if said is None:
        return []
    offered, last, heard = _last(draft, recent)
    held = [_held(one, said.new) for one in offered]
    if last is not None and all(bargained(last.content, one.content) for one in offered):
        soon = draft.memory.valid_from - last.valid_from <= _AT_ONCE
        near = soon or not said.at_once
        found = leant(draft.memory.content, last.content, just=near, heard=heard)
        if found is not None:
            return [_slot(last, found), *held]
    return held or _named(draft, (*recent, *around))


def _last(draft: Draft, recent: Sequence[Memory]) -> tuple[list[Memory], Memory | None, str]:
    """What was offered last, the user's statement before that, and what an agent has said since;
    no statement where an agent has given a value of the kind."""
    offered: list[Memory] = []
    heard: list[str] = []
    for one in recent:
        if not comparable(draft, one, thought=True):
            if gives(one.content, draft.memory.content):
                break
            heard.append(one.content)
        elif len(offered) < _MOST_OFFERS and offers(one.content, draft.memory.content):
            offered.append(one)
        else:
            return offered, one, " ".join(heard)
    return offered, None, ""


def _named(draft: Draft, memories: Iterable[Memory]) -> list[Held]:
    """The latest of the statements that the draft says it is of."""
    known = {one.id: one for one in memories if comparable(draft, one, thought=True)}
    latest = sorted(known.values(), key=lambda one: (one.valid_from, one.id), reverse=True)
    found = ((one, leant(draft.memory.content, one.content, just=False)) for one in latest)
    return next(([_slot(one, how)] for one, how in found if how is not None), [])


def comparable(draft: Draft, old: Memory, *, thought: bool = False) -> bool:
    """Whether an older memory is the same speaker's own statement, of the same files, and true
    before the new one; `thought`: or what they only thought of."""
    new = draft.memory
    if old.id in {new.id, *draft.beside} or old.scope_globs != new.scope_globs:
        return False
    told = {Evidence.STATED, Evidence.HYPOTHETICAL} if thought else {Evidence.STATED}
    stated = old.evidence in told and old.origin is Origin.USER
    same = fold(old.speaker) == fold(new.speaker)
    return stated and same and old.state is State.ACTIVE and old.valid_from <= new.valid_from


def _slot(memory: Memory, found: Overtaking) -> Held:
    slot = Slot(subject=found.subject, attribute="told", value=found.value, single=True)
    return Held(fact=None, slot=slot, source=memory)


def _held(memory: Memory, value: str) -> Held:
    return _slot(memory, Overtaking(subject="it", value=value, negated=False))
