"""What one query found, put together for scoring: candidates with their lists and soft matches."""

from collections.abc import Sequence

from engraphy.engine.embedding import late_interaction, reads_sentences
from engraphy.engine.parts import Engine
from engraphy.model import Candidate, TextResult
from engraphy.read.measure import Lists, Pool, distinct
from engraphy.read.query import Asked


def pooled(
    engine: Engine, question: Asked, text: TextResult, candidates: Sequence[Candidate]
) -> Pool:
    """The candidates of a question with what was measured of each."""
    embedder, late = engine.embedder, late_interaction(engine.embedder)
    soft: Sequence[tuple[float, ...]] = ()
    if late is not None and engine.profile.fuse.soft:
        words = distinct(term.surface for term in question.terms)
        soft = late.maxsim(words, [one.tokens for one in candidates])
    similarity: dict[str, float] = {}
    if embedder is not None:
        calibrate = embedder.calibrate
        near = ((one.id, one.cosine) for one in candidates)
        similarity = {known: calibrate(at) for known, at in near if at is not None}
    bm25 = {match.id: match.bm25 for match in text.matches}
    return Pool(
        asked=question,
        text=text,
        candidates=tuple(candidates),
        lists=Lists(bm25=bm25, similarity=similarity),
        soft=tuple(soft),
        sentences=reads_sentences(embedder),
    )
