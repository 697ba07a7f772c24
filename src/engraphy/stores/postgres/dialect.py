"""The named queries in PostgreSQL's words: one text for all engines, turned by its syntax tree.

What is turned: how values are named, lists that travel as JSON, what SQLite says in its own way
(INSERT OR IGNORE, IS, INDEXED BY), and the tenant: every statement says in words which tenant's
rows it means of each table, which is the first wall between tenants, and makes it the business of
one partition, or of one node.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

import sqlglot
from sqlglot import exp

from engraphy.stores.postgres.lookups import joined
from engraphy.stores.postgres.statement import NUMBER, OWN, Statement
from engraphy.stores.relational.sql import Query, load

KEYS = {
    "removed": ("id",),
    "removed_relations": ("source_id", "target_id", "type"),
}
"""The keys by which a row is put in place of another."""
NUMBERED = {
    "scopes": "id",
    "memories": "seq",
    "embedding_models": "id",
}
"""What the number of a new row is called, where somebody asks for it."""
DRAWN = {"vectors": "id"}
"""The same where the number is drawn beforehand, so that what needs it waits for no answer."""
TENANT = "tenant"
APART = frozenset({"meta", "migrations"})
"""Tables that belong to no tenant."""
_NUMBERS = frozenset({"seqs", "scopes", "vectors", "places"})
"""Lists of numbers; all others are lists of texts."""
_INDEXED = re.compile(r"\bINDEXED BY \w+")
_NAMED = re.compile(r":(\w+)")
_FOUND = re.compile("\x01(\\w+)\x01")
_KEPT = 4_096


_OWN_TEXTS = {
    name: Statement(text.strip().rstrip(";"))
    for name, text in load(Path(__file__).parent / "queries").items()
}


def own(name: str) -> Statement:
    """What PostgreSQL has its own text for."""
    return _OWN_TEXTS[name]


def each(text: str) -> Statement | None:
    """What says a statement for many rows at once: its values are lists."""
    return _OWN_TEXTS.get(f"{text.name}_each") if isinstance(text, Query) else None


def translated(text: str, *, walled: bool = True) -> Statement:
    """A statement in PostgreSQL's words, its values as `%(name)s`, those by place as `%(p0)s` ...;
    `walled`: for one tenant, whose name is `%(own_)s`."""
    if isinstance(text, Statement):
        return text
    if walled and isinstance(text, Query) and text.name in _OWN_TEXTS:
        return _OWN_TEXTS[text.name]
    return _turned(str(text), walled)


@lru_cache(maxsize=_KEPT)
def _turned(text: str, walled: bool) -> Statement:
    # A placeholder is a word here that no column has: so that a value may be called `from`.
    marked = _NAMED.sub(r":v_\1", _INDEXED.sub("", text))
    tree = sqlglot.parse_one(marked, read="sqlite")
    for step in _STEPS:
        tree = step(tree)
    tree = _drawn(tree)
    if walled:
        tree = _walled(tree)
    numbered = _asks_number(tree)
    placed = 0
    for place in list(tree.find_all(exp.Placeholder)):
        if place.this:
            told = place.name.removeprefix("v_")
        else:
            told, placed = f"p{placed}", placed + 1
        place.replace(exp.Var(this=f"\x01{told}\x01"))
    made = tree.sql(dialect="postgres", identify=True, comments=False).replace("%", "%%")
    return Statement(_FOUND.sub(r"%(\1)s", made), numbered=numbered)


def _ordered(tree: exp.Expr) -> exp.Expr:
    """No sorted column is ever NULL: what SQLite and PostgreSQL would do with one is no matter."""
    for one in tree.find_all(exp.Ordered):
        one.set("nulls_first", bool(one.args.get("desc")))
    return tree


def _believed(tree: exp.Expr) -> exp.Expr:
    """Whether an index says the same of a row (P-05) is not asked: no statement chooses the index
    here, and pages have checksums."""
    for one in list(tree.find_all(exp.Exists)):
        table = one.find(exp.Table)
        if table is not None and table.alias == "own":
            one.replace(exp.true())
    return tree


def _distinct(tree: exp.Expr) -> exp.Expr:
    """`a IS b` of SQLite holds for any two values."""
    for one in list(tree.find_all(exp.Is)):
        if not isinstance(one.expression, exp.Null | exp.Boolean):
            one.replace(exp.NullSafeEQ(this=one.this, expression=one.expression))
    return tree


def _listed(tree: exp.Expr) -> exp.Expr:
    """A list that is told as JSON, as rows with the one column `value`. It travels as an array: the
    planner then knows how long it is, and an index may be asked for each number, which row-level
    security allows for no cast of a text."""
    for table in list(tree.find_all(exp.Table)):
        call = table.this
        if not isinstance(call, exp.Func) or call.name.lower() != "json_each":
            continue
        told = call.expressions[0]
        are_numbers = told.name.removeprefix("v_") in _NUMBERS
        kind, value = ("BIGINT", "e") if are_numbers else ("TEXT", 'e COLLATE "C"')
        rows = f"SELECT {value} AS value FROM UNNEST(CAST(x AS {kind}[])) AS e"
        made = sqlglot.parse_one(f"SELECT * FROM ({rows}) AS a", read="postgres")
        inner = made.find(exp.Subquery)
        assert inner is not None
        next(one for one in inner.find_all(exp.Column) if one.name == "x").replace(told.copy())
        inner.set("alias", exp.TableAlias(this=exp.to_identifier(table.alias or "listed")))
        table.replace(inner)
    return tree


def _aliased(tree: exp.Expr) -> exp.Expr:
    """Every subquery among tables has a name."""
    for number, one in enumerate(tree.find_all(exp.Subquery)):
        if isinstance(one.parent, exp.From | exp.Join) and not one.alias:
            one.set("alias", exp.TableAlias(this=exp.to_identifier(f"part_{number}")))
    return tree


def _set_apart(tree: exp.Expr) -> exp.Expr:
    """`SET (a, b) = (x, y)`, column by column."""
    if not isinstance(tree, exp.Update):
        return tree
    told: list[exp.Expr] = []
    for one in tree.expressions:
        left, right = _parts(one.this), _parts(one.expression)
        if isinstance(one.this, exp.Tuple | exp.Paren):
            told += [exp.EQ(this=a, expression=b) for a, b in zip(left, right, strict=True)]
        else:
            told.append(one)
    tree.set("expressions", told)
    return tree


def _parts(one: exp.Expr) -> list[exp.Expr]:
    if isinstance(one, exp.Tuple):
        return list(one.expressions)
    return [one.this] if isinstance(one, exp.Paren) else [one]


def _put(tree: exp.Expr) -> exp.Expr:
    """INSERT OR IGNORE and OR REPLACE, and a conflict's own columns by the name of their table."""
    if not isinstance(tree, exp.Insert):
        return tree
    otherwise = tree.args.get("alternative")
    table = tree.find(exp.Table)
    assert table is not None
    if otherwise == "IGNORE":
        tree.set("alternative", None)
        tree.set("conflict", exp.OnConflict(action=exp.var("DO NOTHING")))
    elif otherwise == "REPLACE":
        tree.set("alternative", None)
        keys = KEYS[table.name]
        rest = [one.name for one in tree.this.expressions if one.name not in keys]
        tree.set(
            "conflict",
            exp.OnConflict(
                conflict_keys=[exp.to_identifier(key) for key in keys],
                action=exp.var("DO UPDATE"),
                expressions=[
                    exp.EQ(this=exp.column(one), expression=exp.column(one, "excluded"))
                    for one in rest
                ],
            ),
        )
    conflict = tree.args.get("conflict")
    if conflict is not None:
        _qualified(conflict, table.name)
    return tree


def _qualified(conflict: exp.Expr, table: str) -> None:
    values = [one.expression for one in conflict.expressions]
    where = conflict.args.get("where")
    for part in [*values, *([where] if where is not None else [])]:
        for column in list(part.find_all(exp.Column)):
            if not column.table:
                column.set("table", exp.to_identifier(table))


_STEPS: tuple[Callable[[exp.Expr], exp.Expr], ...] = (
    _ordered, _believed, joined, _distinct, _listed, _set_apart, _put, _aliased,
)  # fmt: skip


def _asks_number(tree: exp.Expr) -> bool:
    """Whether a row is inserted whose number somebody may ask for: then the statement tells it."""
    if not isinstance(tree, exp.Insert) or tree.args.get("returning") or tree.args.get("conflict"):
        return False
    table = tree.find(exp.Table)
    column = NUMBERED.get(table.name) if table is not None else None
    if column is None:
        return False
    tree.set("returning", exp.Returning(expressions=[exp.column(column)]))
    return True


def _drawn(tree: exp.Expr) -> exp.Expr:
    """An insertion that says the number of its row, where one is drawn."""
    if isinstance(tree, exp.Insert) and isinstance(tree.expression, exp.Values):
        column = DRAWN.get(tree.this.this.name)
        if column is not None:
            tree.this.append("expressions", exp.to_identifier(column))
            tree.expression.expressions[0].append("expressions", exp.Placeholder(this=NUMBER))
    return tree


def _own() -> exp.Expr:
    return exp.Placeholder(this=OWN)


def _of_tenant() -> exp.Expr:
    return exp.EQ(this=exp.column(TENANT), expression=_own())


def _walled(tree: exp.Expr) -> exp.Expr:
    """The same statement over the rows of one tenant."""
    changes = isinstance(tree, exp.Insert | exp.Update | exp.Delete)
    target = tree.find(exp.Table) if changes else None
    named = {one.alias for one in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        if (
            table is target
            or table.name in APART | named
            or not isinstance(table.this, exp.Identifier)
        ):
            continue
        name = table.alias or table.name
        bare = exp.Table(this=table.this.copy())
        rows = exp.select("*").from_(bare).where(_of_tenant())
        table.replace(rows.subquery(name))
    if target is None or target.name in APART:
        return tree
    if isinstance(tree, exp.Insert):
        return _filled(tree)
    own = exp.EQ(this=exp.column(TENANT, target.alias or target.name), expression=_own())
    where = tree.args.get("where")
    met = own if where is None else exp.and_(own, exp.paren(where.this))
    tree.set("where", exp.Where(this=met))
    return tree


def _filled(tree: exp.Insert) -> exp.Expr:
    """An insertion with its tenant in the row, and at the head of the keys of a conflict."""
    conflict = tree.args.get("conflict")
    if conflict is not None and conflict.args.get("conflict_keys"):
        keys = [
            key.this if isinstance(key, exp.Ordered) else key
            for key in conflict.args["conflict_keys"]
        ]
        conflict.set("conflict_keys", [exp.to_identifier(TENANT), *keys])
    columns = tree.this.expressions
    if any(one.name == TENANT for one in columns):
        return tree
    columns.append(exp.to_identifier(TENANT))
    given = tree.expression
    if isinstance(given, exp.Values):
        for row in given.expressions:
            row.append("expressions", _own())
    else:
        given.append("expressions", _own())
    return tree
