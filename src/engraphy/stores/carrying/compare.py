"""Whether two stores hold the same: every row of every table, and a sample to ask both about."""

import hashlib
import heapq
from collections.abc import Sequence
from typing import Any, NamedTuple

from engraphy.errors import MoveRefusedError
from engraphy.model.kinds import State
from engraphy.model.moving import Question
from engraphy.stores.carrying.ends import Row, Source, digest
from engraphy.stores.carrying.tables import MEMORIES, SCOPES, TABLES, Table

SAMPLES = 16
"""How many questions are asked of both."""
_WORDS = 10
_WHOLE = 2**256


class Held(NamedTuple):
    """What a table holds: its rows, and a number that stands for them in any order."""

    rows: int
    sum: int


def compared(
    source: Source, target: Source, tenant: str | None, path: str
) -> tuple[dict[str, Held], list[Question]]:
    """What every table holds on both sides, and questions about it. Raises MoveRefusedError where
    one differs, which it does where the source was written to since the move began."""
    found: dict[str, Held] = {}
    sample = Sample()
    for table in TABLES:
        told = source.columns(table)
        if told != target.columns(table):
            raise MoveRefusedError(path=path, problem=f"{table.name} has other columns")
        found[table.name] = held(source, table, told, tenant, sample)
        other = held(target, table, told, None, None)
        if found[table.name] != other:
            problem = (
                f"{table.name} differs: {found[table.name].rows} rows in the source, {other.rows}"
                " here; was one of them written to since the move began? Empty this one, and begin"
                " anew"
            )
            raise MoveRefusedError(path=path, problem=problem)
    return found, sample.questions()


def held(
    source: Source,
    table: Table,
    columns: Sequence[str],
    tenant: str | None,
    sample: "Sample | None",
) -> Held:
    """What a table holds."""
    rows = total = 0
    for _, row in source.rows(table, columns, tenant, ()):
        number = digest(row)
        rows, total = rows + 1, (total + number) % _WHOLE
        if sample is not None:
            sample.meet(table, columns, row, number)
    return Held(rows, total)


class Sample:
    """Memories drawn from a store, always the same ones, and the walls they stand behind."""

    def __init__(self) -> None:
        self._drawn: list[tuple[int, dict[str, Any]]] = []
        self._walls: dict[int, dict[str, Any]] = {}

    def meet(self, table: Table, columns: Sequence[str], row: Row, number: int) -> None:
        """A row that is read anyway; `number` is as good as drawn by lot."""
        if table.name == SCOPES:
            told = dict(zip(("tenant", *columns), row, strict=True))
            self._walls[told["id"]] = told
        elif table.name == MEMORIES:
            self._draw(columns, row, number)

    def _draw(self, columns: Sequence[str], row: Row, number: int) -> None:
        # The lowest numbers win; a heap holds its least at the front, so their sign is turned.
        is_full = len(self._drawn) >= SAMPLES
        if is_full and -number <= self._drawn[0][0]:
            return
        told = dict(zip(("tenant", *columns), row, strict=True))
        if told["state"] == State.ACTIVE:
            drawn = (-number, {name: told[name] for name in ("scope_id", "content")})
            (heapq.heapreplace if is_full else heapq.heappush)(self._drawn, drawn)

    def questions(self) -> list[Question]:
        """What to ask."""
        made = []
        for _, told in sorted(self._drawn, key=lambda one: one[0]):
            walls = self._walls[told["scope_id"]]
            words = " ".join(told["content"].split()[:_WORDS])
            if walls["conversation"] is None and words:
                names = {name: walls[name] for name in ("tenant", "user", "agent", "project")}
                made.append(Question(text=words, **names))
        return made


def shown(held: Held) -> str:
    """A table's number as 64 hexadecimal digits, its rows counted in."""
    return hashlib.sha256(f"{held.rows} {held.sum}".encode()).hexdigest()
