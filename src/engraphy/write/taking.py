"""Taking back by the name of a value alone ("forget Rome"): what it is the value of, and what else
such a statement says."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from engraphy.model import Evidence, Fact, Held, Memory, Slot
from engraphy.record import Record
from engraphy.text.entities import entities
from engraphy.text.retraction import Retraction
from engraphy.text.valued import is_value, mentions
from engraphy.write.form import stated_slots
from engraphy.write.remainder import left
from engraphy.write.retract import own_words

_NO_NAME = frozenset({"date", "version"})


class Named(Record, frozen=True, kw_only=True):
    """The memories whose value it is, and those that only name it and stay."""

    taken: tuple[Memory, ...] = ()
    naming: tuple[Memory, ...] = ()


def valued(notice: Memory, taken: Retraction, memories: Iterable[Memory]) -> Named:
    """What the name of a value takes back: what states it as its value; where nothing does, the
    one memory that names it and names nothing else. Of several that only name it, none."""
    own = [one for one in own_words(notice, memories) if mentions(one.content, taken.value)]
    stating = tuple(one for one in own if _states(one, taken))
    naming = tuple(one for one in own if one not in stating)
    if not stating and len(naming) == 1:
        alone = _names_nothing_else(naming[0], taken)
        return Named(taken=naming) if alone else Named(naming=naming)
    return Named(taken=stating, naming=naming)


def what_is_left(
    notice: Memory, taken: Retraction, whole: Sequence[Memory], facts: Sequence[Fact]
) -> Iterator[tuple[Memory, str]]:
    """The memories that say more than what is taken back, each with the words that still hold."""
    for old in whole:
        over = [
            one for one in facts if one.source_id == old.id and is_value(one.object, taken.value)
        ]
        held = [Held(fact=one, slot=_slot(one), source=old) for one in over]
        if held and (text := left(old, notice, held)):
            yield old, text


def _states(memory: Memory, taken: Retraction) -> bool:
    return any(one.polarity and is_value(one.value, taken.value) for one in _slots(memory))


def _names_nothing_else(memory: Memory, taken: Retraction) -> bool:
    names = [one.name for one in entities(memory.content) if one.kind not in _NO_NAME]
    names += [one.value for one in _slots(memory)]
    return bool(names) and all(mentions(one, taken.value) for one in names)


def _slots(memory: Memory) -> tuple[Slot, ...]:
    return stated_slots(replace(memory, evidence=Evidence.STATED))


def _slot(fact: Fact) -> Slot:
    return Slot(subject=fact.subject, attribute=fact.predicate, value=fact.object)
