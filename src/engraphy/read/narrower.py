"""What says a word of the question by one of its kind: it counts for less than the word itself."""

from collections.abc import Mapping, Sequence

from engraphy.formulas import inverse_document_frequency
from engraphy.read.measure import Pool, rarity
from engraphy.text.imprint import code, counts

Lent = Mapping[str, Mapping[int, float]]
_SHARE = 0.6
"""Of the word itself, for one of its kind that is as rare."""


def lent(pool: Pool) -> Lent:
    """By word of the question: how often each candidate, by its place, says one of its kind."""
    kinds = pool.asked.narrower
    if not kinds:
        return {}
    rare, texts = rarity(pool), [one.words for one in pool.candidates]
    return {word: _said(pool, told, rare[word], texts) for word, told in kinds.items()}


def _said(
    pool: Pool, told: Sequence[str], rare: float, texts: Sequence[bytes]
) -> Mapping[int, float]:
    containing = dict(pool.text.document_frequency)
    held = [one for one in told if containing.get(one)]
    found: dict[int, float] = {}
    for one, places in zip(held, counts([code(one) for one in held], texts), strict=True):
        own = inverse_document_frequency(documents=pool.text.documents, containing=containing[one])
        share = _SHARE * min(1.0, own / rare) if rare > 0.0 else _SHARE
        for place, count in places.items():
            found[place] = found.get(place, 0.0) + share * count
    return found


def with_lent(own: Mapping[int, float], more: Mapping[int, float]) -> Mapping[int, float]:
    """How often a word is said, with what is said of its kind."""
    return {**own, **{place: own.get(place, 0.0) + count for place, count in more.items()}}


def at_least(own: Sequence[float], more: Mapping[int, float]) -> Sequence[float]:
    """Soft matches of a word, at least what is said of its kind."""
    found = list(own)
    for place, count in more.items():
        found[place] = max(found[place], min(1.0, count))
    return found
