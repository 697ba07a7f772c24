"""The features the gates of all profiles are blended from: each says [0, 1] of a draft."""

from collections.abc import Callable, Sequence

from engraphy.model import Draft, Kind, Near
from engraphy.text.classify import classify
from engraphy.text.emotion import emotion
from engraphy.text.entities import entities
from engraphy.text.keywords import keywords

Feature = Callable[[Draft, Sequence[Near], bool], float]

_SUBSTANTIAL_WORDS = 12
_SPECIFIC_MENTIONS = 3
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


def substance(draft: Draft, near: Sequence[Near], contradicts: bool) -> float:
    """How much there is to keep: distinct content words, saturating at 12."""
    found = keywords(draft.memory.content, limit=_SUBSTANTIAL_WORDS)
    return len(found) / _SUBSTANTIAL_WORDS


def salience(draft: Draft, near: Sequence[Near], contradicts: bool) -> float:
    """How clearly it states something: classification confidence or arousal, the larger."""
    text = draft.memory.content
    return max(classify(text).confidence, emotion(text).arousal)


def novelty(draft: Draft, near: Sequence[Near], contradicts: bool) -> float:
    """1 - similarity to the nearest stored memory; 1 where nothing is near."""
    return 1.0 - max((one.similarity for one in near), default=0.0)


def type_weight(draft: Draft, near: Sequence[Near], contradicts: bool) -> float:
    """What a memory of this kind is worth by itself."""
    return _TYPE_WEIGHT.get(draft.memory.kind, 0.3)


def contradiction(draft: Draft, near: Sequence[Near], contradicts: bool) -> float:
    """1 where it disagrees with a held fact."""
    return 1.0 if contradicts else 0.0


def specificity(draft: Draft, near: Sequence[Near], contradicts: bool) -> float:
    """Names, files, versions, dates and numbers, saturating at three."""
    text = draft.memory.content
    numbers = sum(word[:1].isdigit() for word in text.split())
    return min(1.0, (len(entities(text)) + numbers) / _SPECIFIC_MENTIONS)


def emphasis(draft: Draft, near: Sequence[Near], contradicts: bool) -> float:
    """How strongly it was said."""
    return emotion(draft.memory.content).arousal


def context_switch(draft: Draft, near: Sequence[Near], contradicts: bool) -> float:
    """1 where nothing of the same session is near."""
    session = draft.memory.scope.session
    return 0.0 if any(one.memory.scope.session == session for one in near) else 1.0


FEATURES: dict[str, Feature] = {
    "substance": substance,
    "salience": salience,
    "distinctiveness": novelty,
    "type_weight": type_weight,
    "novelty": novelty,
    "contradiction": contradiction,
    "specificity": specificity,
    "emphasis": emphasis,
    "context_switch": context_switch,
}
