"""Attributes as statements give them, and when two statements cannot both hold (D-08).

Precision first: a clause that supposes, asks, quotes or tells of old habits gives no slot, and an
addition ("also", "as well") never fills a single slot.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from engraphy.model.language import Contradiction, Slot, Stance
from engraphy.text.atoms import stands_alone
from engraphy.text.canonical import canonical, for_once
from engraphy.text.evidence import asks, stance_of
from engraphy.text.gapping import ungapped
from engraphy.text.partly import in_part
from engraphy.text.relayed import without_relayed
from engraphy.text.rewrite import without_lead_in
from engraphy.text.slotrules import changed, matches
from engraphy.text.slotvalues import ANY, overlapping, same_topic, within
from engraphy.text.split import clauses, prose, sentences
from engraphy.text.wordlists import READ_LIMIT, compose, pattern, plain, rules

_LIKED = frozenset({"likes", "preference"})
_DISLIKED = "dislikes"
_TASTES = frozenset({*_LIKED, _DISLIKED})
_CHOICES = frozenset({*_TASTES, "uses", "diet", "learning", "habit"})
_SENTENCE = 400
_NOT_SO = ("unreal", "given_up", "passing")
_OPENINGS = 3


@lru_cache(maxsize=256)
def slots(text: str) -> tuple[Slot, ...]:
    """The slots a text states, each once, in order.

    `subject` is "user" for the speaker, "project" for what "we" build, else the lower-case name
    of the thing or person. `attribute` may carry a domain and a purpose: "uses:editor",
    "preference:mode@night". "*" as attribute of a denial stands for any ("got rid of X").
    """
    found: dict[Slot, None] = {}
    for sentence in sentences(canonical(prose(without_relayed(text[:READ_LIMIT])))):
        # What is given up in one place or at one time is not denied.
        in_all = not in_part(sentence[:_SENTENCE])
        found |= {one: None for one in of_sentence(sentence[:_SENTENCE]) if one.polarity or in_all}
    if len(found) > 0 and pattern("slotwords", "account").search(plain(text[:READ_LIMIT])):
        return tuple(map(_come_to, found))
    return tuple(found)


def _come_to(slot: Slot) -> Slot:
    """A taste that a text tells of coming to is how it is now."""
    anew = slot.polarity and _family(slot) in _TASTES
    return replace(slot, anew=slot.anew or anew)


def of_sentence(sentence: str) -> Iterator[Slot]:
    """The slots of a sentence, clause by clause, where it speaks of the world as it is."""
    folded = plain(sentence)
    if asks(folded) or any(pattern("slotwords", n).search(folded) for n in _NOT_SO):
        return
    if for_once(sentence):
        return
    told = _opened(sentence)
    additive = pattern("slotwords", "additive").search(plain(told)) is not None
    for clause in statements(told):
        if stance_of(clause) is Stance.STATED:
            found = settled(matches(without_opening(clause)), told_as(clause, additive))
            yield from (one for one in found if one.polarity or not in_part(clause))


def _opened(sentence: str) -> str:
    """The sentence without its opening ("one more thing, ..."), unless that says that things are
    as they are now."""
    rest = without_opening(sentence)
    opening = plain(sentence[: len(sentence) - len(rest)])
    tells = changed(opening) or pattern("slotwords", "anew").search(opening) is not None
    return sentence if tells else rest


def statements(sentence: str) -> Iterator[str]:
    """The clauses of a sentence without lead-ins; one that begins with its verb takes up the "I"
    or "we" of the clause before ("I live in Rome and work at Acme"), one without a verb the verb
    ("the API is on 80, the panel on 81"), one that only says where is read as that clause has it
    ("I changed jobs, I'm at Acme"). What stands beyond `READ_LIMIT` is
    one clause."""
    speaker, before = "", ""
    for said in clauses(sentence[:READ_LIMIT]):
        clause = ungapped(before, said) or _carried(before, without_lead_in(said))
        before, folded = clause, plain(clause)
        if speaker and pattern("slotwords", "bare_verb").match(folded):
            yield f"{speaker} {clause[:1].lower()}{clause[1:]}"
            continue
        found = pattern("slotwords", "clause_subject").match(folded)
        speaker = clause[: found.end()] if found is not None else ""
        yield clause
    if rest := sentence[READ_LIMIT:].strip():
        yield rest


def _carried(before: str, clause: str) -> str:
    """A clause as the one before it has it read ("I changed jobs, I'm at Acme": works there)."""
    if not before:
        return clause
    said, folded = plain(before), plain(clause)
    for rule in rules("carried"):
        told = rule.pattern.search(said)
        if told is None:
            continue
        found = re.match(compose(rule.fields["clause"], rule.language), folded, re.IGNORECASE)
        if found is not None:
            read = found.expand(rule.fields["as"]).format_map(told.groupdict())
            return f"{read}{clause[found.end() :]}"
    return clause


@lru_cache(maxsize=256)
def abreast(text: str) -> tuple[str, ...]:
    """The clauses of a sentence that all can be sentences, and of which none hangs on another; none
    of another text."""
    said = sentences(text)
    found = tuple(statements(said[0])) if len(said) == 1 else ()
    if len(found) <= 1 or pattern("slotwords", "hanging").search(plain(text)) is not None:
        return ()
    return found if all(map(stands_alone, found)) else ()


class Told(NamedTuple):
    """How a clause tells: as an addition (of choices, of anything), a change, as it is now."""

    additive: bool
    besides: bool
    change: bool
    now: bool


def told_as(clause: str, additive: bool) -> Told:
    """What the small words of a clause say; `additive`: what its sentence says."""
    folded = plain(clause)
    return Told(
        additive,
        pattern("slotwords", "additive_all").search(folded) is not None,
        changed(folded),
        pattern("slotwords", "anew").search(folded) is not None,
    )


def without_opening(clause: str) -> str:
    """The clause without what only says when or that it is put right ("correction: ...")."""
    for _ in range(_OPENINGS):
        found = pattern("slotwords", "opening").match(plain(clause))
        if found is None or found.end() >= len(clause):
            break
        clause = clause[found.end() :]
    return clause[:1].upper() + clause[1:]


def settled(found: Iterable[Slot], told: Told) -> Iterator[Slot]:
    """The slots with `single` and `anew` as the statement's own words have it."""
    said = tuple(found)
    # What a change says that it leaves is all that goes of what may be many.
    change = told.change and all(slot.polarity for slot in said)
    for slot in said:
        family, domain = slot.attribute.partition(":")[::2]
        choice = family in _CHOICES
        exclusive = slot.single or (change and (bool(domain) or not choice))
        adds = told.additive if choice else told.besides
        anew = told.now and slot.polarity and not told.additive and family in _TASTES
        yield replace(slot, single=exclusive and slot.polarity and not adds, anew=anew)


def contradicts(new: Iterable[Slot], old: Iterable[Slot]) -> Contradiction | None:
    """The first slot of `new` that cannot hold together with one of `old`, or None.

    "value": the attribute holds one value and the new statement gives another one. "negated": the
    new statement denies what the old one said of the same subject, or the other way round. "told
    anew": the new statement says how a taste is now, of which the old one told before.
    """
    held = tuple(old)
    for fresh in new if any(map(excludes_any, held)) else exclusive(new):
        for stale in held:
            if fresh.subject == stale.subject:
                reason = clash(fresh, stale)
                if reason is not None:
                    return Contradiction(new=fresh, old=stale, reason=reason)
    return None


def exclusive(new: Iterable[Slot]) -> tuple[Slot, ...]:
    """Those that may exclude what neither denies nor dislikes: what may be one of many does not."""
    return tuple(slot for slot in new if slot.single or slot.anew or excludes_any(slot))


def excludes_any(slot: Slot) -> bool:
    """Whether it denies or dislikes, and so may exclude what may be one of many."""
    return not slot.polarity or slot.attribute.startswith(_DISLIKED)


def clash(new: Slot, old: Slot) -> str | None:
    """Why two slots of one subject exclude each other."""
    denial = denied(new, old)
    if denial is not None:
        gone, said = denial
        return "negated" if within(gone.value, said.value) else None
    if not (new.polarity and old.polarity) or new.attribute != old.attribute:
        return None
    if new.anew and new != old and same_topic(new.value, old.value):
        return "told anew"
    return "value" if new.single and not overlapping(new.value, old.value) else None


def denied(new: Slot, old: Slot) -> tuple[Slot, Slot] | None:
    """Of two slots of which one denies what the other says: the denial, and what is said."""
    if new.polarity != old.polarity:
        gone, said = (old, new) if new.polarity else (new, old)
        return (gone, said) if related(gone.attribute, said.attribute) else None
    if not new.polarity:
        return None
    if _family(new) == _DISLIKED and _family(old) in _LIKED:
        return new, old
    if _family(old) == _DISLIKED and _family(new) in _LIKED:
        return old, new
    return None


def related(denial: str, said: str) -> bool:
    """Whether a denial under one attribute speaks of the other, whatever the purpose."""
    denial, said = denial.partition("@")[0], said.partition("@")[0]
    if denial == ANY:
        return said != _DISLIKED
    return denial == said or {denial.partition(":")[0], said.partition(":")[0]} <= _LIKED


def counterparts(slot: Slot) -> tuple[str | None, ...]:
    """The attributes under which what a slot excludes may stand; None for any."""
    if not slot.polarity or _family(slot) == _DISLIKED:
        return (None,)
    if _family(slot) in _LIKED:
        return (slot.attribute, _DISLIKED)
    return (slot.attribute,)


def _family(slot: Slot) -> str:
    return slot.attribute.partition("@")[0].partition(":")[0]
