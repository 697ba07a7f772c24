"""Which stored vectors an embedder makes that has no name of its own: two lambdas are called the
same, and the vectors of the one are noise to the other (P-06)."""

from collections.abc import Sequence

from engraphy.engine.embedding import document_vectors
from engraphy.engine.parts import Engine
from engraphy.errors import EmbedderError, InvalidInputError
from engraphy.model import Memory, Sensitivity, State, View
from engraphy.write.form import embedded

UNNAMED = "custom/"
"""How the names begin that are given to embedders without one."""
_COMPARED = 3
_LOOKED_AT = 50
_SAME = 0.9
"""Mean cosine from which on two embedders are one: their codes are rounded, and machines differ."""


def name_of(engine: Engine) -> str:
    """The name under which the vectors of this embedder are stored, or one under which none are;
    its own where nothing can be told."""
    assert engine.embedder is not None
    own, stored = engine.embedder.model_id, engine.store.stored_models(engine.tenant)
    served = engine.store.served_model(engine.tenant)
    usual = own if served is None else served.model
    known = sorted((one for one in stored if one.startswith(UNNAMED)), key=lambda one: one != usual)
    if not known:
        return own
    try:
        same = next((one for one in known if _makes(engine, one)), None)
    except EmbedderError:
        return own
    return same or _free(own, known)


def _free(own: str, known: list[str]) -> str:
    names = (own if number == 1 else f"{own}.{number}" for number in range(1, len(known) + 2))
    return next(name for name in names if name not in known)


def _makes(engine: Engine, model: str) -> bool:
    """Whether the embedder makes vectors like those that are stored of this model."""
    cosines: list[float] = []
    for scope, _ in engine.store.scopes(engine.tenant):
        rows = [row for _, row in engine.store.walk(scope, tuple(State), after=0, limit=_LOOKED_AT)]
        try:
            some = _with_vectors(engine, rows, model)[: _COMPARED - len(cosines)]
            for memory, vector in zip(some, _vectors(engine, some), strict=True):
                cosines += _cosines(engine, [memory], model, vector).values()
        except InvalidInputError:
            # A vector of another size.
            return False
        if len(cosines) >= _COMPARED:
            break
    return bool(cosines) and sum(cosines) / len(cosines) >= _SAME


def _with_vectors(engine: Engine, rows: Sequence[Memory], model: str) -> list[Memory]:
    held = _cosines(engine, rows, model, _vectors(engine, rows[:1])[0]) if rows else {}
    return [row for row in rows if row.id in held]


def _vectors(engine: Engine, rows: Sequence[Memory]) -> list[Sequence[float]]:
    made = document_vectors(engine, [embedded(row) for row in rows])
    return [one.parts[0] for one in made if one is not None]


def _cosines(
    engine: Engine, rows: Sequence[Memory], model: str, vector: Sequence[float]
) -> dict[str, float]:
    """By id the cosine of each of these, all behind the same walls, that has vectors of a model."""
    view = View(
        scope=rows[0].scope,
        now=max(engine.clock(), *(row.valid_from for row in rows)),
        states=frozenset(State),
        sensitivities=frozenset(Sensitivity),
    )
    ids = [row.id for row in rows]
    found = engine.store.candidates(view, ids, model_id=model, vector=vector)
    return {one.id: one.cosine for one in found if one.cosine is not None}
