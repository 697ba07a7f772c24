"""How near a stored memory stands to a draft, on the common similarity scale."""

from collections.abc import Mapping, Sequence

from engraphy.model import Draft, Memory, Near
from engraphy.text.guards import differs
from engraphy.text.similarity import lexical_similarity

_SAME_TEXT = 1.0


def neighbours(
    draft: Draft, found: Sequence[Memory], calibrated: Mapping[str, float], floor: float
) -> tuple[Near, ...]:
    """The found memories of exactly the draft's walls, nearest first.

    `calibrated`: the embedder's similarity by memory id, on the common scale. Words and vector
    must agree for two texts to count as near-duplicates (a vector alone has AUC .736 on MSRP),
    so the similarity is their mean where both are known. Guards are worked out from `floor` up.
    """
    text = draft.memory.content
    measured = [
        (one, _similarity(text, one, calibrated.get(one.id)))
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


def _similarity(text: str, memory: Memory, calibrated: float | None) -> float:
    if text == memory.content:
        return _SAME_TEXT
    lexical = lexical_similarity(text, memory.content)
    return lexical if calibrated is None else (lexical + calibrated) / 2


def _same_walls(draft: Memory, other: Memory) -> bool:
    one, two = draft.scope, other.scope
    return (one.tenant, one.user, one.agent, one.project) == (
        two.tenant,
        two.user,
        two.agent,
        two.project,
    ) and draft.sensitivity == other.sensitivity
