"""How alike two statements are in their words, and whether one is a mere variant of the other."""

import math

from engraphy.text.guards import MAX_COMPARED, differs
from engraphy.text.markers import unframed
from engraphy.text.wording import Word, wording

NEAR_DUPLICATE = 0.9

_STOP_WORD_WEIGHT = 0.25

__all__ = ["MAX_COMPARED", "NEAR_DUPLICATE", "differs", "lexical_similarity", "near_duplicate"]


def lexical_similarity(a: str, b: str) -> float:
    """Cosine of the stem counts of two texts, in [0, 1]; symmetric, 1 for the same text.

    Case, punctuation, fillers, phrases around a statement and short forms do not count; a stop
    word counts a quarter. Texts without words are alike only if they are equal; of long texts the
    first `MAX_COMPARED` characters count.
    """
    if a == b:
        return 1.0
    return _alike(*(wording(unframed(text[:MAX_COMPARED])) for text in (a, b)))


def near_duplicate(a: str, b: str, *, threshold: float = NEAR_DUPLICATE) -> bool:
    """Whether two texts say the same in nearly the same words.

    True only if no guard of `differs` speaks against it, the words are alike by `threshold`, no
    content word stands in place of another, and the shared content words keep their order.
    """
    if a == b:
        return True
    if max(len(a), len(b)) > MAX_COMPARED:
        return not differs(a, b)
    first, second = wording(unframed(a)), wording(unframed(b))
    if _alike(first, second) < threshold or differs(a, b):
        return False
    return any(_same_content(read(first), read(second)) for read in (_content, _spelled))


def _same_content(first: list[str], second: list[str]) -> bool:
    left, right = set(first), set(second)
    if left - right and right - left:
        return False
    return [key for key in first if key in right] == [key for key in second if key in left]


def _content(found: list[Word]) -> list[str]:
    return [key for word in found if word.content for key in word.keys]


def _spelled(found: list[Word]) -> list[str]:
    return [word.folded for word in found if word.content]


def _alike(first: list[Word], second: list[Word]) -> float:
    """By stems or by the words as they are spelled: the stem of a name may depend on its case."""
    stems = _cosine(_counts(first), _counts(second))
    if stems >= NEAR_DUPLICATE:
        return stems
    return max(stems, _cosine(_counts(first, spelled=True), _counts(second, spelled=True)))


def _counts(found: list[Word], *, spelled: bool = False) -> dict[str, float]:
    counts: dict[str, float] = {}
    for word in found:
        weight = 1.0 if word.content else _STOP_WORD_WEIGHT
        for key in (word.folded,) if spelled else word.keys:
            counts[key] = counts.get(key, 0.0) + weight
    return counts


def _cosine(first: dict[str, float], second: dict[str, float]) -> float:
    if not first or not second:
        return 0.0
    if first == second:
        return 1.0
    product = math.fsum(weight * second.get(key, 0.0) for key, weight in first.items())
    norms = math.hypot(*first.values()) * math.hypot(*second.values())
    return min(1.0, product / norms)
