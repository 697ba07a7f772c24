"""Light rows for scoring, and the rows beside them in their session."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import apsw

from engraphy.model.query import Candidate, View
from engraphy.stores.sqlite import filters, scopes
from engraphy.stores.sqlite.embedding import find_model
from engraphy.stores.sqlite.sql import query

_SEQ = 1
_PINNED, _LENGTH, _ENTITIES, _TOKENS = 20, 21, 22, 23
_PREVIOUS, _NEXT = 24, 25


@dataclass
class Light:
    """The raw rows of one call, in the order asked for, then their neighbours."""

    rows: list[tuple[Any, ...]]
    ids: dict[int, str] = field(default_factory=dict)

    def seqs(self) -> list[int]:
        """The numbers of all rows."""
        return [row[_SEQ] for row in self.rows]


def read(
    connection: apsw.Connection,
    view: View,
    ids: Sequence[str],
    *,
    model_id: str | None,
    neighbours: bool,
) -> Light:
    """The visible rows among `ids`; with `neighbours` also the visible rows before and after."""
    model = find_model(connection, model_id) if model_id is not None else None
    bound = filters.bindings(view, scopes.visible(connection, view.scope))
    bound["model"] = model.id if model else None
    text = _text(filters.gate(view), filters.beside(view), neighbours)
    found = connection.execute(text, bound | {"ids": json.dumps(list(dict.fromkeys(ids)))})
    light = Light(found.fetchall())
    if neighbours:
        held = set(light.seqs())
        wanted = {row[at] for row in light.rows for at in (_PREVIOUS, _NEXT)} - held - {None}
        more = query("candidates_by_row", light=query("light_row"))
        light.rows += connection.execute(more, bound | {"seqs": json.dumps(sorted(wanted))})
    light.ids = {row[_SEQ]: row[0] for row in light.rows}
    return light


def finish(light: Light, cosines: Mapping[int, float]) -> list[Candidate]:
    """The rows as values; a row beside another knows that one as its neighbour."""
    before, after = _links(light)
    return [
        Candidate._make(
            (
                *row[:_PINNED],
                bool(row[_PINNED]),
                row[_LENGTH],
                _entities(row[_ENTITIES]),
                row[_TOKENS],
                cosines.get(row[_SEQ]),
                before.get(row[_SEQ]),
                after.get(row[_SEQ]),
            )
        )
        for row in light.rows
    ]


def _links(light: Light) -> tuple[dict[int, str], dict[int, str]]:
    before: dict[int, str] = {}
    after: dict[int, str] = {}
    for row in light.rows:
        seq, previous, following = row[_SEQ], row[_PREVIOUS], row[_NEXT]
        if previous is not None:
            before[seq] = light.ids[previous]
            after[previous] = row[0]
        if following is not None:
            after[seq] = light.ids[following]
            before[following] = row[0]
    return before, after


def _entities(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


@cache
def _text(gate: str, beside: str, neighbours: bool) -> str:
    previous = query("previous_row", gate=beside) if neighbours else "NULL"
    following = query("next_row", gate=beside) if neighbours else "NULL"
    return query(
        "candidates", light=query("light_row"), gate=gate, previous=previous, next=following
    )
