"""The move itself: tables in their order, rows in batches, each batch with the note of how far the
move has come in one transaction, so that what is killed anywhere goes on where it stood."""

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice, pairwise
from typing import Any

from msgspec import field
from msgspec.structs import replace

from engraphy.errors import MoveRefusedError
from engraphy.record import Record
from engraphy.stores.carrying.ends import Chain, Place, Row, Sink, Source, Writing
from engraphy.stores.carrying.tables import MEMORIES, MODELS, TABLES, Table
from engraphy.stores.relational import indexing

BATCH = 2_000
"""Rows of one transaction."""
Progress = Callable[[str, int], None]
"""Told the name of a table and how many of its rows were written."""
_OTHER = (
    "it holds a move that was begun from another source, or from this one as it was before it was "
    "written to; empty it and begin anew"
)


class Standing(Record, frozen=True):
    """How far a move has come. `source`: what stands for the source as it was at the beginning;
    `shifts`: by how much the lines of each tenant are numbered higher here; `place`: behind which
    row of `table` to go on; `done`: all rows are here and were compared."""

    source: str
    shifts: Mapping[str, int] = field(default_factory=dict)
    table: str = ""
    place: Place = ()
    done: bool = False

    def written(self) -> str:
        """As `meta` keeps it."""
        told = {name: getattr(self, name) for name in self.__struct_fields__}
        return json.dumps(told, ensure_ascii=False)


def standing(text: str) -> Standing:
    """A note as `meta` keeps it."""
    told = json.loads(text)
    return Standing(**told | {"place": tuple(told["place"])})


def is_open(text: str) -> bool:
    """Whether a note tells of a move that has not ended."""
    return bool(text) and not standing(text).done


def fingerprint(source: Source, tenant: str | None) -> str:
    """What stands for a source at one moment: whose journals it has, their ends, its size."""
    chains = [(one.tenant, one.lines, one.last, one.hash.hex()) for one in source.chains(tenant)]
    told = json.dumps([tenant, source.size(tenant), chains])
    return hashlib.sha256(told.encode()).hexdigest()


def begun(source: Source, sink: Sink, tenant: str | None, path: str) -> tuple[Standing, bool]:
    """Where to begin or to go on, and whether it is to go on. Raises MoveRefusedError."""
    own = fingerprint(source, tenant)
    # Whoever begins at the same time waits for this transaction, and finds its note.
    with sink.writing() as target:
        noted = target.noted()
        if noted:
            found = standing(noted)
            if found.source != own:
                raise MoveRefusedError(path=path, problem=_OTHER)
            return found, True
        if not target.is_empty():
            raise MoveRefusedError(path=path, problem="it is not empty")
        new = Standing(own, _shifts_in(source, sink, tenant, path))
        target.note(new.written())
    return new, False


def _shifts_in(source: Source, sink: Sink, tenant: str | None, path: str) -> dict[str, int]:
    if not sink.is_numbered_at_large:
        return {}
    if tenant is None and (twice := source.twice()):
        problem = f"two tenants have {twice}, and in a file an id stands once: move them one by one"
        raise MoveRefusedError(path=path, problem=problem)
    return _shifts(source.chains(tenant))


def _shifts(chains: Sequence[Chain]) -> dict[str, int]:
    """By how much the lines of each tenant are numbered higher where all stand in one row: not at
    all where no two overlap."""
    spans = sorted((one.first, one.last) for one in chains)
    if all(before[1] < after[0] for before, after in pairwise(spans)):
        return {}
    shifts, last = {}, 0
    for one in chains:
        shifts[one.tenant] = last
        last += one.last
    return shifts


def copy(
    source: Source, sink: Sink, state: Standing, tenant: str | None, heard: tuple[str, Progress]
) -> dict[str, int]:
    """Bring over every row that is not there yet; how many of each table that were. `heard`: what
    the target is called, and who is told of every batch."""
    path, progress = heard
    names = [table.name for table in TABLES]
    copied = dict.fromkeys(names, 0)
    reached = names.index(state.table) if state.table else 0
    for table in TABLES[reached:]:
        behind = state.place if table.name == state.table else ()
        for place, rows in _batches(source, table, tenant, behind):
            note = replace(state, table=table.name, place=place)
            with sink.writing() as target:
                _check(target, state, path)
                _write(source, target, table, rows, state.shifts)
                target.note(note.written())
            state = note
            copied[table.name] += len(rows)
            progress(table.name, len(rows))
    sink.number_on(source.numbers())
    return copied


def _check(target: Writing, state: Standing, path: str) -> None:
    """Nobody else writes the same move."""
    if target.noted() != state.written():
        problem = "the same move is under way there; let that one end, then run this again"
        raise MoveRefusedError(path=path, problem=problem)


def _batches(
    source: Source, table: Table, tenant: str | None, after: Place
) -> Iterator[tuple[Place, list[Row]]]:
    found = source.rows(table, source.columns(table), tenant, after)
    while batch := list(islice(found, BATCH)):
        yield batch[-1][0], [row for _, row in batch]


def _write(
    source: Source, target: Writing, table: Table, rows: Sequence[Row], shifts: Mapping[str, int]
) -> None:
    columns = source.columns(table)
    if table.name == MODELS:
        target.models(rows)
        return
    numbered = (*table.lines, *table.marks) if shifts else ()
    lines = [columns.index(name) + 1 for name in numbered]
    target.put(table, columns, [_shifted(row, lines, shifts) for row in rows])
    if table.name == MEMORIES:
        target.index([_indexed(columns, row) for row in rows])


def _shifted(row: Row, lines: Sequence[int], shifts: Mapping[str, int]) -> Row:
    by = shifts.get(row[0], 0) if lines else 0
    if not by:
        return row
    made = list(row)
    for place in lines:
        # A number of no line stands for none.
        made[place] += by if made[place] > 0 else 0
    return tuple(made)


def _indexed(columns: Sequence[str], row: Row) -> Any:
    told = dict(zip(("tenant", *columns), row, strict=True))
    return row[0], told["seq"], indexing.entry(told)


def vouch(source: Source, sink: Sink, state: Standing, tenant: str | None) -> None:
    """Say in the target which lines were brought there, so that its own check knows them."""
    with sink.writing() as target:
        for chain in source.chains(tenant):
            target.carried(chain, state.shifts.get(chain.tenant, 0))
