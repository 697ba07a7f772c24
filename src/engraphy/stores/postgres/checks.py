"""What a database is examined for."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from engraphy.model.query import Check
from engraphy.stores.postgres.access import Access
from engraphy.stores.postgres.connection import Raw
from engraphy.stores.relational.rows import content_hash

if TYPE_CHECKING:
    from engraphy.stores.postgres.store import PostgresStore

_COUNTS = (
    (
        "full text",
        "SELECT (SELECT count(*) FROM memories), (SELECT count(*) FROM memory_terms)",
        "engraphy doctor --reindex",
    ),
    (
        "vectors",
        "SELECT (SELECT count(*) FROM vectors), (SELECT count(*) FROM vector_signs)",
        "engraphy reembed",
    ),
)
_UNWALLED = """
    SELECT count(*)
    FROM pg_class AS c
    INNER JOIN pg_namespace AS n ON n.oid = c.relnamespace
    INNER JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant'
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition
        AND NOT (c.relrowsecurity AND c.relforcerowsecurity) AND c.relname <> 'memory_terms'
"""


def examine(store: "PostgresStore", access: Access, *, deep: bool) -> list[Check]:
    """Every check with what it found."""
    with access.connected() as raw, raw.transaction():
        raw.execute("SET LOCAL engraphy.operator = 'on'")
        found = list(_checks(raw, deep=deep))
    if deep:
        line = store.broken_line()
        told = "" if line is None else f"line {line} does not fit"
        found.append(_check("journal", told, "the journal was changed outside: look at backups"))
    return found


def _checks(raw: Raw, *, deep: bool) -> Iterator[Check]:
    for name, text, advice in _COUNTS:
        rows, indexed = raw.execute(text).fetchone() or (0, 0)
        told = "" if rows == indexed else f"{rows} rows, {indexed} in the index"
        yield _check(name, told, advice)
    (open_tables,) = raw.execute(_UNWALLED).fetchone() or (0,)
    told = f"{open_tables} tables without row-level security" if open_tables else ""
    yield _check("walls", told, "open it once with the owner's rights")
    (durable,) = raw.execute("SHOW synchronous_commit").fetchone() or ("",)
    told = "" if durable != "off" else "synchronous_commit is off: a crash loses what was told"
    yield _check("settings", told, "set synchronous_commit to on")
    if deep:
        damaged = sum(
            1
            for content, digest in raw.execute("SELECT content, content_hash FROM memories")
            if content_hash(content) != digest
        )
        told = f"{damaged} contents are not what was written" if damaged else ""
        yield _check("contents", told, "bring them back from a backup")


def _check(name: str, problem: str, advice: str) -> Check:
    return Check(
        name=name, ok=not problem, detail=problem or "ok", advice=advice if problem else ""
    )
