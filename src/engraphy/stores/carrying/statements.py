"""Statements over whole tables, in the words that every engine understands."""

from collections.abc import Sequence
from typing import NamedTuple

from engraphy.stores.carrying.tables import Table


class Wanted(NamedTuple):
    """Which rows of a table: `owner`: what tells their tenant; `narrow`: of one tenant only;
    `behind`: behind a place only; `mark`: what stands for a value, of which there are the place,
    then the tenant."""

    owner: str
    narrow: bool
    behind: bool
    mark: str


def quoted(name: str) -> str:
    """A column by its name; what is no name is an expression."""
    return f't."{name}"' if name.isidentifier() else name


def reading(table: Table, columns: Sequence[str], key: Sequence[str], wanted: Wanted) -> str:
    """Rows as (tenant, columns, key), in the order of their keys."""
    keys = [quoted(one) for one in key]
    told = ", ".join([wanted.owner, *map(quoted, columns), *keys])
    met = []
    if wanted.behind:
        met.append(f"({', '.join(keys)}) > ({', '.join([wanted.mark] * len(keys))})")
    if wanted.narrow:
        met.append(f"{wanted.owner} = {wanted.mark}")
    where = f" WHERE {' AND '.join(met)}" if met else ""
    return f'SELECT {told} FROM "{table.name}" AS t{where} ORDER BY {", ".join(keys)}'
