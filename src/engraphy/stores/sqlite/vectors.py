"""Vector search, the one room of the stores with numpy; loaded by name when a vector appears.

A scope's sign bits are kept in memory, word after word (all first words, then all second words),
and compared by Hamming distance; the nearest few hundred are scored again with the int8 codes of
the file. Small scopes keep their codes in memory and are scored exactly.
"""

import json
from collections.abc import Iterator, Sequence

import apsw
import numpy as np
from numpy.typing import NDArray

from engraphy.errors import InvalidInputError
from engraphy.model.kinds import State
from engraphy.model.query import VectorMatch, View
from engraphy.stores.sqlite import filters, scopes
from engraphy.stores.sqlite.embedding import Model, find_model
from engraphy.stores.sqlite.segments import (
    EXACT,
    Floats,
    Numbers,
    Segment,
    Segments,
    decoded,
    quantise,
)
from engraphy.stores.sqlite.sql import every, query

RESCORED = 500
"""Nearest by sign bits that are scored again by their codes, at most at first."""
_RESCORED_EACH, _FEWEST = 16, 100
"""For each one asked for, and at least."""
__all__ = ["VectorSearch", "cosines", "quantise"]


class VectorSearch:
    """The vector search of one store, with what it keeps in memory."""

    def __init__(self) -> None:
        self._segments = Segments()

    def search(
        self,
        connection: apsw.Connection,
        view: View,
        model_id: str,
        vector: Sequence[float],
        limit: int,
    ) -> list[VectorMatch]:
        """Visible memories by cosine of their best part, best first."""
        model = find_model(connection, model_id)
        if model is None or limit < 1:
            return []
        asked = _normal(vector, model, model_id)
        visible = scopes.visible(connection, view.scope)
        bound = filters.bindings(view, visible)
        gate = filters.gate(view)
        if _is_narrow(view):
            few = _narrow(connection, gate, bound | {"model": model.id}, visible)
            if few is not None:
                scored = _rank(*_cosines(few, asked))
                return _seen(connection, gate, bound, iter([scored]), limit)
        segments = [self._segments.of(connection, number, model) for number in visible]
        batches = _nearest(connection, [s for s in segments if s.size], asked, limit)
        return _seen(connection, gate, bound, batches, limit)


def cosines(
    connection: apsw.Connection, seqs: Sequence[int], model_id: str, vector: Sequence[float]
) -> dict[int, float]:
    """The cosine of the best part of each of these rows that has vectors of the model."""
    model = find_model(connection, model_id)
    if model is None:
        return {}
    asked = _normal(vector, model, model_id)
    bound = {"seqs": json.dumps(seqs), "model": model.id}
    rows = every(connection, query("codes_of_memories"), bound)
    found: dict[int, float] = {}
    if rows:
        numbers, scores = _cosines(rows, asked)
        for seq, score in zip(numbers.tolist(), scores.tolist(), strict=True):
            found[seq] = max(score, found.get(seq, -1.0))
    return found


def _normal(vector: Sequence[float], model: Model, name: str) -> Floats:
    asked = np.asarray(vector, dtype=np.float32)
    if asked.shape != (model.dim,) or not np.isfinite(asked).all():
        raise InvalidInputError(
            field="vector",
            got=f"shape {asked.shape}",
            allowed=f"{model.dim} finite numbers, as in the vectors of {name}",
        )
    length = float(np.linalg.norm(asked))
    return asked / np.float32(length or 1.0)


def _is_narrow(view: View) -> bool:
    """Whether the view may show only few rows of a scope, so that it pays to read those first."""
    return bool(
        view.session is not None
        or view.closed_session
        or view.kinds
        or view.as_of is not None
        or view.known_at is not None
        or State.ACTIVE not in view.states
    )


def _narrow(
    connection: apsw.Connection, gate: str, bound: filters.Bindings, visible: Sequence[int]
) -> list[tuple[int, bytes, float]] | None:
    """Every visible vector; None where there are more than a few."""
    rows: list[tuple[int, bytes, float]] = []
    for number in visible:
        values = bound | {"scope": number, "limit": EXACT + 1 - len(rows)}
        rows += every(connection, query("narrow_vectors", gate=gate), values)
        if len(rows) > EXACT:
            return None
    return rows


def _cosines(rows: Sequence[tuple[int, bytes, float]], asked: Floats) -> tuple[Numbers, Floats]:
    numbers, codes, norms = decoded(rows, len(asked))
    return numbers, _score(codes, norms, asked)


def _score(codes: NDArray[np.int8], norms: Floats, asked: Floats) -> Floats:
    products = codes.astype(np.float32) @ asked
    scores: Floats = np.clip(products / np.where(norms > 0, norms, 1.0), -1.0, 1.0)
    return scores


def _rank(numbers: Numbers, scores: Floats) -> list[tuple[int, float]]:
    order = np.lexsort((-numbers, -scores))
    return list(zip(numbers[order].tolist(), scores[order].tolist(), strict=True))


def _nearest(
    connection: apsw.Connection, segments: Sequence[Segment], asked: Floats, limit: int
) -> Iterator[list[tuple[int, float]]]:
    """Vectors with their cosines, best first, in ever larger batches."""
    exact = [(s.numbers[: s.size], _score(s.codes, s.norms, asked)) for s in segments if s.is_exact]
    large = [(s.numbers[: s.size], s.distances(asked)) for s in segments if not s.is_exact]
    wanted, taken = min(RESCORED, max(_FEWEST, _RESCORED_EACH * limit)), 0
    total = sum(len(numbers) for numbers, _ in large)
    while True:
        near = _closest(large, taken, wanted)
        scored = [*exact, _rescored(connection, near, asked)] if len(near) else exact
        if scored:
            yield _rank(*(np.concatenate(column) for column in zip(*scored, strict=True)))
        exact, taken = [], wanted
        if taken >= total:
            return
        wanted *= 8


def _closest(
    large: Sequence[tuple[Numbers, NDArray[np.uint16]]], taken: int, wanted: int
) -> Numbers:
    """The numbers of the `taken`-th to about the `wanted`-th nearest vectors."""
    if not large:
        return np.empty(0, dtype=np.int64)
    numbers = np.concatenate([numbers for numbers, _ in large])
    distances = np.concatenate([distances for _, distances in large])
    reached = np.cumsum(np.bincount(distances))
    edge = int(np.searchsorted(reached, wanted))
    near = distances <= edge
    if taken:
        near &= distances > int(np.searchsorted(reached, taken))
    return numbers[near]


def _rescored(
    connection: apsw.Connection, numbers: Numbers, asked: Floats
) -> tuple[Numbers, Floats]:
    bound = {"vectors": json.dumps(numbers.tolist())}
    rows = every(connection, query("codes_of_vectors"), bound)
    if not rows:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
    return _cosines(rows, asked)


def _seen(
    connection: apsw.Connection,
    gate: str,
    bound: filters.Bindings,
    batches: Iterator[list[tuple[int, float]]],
    limit: int,
) -> list[VectorMatch]:
    """The best `limit` visible memories, each with its best part."""
    best: dict[str, float] = {}
    for batch in batches:
        size, taken = 2 * limit + 32, 0
        while taken < len(batch) and len(best) < limit:
            head = batch[taken : taken + size]
            values = bound | {"vectors": json.dumps([number for number, _ in head])}
            visible = dict(connection.execute(query("visible_vectors", gate=gate), values))
            for number, score in head:
                if number in visible:
                    best.setdefault(visible[number], score)
            taken, size = taken + size, size * 4
        if len(best) >= limit:
            break
    ranked = sorted(best.items(), key=lambda found: -found[1])[:limit]
    return [VectorMatch(id=found, cosine=score) for found, score in ranked]
