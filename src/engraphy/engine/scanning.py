"""Where full text finds nothing: the newest memories are looked through for parts of words."""

from collections.abc import Mapping

from engraphy.engine.parts import Engine
from engraphy.formulas import keyword_hit_ratio
from engraphy.model import Listing, Memory, Step, TextResult, View
from engraphy.read.query import Asked
from engraphy.text.fold import fold
from engraphy.text.stopwords import is_stop_word

_LEAST_LETTERS = 3


def scanned(engine: Engine, question: Asked, text: TextResult, view: View) -> dict[str, float]:
    """By id, of the `search.scanned` newest memories those that hold any word of the question, be
    it inside another word ("script" in "JavaScript"), with the share of its words that each holds
    (A-04). Nothing where full text found anything, or where what was known at a moment is asked
    for.
    """
    most = engine.profile.search.scanned
    words = {term.surface for term in question.terms if _telling(term.surface)}
    if not most or not words or text.matches or view.known_at is not None:
        return {}
    rows = engine.store.page(view, Listing(limit=most))
    held = {row.id: sum(word in said for word in words) for row in rows for said in [_said(row)]}
    return {
        key: keyword_hit_ratio(hits=count, terms=len(words)) for key, count in held.items() if count
    }


def steps(hits: Mapping[str, float]) -> tuple[Step, ...]:
    """What `scanned` did, where it found anything."""
    if not hits:
        return ()
    return (Step(stage="search", detail=f"{len(hits)} by parts of words"),)


def _telling(word: str) -> bool:
    return len(word) >= _LEAST_LETTERS and not (is_stop_word(word) or is_stop_word(word, "tr"))


def _said(row: Memory) -> str:
    return fold(f"{row.content}\n{row.title}\n{row.subtitle}")
