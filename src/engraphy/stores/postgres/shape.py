"""The shape of the schema, read from its own steps by their syntax tree: tables, keys, sequences,
as a cluster that spreads tenants over nodes looks at them. No server is asked."""

import re
from collections.abc import Iterator
from functools import cache

import sqlglot
from msgspec.structs import replace
from sqlglot import exp

from engraphy.record import Record
from engraphy.stores.postgres.dialect import TENANT
from engraphy.stores.postgres.migrations import RECORD, steps

_MADE = re.compile(r"^CREATE (?:UNIQUE )?(?:TABLE|INDEX) .*?;$", re.MULTILINE | re.DOTALL)
_ADDED = re.compile(r"^ALTER TABLE \w+ ADD COLUMN .*?;$", re.MULTILINE | re.DOTALL)
_SEQUENCE = re.compile(r"^CREATE SEQUENCE (\w+)", re.MULTILINE)
_TRIGGER = re.compile(r"^CREATE TRIGGER (\w+)", re.MULTILINE)


class Foreign(Record, frozen=True):
    """A foreign key: its columns, the table they point to, and which columns there; `action`: what
    happens to rows when those change ('' where nothing does)."""

    columns: tuple[str, ...]
    table: str
    referred: tuple[str, ...]
    action: str = ""


class Shape(Record, frozen=True):
    """A table: its columns, its primary key (none: empty), every other key that is unique, and its
    foreign keys."""

    name: str
    columns: tuple[str, ...]
    primary: tuple[str, ...] = ()
    unique: tuple[tuple[str, ...], ...] = ()
    foreign: tuple[Foreign, ...] = ()

    @property
    def tenanted(self) -> bool:
        """Whether its rows are tenants'."""
        return TENANT in self.columns


@cache
def shapes() -> tuple[Shape, ...]:
    """Every table of the newest schema, as they are made."""
    found: dict[str, Shape] = {}
    for tree in _trees():
        if tree.kind == "TABLE":
            shape = _table(tree)
            found[shape.name] = shape
        elif tree.args.get("unique"):
            index = tree.this
            name = index.args["table"].name
            key = tuple(_column(one) for one in index.args["params"].args["columns"])
            found[name] = replace(found[name], unique=(*found[name].unique, key))
    for name, column in _added():
        found[name] = replace(found[name], columns=(*found[name].columns, column))
    return tuple(found.values())


def sequences() -> tuple[str, ...]:
    """Every sequence of the schema."""
    return tuple(name for step in steps() for name in _SEQUENCE.findall(step.sql))


def triggers() -> tuple[str, ...]:
    """Every trigger of the schema."""
    return tuple(name for step in steps() for name in _TRIGGER.findall(step.sql))


def _trees() -> Iterator[exp.Create]:
    made = [text for step in steps() for text in _MADE.findall(step.sql)]
    for text in (RECORD, *made):
        tree = sqlglot.parse_one(text.replace("{partitioned}", ""), read="postgres")
        assert isinstance(tree, exp.Create)
        yield tree


def _added() -> Iterator[tuple[str, str]]:
    """Tables, and the columns that later steps gave them."""
    for text in (text for step in steps() for text in _ADDED.findall(step.sql)):
        tree = sqlglot.parse_one(text, read="postgres")
        assert isinstance(tree, exp.Alter)
        yield from ((tree.this.name, one.name) for one in tree.args["actions"])


def _table(tree: exp.Create) -> Shape:
    made = Shape(tree.this.this.name, ())
    for part in tree.this.expressions:
        if isinstance(part, exp.ColumnDef):
            made = replace(made, columns=(*made.columns, part.name))
        elif isinstance(part, exp.PrimaryKey):
            made = replace(made, primary=_names(part.expressions))
        elif isinstance(part, exp.UniqueColumnConstraint):
            made = replace(made, unique=(*made.unique, _names(part.this.expressions)))
        elif isinstance(part, exp.ForeignKey):
            made = replace(made, foreign=(*made.foreign, _foreign(part)))
    return made


def _foreign(part: exp.ForeignKey) -> Foreign:
    told = part.args["reference"]
    actions = [str(part.args[name]) for name in ("delete", "update") if part.args.get(name)]
    actions += [str(one) for one in told.args.get("options") or ()]
    there = told.this
    return Foreign(
        _names(part.expressions), there.this.name, _names(there.expressions), " ".join(actions)
    )


def _names(parts: list[exp.Expr]) -> tuple[str, ...]:
    return tuple(_column(one) for one in parts)


def _column(part: exp.Expr) -> str:
    """The name of a column; '' for what is calculated."""
    told = part.this if isinstance(part, exp.Ordered) else part
    return told.name if isinstance(told, exp.Column | exp.Identifier) else ""
