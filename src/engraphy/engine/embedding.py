"""The one place where an embedder is asked, and its answer checked."""

import math
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engraphy.engine.parts import Engine
from engraphy.engine.watching import calling
from engraphy.errors import EmbedderError
from engraphy.model import Change, Insert, Update, VectorRow
from engraphy.ports import Forgetful, LateInteraction
from engraphy.text.split import chunks
from engraphy.write.form import embedded

_PART_CHARS = 1_000


def forgetting(engine: Engine) -> None:
    """Drop the vectors that an embedder keeps for a while of what it was asked (D-29, P-16)."""
    embedder: object = engine.embedder
    if isinstance(embedder, Forgetful):
        embedder.forget()


def document_vectors(engine: Engine, texts: Sequence[str]) -> list[VectorRow | None]:
    """One row per text: a vector per part of at most 1,000 characters, and token codes."""
    embedder = engine.embedder
    if embedder is None:
        return [None] * len(texts)
    parts = [chunks(text, limit=_PART_CHARS) or [text] for text in texts]
    flat = [part for group in parts for part in group]
    _let_go(engine)
    with calling(engine, "embeddings", embedder.model_id):
        vectors = [_checked(engine, vector) for vector in embedder.embed_documents(flat)]
    if len(vectors) != len(flat):
        problem = f"{len(vectors)} vectors for {len(flat)} texts"
        raise EmbedderError(model=embedder.model_id, problem=problem)
    late = late_interaction(embedder)
    codes = late.encode_tokens(texts) if late is not None else [b""] * len(texts)
    rows, start = [], 0
    for group, code in zip(parts, codes, strict=True):
        end = start + len(group)
        row = VectorRow(model_id=embedder.model_id, parts=tuple(vectors[start:end]), tokens=code)
        rows.append(row)
        start = end
    return list(rows)


def reembedded(engine: Engine, changes: Iterable[Change]) -> tuple[Change, ...]:
    """The changes, with a vector for each text that is new and has none yet: merged, retold, or
    what is left of another."""
    return tuple(
        replace(change, vector=document_vectors(engine, [embedded(change.memory)])[0])
        if isinstance(change, Insert | Update) and _bare(change)
        else change
        for change in changes
    )


def _bare(change: Insert | Update) -> bool:
    if isinstance(change, Insert):
        return change.vector is None
    return embedded(change.memory) != embedded(change.expected)


def late_interaction(embedder: object) -> LateInteraction | None:
    """The embedder as one that compares token by token; None where it cannot."""
    return embedder if isinstance(embedder, LateInteraction) else None


def reads_sentences(embedder: object) -> bool:
    """Whether an embedder reads whole sentences; one that says nothing does."""
    return not getattr(embedder, "averages_words", False)


def query_vector(engine: Engine, text: str) -> tuple[float, ...] | None:
    """The vector of a question; None without an embedder."""
    if engine.embedder is None:
        return None
    _let_go(engine)
    with calling(engine, "embeddings", engine.embedder.model_id):
        return _checked(engine, engine.embedder.embed_query(text))


def hypothetical_vector(engine: Engine, text: str, answers: Sequence[str]) -> tuple[float, ...]:
    """The centre between a question and hypothetical answers to it (D-23), an answer embedded as
    what is stored is; for an engine with an embedder."""
    embedder = engine.embedder
    assert embedder is not None
    _let_go(engine)
    with calling(engine, "embeddings", embedder.model_id):
        told = [_checked(engine, vector) for vector in embedder.embed_documents(answers)]
        asked = _checked(engine, embedder.embed_query(text))
    if len(told) != len(answers):
        problem = f"{len(told)} vectors for {len(answers)} texts"
        raise EmbedderError(model=embedder.model_id, problem=problem)
    return _centre([asked, *told])


def _let_go(engine: Engine) -> None:
    """Nothing of the store is held while sentences are read, here or elsewhere; words that are
    looked up in a table are there at once."""
    if reads_sentences(engine.embedder):
        engine.store.let_go()


def _centre(vectors: Sequence[Sequence[float]]) -> tuple[float, ...]:
    """`formulas.centroid` of vectors that were checked already: it runs with every question."""
    units = [_at_length_one(vector) for vector in vectors]
    return tuple(_at_length_one([sum(column) for column in zip(*units, strict=True)]))


def _at_length_one(vector: Sequence[float]) -> Sequence[float]:
    length = math.hypot(*vector)
    return [number / length for number in vector] if length else vector


def _checked(engine: Engine, vector: Sequence[float]) -> tuple[float, ...]:
    embedder = engine.embedder
    assert embedder is not None
    numbers = tuple(map(float, vector))
    if len(numbers) != embedder.dim:
        problem = f"{len(numbers)} numbers where {embedder.dim} belong"
        raise EmbedderError(model=embedder.model_id, problem=problem)
    if not all(map(math.isfinite, numbers)):
        raise EmbedderError(model=embedder.model_id, problem="a vector with an infinite number")
    return numbers
