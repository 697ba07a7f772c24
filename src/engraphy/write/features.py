"""The features the gates of all profiles are blended from: each says [0, 1] of a draft."""

from collections.abc import Callable, Sequence
from itertools import islice

from engraphy.model import Draft, Kind, Near
from engraphy.record import Record
from engraphy.text.classify import classify
from engraphy.text.emotion import emotion
from engraphy.text.entities import entities
from engraphy.text.guards import differs
from engraphy.text.keywords import keywords


class Considered(Record, frozen=True, kw_only=True):
    """A draft in front of a gate: what stands near it, and whether it disagrees with a fact."""

    draft: Draft
    near: Sequence[Near]
    contradicts: bool

    @property
    def text(self) -> str:
        """The words that are judged."""
        return self.draft.memory.content


Feature = Callable[[Considered], float]

_SUBSTANTIAL_WORDS = 12
_SPECIFIC_MENTIONS = 3
_DISTINCT_WORDS = 3
_COMPARED = 8
"""Memories, the nearest, that are read for whether they say the same."""
_TYPE_WEIGHT = {
    Kind.DECISION: 1.0,
    Kind.CORRECTION: 1.0,
    Kind.POLICY: 1.0,
    Kind.BUGFIX: 0.9,
    Kind.DISCOVERY: 0.9,
    Kind.PITFALL: 0.9,
    Kind.ARCHITECTURE: 0.9,
    Kind.PREFERENCE: 0.8,
    Kind.PLAN: 0.7,
    Kind.FEATURE: 0.7,
    Kind.REFACTOR: 0.6,
    Kind.FACT: 0.5,
    Kind.ENTITY: 0.5,
    Kind.RELATIONSHIP: 0.5,
    Kind.CHANGE: 0.4,
}


def substance(one: Considered) -> float:
    """How much there is to keep: distinct content words, saturating at 12."""
    found = keywords(one.text, limit=_SUBSTANTIAL_WORDS)
    return len(found) / _SUBSTANTIAL_WORDS


def salience(one: Considered) -> float:
    """How clearly it states something: classification confidence or arousal, the larger."""
    return max(classify(one.text).confidence, emotion(one.text).arousal)


def novelty(one: Considered) -> float:
    """1 - similarity to the nearest memory that says the same; 1 where none does, and where a held
    fact is contradicted: what differs in a number, a name or a negation was not said before."""
    if one.contradicts:
        return 1.0
    nearest = islice((held for held in one.near if not held.guards), _COMPARED)
    same = (held for held in nearest if not differs(one.text, held.memory.content))
    return 1.0 - next((held.similarity for held in same), 0.0)


def distinctiveness(one: Considered) -> float:
    """Novelty, of what has content: in full from three content words on."""
    found = keywords(one.text, limit=_DISTINCT_WORDS)
    return novelty(one) * len(found) / _DISTINCT_WORDS


def type_weight(one: Considered) -> float:
    """What a memory of this kind is worth by itself."""
    return _TYPE_WEIGHT.get(one.draft.memory.kind, 0.3)


def contradiction(one: Considered) -> float:
    """1 where it disagrees with a held fact."""
    return 1.0 if one.contradicts else 0.0


def specificity(one: Considered) -> float:
    """Names, files, versions, dates and numbers, saturating at three."""
    numbers = sum(word[:1].isdigit() for word in one.text.split())
    return min(1.0, (len(entities(one.text)) + numbers) / _SPECIFIC_MENTIONS)


def emphasis(one: Considered) -> float:
    """How strongly it was said."""
    return emotion(one.text).arousal


def context_switch(one: Considered) -> float:
    """1 where nothing of the same session is near."""
    session = one.draft.memory.scope.session
    return 0.0 if any(held.memory.scope.session == session for held in one.near) else 1.0


FEATURES: dict[str, Feature] = {
    "substance": substance,
    "salience": salience,
    "distinctiveness": distinctiveness,
    "type_weight": type_weight,
    "novelty": novelty,
    "contradiction": contradiction,
    "specificity": specificity,
    "emphasis": emphasis,
    "context_switch": context_switch,
}
