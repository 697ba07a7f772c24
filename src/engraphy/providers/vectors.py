"""What a foreign embedder returns, checked and brought into one form."""

from collections.abc import Coroutine, Iterator, Sequence
from inspect import isawaitable

import numpy as np

from engraphy.errors import EmbedderError
from engraphy.providers.table import Floats


def checked(vectors: object, *, count: int, dim: int | None, model: str) -> list[Floats]:
    """Return ``count`` read-only float32 vectors of ``dim`` finite numbers each.

    ``dim`` None accepts any length, as long as all vectors have the same.

    Raises EmbedderError for another count or dimension, for what is not a number, and for
    numbers that are not finite as float32.
    """
    try:
        with np.errstate(over="ignore"):
            matrix = np.asarray(_at_hand(vectors, model), dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise EmbedderError(model=model, problem=f"its vectors are not numbers: {error}") from error
    if count == 0 and matrix.size == 0:
        return []
    if matrix.ndim != 2 or len(matrix) != count:
        raise EmbedderError(
            model=model, problem=f"asked for {count} vectors, it returned shape {matrix.shape}"
        )
    if matrix.shape[1] == 0 or (dim is not None and matrix.shape[1] != dim):
        raise EmbedderError(
            model=model, problem=f"a vector has {matrix.shape[1]} numbers, expected {dim or 'some'}"
        )
    if not np.isfinite(matrix).all():
        raise EmbedderError(model=model, problem="a vector holds a number that is not finite")
    matrix.setflags(write=False)
    return list(matrix)


def _at_hand(vectors: object, model: str) -> object:
    """The vectors themselves, where they are yielded. Raises EmbedderError where they are to be
    awaited."""
    if isawaitable(vectors):
        if isinstance(vectors, Coroutine):
            vectors.close()
        problem = "it is asynchronous; pass a plain function"
        raise EmbedderError(model=model, problem=problem)
    if isinstance(vectors, Iterator):
        return list(vectors)
    return vectors


def cosine(left: Floats, right: Floats) -> float:
    """Return the cosine of two vectors, 0 where one of them is zero."""
    lengths = float(np.linalg.norm(left)) * float(np.linalg.norm(right))
    return float(np.dot(left, right)) / lengths if lengths > 0.0 else 0.0


def unit_rows(matrix: Floats) -> list[Floats]:
    """Return the rows ``(n, dim)`` at unit length, read-only; zero rows stay zero."""
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    units: Floats = (matrix / np.maximum(lengths, 1e-12)).astype(np.float32)
    units.setflags(write=False)
    return list(units)


def flat(texts: Sequence[str]) -> list[str]:
    """Return the texts without lone surrogates, which no tokenizer or wire format takes."""
    return [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
