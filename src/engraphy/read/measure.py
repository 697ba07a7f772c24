"""What one query found of its candidates: lists by id, places in them, weights of its words."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import field

from engraphy.formulas import inverse_document_frequency
from engraphy.model import Candidate, TextResult
from engraphy.read.graph import Walk
from engraphy.read.query import Asked
from engraphy.record import Record
from engraphy.text.imprint import code

T = TypeVar("T")


class Lists(Record, frozen=True, kw_only=True):
    """What was found, by memory id: BM25 (positive), and similarity on the common scale. A list
    that was not searched is empty."""

    bm25: Mapping[str, float]
    similarity: Mapping[str, float]


class Pool(Record, frozen=True, kw_only=True):
    """One query's candidates and what was found of them.

    `soft`: for each candidate one soft match in [0, 1] per query word (the order of `rarity`);
    empty without late interaction. `sentences`: similarity is of an embedder that reads sentences,
    not words alone. `instructions`: ids of the user's standing instructions;
    `weighed`: ids that are scored in full whatever words they share with the query. `held`: ids of
    what holds no longer and did at the time of the question; `late`: of what took its place since,
    and of plans that are over;
    `dated`: of what answers by its time, its kind, or a fact alone; `told`: of these, what states
    the fact of who asks that is asked for. `session`: the one the question is
    asked in; `together`: ids of what is often delivered with something that was found; `hits`:
    where full text found nothing, the share of the question's words that a memory holds, by id;
    `walk`: where a walk over the graph led, None where the question is not walked.
    """

    asked: Asked
    text: TextResult
    candidates: tuple[Candidate, ...]
    lists: Lists
    soft: tuple[tuple[float, ...], ...] = ()
    sentences: bool = False
    instructions: frozenset[str] = frozenset()
    weighed: frozenset[str] = frozenset()
    held: frozenset[str] = frozenset()
    late: frozenset[str] = frozenset()
    dated: frozenset[str] = frozenset()
    told: frozenset[str] = frozenset()
    session: str | None = None
    together: frozenset[str] = frozenset()
    hits: Mapping[str, float] = field(default_factory=dict)
    walk: Walk | None = None


def rarity(pool: Pool) -> dict[str, float]:
    """Inverse document frequency of each query word: that of its commonest form."""
    return rarities(pool.asked, pool.text)


def rarities(asked: Asked, text: TextResult) -> dict[str, float]:
    """Inverse document frequency of each query word: that of its commonest form."""
    found: dict[str, float] = {}
    for term, value in zip(asked.terms, _values(asked, text), strict=True):
        found[term.surface] = min(value, found.get(term.surface, value))
    return found


def term_weights(pool: Pool) -> dict[int, float]:
    """Weight of each query term by its place: the forms of one word share the word's weight.

    Forms that no document holds share nothing where another form of the word is held: what cannot
    match must not make the word look missing.
    """
    containing = dict(pool.text.document_frequency)
    held = {term.surface for term in pool.asked.terms if containing.get(term.term)}
    shares = [
        0.0 if term.surface in held and not containing.get(term.term) else term.weight
        for term in pool.asked.terms
    ]
    mass: dict[str, float] = {}
    for term, share in zip(pool.asked.terms, shares, strict=True):
        mass[term.surface] = mass.get(term.surface, 0.0) + share
    values = _values(pool.asked, pool.text)
    return {
        place: share / mass[term.surface] * values[place]
        for place, (term, share) in enumerate(zip(pool.asked.terms, shares, strict=True))
        if share > 0.0
    }


def coverage(pool: Pool, candidates: Sequence[Candidate]) -> dict[str, float]:
    """By id: the share in [0, 1] of the query's words that a candidate holds, each weighing its
    rarity, and held as well as the best of its forms that the candidate holds."""
    rare = rarity(pool)
    total = sum(rare.values())
    if total <= 0.0:
        return {}
    forms = [(term.surface, term.weight, code(term.term)) for term in pool.asked.terms]
    found: dict[str, float] = {}
    for one in candidates:
        held: dict[str, float] = {}
        for surface, weight, token in forms:
            if weight > held.get(surface, 0.0) and one.words.count(token):
                held[surface] = weight
        found[one.id] = min(1.0, sum(rare[word] * share for word, share in held.items()) / total)
    return found


def _values(asked: Asked, text: TextResult) -> list[float]:
    containing = dict(text.document_frequency)
    return [
        inverse_document_frequency(
            documents=text.documents, containing=containing.get(term.term, 0)
        )
        for term in asked.terms
    ]


def places(values: Mapping[str, float]) -> dict[str, int]:
    """The place of each id in its list, from 0, best first."""
    best_first = sorted(values, key=lambda key: -values[key])
    return {key: place for place, key in enumerate(best_first)}


def distinct(items: Iterable[T]) -> list[T]:
    """What is given, in order, each once."""
    return list(dict.fromkeys(items))
