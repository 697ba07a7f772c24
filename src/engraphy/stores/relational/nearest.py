"""Pairs of near memories of one set of walls; a room with numpy, loaded by name."""

import json
from collections.abc import Sequence

from engraphy.model.dreaming import NearPair
from engraphy.model.query import View
from engraphy.stores.relational import resting, scopes
from engraphy.stores.relational.coding import decoded
from engraphy.stores.relational.embedding import find_model
from engraphy.stores.relational.sql import Connection, every, query
from engraphy.stores.relational.vectors import VectorSearch


def pairs(
    connection: Connection,
    search: VectorSearch,
    view: View,
    ids: Sequence[str],
    near: tuple[str, int],
) -> list[NearPair]:
    """Each of `ids` with its nearest (by a model, so many), inside exactly the view's walls, each
    pair once."""
    model_id, limit = near
    model = find_model(connection, model_id)
    if model is None:
        return []
    number = scopes.find(connection, view.scope)
    bound = {"ids": json.dumps(list(ids)), "model": model.id, "scope": number}
    found: dict[tuple[str, str], float] = {}
    for own, codes, norm in every(connection, query("vectors_of"), bound):
        _, vectors, _ = decoded([(0, codes, norm)], model.dim)
        asked = vectors[0].astype("float32").tolist()
        for match in search.search(connection, view, model_id, asked, limit + 1):
            if match.id != own:
                first, second = sorted((own, match.id))
                held = found.get((first, second), -1.0)
                found[first, second] = max(held, match.cosine)
    inside = resting.of_walls(
        connection, view.scope, sorted({end for pair in found for end in pair})
    )
    return [
        NearPair(first_id=first, second_id=second, cosine=cosine)
        for (first, second), cosine in found.items()
        if first in inside and second in inside
    ]
