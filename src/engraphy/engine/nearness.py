"""What stands near a draft in the store (D-07)."""

from engraphy.engine.parts import Engine
from engraphy.engine.standing import content_hash
from engraphy.model import Action, Draft, Memory, Near, Outcome, Term, VectorRow, View
from engraphy.model.federating import vicarious
from engraphy.text.analyser import query_terms
from engraphy.write.near import neighbours

_TERMS = 12


def near_to(engine: Engine, view: View, draft: Draft, vector: VectorRow | None) -> tuple[Near, ...]:
    """The nearest memories of exactly the draft's walls, by vector, or by words where there is no
    embedder; nearest first."""
    limit, embedder = engine.profile.judge.near_limit, engine.embedder
    calibrated: dict[str, float] = {}
    if vector is not None and embedder is not None:
        found = engine.store.search_vector(view, vector.model_id, vector.parts[0], limit)
        calibrated = {one.id: embedder.calibrate(one.cosine) for one in found}
        ids = list(calibrated)
    else:
        words = query_terms(draft.memory.content, limit=_TERMS)
        terms = [Term(term=w.term, surface=w.surface, weight=w.weight) for w in words]
        ids = [match.id for match in engine.store.search_text(view, terms, limit).matches]
    # What others share is theirs: nothing here is merged into it, or counts as said already.
    memories = [one for one in engine.store.get(view, ids) if not vicarious(one)]
    return neighbours(draft, memories, calibrated, engine.profile.judge.gap_from)


def twin(engine: Engine, view: View, outcome: Outcome) -> Memory | None:
    """Another memory that holds the text which a merge would make; two of the same never stand."""
    merged = outcome.memory
    if merged is None or outcome.action is not Action.UPDATED:
        return None
    same = engine.store.find_hash(view, content_hash(merged.content))
    return None if same is None or same.id == merged.id else same
