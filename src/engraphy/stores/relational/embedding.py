"""Vectors in the file: what is written and taken out with a memory. No numpy here."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from engraphy.errors import InvalidInputError
from engraphy.model.change import VectorRow
from engraphy.model.scope import Tenant
from engraphy.model.vectors import ServedModel
from engraphy.stores.relational.sql import Connection, Query, every, first, once, query


class Codes(NamedTuple):
    """One vector as it is stored: a signed byte per dimension, the length of that vector of bytes,
    and a bit per dimension (1 = positive), padded to whole 64-bit words."""

    codes: bytes
    norm: float
    signs: bytes


Quantise = Callable[[tuple[tuple[float, ...], ...]], list[Codes]]
Coded = Quantise | Sequence[Codes]


class Model(NamedTuple):
    """An embedding model as the file knows it."""

    id: int
    dim: int


def find_model(connection: Connection, name: str) -> Model | None:
    """The model with this name."""
    found = once(connection, *search(name))
    return Model(*found[0]) if found else None


def search(name: str) -> tuple[Query, dict[str, str]]:
    """What asks for the model with this name."""
    return query("find_model"), {"name": name}


def add(connection: Connection, seq: int, scope_id: int, vector: VectorRow, coded: Coded) -> None:
    """Write the vectors of a memory that has none of this model; `coded`: as they are stored, or
    what makes them so."""
    if not vector.parts:
        return
    model = _model(connection, vector)
    codes = coded(vector.parts) if callable(coded) else coded
    _write(connection, seq, (scope_id, model.id), codes, vector.tokens)


def remove(connection: Connection, seq: int, scope_id: int, only: str | None = None) -> None:
    """Take out the vectors of a memory: of every model, or of `only` one."""
    for model, name, numbers in _held(connection, seq):
        if only in (None, name):
            _remove(connection, seq, scope_id, model, numbers)


def move(connection: Connection, seq: int, scope_id: int, target: int) -> None:
    """Take the vectors of a memory along into another scope, under new numbers, because readers
    follow the numbers."""
    for model, _, numbers in _held(connection, seq):
        bound = {"seq": seq, "model": model, "scope": scope_id}
        codes = every(connection, query("stored_vectors"), bound)
        signs = every(connection, query("stored_signs"), bound)
        late = first(connection, query("stored_late_codes"), bound)
        _remove(connection, seq, scope_id, model, numbers)
        parts = [Codes(*code, *sign) for code, sign in zip(codes, signs, strict=True)]
        _write(connection, seq, (target, model), parts, late[0] if late else b"")


def put(
    connection: Connection,
    tenant: Tenant,
    rows: Sequence[tuple[str, str, object]],
    quantise: Quantise,
) -> int:
    """Replace the vectors of one model of each memory that still says what they were made of;
    returns of how many."""
    written = 0
    for memory_id, text, vector in rows:
        if not isinstance(vector, VectorRow):
            raise InvalidInputError(
                field="rows", got=type(vector).__name__, allowed="an id, a text and a VectorRow"
            )
        bound = {"id": memory_id, "tenant": tenant}
        found = first(connection, query("place_of_memory"), bound)
        if found is not None and found[2] == text:
            seq, scope_id, _ = found
            remove(connection, seq, scope_id, only=vector.model_id)
            add(connection, seq, scope_id, vector, quantise)
            written += 1
    return written


def stored_models(connection: Connection, tenant: Tenant) -> dict[str, int]:
    """How many memories of a tenant carry vectors of each model."""
    return dict(every(connection, query("stored_models"), {"tenant": tenant}))


def missing(
    connection: Connection, tenant: Tenant, model_id: str, limit: int, after: str
) -> list[tuple[str, str]]:
    """(id, text) of a tenant's memories without a vector of this model, behind the memory `after`
    ('' = from the first)."""
    bound = {"tenant": tenant, "model": model_id, "limit": limit, "after": after}
    return every(connection, query("missing_vectors"), bound)


def drop(connection: Connection, tenant: Tenant, model_id: str, limit: int) -> int:
    """Take out the vectors of a model of at most `limit` memories; of how many it did."""
    model = find_model(connection, model_id)
    if model is None:
        return 0
    bound = {"tenant": tenant, "model": model.id, "after": 0, "limit": limit}
    rows = every(connection, query("vectors_of_model"), bound)
    for seq, scope_id in rows:
        remove(connection, seq, scope_id, only=model_id)
    return len(rows)


def served(connection: Connection, tenant: Tenant) -> ServedModel | None:
    """Whose vectors answer the questions of a tenant; None where nobody has said."""
    found = first(connection, query("served_model"), {"tenant": tenant})
    if found is None:
        return None
    model, spec, since, model_before, spec_before = found
    return ServedModel(
        model=model, spec=spec, since=since, model_before=model_before, spec_before=spec_before
    )


def serve(connection: Connection, tenant: Tenant, told: ServedModel) -> None:
    """Say whose vectors answer from now on."""
    bound = {name: getattr(told, name) for name in told.__struct_fields__}
    connection.execute(query("serve_model"), {"tenant": tenant, **bound})


def _write(
    connection: Connection,
    seq: int,
    place: tuple[int, int],
    parts: Sequence[Codes],
    late: bytes,
) -> None:
    """`place`: the scope and the model."""
    scope_id, model = place
    for part, coded in enumerate(parts):
        connection.execute(query("insert_vector"), (seq, model, part, coded.codes, coded.norm))
        number = connection.last_insert_rowid()
        connection.execute(query("insert_signs"), (scope_id, model, number, coded.signs))
    if late:
        connection.execute(query("insert_late_codes"), (seq, model, late))
    _count(connection, scope_id, model, memories=1, removed=0)


def _remove(
    connection: Connection, seq: int, scope_id: int, model: int, numbers: Sequence[int]
) -> None:
    for number in numbers:
        bound = {"scope": scope_id, "model": model, "vector": number}
        connection.execute(query("delete_signs"), bound)
    connection.execute(query("delete_vectors"), {"seq": seq, "model": model})
    connection.execute(query("delete_late_codes"), {"seq": seq, "model": model})
    _count(connection, scope_id, model, memories=-1, removed=len(numbers))


def _model(connection: Connection, vector: VectorRow) -> Model:
    dim = len(vector.parts[0])
    model = find_model(connection, vector.model_id)
    if model is None:
        connection.execute(query("insert_model"), {"name": vector.model_id, "dim": dim})
        return Model(connection.last_insert_rowid(), dim)
    if model.dim != dim:
        raise InvalidInputError(
            field="vector",
            got=f"{dim} dimensions",
            allowed=f"{model.dim}, as in the other vectors of {vector.model_id}",
        )
    return model


def _held(connection: Connection, seq: int) -> list[tuple[int, str, list[int]]]:
    """Number, name and vector numbers of each model that a memory has vectors of."""
    found: dict[tuple[int, str], list[int]] = {}
    rows = every(connection, query("vectors_of_memory"), {"seq": seq})
    for number, model, name in rows:
        found.setdefault((model, name), []).append(number)
    return [(model, name, numbers) for (model, name), numbers in found.items()]


def _count(
    connection: Connection, scope_id: int, model: int, *, memories: int, removed: int
) -> None:
    bound = {"scope": scope_id, "model": model, "memories": memories, "removed": removed}
    connection.execute(query("count_vectors"), bound)
