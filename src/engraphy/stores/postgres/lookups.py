"""Joins in PostgreSQL's words: in which order tables are read."""

from sqlglot import exp

_LOOKED_UP = frozenset({"id", "seq"})
"""Columns that few rows of a tenant have in common: its own number or id, or whose vector it is."""
_ALONE = frozenset({("memories", "id"), ("memories", "seq"), ("scopes", "id"), ("vectors", "id")})
"""Those of them that no two rows of a tenant have in common."""


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
    """Its table row by row: no planner looks through an OFFSET or a LIMIT."""
    table, condition = join.this, join.args["on"].copy()
    name = table.alias
    rows = exp.select("*").from_(table.copy())
    met = condition.find(exp.EQ)
    if met is condition and (table.name, met.this.name) in _ALONE:
        rows = _first(rows, met.this, met.expression)
    else:
        rows = rows.where(condition).offset(0)
    join.set("on", None)
    join.set("this", exp.Lateral(this=rows.subquery(), alias=exp.to_identifier(name)))


def _first(rows: exp.Select, column: exp.Expr, value: exp.Expr) -> exp.Select:
    """The row whose key is this, as the first in the key's order. Of a tenant that no count has
    seen the planner thinks that it has one row, which any index finds as quickly; this order only
    the key's own index has."""
    least = exp.GTE(this=column.copy(), expression=value.copy())
    most = exp.LTE(this=column.copy(), expression=value.copy())
    return rows.where(exp.and_(least, most)).order_by(column.copy()).limit(1)
