"""Light rows for scoring, and the rows beside them in their session."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import apsw

from engraphy.model.query import Candidate, View
from engraphy.stores.sqlite import filters, scopes
from engraphy.stores.sqlite.embedding import find_model
from engraphy.stores.sqlite.sql import query

_FIELDS = Candidate._fields
_SEQ = _FIELDS.index("seq")
_OWN = _FIELDS.index("cosine")
"""Columns of the row itself; cosine and neighbours follow."""
_ENTITIES = _FIELDS.index("entities")
_FLAGS = tuple(_FIELDS.index(name) for name in ("pinned", "asks", "timed"))


@dataclass
class Light:
    """The raw rows of one call, in the order asked for, then their neighbours, and which row
    stands before and after which."""

    rows: list[tuple[Any, ...]]
    ids: dict[int, str] = field(default_factory=dict)
    before: dict[int, int] = field(default_factory=dict)
    after: dict[int, int] = field(default_factory=dict)

    def link(
        self, seq: int, previous: Sequence[int | None], following: Sequence[int | None]
    ) -> None:
        """Note a row's neighbours, nearest first, as one chain."""
        for earlier, later in pairwise((seq, *previous)):
            if earlier is not None and later is not None:
                self.before[earlier], self.after[later] = later, earlier
        for earlier, later in pairwise((seq, *following)):
            if earlier is not None and later is not None:
                self.after[earlier], self.before[later] = later, earlier

    def seqs(self) -> list[int]:
        """The numbers of all rows."""
        return [row[_SEQ] for row in self.rows]


def read(
    connection: apsw.Connection,
    view: View,
    ids: Sequence[str],
    *,
    model_id: str | None,
    neighbours: int,
) -> Light:
    """The visible rows among `ids`, and so many visible rows before and after each."""
    model = find_model(connection, model_id) if model_id is not None else None
    bound = filters.bindings(view, scopes.visible(connection, view.scope))
    bound["model"] = model.id if model else None
    text = _text(filters.gate(view), filters.beside(view), neighbours)
    found = connection.execute(text, bound | {"ids": json.dumps(list(dict.fromkeys(ids)))})
    light = Light([])
    wanted: set[int] = set()
    for row in found:
        light.rows.append(row[:_OWN])
        light.link(row[_SEQ], row[_OWN : _OWN + neighbours], row[_OWN + neighbours :])
        wanted.update(row[_OWN:])
    if neighbours:
        wanted -= {None, *light.seqs()}
        more = query("candidates_by_row", light=query("light_row"))
        light.rows += connection.execute(more, bound | {"seqs": json.dumps(sorted(wanted))})
    light.ids = {row[_SEQ]: row[0] for row in light.rows}
    return light


def finish(light: Light, cosines: Mapping[int, float]) -> list[Candidate]:
    """The rows as values; a row beside another knows that one as its neighbour."""
    ids = light.ids
    made = []
    for row in light.rows:
        values = list(row)
        seq = row[_SEQ]
        for at in _FLAGS:
            values[at] = bool(row[at])
        values[_ENTITIES] = _entities(row[_ENTITIES])
        beside = (ids.get(light.before.get(seq, 0)), ids.get(light.after.get(seq, 0)))
        made.append(Candidate._make((*values, cosines.get(seq), *beside)))
    return made


def _entities(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


@cache
def _text(gate: str, beside: str, neighbours: int) -> str:
    previous = [query("previous_row", gate=beside, skip=str(n)) for n in range(neighbours)]
    following = [query("next_row", gate=beside, skip=str(n)) for n in range(neighbours)]
    columns = ", ".join([query("light_row"), *previous, *following])
    return query("candidates", columns=columns, gate=gate)
