"""From measured candidates to a ranking: score, confidence, cut-off."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from engraphy.formulas import attainable_sum, confidence_factor, share_of_attainable, weighted_sum
from engraphy.profile import Fuse, Score
from engraphy.read.fuse import attainable_relevance, relevance
from engraphy.read.measure import Pool, measure
from engraphy.read.signals import Frame, Measured, measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A candidate's place: `score` ranks, `confidence` says how much of the question it answers,
    both in [0, 1]; `why` names the parts of the score."""

    id: str
    score: float
    confidence: float
    why: dict[str, float]


def ranked(pool: Pool, frame: Frame, knobs: Fuse) -> list[Scored]:
    """A query's candidates with their scores, best first; of equals the newer comes first."""
    parts = relevance(pool, knobs)
    sums = {key: sum(shares.values()) for key, shares in parts.items()}
    most = max([attainable_relevance(knobs), *sums.values()])
    shares = {key: value / most for key, value in sums.items()}
    rows = [_scored(one, parts[one.candidate.id]) for one in measure(pool, frame, shares)]
    order = {one.id: one.seq for one in pool.candidates}
    return sorted(rows, key=lambda row: (-row.score, -order[row.id]))


def _scored(one: Measured, parts: Mapping[str, float]) -> Scored:
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
    why |= {f"relevance.{name}": round(value, 4) for name, value in parts.items() if value}
    return Scored(
        id=one.candidate.id,
        score=share_of_attainable(score=total * factor, attainable=attainable),
        confidence=confidence(one),
        why=why,
    )


def confidence(one: Measured) -> float:
    """How much of the question a candidate answers by itself, whatever the others do: the larger
    of its keyword coverage and its soft match."""
    return max(one.coverage, one.soft)


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
