"""The best are read once more by a reranker, where there is one; where it fails, as before."""

from collections.abc import Sequence

from msgspec.structs import replace

from engraphy.engine.known import as_known
from engraphy.engine.parts import Engine
from engraphy.engine.watching import calling
from engraphy.errors import RerankerError
from engraphy.model import Memory, SENSITIVITY_RANK, Sensitivity, Step, View
from engraphy.read.rerank import blended
from engraphy.read.select import Scored
from engraphy.text.secrets import redact


def reranked(
    engine: Engine, rows: Sequence[Scored], query: str, view: View
) -> tuple[list[Scored], tuple[Step, ...]]:
    """The rows after a second look, best first, and what is told of it; a reranker that fails
    changes nothing, and the step says why."""
    knobs, reranker = engine.profile.rerank, engine.reranker
    best = [row.id for row in rows[: knobs.most]]
    if reranker is None or len(best) < 2 or not query.strip():
        return list(rows), ()
    most = SENSITIVITY_RANK[Sensitivity(knobs.most_sensitive)]
    texts = {
        one.id: _told(one)[: knobs.chars]
        for one in as_known(engine, view, engine.store.get(view, best))
        if SENSITIVITY_RANK[one.sensitivity] <= most
    }
    engine.store.let_go()
    try:
        with calling(engine, "rerank", reranker.model_id):
            scores = reranker.rerank(redact(query)[0], list(texts.values()))
    except RerankerError as error:
        return list(rows), (Step(stage="rerank", detail=str(error), passed=False),)
    detail = f"{len(texts)} of the best by {reranker.model_id}"
    found = blended(rows, dict(zip(texts, scores, strict=True)), knobs.weight)
    return found, (Step(stage="rerank", detail=detail),)


def after(engine: Engine, steps: Sequence[Step]) -> Engine:
    """The engine without a reranker that has just failed: one recall waits for it once."""
    failed = any(one.stage == "rerank" and not one.passed for one in steps)
    return replace(engine, reranker=None) if failed else engine


def _told(memory: Memory) -> str:
    """What a memory says, with who said it: a question may ask for one of several."""
    return f"{memory.speaker}: {memory.content}" if memory.speaker else memory.content
