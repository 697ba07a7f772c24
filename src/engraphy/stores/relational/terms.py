"""The terms of a query: which of them can be looked up, what they are worth, which choose."""

import heapq
import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from engraphy.model.query import Term

POSTINGS = 5_000
"""Rows that the terms which choose candidates may match together."""
COMMON_SHARE = 0.15
"""A term in a larger share of the rows only refines."""
ENOUGH = 500
"""... unless rarer terms match fewer rows than this."""
_MOST_TERMS = 160


class Weighed(NamedTuple):
    """A term with what it is worth in one corpus."""

    phrase: str
    frequency: int
    value: float
    """Weight x inverse document frequency."""


def is_held(term: str) -> bool:
    """Whether the index can hold a term."""
    if term.isascii() and term.isalnum():
        return True
    return any(sign.isalnum() for sign in term) and "\0" not in term and _is_encodable(term)


def quoted(term: str) -> str:
    """A term as an FTS5 string; '' for what the index cannot hold."""
    return '"' + term.replace('"', '""') + '"' if is_held(term) else ""


def _is_encodable(term: str) -> bool:
    return not any("\ud800" <= sign <= "\udfff" for sign in term)


def phrases(terms: Sequence[Term], spelt: Callable[[str], str] = quoted) -> dict[str, float]:
    """What can be looked up, as the engine spells it, with their weights."""
    weights: dict[str, float] = defaultdict(float)
    for term in terms:
        phrase = spelt(term.term)
        if phrase and term.weight > 0:
            weights[phrase] = max(weights[phrase], term.weight)
    heaviest = heapq.nlargest(_MOST_TERMS, weights.items(), key=lambda item: item[1])
    return dict(heaviest)


def split(
    phrases: Mapping[str, float], counts: Mapping[str, int], documents: int
) -> tuple[list[Weighed], list[Weighed]]:
    """The terms that choose candidates, rarest first, and those that only refine."""
    weighed = sorted(
        (
            Weighed(phrase, counts[phrase], weight * _rarity(counts[phrase], documents))
            for phrase, weight in phrases.items()
            if counts[phrase]
        ),
        key=lambda term: (term.frequency, term.phrase),
    )
    choosing: list[Weighed] = []
    refining: list[Weighed] = []
    reached = 0
    for term in weighed:
        needed = term.frequency <= COMMON_SHARE * documents or reached < ENOUGH
        if not choosing or (needed and reached + term.frequency <= POSTINGS):
            choosing.append(term)
            reached += term.frequency
        elif term.frequency * 2 <= documents:
            refining.append(term)
    return choosing, refining


def _rarity(frequency: int, documents: int) -> float:
    """Inverse document frequency of BM25 in its form that stays positive."""
    rows = max(documents, frequency)
    return math.log1p((rows - frequency + 0.5) / (frequency + 0.5))


def either(terms: Sequence[Weighed]) -> str:
    """The rows that hold at least one of the terms, as an FTS5 expression."""
    return "(" + " OR ".join(term.phrase for term in terms) + ")"
