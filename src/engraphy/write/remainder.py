"""What is left of a short memory that told several things when one of them is over."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from engraphy.model import (
    Change,
    Evidence,
    Held,
    Insert,
    Memory,
    PutRelation,
    Relation,
    RelationType,
    Slot,
    TemporalType,
)
from engraphy.text.classify import classify
from engraphy.text.correcting import corrects
from engraphy.text.ending import over as tells_over
from engraphy.text.evidence import asks
from engraphy.text.foresight import foresight
from engraphy.text.leant import leant, names_only, renames
from engraphy.text.overtaking import overtakes
from engraphy.text.parts import listed, stems, words
from engraphy.text.rewrite import title
from engraphy.text.slots import contradicts, slots, statements
from engraphy.text.split import sentences
from engraphy.text.succession import succession
from engraphy.text.trivial import trivial
from engraphy.text.wordlists import plain
from engraphy.write.apart import clauses_left, is_coordinated, standing, tells_apart
from engraphy.write.form import asked_as, stated_slots
from engraphy.write.given import kind_priority
from engraphy.write.phrases import phrases_left
from engraphy.write.stating import Settling, put, since

LEFT = "what still holds of a memory of which a part is over"
"""Why the rest of a memory is written."""
_OVER, _STANDS = 0.3, 0.1
"""How likely a clause is over by the learned model, and how likely one that stands is at most."""
_TELLING = 3
"""Words from which on what states nothing known says something."""


def left(old: Memory, new: Memory, held: Sequence[Held]) -> str | None:
    """The words of `old` that still hold; "" if it states nothing else, None if what holds cannot
    be told apart from what is over."""
    found = _left(old, new, held)
    if found != "" or not _says_one_thing(old):
        return found
    text = phrases_left(old.content, new.content)
    again = contradicts(stated_slots(new), stated_slots(replace(old, content=text)))
    return text if again is None else ""


def _left(old: Memory, new: Memory, held: Sequence[Held]) -> str | None:
    told = stated_slots(new)
    mine_held = [one.fact for one in held if _source(one) == old.id and one.fact is not None]
    ended = {(fact.predicate, fact.object) for fact in mine_held}
    mine = stated_slots(old)
    over = {one for one in mine if _over(one, ended, told)}
    said = {(one.subject, one.attribute, one.value) for one in told if one.polarity}
    named = {one.subject for one in told}
    rest = {
        one
        for one in mine
        if one.polarity and one not in over and one.value not in named
        if (one.subject, one.attribute, one.value) not in said
        if not any(_says_it_too(one, gone) for gone in over)
    }
    if not over:
        return _beside(old, new)
    if _worded(old, held) and _says_one_thing(old):
        return ""
    kept = _kept(old, over)
    if kept is None:
        return None
    text = _joined(kept, new, lambda one: bool(rest) or _tells(one))
    if text is None:
        return None
    stated = {_bare(one) for one in stated_slots(replace(old, content=text))}
    whole = {_bare(one) for one in rest} <= stated and stated.isdisjoint(map(_bare, over))
    return text if whole else None


def _says_it_too(one: Slot, gone: Slot) -> bool:
    """Whether a slot says in its value what one that is over says ("takes 20 mg of lisinopril", of
    a dose of 20)."""
    return words(f"{gone.subject} {gone.value}") <= words(one.value)


def without(old: Memory, is_over: Callable[[str], bool]) -> str:
    """The words of `old` that tell something else than what is over; empty where none can be told
    apart from it."""
    kept = standing(
        sentences(old.content), lambda text: frozenset() if is_over(text) else None, forgotten=True
    )
    told = stated_slots(replace(old, content=" ".join(kept or ()), evidence=Evidence.STATED))
    return " ".join(kept or ()) if told else " ".join(filter(_tells, kept or ()))


def split_off(old: Memory, new: Memory, text: str, given: Settling) -> Iterator[Change]:
    """The changes that keep what is left as a memory of its own, linked to what it was part of."""
    part = replace(
        old,
        id=given.new_id(given.now),
        content=text,
        title=title(text),
        context="",
        supersedes=old.id,
        superseded_by=None,
        valid_from=since(new, old),
        recorded_at=given.now,
        updated_at=max(old.updated_at, given.now),
        version=1,
    )
    part = _unbounded(part, old)
    part = replace(part, context=asked_as(part))
    yield Insert(memory=part, reason=LEFT)
    relation = Relation(
        source_id=part.id, target_id=old.id, type=RelationType.SUPERSEDES, created_at=given.now
    )
    yield PutRelation(relation=relation, reason="what still holds of it")
    for slot in stated_slots(part):
        if slot.polarity:
            yield put(slot, part, part.valid_until, given)


def _unbounded(part: Memory, old: Memory) -> Memory:
    """A part without the end that the whole had from what it announced, where the part does not."""
    seen = foresight(old.content, now=old.valid_from)
    if seen is None or seen.valid_until != old.valid_until:
        return part
    if foresight(part.content, now=old.valid_from) is not None:
        return part
    kind = classify(part.content).kind
    return replace(
        part,
        kind=kind,
        priority=kind_priority(kind),
        temporal_type=TemporalType.PERSISTENT,
        valid_until=None,
    )


def _beside(old: Memory, new: Memory) -> str | None:
    """What the new words do not take the place of, sentence by sentence and clause by clause, where
    it tells something; None of several sentences of which none is told apart."""

    def ended(text: str) -> frozenset[str] | None:
        found = overtakes(new.content, text)
        if found is not None:
            return frozenset(found.value.split()) if found.negated else frozenset()
        put_right = corrects(new.content, text) or leant(new.content, text, just=True)
        return None if put_right is None else frozenset()

    found = sentences(old.content)
    untold = all(ended(one) is None for one in found)
    if untold and len(found) > 1:
        return None
    named = [
        one for one in found if ended(one) is not None and tells_over(new.content, one) is None
    ]
    if _renames(new) and any(_says_more(one, new) for one in named):
        return None
    kept = _likely(old, new) if untold else standing(found, ended)
    if kept is None:
        return None
    text = " ".join(kept)
    told = stated_slots(replace(old, content=text))
    if any(one.polarity for one in told):
        return text
    return _joined(kept, new, lambda one: _tells(one) or _opens(one, old))


def _joined(kept: list[str], new: Memory, keeps: Callable[[str], bool]) -> str | None:
    """The words that are worth keeping alone; None where all of them hang on one of whom only the
    name is put right ("he plays chess")."""
    text = " ".join(filter(keeps, kept))
    return None if kept and not text and _renames(new) else text


def _renames(new: Memory) -> bool:
    """Whether new words say how somebody or something is called."""
    return renames(new.content) or any(slot.attribute == "name" for slot in stated_slots(new))


def _says_more(text: str, new: Memory) -> bool:
    """Whether words of which a name is put right tell of who has it what new words do not: that
    holds under whatever name ("our dog Rex is allergic to chicken")."""
    return not names_only(text) and not stems(text) <= stems(new.content)


def _opens(text: str, old: Memory) -> bool:
    """Whether words are those that a memory begins with, which speak of nothing told after them."""
    return (
        old.content.lower().startswith(text.rstrip(".").lower()) and len(text.split()) >= _TELLING
    )


def _likely(old: Memory, new: Memory) -> list[str] | None:
    """The clauses of a sentence that the learned model clearly tells from those that are over; None
    where it does not, and one of them tells something else."""
    told = {clause: succession(new.content, clause) for clause in statements(old.content)}
    clear = all(likely >= _OVER or likely < _STANDS for likely in told.values())
    clear = clear and is_coordinated(old.content)
    if not clear or max(told.values(), default=0.0) < _OVER:
        return None if tells_apart(old.content) else []
    over = {clause for clause, likely in told.items() if likely >= _OVER}
    return clauses_left(old.content, lambda text: frozenset() if text in over else None) or []


def _tells(text: str) -> bool:
    """Whether words that state nothing known are worth keeping alone: they say something, and of
    nothing that went with what is over ("I love it here")."""
    if asks(plain(text)) or trivial(text) is not None or words(text) & listed("dangling"):
        return False
    return bool(stems(text)) and len(text.split()) >= _TELLING


def _says_one_thing(old: Memory) -> bool:
    return len(sentences(old.content)) == 1 and len(list(statements(old.content))) == 1


def _worded(old: Memory, held: Sequence[Held]) -> bool:
    """Whether it is by its words that the old memory is over, not by a fact alone."""
    return any(_source(one) == old.id and one.fact is None for one in held)


def _source(one: Held) -> str | None:
    return None if one.source is None else one.source.id


def _over(slot: Slot, ended: set[tuple[str, str]], told: tuple[Slot, ...]) -> bool:
    return (slot.attribute, slot.value) in ended or contradicts(told, [slot]) is not None


def _bare(slot: Slot) -> tuple[str, str, str, bool]:
    return slot.subject, slot.attribute, slot.value, slot.polarity


def _kept(old: Memory, over: set[Slot]) -> list[str] | None:
    """The sentences that say nothing of what is over; of the others the clauses that do not."""
    gone = {(one.attribute, one.value, one.polarity) for one in over}

    def ended(text: str) -> frozenset[str] | None:
        said = {one.value for one in slots(text) if _key(one) in gone}
        return frozenset(said) if said else None

    return standing(sentences(old.content), ended)


def _key(slot: Slot) -> tuple[str, str, bool]:
    return slot.attribute, slot.value, slot.polarity
