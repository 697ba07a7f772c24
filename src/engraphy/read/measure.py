"""What one query measured of its candidates: lists by id, places in them, coverage."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from engraphy.formulas import inverse_document_frequency
from engraphy.model import Candidate, TextResult
from engraphy.read.query import Asked
from engraphy.read.signals import Frame, Measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Lists:
    """What was found, by memory id: BM25 (positive), similarity on the common scale, soft match
    in [0, 1]. A list that was not searched is empty."""

    bm25: Mapping[str, float]
    similarity: Mapping[str, float]
    soft: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """One query's candidates and what was found of them."""

    asked: Asked
    text: TextResult
    candidates: tuple[Candidate, ...]
    lists: Lists


def rarity(asked: Asked, found: TextResult) -> dict[str, float]:
    """Inverse document frequency of each query word: that of its heaviest term, at least 0."""
    containing = dict(found.document_frequency)
    best: dict[str, float] = {}
    weights: dict[str, float] = {}
    for term in asked.terms:
        if term.weight > weights.get(term.surface, 0.0):
            weights[term.surface] = term.weight
            best[term.surface] = inverse_document_frequency(
                documents=found.documents, containing=containing.get(term.term, 0)
            )
    return best


def attainable_bm25(pool: Pool) -> float:
    """BM25 of a document of average length that holds every query term once: the sum of the
    terms' weighted inverse document frequencies (tf = 1 makes BM25's saturation 1)."""
    containing = dict(pool.text.document_frequency)
    return sum(
        term.weight
        * inverse_document_frequency(
            documents=pool.text.documents, containing=containing.get(term.term, 0)
        )
        for term in pool.asked.terms
    )


def measure(pool: Pool, frame: Frame, relevance: Mapping[str, float]) -> list[Measured]:
    """Each candidate with its values; `relevance` by id in [0, 1]."""
    lists, most = pool.lists, attainable_bm25(pool)
    searched = [places for places in (_places(lists.bm25), _places(lists.similarity)) if places]
    return [
        Measured(
            candidate=one,
            frame=frame,
            relevance=relevance.get(one.id, 0.0),
            bm25=lists.bm25.get(one.id, 0.0),
            similarity=lists.similarity.get(one.id, 0.0),
            soft=lists.soft.get(one.id, 0.0),
            coverage=min(1.0, lists.bm25.get(one.id, 0.0) / most) if most > 0 else 0.0,
            ranks=tuple(places.get(one.id) for places in searched),
        )
        for one in pool.candidates
    ]


def _places(values: Mapping[str, float]) -> dict[str, int]:
    best_first = sorted(values, key=lambda key: -values[key])
    return {key: place for place, key in enumerate(best_first)}


def distinct(ids: Iterable[str]) -> list[str]:
    """Ids in order, each once."""
    return list(dict.fromkeys(ids))
