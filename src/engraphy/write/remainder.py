"""What is left of a short memory that told several things when one of them is over."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from engraphy.model import (
    Change,
    Held,
    Insert,
    Memory,
    PutRelation,
    Relation,
    RelationType,
    Slot,
)
from engraphy.text.evidence import asks
from engraphy.text.frames import corrects
from engraphy.text.overtaking import overtakes
from engraphy.text.parts import listed, stems, words
from engraphy.text.rewrite import title
from engraphy.text.slots import contradicts, slots, statements
from engraphy.text.split import sentences
from engraphy.text.trivial import trivial
from engraphy.text.wordlists import plain
from engraphy.write.form import asked_as, stated_slots
from engraphy.write.stating import Settling, put

_TELLING = 2
"""Telling words from which on what states nothing known says something."""


def left(old: Memory, new: Memory, held: Sequence[Held]) -> str | None:
    """The words of `old` that still hold; "" if it states nothing else, None if what holds cannot
    be told apart from what is over."""
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
    }
    if not over:
        return _beside(old, new)
    if _worded(old, held) and len(list(statements(old.content))) == 1:
        return ""
    text = " ".join(one for one in _kept(old, over) if rest or _tells(one))
    if not text:
        return ""
    stated = {_bare(one) for one in stated_slots(replace(old, content=text))}
    whole = {_bare(one) for one in rest} <= stated and stated.isdisjoint(map(_bare, over))
    return text if whole else None


def split_off(old: Memory, new: Memory, text: str, given: Settling) -> Iterator[Change]:
    """The changes that keep what is left as a memory of its own, linked to what it was part of."""
    since = max(old.valid_from, new.valid_from)
    part = replace(
        old,
        id=given.new_id(given.now),
        content=text,
        title=title(text),
        context="",
        supersedes=old.id,
        superseded_by=None,
        valid_from=since,
        recorded_at=given.now,
        updated_at=max(old.updated_at, given.now),
        version=1,
    )
    part = replace(part, context=asked_as(part))
    yield Insert(memory=part, reason="what still holds of a memory of which a part is over")
    relation = Relation(
        source_id=part.id, target_id=old.id, type=RelationType.SUPERSEDES, created_at=given.now
    )
    yield PutRelation(relation=relation, reason="what still holds of it")
    for slot in stated_slots(part):
        if slot.polarity:
            yield put(slot, part, part.valid_until, given)


def _beside(old: Memory, new: Memory) -> str | None:
    """What the new words do not take the place of, sentence by sentence and clause by clause, where
    it tells something; None of several sentences of which none is told apart."""
    found = sentences(old.content)
    parts = [part for one in found for part in _parts(one, new.content)]
    kept = [text for text, is_over in parts if not is_over]
    if len(kept) == len(parts):
        return None if len(found) > 1 else ""
    text = " ".join(kept)
    told = stated_slots(replace(old, content=text))
    return text if any(one.polarity for one in told) else " ".join(filter(_tells, kept))


def _parts(sentence: str, new: str) -> list[tuple[str, bool]]:
    """A sentence, or its clauses where they can be told apart, each with whether it is over."""
    if not _takes_place(new, sentence):
        return [(sentence, False)]
    told = [(_standing(one), _takes_place(new, one)) for one in statements(sentence)]
    return told if any(is_over for _, is_over in told) else [(sentence, True)]


def _tells(text: str) -> bool:
    """Whether words that state nothing known are worth keeping alone: they say something, and of
    nothing that went with what is over ("I love it here")."""
    if asks(plain(text)) or trivial(text) is not None or words(text) & listed("dangling"):
        return False
    return len(stems(text)) >= _TELLING


def _standing(clause: str) -> str:
    return f"{clause[:1].upper()}{clause[1:].rstrip('.;, ')}."


def _worded(old: Memory, held: Sequence[Held]) -> bool:
    """Whether it is by its words that the old memory is over, not by a fact alone."""
    return any(_source(one) == old.id and one.fact is None for one in held)


def _takes_place(new: str, sentence: str) -> bool:
    return overtakes(new, sentence) is not None or corrects(new, sentence) is not None


def _source(one: Held) -> str | None:
    return None if one.source is None else one.source.id


def _over(slot: Slot, ended: set[tuple[str, str]], told: tuple[Slot, ...]) -> bool:
    return (slot.attribute, slot.value) in ended or contradicts(told, [slot]) is not None


def _bare(slot: Slot) -> tuple[str, str, str, bool]:
    return slot.subject, slot.attribute, slot.value, slot.polarity


def _kept(old: Memory, over: set[Slot]) -> Iterator[str]:
    """The sentences that say nothing of what is over; of the others the clauses that do not."""
    gone = {(one.attribute, one.value, one.polarity) for one in over}
    for sentence in sentences(old.content):
        if not _says(sentence, gone):
            yield sentence
            continue
        for clause in statements(sentence):
            if not _says(clause, gone) and (slots(clause) or _tells(clause)):
                yield _standing(clause)


def _says(text: str, gone: set[tuple[str, str, bool]]) -> bool:
    return any((one.attribute, one.value, one.polarity) in gone for one in slots(text))
