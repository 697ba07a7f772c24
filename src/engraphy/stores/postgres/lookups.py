"""Joins in PostgreSQL's words: in which order tables are read."""

from sqlglot import exp

_LOOKED_UP = frozenset({"id", "seq"})
"""Columns that few rows of a tenant have in common: its own number or id, or whose vector it is."""


def joined(tree: exp.Expr) -> exp.Expr:
    """CROSS JOIN with a condition, which tells SQLite the order, is a plain join; behind a list the
    order is kept where a row is found by its key: a planner that takes a tenant for a small one,
    since it was counted long ago, would read all its rows instead."""
    for join in list(tree.find_all(exp.Join)):
        if join.args.get("on") is None or join.kind != "CROSS":
            continue
        if _is_behind_list(join) and _is_by_key(join):
            _look_up(join)
        else:
            join.set("kind", None)
    return tree


def _is_list(table: exp.Expr | None) -> bool:
    return (
        isinstance(table, exp.Table)
        and isinstance(table.this, exp.Func)
        and table.this.name.lower() == "json_each"
    )


def _is_behind_list(join: exp.Join) -> bool:
    given = join.parent.args.get("from_") if isinstance(join.parent, exp.Select) else None
    return given is not None and _is_list(given.this) and isinstance(join.this, exp.Table)


def _is_by_key(join: exp.Join) -> bool:
    met = join.args["on"].find(exp.EQ)
    column = met.this if met is not None else None
    own = isinstance(column, exp.Column) and column.table == join.this.alias
    return own and column is not None and column.name in _LOOKED_UP


def _look_up(join: exp.Join) -> None:
    """Its table row by row: no planner looks through an OFFSET."""
    table, condition = join.this, join.args["on"]
    name = table.alias
    rows = exp.select("*").from_(table.copy()).where(condition.copy()).offset(0)
    join.set("on", None)
    join.set("this", exp.Lateral(this=rows.subquery(), alias=exp.to_identifier(name)))
