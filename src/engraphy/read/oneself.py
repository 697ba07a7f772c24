"""What is told of who asks comes before the same told of somebody else: "what am I allergic to?"
is after no allergy of a son."""

from collections.abc import Sequence

from msgspec.structs import replace

from engraphy.read.measure import Pool
from engraphy.read.renewal import stated
from engraphy.read.select import Scored
from engraphy.text.imprint import code
from engraphy.text.oneself import asks_of_oneself, of_others, of_the_speaker

_NEAR = 0.6
"""Of the best hit's score, for what is told of who asks."""
_AHEAD = 1.01


def own_first(rows: Sequence[Scored], pool: Pool) -> list[Scored]:
    """The rows, best first; where the best tells of somebody whom the question does not name, what
    says the same of who asks comes before it."""
    best = next(iter(stated(rows[:1])), None)
    if best is None or not asks_of_oneself(pool.asked.text):
        return list(rows)
    said = _said(best, pool)
    if not said or not _of_another(best, pool):
        return list(rows)
    found = next((row for row in stated(rows) if _own(row, best, said, pool)), None)
    if found is None:
        return list(rows)
    factor = _AHEAD * best.score / found.score
    confidence = max(found.confidence, best.confidence)
    moved = replace(
        found,
        score=min(1.0, factor * found.score),
        confidence=confidence,
        aim=factor * found.aim,
    )
    return [moved, *(row for row in rows if row is not found)]


def _of_another(best: Scored, pool: Pool) -> bool:
    """Whether the best tells of one of those around who asks, or of somebody else and names its
    speaker with no word; in Turkish a verb may name the speaker."""
    words = best.measured.candidate.words
    return of_others(words) or not of_the_speaker(words, pool.asked.text)


def _own(row: Scored, best: Scored, said: frozenset[str], pool: Pool) -> bool:
    """Whether a row tells of who asks what the best tells of another."""
    words = row.measured.candidate.words
    if row.score < _NEAR * best.score or of_others(words):
        return False
    return said <= _said(row, pool) and of_the_speaker(words, pool.asked.text)


def _said(row: Scored, pool: Pool) -> frozenset[str]:
    """The words of the question that a row holds, or what is of their kind ("phone": "iPhone")."""
    words, kinds = row.measured.candidate.words, pool.asked.narrower
    found = {one.surface for one in pool.asked.terms if code(one.term) in words}
    of_kind = {word for word, told in kinds.items() if any(code(one) in words for one in told)}
    return frozenset(found | of_kind)
