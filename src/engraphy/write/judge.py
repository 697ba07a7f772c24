"""The prediction-error gate (D-07): create, merge, reinforce, supersede or skip.

Contradiction is tested before all bands and wins; what differs in a number, a name or a negation
is never called a duplicate (R-09).
"""

from collections.abc import Sequence

from engraphy.formulas import prediction_error_action
from engraphy.model import Decision, Draft, Held, Judgement, Later, Memory, Near, Origin, State
from engraphy.profile import Judge
from engraphy.text.cues import pending, reminds
from engraphy.text.moments import iso
from engraphy.text.similarity import near_duplicate
from engraphy.write.contradict import Standing

_TOLD = "told"
"""The attribute of what is known by its words alone."""
_SLEEPING = frozenset({State.DORMANT, State.ARCHIVED, State.EXPIRED})


def judge(
    draft: Draft, near: Sequence[Near], stands: Standing, importance: float, knobs: Judge
) -> Judgement:
    """What to do with a draft, given what stands near it, what it disagrees with, and what is
    newer than it."""
    if stands.held and knobs.supersede:
        return _contradicted(stands)
    if stands.later and knobs.supersede:
        return _overtaken(stands.later)
    for one in near:
        if one.guards or one.similarity < knobs.gap_from or _apart(draft.memory, one.memory):
            continue
        return _banded(draft, one, importance, knobs)
    closest = max((one.similarity for one in near), default=0.0)
    return Judgement(decision="create", reason="new", similarity=closest)


def duplicate(draft: Draft, same: Memory) -> Judgement:
    """The judgement over a draft whose exact text stands in its scope already (A-05)."""
    return _restated(draft, same, 1.0, "the same text is held already")


def known_to_be_over(over: Memory) -> Judgement:
    """The judgement over a text that is told again of the time that it is history of: what ended it
    since still does."""
    return Judgement(
        decision="skip", reason="held as history of that time already", target=over, similarity=1.0
    )


def _contradicted(stands: Standing) -> Judgement:
    held, first = stands.held, stands.held[0]
    change = _change(first)
    locked = next((h.source for h in held if h.source and h.source.immutable), None)
    if locked is not None:
        reason = f"disagrees with an immutable memory ({change})"
        return Judgement(decision="report", reason=reason, target=locked, held=held)
    return Judgement(
        decision="supersede", reason=change, target=first.source, held=held, later=stands.later
    )


def _change(first: Held) -> str:
    """What changes; of what is no fact, which memory, and what is said now; of what only a model
    finds, how likely it is over."""
    if first.likely is not None and first.source is not None:
        return f"takes the place of {first.source.id}: likely {first.likely:.2f}"
    if first.slot.attribute == _TOLD and first.source is not None:
        return f"takes the place of {first.source.id}: {_value(first)}"
    before = f"{first.fact.object} -> " if first.fact is not None else ""
    return f"{first.slot.subject} {first.slot.attribute}: {before}{_value(first)}"


def _overtaken(later: tuple[Later, ...]) -> Judgement:
    first = min(later, key=lambda one: one.at)
    reason = f"told late: {first.slot.subject} {first.slot.attribute} {_value(first)}"
    return Judgement(decision="create", reason=f"{reason} until {iso(first.at)}", later=later)


def _value(said: Held | Later) -> str:
    return said.slot.value if said.slot.polarity else f"no longer {said.slot.value}"


def _banded(draft: Draft, one: Near, importance: float, knobs: Judge) -> Judgement:
    close = f"similarity {one.similarity:.2f} to {one.memory.id}"
    action = prediction_error_action(
        similarity=one.similarity,
        importance=importance,
        entity_overlap=_overlap(draft.memory, one.memory),
        create_below=knobs.gap_from,
        update_from=knobs.update_from,
        reinforce_above=knobs.reinforce_above,
        important_from=knobs.gap_importance,
    )
    if action == "reinforce" and _repeats(draft, one, knobs):
        return _restated(draft, one.memory, one.similarity, f"said already, {close}")
    decision: Decision = "create"
    if action == "update" and knobs.on_update == "merge" and _may_merge(draft, one.memory):
        decision = "merge"
    elif action == "skip" and knobs.on_gap == "skip" and not draft.explicit:
        decision = "skip"
    return Judgement(decision=decision, reason=close, target=one.memory, similarity=one.similarity)


def _repeats(draft: Draft, one: Near, knobs: Judge) -> bool:
    """Whether what is that similar is the same: "into the water" is not "out of the water"."""
    if not knobs.reinforce_same_words:
        return True
    return near_duplicate(draft.memory.content, one.memory.content)


def _overlap(one: Memory, two: Memory) -> float:
    first, second = set(one.entities), set(two.entities)
    return len(first & second) / len(first | second) if first | second else 1.0


def _may_merge(draft: Draft, target: Memory) -> bool:
    """What two texts say of themselves must be the same for them to become one: a supposition
    never gains the weight of a statement, nor a fact the end of a plan."""
    new = draft.memory
    if target.protected or target.tells_others or new.state is not State.ACTIVE:
        return False
    if new.evidence is not target.evidence or new.valid_until != target.valid_until:
        return False
    if draft.explicit and new.kind is not target.kind:
        return False
    return target.origin is new.origin


def _apart(new: Memory, held: Memory) -> bool:
    """Whether two texts never become one, however near they stand: what the user says is no
    repetition of what others said, what is held back touches nothing (P-10), and each request to
    be reminded has its own time (D-76)."""
    users = new.origin is Origin.USER and held.origin is not Origin.USER
    return users or new.state is State.QUARANTINED or reminds(new) or pending(held)


def _restated(draft: Draft, held: Memory, similarity: float, reason: str) -> Judgement:
    """Repeating a memory back is no evidence for it: an echo of what came from elsewhere is
    skipped, not counted (R-10); where a caller asks by name it still wakes what sleeps (R-06)."""
    new = draft.memory
    echo = new.origin is not Origin.USER and new.origin is not held.origin
    wakes = draft.explicit and _asleep(held, new)
    decision: Decision = "skip" if echo and not wakes else "reinforce"
    why = f"{reason} (an echo is no evidence)" if decision == "skip" else reason
    return Judgement(decision=decision, reason=why, target=held, similarity=similarity)


def _asleep(held: Memory, new: Memory) -> bool:
    over = held.expires_at is not None and held.expires_at <= new.recorded_at
    return over or held.state in _SLEEPING
