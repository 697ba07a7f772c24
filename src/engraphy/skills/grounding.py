"""Whether a statement stays with the text it was made from (R-09, R-12).

Rules only: a number, a name or a negation that the text does not have makes a statement unusable,
whoever wrote it. Errs on the side of refusing, as the rules that take over keep the text's words.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cached_property

from engraphy.model import Evidence, Slot, Stance
from engraphy.record import Record
from engraphy.text.datafiles import table, words
from engraphy.text.dates import dates
from engraphy.text.entities import entities
from engraphy.text.evidence import of_sentence, stance
from engraphy.text.guards import is_identifier
from engraphy.text.moments import iso
from engraphy.text.negation import negated_terms, polarity
from engraphy.text.slots import contradicts, slots
from engraphy.text.split import clauses, sentences
from engraphy.text.wording import Word, plain_numbers, spellings, wording

_NUMBER = re.compile(r"\d++(?:[.,:/-]\d++)*+")
_NEUTRAL = frozenset({"user", "kullanici", "speaker"})
_DAY = 10
_MOST_FOREIGN = 0.5
"""Share of words of its own from which on a statement is another text than its message."""
_EVIDENCE = {
    Stance.HYPOTHETICAL: Evidence.HYPOTHETICAL,
    Stance.QUOTED: Evidence.QUOTED,
    Stance.RETRACTED: Evidence.RETRACTED,
}


class Ground(Record, frozen=True, kw_only=True, dict=True, weakref=True):
    """A text with the names it may be told under, and the moment it was said (microseconds UTC).

    What rules read out of it is read once, however many statements are held against it.
    """

    text: str
    at: int
    names: tuple[str, ...] = ()

    @cached_property
    def days(self) -> frozenset[str]:
        """The days (YYYY-MM-DD) that the text names, first and last of each span."""
        found = dates(self.text, now=self.at, told=True)
        ends = (end for one in found for end in (one.begin, one.until - 1))
        return frozenset((iso(end) or "")[:_DAY] for end in ends)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers that may be told: the text's, and its days with their months and years."""
        resolved = {day[:length] for day in self.days for length in (_DAY, 7, 4)}
        return frozenset(_numbers(self.text) | resolved)

    @cached_property
    def words(self) -> frozenset[str]:
        """The words that may be told: the text's and the names', as spelled and as stems."""
        said = [*wording(self.text), *(word for name in self.names for word in wording(name))]
        return _NEUTRAL.union(key for word in said for key in (word.folded, *word.keys))

    @cached_property
    def named(self) -> frozenset[str]:
        """The addresses of what the text names."""
        return frozenset(one.uri for one in entities(self.text))

    @cached_property
    def said(self) -> tuple[frozenset[str], frozenset[str]]:
        """The terms that are denied somewhere, and those that are affirmed somewhere."""
        return _said(self.text)

    @cached_property
    def slots(self) -> tuple[Slot, ...]:
        """What the text states of whom."""
        return slots(self.text)

    @cached_property
    def sentences(self) -> tuple[tuple[str, frozenset[str]], ...]:
        """The sentences of the text with their terms."""
        found = sentences(self.text)
        return tuple((one, frozenset(_terms(wording(one)))) for one in found)


def ungrounded(statement: str, ground: Ground) -> str:
    """What a statement has that its text has not, in words of our own; "" where nothing."""
    if _numbers(statement) - ground.numbers:
        return "it has a number that the text does not have"
    if not all(_held(word, ground.words) for word in _names(statement, ground)):
        return "it has a name that the text does not have"
    if _foreign(statement, ground) > _MOST_FOREIGN:
        return "it is hardly made of the text's own words"
    if _turned(statement, ground):
        return "it denies what the text affirms, or affirms what it denies"
    return "it says otherwise than the text" if _otherwise(statement, ground) else ""


def evidence(statement: str, claimed: Evidence, ground: Ground) -> Evidence:
    """The evidence of a statement: never stronger than its text allows.

    What a model infers, and what is said in words that are not the text's, is inferred; the text's
    own "maybe" or quotation wins over a model that takes it for said.
    """
    if claimed is not Evidence.STATED:
        return claimed
    put = _closest(statement, ground)
    if put is Stance.STATED:
        return Evidence.INFERRED if _foreign(statement, ground) else Evidence.STATED
    if put in _EVIDENCE:
        return _EVIDENCE[put]
    return Evidence.STATED if stance(statement) is put else Evidence.INFERRED


def _numbers(text: str) -> set[str]:
    named = table("words_similarity")["numbers"]
    found = set(_NUMBER.findall(plain_numbers(text)))
    return found | {named[word] for word in spellings(text) if word in named}


def _otherwise(statement: str, ground: Ground) -> bool:
    """Whether a statement gives another value of an attribute than its text does; a number in
    digits, or a day as a date, is the same value."""
    found = contradicts(slots(statement), ground.slots)
    if found is None:
        return False
    told = _numbers(found.new.value)
    return not told or not told <= Ground(text=found.old.value, at=ground.at).numbers


def _names(statement: str, ground: Ground) -> Iterator[Word]:
    """The words that name something, by their spelling or as known names (`pytest`), which the
    text does not name in another spelling (`Postgres`, `PostgreSQL`)."""
    same, other = set[str](), set[str]()
    for one in entities(statement):
        spelled = {word.folded for word in wording(statement[one.start : one.end])}
        (same if one.uri in ground.named or one.kind == "date" else other).update(spelled)
    for word in wording(statement):
        if word.folded not in same and (_is_name(word) or (word.content and word.folded in other)):
            yield word


def _is_name(word: Word) -> bool:
    return is_identifier(word.raw) or (word.content and word.raw[:1].isupper())


def _held(word: Word, known: frozenset[str]) -> bool:
    return word.folded in known or not known.isdisjoint(word.keys)


def _turned(statement: str, ground: Ground) -> bool:
    """Whether a word that the text only affirms is denied, or the other way round."""
    if polarity(statement) == -1 and polarity(ground.text) == 1:
        return True
    denied, affirmed = ground.said
    denied_now, affirmed_now = _said(statement)
    return bool(
        denied_now & (affirmed - denied) or (affirmed_now - denied_now) & (denied - affirmed)
    )


def _said(text: str) -> tuple[frozenset[str], frozenset[str]]:
    denied, affirmed = set[str](), set[str]()
    # Each once: so a text of very short sentences has few.
    for clause in dict.fromkeys(part for one in sentences(text) for part in clauses(one)):
        under = negated_terms(clause)
        denied |= under
        affirmed |= set(_terms(wording(clause))) - under
    return frozenset(denied), frozenset(affirmed)


def _terms(spoken: Iterable[Word]) -> Iterable[str]:
    return (key for word in spoken if word.content for key in (word.folded, *word.keys))


def _foreign(statement: str, ground: Ground) -> float:
    """The share of a statement's telling words that are not the text's own in any form, [0, 1]."""
    days = (part for day in ground.days for part in day.split("-"))
    known = ground.words.union(days, words("words_negation", "en"))
    telling = [w for w in wording(statement) if w.content and w.folded not in _NEUTRAL]
    return sum(not _held(word, known) for word in telling) / max(1, len(telling))


def _closest(statement: str, ground: Ground) -> Stance:
    """How the sentence that shares most words with a statement puts them."""
    wanted = set(_terms(wording(statement)))
    closest, _ = max(ground.sentences, key=lambda one: len(wanted & one[1]), default=("", ()))
    return of_sentence(closest) if closest else Stance.STATED
