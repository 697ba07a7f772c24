"""From a pool to a ranking: score, confidence, cut-off."""

from collections.abc import Sequence
from dataclasses import dataclass

from engraphy.formulas import attainable_sum, confidence_factor, share_of_attainable, weighted_sum
from engraphy.profile import Fuse, Score
from engraphy.read.fuse import Relevance, relevance
from engraphy.read.measure import Pool, places
from engraphy.read.signals import Frame, Measured, measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A candidate's place: `score` ranks, `confidence` says how much of the question it answers,
    both in [0, 1]; `why` names the parts of the score."""

    id: str
    score: float
    confidence: float
    why: dict[str, float]


def ranked(pool: Pool, frame: Frame, knobs: Fuse, reach: int) -> list[Scored]:
    """A query's candidates with their scores, best first; of equals the newer comes first."""
    found = relevance(pool, knobs, reach)
    order = {one.id: one.seq for one in pool.candidates}
    rows = [
        _scored(one, part) for one, part in zip(_measured(pool, frame, found), found, strict=True)
    ]
    return sorted(rows, key=lambda row: (-row.score, -order[row.id]))


def _measured(pool: Pool, frame: Frame, found: Sequence[Relevance]) -> list[Measured]:
    lists = pool.lists
    searched = [one for one in (places(lists.bm25), places(lists.similarity)) if one]
    return [
        Measured(
            candidate=one,
            frame=frame,
            relevance=part.value,
            bm25=lists.bm25.get(one.id, 0.0),
            similarity=lists.similarity.get(one.id, 0.0),
            soft=part.parts.get("soft", 0.0),
            ranks=tuple(by_id.get(one.id) for by_id in searched),
        )
        for one, part in zip(pool.candidates, found, strict=True)
    ]


def _scored(one: Measured, part: Relevance) -> Scored:
    knobs = one.frame.knobs
    weights = {str(name): weight for name, weight in knobs.weights.items()}
    signals = measured(one)
    total = weighted_sum(signals=signals, weights=weights)
    attainable = attainable_sum(weights=weights, names=signals.keys())
    factor = confidence_factor(
        confidence=one.candidate.source_confidence,
        threshold=knobs.low_confidence,
        penalty=knobs.low_confidence_factor,
    )
    why = {name: round(weights[name] * value, 4) for name, value in signals.items()}
    why |= {f"relevance.{name}": round(value, 4) for name, value in part.parts.items() if value}
    return Scored(
        id=one.candidate.id,
        score=share_of_attainable(score=total * factor, attainable=attainable),
        confidence=part.base,
        why=why,
    )


def kept(rows: Sequence[Scored], knobs: Score) -> list[Scored]:
    """The rows that are good enough to be delivered."""
    return [row for row in rows if refusal(row, knobs) is None]


def refusal(row: Scored, knobs: Score) -> str | None:
    """Why a row is not good enough; None where it is."""
    if row.score < knobs.min_score:
        return f"its score {row.score:.3f} is below min_score {knobs.min_score:.3f}"
    if row.confidence < knobs.min_confidence:
        return (
            f"it answers {row.confidence:.3f} of the question, "
            f"below min_confidence {knobs.min_confidence:.3f}"
        )
    return None
