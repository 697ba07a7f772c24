"""Light rows for scoring, and the rows beside them in their session."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any

import apsw

from engraphy.model.query import Candidate, View
from engraphy.stores.sqlite import filters, scopes
from engraphy.stores.sqlite.damage import decoding
from engraphy.stores.sqlite.embedding import find_model
from engraphy.stores.sqlite.sql import every, query

_SEQ, _PINNED, _ENTITIES, _CONTEXT = (
    Candidate.__struct_fields__.index(name) for name in ("seq", "pinned", "entities", "context")
)
"""The columns of the row itself are those up to `context`; imprint, late codes, cosine and
neighbours follow."""
_scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
"""Reads the JSON that we wrote, without the checks of `loads`: hundreds of rows per recall."""
_candidate: Callable[..., Candidate] = Candidate
"""By place, because hundreds are made per recall."""

_Near = tuple[list[int], list[int]]
"""The numbers of the rows before a row and after it, nearest first."""


@dataclass
class Light:
    """The raw rows of one call, in the order asked for, then their neighbours, and which row
    stands before and after which."""

    rows: list[Sequence[Any]]
    imprints: dict[int, tuple[Any, ...]] = field(default_factory=dict)
    late: dict[int, bytes] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)
    before: dict[int, int] = field(default_factory=dict)
    after: dict[int, int] = field(default_factory=dict)

    def link(self, seq: int, previous: list[int], following: list[int]) -> None:
        """Note a row's neighbours, nearest first, as one chain."""
        for later, earlier in pairwise((seq, *previous)):
            self.before[later], self.after[earlier] = earlier, later
        for earlier, later in pairwise((seq, *following)):
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
    bound = filters.bindings(view, scopes.visible(connection, view))
    gate = filters.gate(view)
    text = query("candidates", light=query("light_row"), **_beside("TRUE", neighbours), gate=gate)
    found = every(connection, text, bound | {"ids": json.dumps(list(dict.fromkeys(ids)))})
    light = Light([row[:-2] for row in found])
    if neighbours:
        near = {row[_SEQ]: (_numbers(row[-2]), _numbers(row[-1])) for row in found}
        _add_neighbours(connection, light, near, bound, (gate, filters.beside(view), neighbours))
    light.ids = {row[_SEQ]: row[0] for row in light.rows}
    _add_codes(connection, light, model_id)
    return light


def _add_neighbours(
    connection: apsw.Connection,
    light: Light,
    near: dict[int, _Near],
    bound: filters.Bindings,
    asked: tuple[str, str, int],
) -> None:
    """The rows beside those that are there. The next ones by number alone are read first; only
    where one of them may not be seen, others are looked for row by row. `asked`: the gate, that of
    a row beside, and how many to each side."""
    gate, beside, neighbours = asked
    text = query("visible_candidates", light=query("light_row"), gate=gate)
    for _ in range(2):
        missing = _all(near).difference(light.seqs())
        if not missing:
            break
        light.rows += connection.execute(text, bound | {"seqs": json.dumps(sorted(missing))})
        hidden = missing.difference(light.seqs())
        doubtful = [
            seq for seq, sides in near.items() if not hidden.isdisjoint(sides[0] + sides[1])
        ]
        if not doubtful:
            break
        exact = query("rows_beside", **_beside(beside, neighbours))
        for seq, *sides in connection.execute(exact, bound | {"seqs": json.dumps(doubtful)}):
            near[seq] = (_numbers(sides[0]), _numbers(sides[1]))
    for seq, (previous, following) in near.items():
        light.link(seq, previous, following)


def _all(near: Mapping[int, _Near]) -> set[int]:
    return {one for sides in near.values() for side in sides for one in side}


def _add_codes(connection: apsw.Connection, light: Light, model_id: str | None) -> None:
    """Imprints and late codes: one table after the other, which is twice as fast as a join."""
    seqs = json.dumps(sorted(light.ids))
    imprints = connection.execute(query("imprints_by_row"), {"seqs": seqs})
    light.imprints = {row[0]: row for row in imprints}
    model = find_model(connection, model_id) if model_id is not None else None
    if model is not None:
        bound = {"seqs": seqs, "model": model.id}
        light.late = dict(connection.execute(query("late_codes_by_row"), bound))


def finish(light: Light, cosines: Mapping[int, float]) -> list[Candidate]:
    """The rows as values; a row beside another knows that one as its neighbour."""
    with decoding("a memory"):
        return _made(light, cosines)


def _made(light: Light, cosines: Mapping[int, float]) -> list[Candidate]:
    id_of, before, after, late = light.ids.get, light.before.get, light.after.get, light.late.get
    made = []
    for row in light.rows:
        seq = row[_SEQ]
        if seq not in light.imprints:
            continue
        _, words, length, content, asks, timed = light.imprints[seq]
        made.append(
            _candidate(
                *row[:_PINNED],
                row[_PINNED] == 1,
                _entities(row[_ENTITIES]),
                row[_CONTEXT],
                words,
                length,
                content,
                asks == 1,
                timed == 1,
                late(seq, b""),
                cosines.get(seq),
                id_of(before(seq, 0)),
                id_of(after(seq, 0)),
            )
        )
    return made


def _entities(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(_scan(text, 0)[0])


def _numbers(text: str | None) -> list[int]:
    return [int(number) for number in text.split(",")] if text else []


@cache
def _beside(gate: str, neighbours: int) -> dict[str, str]:
    """The columns that name a row's neighbours."""
    if not neighbours:
        return {"previous": "NULL", "following": "NULL"}
    return {
        name: query(text, gate=gate, reach=str(int(neighbours)))
        for name, text in (("previous", "rows_before"), ("following", "rows_after"))
    }
