"""How near a stored memory stands to a draft, on the common similarity scale."""

from collections.abc import Mapping, Sequence

from engraphy.formulas import jaccard
from engraphy.model import Draft, Memory, Near
from engraphy.model.scope import WALLS
from engraphy.text.bags import content_words
from engraphy.text.guards import differs
from engraphy.text.similarity import NEAR_DUPLICATE, lexical_similarity, near_duplicate

_SAME_TEXT = 1.0
_COMPARED_FROM = 0.25
"""Overlap of spelled words from which stems, fillers and short forms are compared too."""


def neighbours(
    draft: Draft, found: Sequence[Memory], calibrated: Mapping[str, float], floor: float
) -> tuple[Near, ...]:
    """The found memories of exactly the draft's walls, nearest first.

    `calibrated`: the embedder's similarity by memory id, on the common scale. Words and vector
    must agree for two texts to count as near-duplicates (a vector alone has AUC .736 on MSRP),
    so the similarity is their mean where both are known, but for the same words in the same order,
    which no vector makes another statement. Guards are worked out from `floor` up.
    """
    text = draft.memory.content
    bag = content_words(text)
    measured = [
        (one, _similarity(text, bag, one, calibrated.get(one.id)))
        for one in found
        if _same_walls(draft.memory, one)
    ]
    return tuple(
        Near(
            memory=one,
            similarity=similarity,
            guards=differs(text, one.content) if similarity >= floor else frozenset(),
        )
        for one, similarity in sorted(measured, key=lambda pair: -pair[1])
    )


def _similarity(text: str, bag: frozenset[str], memory: Memory, calibrated: float | None) -> float:
    if text == memory.content:
        return _SAME_TEXT
    lexical = jaccard(left=bag, right=content_words(memory.content))
    if lexical >= _COMPARED_FROM:
        lexical = lexical_similarity(text, memory.content)
    if calibrated is None or (lexical >= NEAR_DUPLICATE and near_duplicate(text, memory.content)):
        return lexical
    return (lexical + calibrated) / 2


def overlap(one: str, two: str) -> float:
    """Jaccard of the content words as they are spelled: quick, and low where wording cannot
    matter."""
    return jaccard(left=content_words(one), right=content_words(two))


def _same_walls(draft: Memory, other: Memory) -> bool:
    one, two = draft.scope, other.scope
    same = one.tenant == two.tenant and all(getattr(one, w) == getattr(two, w) for w in WALLS)
    return same and draft.sensitivity == other.sensitivity
