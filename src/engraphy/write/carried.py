"""What a short correction is asked by: the words of the statement that it puts right (D-08)."""

from collections.abc import Collection, Iterable

from engraphy.model import Held, Memory
from engraphy.text.ending import sought
from engraphy.text.framing import Frame, SORTS, framed, names_of
from engraphy.text.language import language
from engraphy.text.slots import statements
from engraphy.text.split import sentences
from engraphy.text.wording import Word, wording

_OPENS = 3
"""By so many words a clause is told to be the first one, which says what the rest is about."""


def carried(old: Memory, new: Memory, held: Collection[Held], stays: str) -> str:
    """The words under which people will ask for `new`: what `old` spoke of and `new` leaves unsaid
    ("The budget is 5,000 euros." "No, 6,000."), never the value that is over, nor a later clause
    that `stays` beside it; none of them where a rule knew the attribute. What `new` is asked by
    already goes on, and by which what it ends is known to be asked."""
    if any(_source(one) == old.id and one.fact is not None for one in held):
        return new.context
    spoken, beside = wording(old.content), wording(stays)
    first = [word.folded for word in spoken[:_OPENS]] == [word.folded for word in beside[:_OPENS]]
    told = old.content if first else _gone(old.content, stays)
    spoken = wording(told)
    said = {word.folded for word in wording(new.content)}
    over = _denied(old, held, spoken) or _over(told, new.content, spoken)
    words = [one.raw for one in spoken if _told(one, said) and not _is(one, over)]
    asked = (*new.context.split(), *old.context.split(), *words, *sought(new.content).split())
    return " ".join(dict.fromkeys(asked))


def _gone(old: str, stays: str) -> str:
    """The clauses of an older text that are not in what stays of it; all of it where none is."""
    kept = stays.lower()
    found = [one for said in sentences(old) for one in statements(said) if one.lower() not in kept]
    return ", ".join(found) if stays and found else old


def _denied(old: Memory, held: Iterable[Held], spoken: list[Word]) -> frozenset[str]:
    """What the new words say is over, with the numbers told of it; none where they give a value in
    its place."""
    slots = [one.slot for one in held if _source(one) == old.id and one.fact is None]
    values = [slot.value for slot in slots if not slot.polarity]
    numbers = [one.folded for one in spoken if values and one.folded[0].isdigit()]
    return frozenset((*(word for value in values for word in value.split()), *numbers))


def _over(old: str, new: str, spoken: list[Word]) -> frozenset[str]:
    """The values that the new words take the place of: of each sort that they bring, the last."""
    turkish = language(f"{new} {old}") == "tr"
    names = names_of(spoken) | names_of(wording(new))
    before, after = (framed(text, names, turkish=turkish) for text in (old, new))
    return frozenset(_last(before, sort) for sort in SORTS if after.of(sort))


def _last(frame: Frame, sort: str) -> str:
    found = [one for one in frame.pieces if one.sort == sort]
    return max(found, key=lambda one: one.place).key if found else ""


def _told(word: Word, said: set[str]) -> bool:
    return word.content and word.folded not in said


def _is(word: Word, values: frozenset[str]) -> bool:
    """Whether a word is one of some values, in any of its forms, or a part of one ("9:30")."""
    parts = {part.folded for value in values for part in wording(value)}
    return word.folded in parts or any(one and word.folded.startswith(one) for one in values)


def _source(one: Held) -> str | None:
    return None if one.source is None else one.source.id
