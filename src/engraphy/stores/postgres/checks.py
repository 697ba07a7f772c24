"""What a database is examined for, under the names that the other engine has for it."""

from collections.abc import Callable, Iterator
from typing import Any

from engraphy.model.query import Check
from engraphy.model.scope import Tenant
from engraphy.stores.postgres.access import Access
from engraphy.stores.postgres.dialect import own
from engraphy.stores.postgres.statement import Statement
from engraphy.stores.relational import journal, scopes
from engraphy.stores.relational.damage import DamagedValueError, decoding
from engraphy.stores.relational.rows import SELECTED, WALLS_SELECTED, from_tuple
from engraphy.stores.relational.sql import Connection, every, first, query
from engraphy.text.analyser import ANALYSER_VERSION

_BACK = "bring it back from a backup"
_REBUILD = "run `engraphy compact`: it makes the index anew from the rows"
_PAST = "rows were written past engraphy"
_ENCRYPTION = "what its server has: a key (ENGRAPHY_KEY) encrypts files only"
_MOST = 20
"""So many of what is wrong are named."""
_PAGE = 500
_WHOLE = f"""
    SELECT m.seq, {SELECTED}, {WALLS_SELECTED}
    FROM memories AS m INNER JOIN scopes AS s ON s.id = m.scope_id
    WHERE m.seq > :after ORDER BY m.seq LIMIT :limit
"""
_UNWALLED = Statement("""
    SELECT count(*)
    FROM pg_class AS c
    INNER JOIN pg_namespace AS n ON n.oid = c.relnamespace
    INNER JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant'
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND NOT (c.relrowsecurity AND c.relforcerowsecurity) AND c.relname <> 'memory_terms'
""")
_DURABLE = Statement("SHOW synchronous_commit")
Finding = Callable[[Connection], str]
"""What is wrong, in words; '' where nothing is."""


def examine(access: Access, tenants: list[Tenant], *, deep: bool) -> list[Check]:
    """Every check with what it found, of all tenants."""
    with access.reading(None) as connection:
        found = [
            _told(
                "walls between tenants", _unwalled(connection), "open it with the owner's rights"
            ),
            _told("settings", _settings(connection), "set synchronous_commit to on"),
            _told("schema", _schema(connection), "open the store for writing once"),
            Check(name="encryption", ok=True, detail=_ENCRYPTION),
        ]
    wrong: dict[str, list[str]] = {}
    for tenant in tenants:
        with access.reading(tenant) as connection:
            for name, finding, _ in _checks(deep):
                problem = _found(connection, finding)
                wrong.setdefault(name, []).extend([f"{tenant}: {problem}"] if problem else [])
    told = ((name, wrong.get(name, []), advice) for name, _, advice in _checks(deep))
    return [*found, *(_told(name, "; ".join(bad[:_MOST]), advice) for name, bad, advice in told)]


def _told(name: str, problem: str, advice: str) -> Check:
    if not problem:
        return Check(name=name, ok=True)
    return Check(name=name, ok=False, detail=problem, advice=advice)


def _found(connection: Connection, finding: Finding) -> str:
    try:
        return finding(connection)
    except (DamagedValueError, UnicodeDecodeError) as error:
        return f"{type(error).__name__}: {error}"


def _checks(deep: bool) -> Iterator[tuple[str, Finding, str]]:
    yield "full text", text_counts, _REBUILD
    yield "vectors", _vector_counts, _REBUILD
    if deep:
        yield "walls of the full text", _walls, _REBUILD
        yield "vectors and their scopes", _vector_scopes, _REBUILD
        yield "contents", _contents, _BACK
        yield "journal", _journal, f"it was edited, or lost lines: {_BACK}"
        yield "journal of memories", _journaled, f"{_PAST}: {_BACK}"
        yield "ledger of the model", _ledger, f"{_PAST}: budgets are wrong"


def _unwalled(connection: Connection) -> str:
    (count,) = first(connection, _UNWALLED)
    return f"{count} tables without row-level security" if count else ""


def _settings(connection: Connection) -> str:
    (durable,) = first(connection, _DURABLE)
    return "synchronous_commit is off: a crash loses what was told" if durable == "off" else ""


def _schema(connection: Connection) -> str:
    found = first(connection, query("read_meta"), {"key": "analyser"})
    if found is None or found[0] != str(ANALYSER_VERSION):
        return "the full-text index was made by another version of the analyser"
    return ""


def text_counts(connection: Connection) -> str:
    """Whether every memory of the tenant stands in the full-text index, and is counted."""
    rows, counted = first(connection, own("check_text_counts"))
    (indexed,) = first(connection, own("held_text"))
    if rows == indexed == counted:
        return ""
    return f"{rows} memories, {indexed} in the index, {counted} counted"


def _vector_counts(connection: Connection) -> str:
    vectors, signs = first(connection, query("check_vector_counts"))
    return "" if vectors == signs else f"{vectors} vectors, {signs} with signs"


def _walls(connection: Connection) -> str:
    lines = every(connection, query("check_walls"))
    with decoding("a sensitivity"):
        names = [scopes.wall(number, sensitivity) for number, sensitivity, _, _ in lines]
    bound = {"matches": [f"'#{name}'" for name in names], "most": 2**62}
    indexed: dict[int, Any] = dict(every(connection, own("count_matches"), bound))
    wrong = [
        f"{name}: {rows} memories, {indexed[place]} in the index, {counted} counted"
        for place, (name, (_, _, rows, counted)) in enumerate(zip(names, lines, strict=True), 1)
        if not rows == indexed[place] == counted
    ]
    return "; ".join(wrong[:_MOST])


def _vector_scopes(connection: Connection) -> str:
    misplaced, miscounted = first(connection, query("check_vector_scopes"))
    if not misplaced and not miscounted:
        return ""
    return f"{misplaced} vectors in another scope than their memory, {miscounted} wrong counts"


def _contents(connection: Connection) -> str:
    wrong: list[str] = []
    after = 0
    while True:
        page = every(connection, _WHOLE, {"after": after, "limit": _PAGE})
        for number, *line in page:
            after = number
            try:
                from_tuple(line)
            except DamagedValueError as problem:
                wrong.append(str(problem))
        if len(page) < _PAGE or len(wrong) >= _MOST:
            return "; ".join(wrong[:_MOST])


def _journal(connection: Connection) -> str:
    line = journal.broken_line(connection)
    return "" if line is None else f"line {line} is not as it was written, or is missing"


def _journaled(connection: Connection) -> str:
    (count,) = first(connection, query("check_journaled"))
    return f"{count} memories without a line" if count else ""


def _ledger(connection: Connection) -> str:
    (count,) = first(connection, query("check_model_calls"))
    return f"{count} lines of calls that were not made say that they cost" if count else ""
