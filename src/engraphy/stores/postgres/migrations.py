"""Schema: small named steps, each in one transaction together with its record, and the walls of
row-level security over every table that has a tenant."""

import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import LiteralString

from psycopg import sql

from engraphy.errors import (
    ForeignFileError,
    NewerSchemaError,
    StoreError,
    StoreReadOnlyError,
)
from engraphy.stores.postgres.access import Access, MIGRATING, lock_key
from engraphy.stores.postgres.connection import Raw
from engraphy.stores.relational.steps import Step, steps_in
from engraphy.text.analyser import ANALYSER_VERSION

_FOLDER = Path(__file__).parent / "schema"
_MADE = re.compile(r"^CREATE (TABLE|SEQUENCE|FUNCTION) (\w+)", re.MULTILINE)
_TENANTED = """
    SELECT c.relname
    FROM pg_class AS c
    INNER JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant'
    WHERE c.relnamespace = %s::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY(%s)
    ORDER BY c.relname
"""
_DEFINERS = """
    SELECT proname FROM pg_proc
    WHERE pronamespace = %s::regnamespace AND prosecdef AND proname = ANY(%s)
"""
_COLUMNS = """
    SELECT count(*) FROM pg_attribute
    WHERE attrelid = to_regclass('migrations') AND attname IN ('number', 'name', 'applied_at')
"""
_STANDING = """
    SELECT relname FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relname = ANY(%s) LIMIT 1
"""
_OPERATED = """
    SELECT
        coalesce(bool_or(pg_has_role(current_user, member, 'USAGE')), false)
        OR (SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user),
        pg_has_role(current_user, (
            SELECT relowner FROM pg_class WHERE oid = to_regclass('memories')
        ), 'USAGE')
    FROM pg_policy AS p
    CROSS JOIN LATERAL unnest(p.polroles) AS member
    WHERE p.polname = 'of_operator' AND p.polrelid = to_regclass('memories')
"""
RECORD: LiteralString = (
    "CREATE TABLE migrations ("
    "number BIGINT, name TEXT NOT NULL, applied_at BIGINT NOT NULL, PRIMARY KEY (number))"
)
"""What keeps which steps were taken."""
BEHIND_FUNCTIONS = ("memory_terms",)
"""Tables of tenants that nobody has a right to but the functions of the schema."""
_FENCED = """
    ALTER TABLE {table} ENABLE ROW LEVEL SECURITY;
    ALTER TABLE {table} FORCE ROW LEVEL SECURITY;
    DROP POLICY IF EXISTS of_tenant ON {table};
    DROP POLICY IF EXISTS of_operator ON {table};
    CREATE POLICY of_tenant ON {table}
        USING (tenant = current_setting('engraphy.tenant', true))
        WITH CHECK (tenant = current_setting('engraphy.tenant', true));
    CREATE POLICY of_operator ON {table} TO CURRENT_USER
        USING (current_setting('engraphy.operator', true) = 'on');
"""


@cache
def steps() -> tuple[Step, ...]:
    """Every migration this version knows, in order."""
    return steps_in(_FOLDER)


def migrate(access: Access, partitions: int) -> None:
    """Bring the database to the newest schema; `partitions`: how many a new table is spread over
    by its tenant (0: none, as where a cluster spreads it). Raises NewerSchemaError,
    ForeignFileError, StoreReadOnlyError, StoreError where the login may not do what a store does.
    """
    with access.connected() as raw:
        version = _version(raw, access.path)
        newest = steps()[-1].number
        if version > newest:
            raise NewerSchemaError(path=access.path, found=version, known=newest)
        if version == newest:
            _check_operator(raw, access)
            return
        if access.read_only:
            raise StoreReadOnlyError(path=access.path)
        with raw.transaction():
            raw.execute("SET LOCAL TRANSACTION ISOLATION LEVEL READ COMMITTED")
            raw.execute("SELECT pg_advisory_xact_lock(%s)", (lock_key(MIGRATING, None),))
            # Somebody else may have done it while this one waited.
            version = _version(raw, access.path)
            if not version:
                _check_empty(raw, access.path)
                _begin(raw, access.role)
            for step in steps():
                if step.number > version:
                    _apply(raw, step, partitions, access.role)
            _fence(raw, access)


@cache
def ours(kind: str) -> tuple[str, ...]:
    """The names of what our steps make: of each TABLE, SEQUENCE or FUNCTION."""
    made = (found for step in steps() for found in _MADE.findall(step.sql))
    return tuple(name for one, name in made if one == kind)


def _version(raw: Raw, path: str) -> int:
    found = raw.execute("SELECT to_regclass('migrations')").fetchone()
    if found is None or found[0] is None:
        return 0
    (columns,) = raw.execute(_COLUMNS).fetchone() or (0,)
    if columns != len(("number", "name", "applied_at")):
        raise _foreign(path, "migrations")
    (number,) = raw.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone() or (0,)
    return int(number)


def _check_empty(raw: Raw, path: str) -> None:
    found = raw.execute(_STANDING, ([*ours("TABLE"), "migrations"],)).fetchone()
    if found is not None:
        raise _foreign(path, str(found[0]))


def _foreign(path: str, table: str) -> ForeignFileError:
    problem = f"its schema has a table {table} of another program: give the store one of its own"
    return ForeignFileError(path=path, problem=problem)


def _check_operator(raw: Raw, access: Access) -> None:
    """Whoever runs a store sees all of its tenants: else its tokens would be found by nobody. Walls
    that were brought here under another owner's name are put up again by who owns the tables."""
    operates, owns = raw.execute(_OPERATED).fetchone() or (False, False)
    if operates and owns:
        return
    if not owns:
        problem = f"{raw.info.user} is neither the owner of its tables nor a member of that role"
        raise StoreError(path=access.path, problem=problem)
    with raw.transaction():
        _begin_role(raw, access.role)
        _fence(raw, access)


def _begin(raw: Raw, role: str) -> None:
    raw.execute(RECORD)
    _begin_role(raw, role)


def _begin_role(raw: Raw, role: str) -> None:
    exists = raw.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
    if exists is None:
        raw.execute(sql.SQL("CREATE ROLE {} NOLOGIN NOINHERIT").format(sql.Identifier(role)))
    # Whoever was given it may use it, and may not be able to give it.
    how = "SET" if raw.info.server_version >= 160_000 else "MEMBER"
    (given,) = raw.execute("SELECT pg_has_role(%s, %s)", (role, how)).fetchone() or (False,)
    if not given:
        raw.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(sql.Identifier(role)))


def _apply(raw: Raw, step: Step, partitions: int, role: str) -> None:
    spread = "PARTITION BY HASH (tenant)" if partitions else ""
    raw.execute(step.sql.replace("{partitioned}", spread).encode())
    raw.execute(
        "INSERT INTO migrations (number, name, applied_at)"
        " VALUES (%s, %s, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)",
        (step.number, step.name),
    )
    if step.number == 1:
        told = {"analyser": str(ANALYSER_VERSION), "partitions": str(partitions), "role": role}
        for key, value in told.items():
            raw.execute("INSERT INTO meta (key, value) VALUES (%s, %s)", (key, value))


def _fence(raw: Raw, access: Access) -> None:
    """Partitions and walls of every table of tenants that has none yet, and the rights of who asks
    for a tenant's rows: all of ours, nothing of the schema, nothing of anybody else's tables."""
    (told,) = raw.execute("SELECT value FROM meta WHERE key = 'partitions'").fetchone() or ("0",)
    known = [*ours("TABLE"), "migrations"]
    tables = [n for (n,) in raw.execute(_TENANTED, (access.schema, known)).fetchall()]
    for name in tables:
        table = sql.Identifier(name)
        for number in range(int(told)):
            raw.execute(
                sql.SQL(
                    "CREATE TABLE IF NOT EXISTS {part} PARTITION OF {table}"
                    " FOR VALUES WITH (MODULUS {of}, REMAINDER {number})"
                ).format(
                    part=sql.Identifier(f"{name}_{number}"),
                    table=table,
                    of=sql.Literal(int(told)),
                    number=sql.Literal(number),
                )
            )
        if name not in BEHIND_FUNCTIONS:
            raw.execute(sql.SQL(_FENCED).format(table=table))
    _give(raw, access)
    # A partition asked by its own name is behind no wall: nobody asks for one so.
    parts = [f"{name}_{number}" for name in tables for number in range(int(told))]
    _close(raw, [*BEHIND_FUNCTIONS, *parts], access.role)


def _give(raw: Raw, access: Access) -> None:
    """The rights of the role, to each thing of ours by its name; and what its functions look into:
    no table that a caller could put before ours."""
    role, schema = sql.Identifier(access.role), sql.Identifier(access.schema)
    raw.execute(sql.SQL("GRANT USAGE ON SCHEMA {} TO {}").format(schema, role))
    for names, right in (
        (ours("TABLE"), "SELECT, INSERT, UPDATE, DELETE ON TABLE"),
        (ours("SEQUENCE"), "USAGE ON SEQUENCE"),
        (ours("FUNCTION"), "EXECUTE ON FUNCTION"),
    ):
        listed = sql.SQL(", ").join(sql.Identifier(name) for name in names)
        raw.execute(sql.SQL("GRANT " + right + " {} TO {}").format(listed, role))
    raw.execute(sql.SQL("GRANT SELECT ON migrations TO {}").format(role))
    raw.execute(sql.SQL("REVOKE INSERT, UPDATE, DELETE ON meta FROM {}").format(role))
    found = raw.execute(_DEFINERS, (access.schema, [*ours("FUNCTION")])).fetchall()
    for (name,) in found:
        raw.execute(
            sql.SQL("ALTER FUNCTION {} SET search_path TO pg_catalog, {}, pg_temp").format(
                sql.Identifier(name), schema
            )
        )


def _close(raw: Raw, tables: Sequence[str], role: str) -> None:
    """Take the rights to what stands behind functions, partitions too."""
    for name in tables:
        raw.execute(
            sql.SQL("REVOKE ALL ON {table} FROM {role}").format(
                table=sql.Identifier(name), role=sql.Identifier(role)
            )
        )
