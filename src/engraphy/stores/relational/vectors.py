"""Vector search, the one room of the stores with numpy; loaded by name when a vector appears.

A scope's sign bits are kept in memory, word after word (all first words, then all second words),
and compared by Hamming distance; the nearest few hundred are scored again with the int8 codes of
the file. Small scopes keep their codes in memory and are scored exactly.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from engraphy.errors import InvalidInputError
from engraphy.model.kinds import State
from engraphy.model.query import VectorMatch, View
from engraphy.stores.relational import filters, scopes
from engraphy.stores.relational.coding import Numbers, decoded, quantise
from engraphy.stores.relational.damage import id_read
from engraphy.stores.relational.embedding import Model, find_model
from engraphy.stores.relational.scoring import Distances, Floats, cosines
from engraphy.stores.relational.segments import EXACT, Segment, Segments
from engraphy.stores.relational.sql import Connection, every, numbers, query

RESCORED = 500
"""Nearest by sign bits that are scored again by their codes, at most at first."""
_RESCORED_EACH, _FEWEST = 16, 100
"""For each one asked for, and at least."""
_OF_TURNED, _READ = 50, 1_000
"""One of so many where signs are turned about the middle; no more where they are read."""
_SPARE = 4
"""So many more than are asked for are looked up at first: most of what is near may be seen."""
Scored = tuple[Numbers, Floats]
"""Numbers of memories, a memory as often as it has vectors, and the cosine of each."""
__all__ = ["VectorSearch", "quantise"]


class VectorSearch:
    """The vector search of one store, with what it keeps in memory."""

    def __init__(self) -> None:
        self._segments = Segments()

    def search(
        self,
        connection: Connection,
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
        visible = scopes.visible(connection, view)
        bound = filters.bindings(view, visible)
        gate = filters.gate(view)
        if _is_narrow(view):
            few = _narrow(connection, gate, bound | {"model": model.id}, visible)
            if few is not None:
                found = [_cosines(few, asked)] if few else []
                return _seen(connection, gate, bound, iter(found), limit)
        segments = [self._segments.of(connection, number, model) for number in visible]
        batches = _nearest(connection, [s for s in segments if s.size], asked, limit)
        return _seen(connection, gate, bound, batches, limit)

    def cosines(
        self,
        connection: Connection,
        view: View,
        seqs: Sequence[int],
        model_id: str,
        vector: Sequence[float],
    ) -> dict[int, float]:
        """The cosine of the best part of each of these rows that has vectors of the model."""
        model = find_model(connection, model_id)
        if model is None:
            return {}
        asked, left = _normal(vector, model, model_id), np.array(seqs, dtype=np.int64)
        found: dict[int, float] = {}
        for number in scopes.visible(connection, view):
            segment = self._segments.of(connection, number, model)
            if segment.is_coded and len(left):
                places, vectors = segment.places(left)
                _note(found, left[places], segment.scores(asked, vectors))
                left = np.delete(left, places)
        if len(left):
            bound = {"seqs": numbers(left.tolist()), "model": model.id}
            rows = every(connection, query("codes_of_memories"), bound)
            if rows:
                _note(found, *_cosines(rows, asked))
        return found


def _note(found: dict[int, float], seqs: Numbers, scores: Floats) -> None:
    order = np.argsort(scores, kind="stable")
    # Of several parts of a memory the best comes last, and stays.
    found.update(zip(seqs[order].tolist(), scores[order].tolist(), strict=True))


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
    connection: Connection, gate: str, bound: filters.Bindings, visible: Sequence[int]
) -> list[tuple[int, bytes, float]] | None:
    """Every visible vector; None where there are more than a few."""
    rows: list[tuple[int, bytes, float]] = []
    for number in visible:
        values = bound | {"scope": number, "limit": EXACT + 1 - len(rows)}
        rows += every(connection, query("narrow_vectors", gate=gate), values)
        if len(rows) > EXACT:
            return None
    return rows


def _cosines(rows: Sequence[tuple[int, bytes, float]], asked: Floats) -> Scored:
    seqs, codes, norms = decoded(rows, len(asked))
    return seqs, cosines(codes, norms, asked)


def _nearest(
    connection: Connection, segments: Sequence[Segment], asked: Floats, limit: int
) -> Iterator[Scored]:
    """Memories with the cosines of their vectors, in batches, the nearest first."""
    exact = [(s.seqs[: s.size], s.scores(asked)) for s in segments if s.is_exact]
    large = [_batches(connection, s, asked, limit) for s in segments if not s.is_exact]
    while near := [batch for one in large if (batch := next(one, None)) is not None]:
        seqs, scores = zip(*exact, *near, strict=True)
        yield np.concatenate(seqs), np.concatenate(scores)
        exact = []
    if exact:
        seqs, scores = zip(*exact, strict=True)
        yield np.concatenate(seqs), np.concatenate(scores)


def _batches(
    connection: Connection, segment: Segment, asked: Floats, limit: int
) -> Iterator[Scored]:
    """The same of one scope of many vectors."""
    distances, taken = segment.distances(asked), -1
    wanted = min(RESCORED, max(_FEWEST, _RESCORED_EACH * limit))
    if segment.is_turned:
        wanted = max(wanted, segment.size // _OF_TURNED)
        wanted = wanted if segment.is_coded else min(wanted, _READ)
    while taken <= segment.bits:
        edge = edge_of([distances], wanted, segment.bits)
        yield _rescored(connection, segment, between(distances, taken, edge), asked)
        taken, wanted = edge, wanted * 8


def edge_of(distances: Sequence[Distances], wanted: int, farthest: int) -> int:
    """The least distance up to which there are as many vectors as wanted; beyond the `farthest`
    where there are not so many. Halved and counted: a count of all distances takes several times
    as long."""
    low, high = -1, farthest + 1
    while high - low > 1:
        middle = (low + high) // 2
        if sum(int(np.count_nonzero(far <= middle)) for far in distances) >= wanted:
            high = middle
        else:
            low = middle
    return high


def between(distances: Distances, above: int, upto: int) -> Numbers:
    """The places of what is farther than `above` and not farther than `upto`."""
    near = distances <= upto
    if above >= 0:
        near &= distances > above
    return np.flatnonzero(near)


def _rescored(connection: Connection, segment: Segment, places: Numbers, asked: Floats) -> Scored:
    if segment.is_coded:
        return segment.seqs[places], segment.scores(asked, places)
    bound = {"vectors": numbers(segment.numbers[places].tolist())}
    rows = every(connection, query("codes_of_vectors"), bound)
    if not rows:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)
    return _cosines(rows, asked)


def _heads(seqs: Numbers, scores: Floats, size: int) -> Iterator[Numbers]:
    """The places of all, best first and of equals the newest, in ever larger parts; they are sorted
    only as far as they are asked for."""
    edge = np.partition(scores, -size)[-size] if size < len(scores) else np.float32(-np.inf)
    near = np.flatnonzero(scores >= edge)
    first = near[np.lexsort((-seqs[near], -scores[near]))][:size]
    if len(first):
        yield first
    if len(first) < len(scores):
        order, taken = np.lexsort((-seqs, -scores)), len(first)
        while taken < len(order):
            size *= 4
            yield order[taken : taken + size]
            taken += size


def _seen(
    connection: Connection,
    gate: str,
    bound: filters.Bindings,
    batches: Iterator[Scored],
    limit: int,
) -> list[VectorMatch]:
    """The best `limit` visible memories, each with its best part."""
    best: dict[str, float] = {}
    for seqs, scores in batches:
        # Each is a row somewhere in the file: no more are read than are likely to be delivered.
        for head in _heads(seqs, scores, limit + _SPARE):
            found = seqs[head].tolist()
            values = bound | {"seqs": numbers(found)}
            visible = dict(connection.execute(query("visible_rows", gate=gate), values))
            for number, score in zip(found, scores[head].tolist(), strict=True):
                if number in visible:
                    best.setdefault(visible[number], score)
            if len(best) >= limit:
                break
        if len(best) >= limit:
            break
    ranked = sorted(best.items(), key=lambda found: -found[1])[:limit]
    return [VectorMatch(id=id_read(known), cosine=score) for known, score in ranked]
