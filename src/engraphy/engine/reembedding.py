"""Another embedding model: its vectors are made beside the old ones, which answer until all of the
new are there; then the store says that the new one answers. To go back is to say so."""

from collections.abc import Callable

from msgspec.structs import replace

from engraphy.engine.embedding import document_vectors
from engraphy.engine.parts import Engine
from engraphy.errors import InvalidInputError
from engraphy.model.vectors import Reembedded, ServedModel

_BATCH = 200
"""Memories of one transaction."""
Progress = Callable[[int], None]


def reembed(engine: Engine, progress: Progress | None = None) -> int:
    """Give every memory of the tenant a vector of the engine's model, and have it answer from then
    on; returns how many had none.

    Works in batches that are each complete, so that it may be broken off and taken up again. What
    is written meanwhile has vectors of whose embedder wrote it: the last look finds it.
    """
    embedder = engine.embedder
    if embedder is None:
        return 0
    _hold(engine)
    done = _all(engine, progress)
    if _serve(engine):
        done += _all(engine, progress)
    return done


def _all(engine: Engine, progress: Progress | None) -> int:
    """Look until nothing is missing; how many memories got vectors."""
    done = 0
    while True:
        looked, made = _once_through(engine, progress)
        done += made
        if not looked:
            return done


def _once_through(engine: Engine, progress: Progress | None) -> tuple[int, int]:
    """One look at every memory, the oldest first; how many had no vectors, and how many got some:
    what was edited in between waits for the next look."""
    assert engine.embedder is not None
    store, tenant, model = engine.store, engine.tenant, engine.embedder.model_id
    looked, made, after = 0, 0, ""
    while rows := store.missing_vectors(tenant, model, _BATCH, after=after):
        vectors = document_vectors(engine, [text for _, text in rows])
        told = [(*row, vector) for row, vector in zip(rows, vectors, strict=True)]
        looked, made = looked + len(rows), made + store.put_vectors(tenant, told)
        after = rows[-1][0]
        if progress is not None:
            progress(len(rows))
    return looked, made


def _hold(engine: Engine) -> None:
    """Say that what answered so far answers, before the first vector of another model is there."""
    store, tenant = engine.store, engine.tenant
    assert engine.embedder is not None
    others = {
        name: count
        for name, count in store.stored_models(tenant).items()
        if name != engine.embedder.model_id
    }
    if store.served_model(tenant) is None and others:
        most = max(others, key=lambda name: others[name])
        store.serve_model(tenant, ServedModel(model=most, spec="", since=engine.clock()))


def _serve(engine: Engine) -> bool:
    """Have the engine's model answer from now on; whether another one did."""
    assert engine.embedder is not None
    model, before = engine.embedder.model_id, engine.store.served_model(engine.tenant)
    if before is None or before.model == model:
        return False
    told = ServedModel(
        model=model,
        spec=engine.embedder_spec,
        since=engine.clock(),
        model_before=before.model,
        spec_before=before.spec,
    )
    engine.store.serve_model(engine.tenant, told)
    return True


def named(engine: Engine) -> None:
    """Note what the model is called by openers that answers, where the engine knows and the store
    does not."""
    served = engine.store.served_model(engine.tenant)
    if engine.embedder is None or served is None or not engine.embedder_spec:
        return
    if served.model == engine.embedder.model_id and not served.spec:
        engine.store.serve_model(engine.tenant, replace(served, spec=engine.embedder_spec))


def back(engine: Engine) -> ServedModel:
    """Have the model answer that did before, whose vectors still stand; at once. Raises
    InvalidInputError where there is none."""
    served = engine.store.served_model(engine.tenant)
    if served is None or served.model_before is None:
        raise InvalidInputError("there is no earlier model to go back to")
    told = ServedModel(
        model=served.model_before,
        spec=served.spec_before,
        since=engine.clock(),
        model_before=served.model,
        spec_before=served.spec,
    )
    engine.store.serve_model(engine.tenant, told)
    return told


def drop_old(engine: Engine) -> int:
    """Take out the vectors of every model but the one that answers; of how many memories."""
    store, tenant = engine.store, engine.tenant
    served = store.served_model(tenant)
    if served is None:
        return 0
    store.serve_model(tenant, replace(served, model_before=None, spec_before=""))
    dropped = 0
    for model in store.stored_models(tenant):
        while model != served.model and (count := store.drop_vectors(tenant, model, _BATCH)):
            dropped += count
    return dropped


def standing(engine: Engine, *, made: int = 0, dropped: int = 0) -> Reembedded:
    """Which model answers, and for how many memories each has vectors."""
    store, tenant = engine.store, engine.tenant
    models, served = store.stored_models(tenant), store.served_model(tenant)
    own = "none" if engine.embedder is None else engine.embedder.model_id
    serves = own if served is None else served.model
    count = sum(rows for _, rows in store.scopes(tenant))
    return Reembedded(
        serves=serves,
        before=(served.model_before or "") if served is not None else "",
        models=models,
        missing=max(0, count - models.get(serves, 0)),
        made=made,
        dropped=dropped,
    )
