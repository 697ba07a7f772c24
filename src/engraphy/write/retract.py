"""Taking back what was said (correction by subject): which memories and facts go, and how.

What goes is history, never erased: state superseded, evidence retracted, validity closed, linked
from the notice that took it back. What is pinned or immutable stays, and is told.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engraphy.model import (
    Action,
    Change,
    Evidence,
    Fact,
    Insert,
    Memory,
    Origin,
    Outcome,
    PutFact,
    PutRelation,
    Relation,
    RelationType,
    Sensitivity,
    State,
    Step,
    Update,
)
from engraphy.record import Record
from engraphy.text.fold import fold
from engraphy.text.retraction import Retraction, asked_attributes, concerns, names_a_thing
from engraphy.text.slots import contradicts, statements
from engraphy.text.slotvalues import value_of
from engraphy.text.split import sentences
from engraphy.write.form import stated_slots
from engraphy.write.remainder import without

_WHY = "taken back by who said it"
_SHOWN = 60
_NOTHING = "nothing is held about it"
_ALL_OF_THEM = '"forget everything about ..." takes back all of them'
NOTHING_ERASED = (
    "a message alone erases nothing: `engraphy forget QUERY` shows what it would erase and gives "
    "the token that confirms it"
)


class Taking(Record, frozen=True, kw_only=True):
    """What a notice takes back: memories as a whole, those that stay, and facts; of `parts` the
    given words still hold; `naming` name what is meant, and it is not their value; `summaries`
    told it, and go on as the given version, or not at all."""

    whole: tuple[Memory, ...] = ()
    kept: tuple[tuple[Memory, str], ...] = ()
    facts: tuple[Fact, ...] = ()
    parts: tuple[tuple[Memory, str], ...] = ()
    naming: tuple[Memory, ...] = ()
    summaries: tuple[tuple[Memory, Memory | None], ...] = ()

    @property
    def empty(self) -> bool:
        """Whether nothing is taken back."""
        return not self.whole and not self.facts


def meant(notice: Memory, taken: Retraction, memories: Iterable[Memory]) -> list[Memory]:
    """The speaker's own memories that the request is about, told before it."""
    return [one for one in own_words(notice, memories) if _about(one, taken)]


def own_words(notice: Memory, memories: Iterable[Memory]) -> Iterator[Memory]:
    """What the one who takes back has said before, and not taken back yet."""
    for one in memories:
        own = one.origin is Origin.USER and fold(one.speaker) == fold(notice.speaker)
        before = one.valid_from <= notice.valid_from
        if own and before and one.evidence is not Evidence.RETRACTED:
            yield one


def _about(memory: Memory, taken: Retraction) -> bool:
    stated = stated_slots(replace(memory, evidence=Evidence.STATED))
    if taken.said:
        own = replace(memory, content="", evidence=Evidence.STATED)
        denials = [replace(slot, polarity=False, single=False) for slot in taken.said]
        plain = stated_slots(replace(own, speaker="", content=memory.content))
        return contradicts(denials, plain) is not None or _lists(memory.content, taken)
    heads = {slot.attribute.partition(":")[0].partition("@")[0] for slot in stated}
    asked = asked_attributes(taken)
    told = [slot.attribute for slot in stated]
    if asked and told and not any(part in one for part in asked for one in told):
        return False
    told_of_it = bool(asked) and bool(told) and not names_a_thing(taken)
    return told_of_it or taken.attribute in heads or concerns(memory.content, taken)


def parts_left(taken: Retraction, whole: Iterable[Memory]) -> Iterator[tuple[Memory, str]]:
    """The memories that tell more than what is taken back, each with its other words. One that is
    about it only as a whole has none."""
    for old in whole:

        def is_over(text: str, old: Memory = old) -> bool:
            return _about(replace(old, content=text), taken)

        if text := without(old, is_over):
            yield old, text


def said_by(text: str, fact: Fact, old: Memory) -> bool:
    """Whether words that are left of a memory still state a fact of it."""
    told = stated_slots(replace(old, content=text, evidence=Evidence.STATED))
    return any((one.attribute, one.value) == (fact.predicate, fact.object) for one in told)


def _lists(content: str, taken: Retraction) -> bool:
    """Whether a text says of several things what is taken back of one of them."""
    values = {slot.value for slot in taken.said if slot.polarity}
    parts = [part for one in sentences(content) for part in statements(one)]
    return any(value_of(part.rstrip(". ")) in values for part in parts)


def sorted_out(memories: Sequence[Memory], limit: int) -> Taking:
    """Short memories go as a whole; long ones stay, as do those that are protected."""
    whole: list[Memory] = []
    kept: list[tuple[Memory, str]] = []
    for one in memories:
        if one.immutable or one.pinned:
            kept.append((one, "immutable" if one.immutable else "pinned"))
        elif len(one.content) > limit:
            kept.append((one, "a long text; only its facts end"))
        else:
            whole.append(one)
    return Taking(whole=tuple(whole), kept=tuple(kept))


def noted(memory: Memory, new_id: str) -> Memory:
    """The notice as it is kept: history itself, so that it answers no question."""
    return replace(memory, id=new_id, state=State.ARCHIVED, evidence=Evidence.RETRACTED)


def asked_anew(notice: Memory, before: Memory) -> Iterator[Change]:
    """The change that makes an earlier notice in the same words history."""
    ends = max(before.valid_from, notice.valid_from)
    gone = replace(before, state=State.SUPERSEDED, superseded_by=notice.id, valid_until=ends)
    yield Update(memory=gone, expected=before, reason="asked for again", op="supersede")


def taken_back(notice: Memory, taking: Taking, now: int) -> Iterator[Change]:
    """The changes of one notice, all in one list."""
    first = taking.whole[0].id if taking.whole else None
    yield Insert(memory=replace(notice, supersedes=first), reason=_WHY)
    for old in taking.whole:
        yield from _over(notice, old, replace(old, evidence=Evidence.RETRACTED), now)
    for old, told in taking.summaries:
        if told is None:
            yield from _over(notice, old, old, now)
        else:
            again = replace(told, updated_at=max(now, old.updated_at))
            yield Update(memory=again, expected=old, reason="what it told was taken back")
    for fact in taking.facts:
        ended = max(fact.valid_from, notice.valid_from)
        yield PutFact(fact=replace(fact, valid_until=ended, updated_at=now), reason=_WHY)


def _over(notice: Memory, old: Memory, held: Memory, now: int) -> Iterator[Change]:
    """The changes that make `old`, read as `held`, history by a notice."""
    ends = max(old.valid_from, notice.valid_from)
    gone = replace(held, state=State.SUPERSEDED, superseded_by=notice.id, valid_until=ends)
    link = Relation(
        source_id=notice.id, target_id=old.id, type=RelationType.SUPERSEDES, created_at=now
    )
    yield Update(memory=gone, expected=old, reason=_WHY, op="supersede")
    yield PutRelation(relation=link, reason=_WHY)


def outcome(notice: Memory, taking: Taking, trace: Sequence[Step]) -> Outcome:
    """What is told of a request: what went, what stayed and why."""
    gone = [Step(stage="retract", detail=f"taken back: {_shown(one)}") for one in taking.whole]
    stay = [Step(stage="retract", detail=f"stays ({why}): {_shown(o)}") for o, why in taking.kept]
    named = [Step(stage="retract", detail=f"only names it: {_shown(o)}") for o in taking.naming]
    again = [
        Step(stage="retract", detail=f"told no longer by the summary {one.id}")
        for one, _ in taking.summaries
    ]
    steps = (*trace, *gone, *stay, *named, *again)
    if taking.empty:
        held = _why_nothing(taking)
        step = Step(stage="retract", detail=held, passed=False)
        return Outcome(
            action=Action.SKIPPED,
            reason=f"retract: {held}",
            content=notice.content,
            trace=(*steps, step),
        )
    return Outcome(
        action=Action.SUPERSEDED,
        reason=f"taken back: {_told_of(taking)}",
        memory=notice,
        previous=taking.whole[0] if taking.whole else None,
        content=notice.content,
        trace=steps,
    )


def _why_nothing(taking: Taking) -> str:
    if taking.kept:
        return "what is held about it is protected"
    if taking.naming:
        return f"{_naming(taking)} it, and none was taken back: {_ALL_OF_THEM}"
    return _NOTHING


def _told_of(taking: Taking) -> str:
    gone = f"{len(taking.whole)} memories, {len(taking.facts)} facts"
    if not taking.naming:
        return gone
    return f"{gone}; {_naming(taking)} it and stay: {_ALL_OF_THEM}"


def _naming(taking: Taking) -> str:
    count = len(taking.naming)
    return f"{count} of the memories {'names' if count == 1 else 'name'}"


def nothing_held() -> Step:
    """The verdict on a request that names nothing which is held: it is no memory of its own."""
    return Step(stage="retract", detail=_NOTHING, passed=False)


def refused(content: str, trace: Sequence[Step]) -> Outcome:
    """What is told to who asks by a mere message that everything be forgotten."""
    step = Step(stage="retract", detail=NOTHING_ERASED, passed=False)
    reason = f"retract: {NOTHING_ERASED}"
    return Outcome(action=Action.SKIPPED, reason=reason, content=content, trace=(*trace, step))


def _shown(memory: Memory) -> str:
    if memory.sensitivity is not Sensitivity.PUBLIC:
        return memory.id
    return f"{memory.id} ({' '.join(memory.content.split())[:_SHOWN]})"
