"""Topics: whether a text speaks of what was named, in whatever form of its words."""

from functools import lru_cache

from engraphy.text.analyser import analyse, query_terms

_MOST_WORDS = 32
_READ = 20_000
_PART = 0.5
"""Weight of a query term up to which it is a piece of a word, which proves nothing alone."""
_ROOT = 5
_ENDING = 6
"""A word that begins with one of at least five letters and is at most six longer is a form of it
(Turkish `sunumumuzu` of `sunum`), where no stem says so."""


def topic_words(text: str) -> tuple[frozenset[str], ...]:
    """The words of a topic, each as the index terms that it may stand under."""
    found: dict[str, set[str]] = {}
    for one in query_terms(text, limit=_MOST_WORDS):
        if one.weight > _PART:
            found.setdefault(one.surface, set()).add(one.term)
    return tuple(frozenset(terms) for terms in found.values())


def answered(topic: str, text: str) -> float:
    """The share of a topic's words that a text holds, in [0, 1]; 0 for a topic without a word."""
    words = topic_words(topic)
    if not words:
        return 0.0
    spoken = _spoken(text[:_READ])
    return sum(any(_held(term, spoken) for term in terms) for terms in words) / len(words)


def _held(term: str, spoken: frozenset[str]) -> bool:
    if term in spoken:
        return True
    if len(term) < _ROOT or not term.isalpha():
        return False
    return any(one.startswith(term) and len(one) <= len(term) + _ENDING for one in spoken)


@lru_cache(maxsize=8)
def _spoken(text: str) -> frozenset[str]:
    return frozenset(analyse(text))
