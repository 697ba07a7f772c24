"""From a pool to a ranking: score, confidence, cut-off."""

from collections.abc import Sequence
from dataclasses import dataclass

from engraphy.profile import Fuse, Score, Search
from engraphy.read.fuse import Relevance, relevance
from engraphy.read.measure import Pool, places
from engraphy.read.signals import Frame, Measured, SIGNALS, Signal, measured


@dataclass(frozen=True, slots=True, kw_only=True)
class Scored:
    """A candidate's place: `score` ranks, `confidence` says how much of the question it answers,
    both in [0, 1]; `aim`: what the score was multiplied by for what the question wants
    done; `newer`: ids of newer answers with another value."""

    id: str
    score: float
    confidence: float
    measured: Measured
    part: Relevance
    aim: float = 1.0
    newer: tuple[str, ...] = ()


def ranked(pool: Pool, frame: Frame, fuse: Fuse, search: Search) -> list[Scored]:
    """A query's candidates with their scores, best first; of equals the newer comes first."""
    found = relevance(pool, fuse, search.neighbours, search.ranked)
    weights = [(SIGNALS[name], weight) for name, weight in frame.knobs.weights.items()]
    attainable = sum(weight for _, weight in weights) or 1.0
    rows = [
        Scored(
            id=one.candidate.id,
            score=_score(one, weights, attainable),
            confidence=part.base,
            measured=one,
            part=part,
        )
        for one, part in zip(_measured(pool, frame, found), found, strict=True)
    ]
    return sorted(rows, key=lambda row: (-row.score, -row.measured.candidate.seq))


def _score(one: Measured, weights: Sequence[tuple[Signal, float]], attainable: float) -> float:
    """The blend of the profile's signals (`formulas.blend`), written out: it runs for several
    hundred candidates of every query."""
    total = sum(weight * signal(one) for signal, weight in weights) / attainable
    knobs = one.frame.knobs
    if one.candidate.source_confidence < knobs.low_confidence:
        total *= knobs.low_confidence_factor
    return min(1.0, max(0.0, total))


def why(row: Scored) -> dict[str, float]:
    """The parts of a score: each signal's share, and what its relevance is made of."""
    weights = {str(name): weight for name, weight in row.measured.frame.knobs.weights.items()}
    values = measured(row.measured)
    parts = {name: round(weights[name] * value, 4) for name, value in values.items()}
    fused = {f"relevance.{name}": round(x, 4) for name, x in row.part.parts.items() if x}
    return parts | fused | ({"x aim": round(row.aim, 4)} if row.aim != 1.0 else {})


def _measured(pool: Pool, frame: Frame, found: Sequence[Relevance]) -> list[Measured]:
    lists = pool.lists
    searched = [one for one in (places(lists.bm25), places(lists.similarity)) if one]
    return [
        Measured(
            candidate=part.candidate,
            frame=frame,
            relevance=part.value,
            bm25=lists.bm25.get(part.candidate.id, 0.0),
            similarity=lists.similarity.get(part.candidate.id, 0.0),
            soft=part.parts.get("soft", 0.0),
            ranks=tuple(by_id.get(part.candidate.id) for by_id in searched),
        )
        for part in found
    ]


def kept(rows: Sequence[Scored], knobs: Score) -> list[Scored]:
    """The rows that are good enough to be delivered; `rows` are best first."""
    best = rows[0].score if rows else 0.0
    return [row for row in rows if refusal(row, best, knobs) is None]


def refusal(row: Scored, best: float, knobs: Score) -> str | None:
    """Why a row is not good enough beside the `best` score of its query; None where it is."""
    if row.score < knobs.min_share_of_best * best:
        return f"its score {row.score:.3f} is too far below the best, {best:.3f}"
    if row.score < knobs.min_score:
        return f"its score {row.score:.3f} is below min_score {knobs.min_score:.3f}"
    if row.confidence < knobs.min_confidence:
        return (
            f"it answers {row.confidence:.3f} of the question, "
            f"below min_confidence {knobs.min_confidence:.3f}"
        )
    return None
