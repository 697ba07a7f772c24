"""Whose word counts for what (P-10): an origin is bound when a memory is written, and nothing that
is said again raises it."""

from dataclasses import replace

from engraphy.model import (
    Action,
    Insert,
    Memory,
    ORIGIN_TRUST,
    Origin,
    PutRelation,
    Relation,
    RelationType,
    State,
    Update,
)
from engraphy.model.federating import vicarious
from engraphy.profile import Inject, Sessions
from engraphy.text.moments import iso
from engraphy.write.found_only import found_only, of_what_stands
from engraphy.write.given import Given, laid_on, versioned
from engraphy.write.settle import Settled
from engraphy.write.stating import Settling

_WHY = "the user says so, who is trusted more"
_SOONER = "it holds already, and not only later"
_OWN = "said here, and no longer known from others only"


def overrules(new: Memory, held: Memory) -> bool:
    """Whether a text is to be written anew although it is held: what the user says never stands
    only as the word of an agent, a tool or a page, nor held back as theirs; and what anybody here
    says never only as what is known from others (D-70), who may take it back. What is immutable
    stays."""
    users = new.origin is Origin.USER and held.origin is not Origin.USER
    own = vicarious(held) and not vicarious(new)
    return (users or own) and not held.immutable


def begins_sooner(new: Memory, held: Memory, now: int) -> bool:
    """Whether a text that is held for later only is said to hold already, by as trusted a word.
    What was told as of its own moment is for no later one, though another's clock be behind."""
    trusted = ORIGIN_TRUST[new.origin] >= ORIGIN_TRUST[held.origin]
    later = held.valid_from > max(now, held.recorded_at)
    return trusted and new.valid_from <= now and later and not held.immutable


def overruling(settled: Settled, held: Memory, given: Settling) -> Settled:
    """`settled` with `held`, the same text from a less trusted origin or for a later time,
    superseded by the new row, which takes nothing over from it."""
    made = next((one for one in settled.changes if isinstance(one, Insert)), None)
    if made is None:
        return settled
    new = replace(made.memory, supersedes=made.memory.supersedes or held.id)
    gone = replace(
        held,
        state=State.SUPERSEDED,
        superseded_by=new.id,
        valid_until=max(held.valid_from, new.valid_from),
    )
    link = Relation(
        source_id=new.id,
        target_id=held.id,
        type=RelationType.SUPERSEDES,
        created_at=given.now,
    )
    why, told = _reasons(new, held)
    changes = (
        Update(memory=gone, expected=held, reason=why, op="supersede"),
        *(replace(one, memory=new) if one is made else one for one in settled.changes),
        PutRelation(relation=link, reason=why),
    )
    outcome = replace(
        settled.outcome,
        action=Action.SUPERSEDED,
        memory=new,
        previous=settled.outcome.previous or held,
        reason=told,
    )
    return Settled(changes=changes, outcome=outcome)


def _reasons(new: Memory, held: Memory) -> tuple[str, str]:
    """Why the new row takes the place of the same text: for the journal, and for who wrote it."""
    if not overrules(new, held):
        return _SOONER, f"held from {iso(held.valid_from)} on so far; now it holds already"
    return (_OWN if vicarious(held) else _WHY), _now(held)


def _now(held: Memory) -> str:
    who = "it is said here" if vicarious(held) else "the user says it"
    return f"held from {held.origin.value} so far; now {who}"


def heeded(settled: Settled, said: Memory, wanted: Given | None, inject: Inject) -> Settled:
    """`settled` with what a caller says anew about a memory that stands already: its text stays;
    what comes from a less trusted origin than the memory decides nothing about it."""
    held = settled.outcome.memory
    if held is None or wanted is None or settled.outcome.action is not Action.REINFORCED:
        return settled
    if ORIGIN_TRUST[said.origin] < ORIGIN_TRUST[held.origin]:
        return settled
    moved = replace(held, updated_at=max(held.updated_at, said.recorded_at))
    told = laid_on(moved, of_what_stands(wanted, held, inject))
    new = replace(told, origin=held.origin, sensitivity=held.sensitivity)
    new = found_only(new, wanted, inject, held)
    new = replace(new, trust=min(new.trust, ORIGIN_TRUST[new.origin]))
    if held.immutable or new == moved:
        return settled
    other = Update(memory=versioned(held, new), expected=held, reason="told anew with other fields")
    return replace(settled, changes=(other, *settled.changes))


def reopened(settled: Settled, said: Memory, sessions: Sessions) -> Settled:
    """`settled` with a memory that is told again for every session made global: where sessions are
    walls, the session that it was told in without one would keep it from the others (C-12)."""
    held = settled.outcome.memory
    if held is None or not sessions.wall or settled.outcome.action is not Action.REINFORCED:
        return settled
    if held.scope.session is None or said.scope.session is not None:
        return settled
    if ORIGIN_TRUST[said.origin] < ORIGIN_TRUST[held.origin]:
        return settled
    rest = [one for one in settled.changes if not isinstance(one, Update)]
    told = [one.memory for one in settled.changes if isinstance(one, Update)]
    new = replace((told or [held])[0], scope=replace(held.scope, session=None))
    change = Update(memory=new, expected=held, reason="told anew for every session")
    outcome = replace(settled.outcome, memory=new)
    return replace(settled, changes=(change, *rest), outcome=outcome)
