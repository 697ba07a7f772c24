"""What a query asks for, worked out before anything is searched."""

from dataclasses import dataclass

from engraphy.model import Term
from engraphy.text.analyser import query_terms
from engraphy.text.fold import fold
from engraphy.text.gate import needs_memory

_MOST_TERMS = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """An analysed query: index terms, and its folded words (for names)."""

    text: str
    terms: tuple[Term, ...]
    words: frozenset[str]


def asked(text: str) -> Asked:
    """The query's terms; any text is legal, and one without a word has none."""
    found = query_terms(text, limit=_MOST_TERMS)
    terms = tuple(Term(term=t.term, surface=t.surface, weight=t.weight) for t in found)
    return Asked(text=text, terms=terms, words=frozenset(t.surface for t in found))


def unneeded(text: str) -> str | None:
    """Why no memory is needed for this message (D-20); None where it is."""
    return needs_memory(text)


def named(name: str, words: frozenset[str]) -> bool:
    """Whether a person's first or last name is among the query's words."""
    return any(part in words for part in fold(name).split())
