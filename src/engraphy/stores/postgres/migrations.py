"""Schema: small named steps, each in one transaction together with its record, and the walls of
row-level security over every table that has a tenant."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from psycopg import sql

from engraphy.errors import ForeignFileError, NewerSchemaError, StoreReadOnlyError
from engraphy.stores.postgres.access import Access, MIGRATING, ROLE, lock_key
from engraphy.stores.postgres.connection import Raw
from engraphy.stores.relational.steps import Step, steps_in
from engraphy.text.analyser import ANALYSER_VERSION

_FOLDER = Path(__file__).parent / "schema"
_TENANTED = """
    SELECT c.relname
    FROM pg_class AS c
    INNER JOIN pg_namespace AS n ON n.oid = c.relnamespace
    INNER JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attname = 'tenant'
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND NOT c.relispartition
    ORDER BY c.relname
"""
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
    ForeignFileError, StoreReadOnlyError."""
    with access.connected() as raw:
        version = _version(raw)
        newest = steps()[-1].number
        if version > newest:
            raise NewerSchemaError(path=access.path, found=version, known=newest)
        if version == newest:
            return
        if access.read_only:
            raise StoreReadOnlyError(path=access.path)
        with raw.transaction():
            raw.execute("SELECT pg_advisory_xact_lock(%s)", (lock_key(MIGRATING, None),))
            # Somebody else may have done it while this one waited.
            version = _version(raw)
            if not version:
                _check_empty(raw, access.path)
                _begin(raw)
            for step in steps():
                if step.number > version:
                    _apply(raw, step, partitions)
            _fence(raw)


def _version(raw: Raw) -> int:
    found = raw.execute("SELECT to_regclass('migrations')").fetchone()
    if found is None or found[0] is None:
        return 0
    (number,) = raw.execute("SELECT coalesce(max(number), 0) FROM migrations").fetchone() or (0,)
    return int(number)


def _check_empty(raw: Raw, path: str) -> None:
    found = raw.execute("SELECT to_regclass('memories')").fetchone()
    if found is not None and found[0] is not None:
        raise ForeignFileError(path=path, problem="its schema has tables of another program")


def _begin(raw: Raw) -> None:
    raw.execute(
        "CREATE TABLE migrations ("
        "number BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at BIGINT NOT NULL)"
    )
    role = sql.Identifier(ROLE)
    exists = raw.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (ROLE,)).fetchone()
    if exists is None:
        raw.execute(sql.SQL("CREATE ROLE {} NOLOGIN NOINHERIT").format(role))
    # Whoever was given it may use it, and may not be able to give it.
    how = "SET" if raw.info.server_version >= 160_000 else "MEMBER"
    (given,) = raw.execute("SELECT pg_has_role(%s, %s)", (ROLE, how)).fetchone() or (False,)
    if not given:
        raw.execute(sql.SQL("GRANT {} TO CURRENT_USER").format(role))


def _apply(raw: Raw, step: Step, partitions: int) -> None:
    spread = "PARTITION BY HASH (tenant)" if partitions else ""
    raw.execute(step.sql.replace("{partitioned}", spread).encode())
    raw.execute(
        "INSERT INTO migrations (number, name, applied_at)"
        " VALUES (%s, %s, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)",
        (step.number, step.name),
    )
    if step.number == 1:
        raw.execute(
            "INSERT INTO meta (key, value) VALUES ('analyser', %s), ('partitions', %s)",
            (str(ANALYSER_VERSION), str(partitions)),
        )


def _fence(raw: Raw) -> None:
    """Partitions and walls of every table of tenants that has none yet, and the rights of who asks
    for a tenant's rows: all of them, and nothing of the schema."""
    (told,) = raw.execute("SELECT value FROM meta WHERE key = 'partitions'").fetchone() or ("0",)
    tables = [name for (name,) in raw.execute(_TENANTED).fetchall()]
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
    role = sql.Identifier(ROLE)
    raw.execute(
        sql.SQL(
            "GRANT USAGE ON SCHEMA {schema} TO {role};"
            "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA {schema} TO {role};"
            "REVOKE INSERT, UPDATE, DELETE ON meta, migrations FROM {role};"
            "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA {schema} TO {role};"
            "GRANT USAGE ON ALL SEQUENCES IN SCHEMA {schema} TO {role}"
        ).format(schema=sql.Identifier(_schema(raw)), role=role)
    )
    # A partition asked by its own name is behind no wall: nobody asks for one so.
    parts = [f"{name}_{number}" for name in tables for number in range(int(told))]
    _close(raw, [*BEHIND_FUNCTIONS, *parts])


def _close(raw: Raw, tables: Sequence[str]) -> None:
    """Take the rights to what stands behind functions, partitions too."""
    for name in tables:
        raw.execute(
            sql.SQL("REVOKE ALL ON {table} FROM {role}").format(
                table=sql.Identifier(name), role=sql.Identifier(ROLE)
            )
        )


def _schema(raw: Raw) -> str:
    (name,) = raw.execute("SELECT current_schema()").fetchone() or ("public",)
    return str(name)
