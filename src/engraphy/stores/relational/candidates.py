"""Light rows for scoring, and the rows beside them in their session."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any

from msgspec import Struct, field

from engraphy.model.query import Candidate, View
from engraphy.stores.relational import filters, scopes
from engraphy.stores.relational.damage import decoding
from engraphy.stores.relational.embedding import find_model
from engraphy.stores.relational.sql import Connection, every, numbers, query

_SEQ = Candidate.__struct_fields__.index("seq")
"""The columns of the row itself are those up to `context`, before it `pinned` and `entities`;
imprint, late codes, cosine and neighbours follow."""
_WIDTH = Candidate.__struct_fields__.index("context") + 1
_scan: Callable[[str, int], tuple[Any, int]] = json.JSONDecoder().scan_once  # type: ignore[attr-defined]
"""Reads the JSON that we wrote, without the checks of `loads`: hundreds of rows per recall."""
_candidate: Callable[..., Candidate] = Candidate
"""By place, because hundreds are made per recall."""

_Near = tuple[list[int], list[int]]
"""The numbers of the rows before a row and after it, nearest first."""


class Light(Struct, dict=True, weakref=True):
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
        before, after, last = self.before, self.after, seq
        for earlier in previous:
            before[last], after[earlier], last = earlier, last, earlier
        last = seq
        for later in following:
            after[last], before[later], last = later, last, later

    def seqs(self) -> list[int]:
        """The numbers of all rows."""
        return [row[_SEQ] for row in self.rows]


def read(
    connection: Connection,
    view: View,
    ids: Sequence[str],
    *,
    model_id: str | None,
    neighbours: int,
) -> Light:
    """The visible rows among `ids`, and so many visible rows before and after each."""
    bound = filters.bindings(view, scopes.visible(connection, view))
    gate = filters.gate(view)
    beside = _beside("TRUE", neighbours)
    text = query("candidates", light=query("light_row"), beside=beside, gate=gate)
    found = every(connection, text, bound | {"ids": json.dumps(list(dict.fromkeys(ids)))})
    light = Light([row[:_WIDTH] for row in found] if neighbours else found)
    if neighbours:
        near = {row[_SEQ]: _sides(row[_WIDTH:]) for row in found}
        _add_neighbours(connection, light, near, bound, (gate, filters.beside(view), neighbours))
    light.ids = {row[_SEQ]: row[0] for row in light.rows}
    _add_codes(connection, light, model_id)
    return light


def _add_neighbours(
    connection: Connection,
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
        more = every(connection, text, bound | {"seqs": numbers(sorted(missing))})
        light.rows += more
        hidden = missing.difference([row[_SEQ] for row in more])
        if not hidden:
            break
        doubtful = [
            seq for seq, sides in near.items() if not hidden.isdisjoint(sides[0] + sides[1])
        ]
        if not doubtful:
            break
        exact = query("rows_beside", beside=_beside(beside, neighbours))
        for seq, *found in every(connection, exact, bound | {"seqs": numbers(doubtful)}):
            near[seq] = _sides(found)
    for seq, (previous, following) in near.items():
        light.link(seq, previous, following)


def _all(near: Mapping[int, _Near]) -> set[int]:
    return set(chain.from_iterable(chain.from_iterable(near.values())))


def _add_codes(connection: Connection, light: Light, model_id: str | None) -> None:
    """Imprints and late codes: one table after the other, which is twice as fast as a join."""
    seqs = numbers(sorted(light.ids))
    # Whole lists: of two cursors at a time APSW never lets go of the older one, and every statement
    # afterwards looks through all that it holds.
    imprints = every(connection, query("imprints_by_row"), {"seqs": seqs})
    light.imprints = {row[0]: row for row in imprints}
    model = find_model(connection, model_id) if model_id is not None else None
    if model is not None:
        bound = {"seqs": seqs, "model": model.id}
        light.late = dict(every(connection, query("late_codes_by_row"), bound))


def finish(light: Light, cosines: Mapping[int, float]) -> list[Candidate]:
    """The rows as values; a row beside another knows that one as its neighbour."""
    with decoding("a memory"):
        return _made(light, cosines)


def _made(light: Light, cosines: Mapping[int, float]) -> list[Candidate]:
    id_of, before, after, late = light.ids.get, light.before.get, light.after.get, light.late.get
    imprint_of, cosine_of = light.imprints.get, cosines.get
    made = []
    for row in light.rows:
        seq = row[_SEQ]
        imprint = imprint_of(seq)
        if imprint is None:
            continue
        _, words, length, content, asks, timed = imprint
        *plain, pinned, entities, context = row
        made.append(
            _candidate(
                *plain,
                pinned == 1,
                () if entities == "[]" else _entities(entities),
                context,
                words,
                length,
                content,
                asks == 1,
                timed == 1,
                late(seq, b""),
                cosine_of(seq),
                id_of(before(seq, 0)),
                id_of(after(seq, 0)),
            )
        )
    return made


def _entities(text: str) -> tuple[str, ...]:
    return tuple(_scan(text, 0)[0])


def _sides(found: Sequence[int | None]) -> _Near:
    """What stands in the columns of `_beside`, where there is anything."""
    half = len(found) // 2
    previous = [one for one in found[:half] if one is not None]
    return previous, [one for one in found[half:] if one is not None]


@cache
def _beside(gate: str, neighbours: int) -> str:
    """The columns that name a row's neighbours: those before it, nearest first, then those after
    it. One by one, as that is quicker than a list of them."""
    columns = [
        query(text, gate=gate, offset=str(offset))
        for text in ("row_before", "row_after")
        for offset in range(neighbours)
    ]
    return "".join(f", {column}" for column in columns)
