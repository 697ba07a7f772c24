"""The plan that spreads the tables over a cluster follows from the schema, and a cluster's rules
hold for it. No cluster is there: stand-ins of Citus's functions refuse what it says it refuses."""

import ast
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest
from click.testing import CliRunner
from tests.postgres.server import Server

from engraphy import stores
from engraphy.cli import main
from engraphy.stores.postgres import PostgresStore, spreading
from engraphy.stores.postgres.shape import Foreign, Shape, shapes

NUMBERS = count()
FOLDER = Path(stores.__file__).parent
COLUMNS = """
    SELECT table_name, array_agg(column_name::text) FROM information_schema.columns
    WHERE table_schema = 'public' GROUP BY 1
"""
KEYS = """
    SELECT i.indrelid::regclass::text, i.indisprimary, ARRAY(
        SELECT coalesce(a.attname, '')
        FROM unnest(i.indkey::int2[]) WITH ORDINALITY AS k (number, place)
        LEFT JOIN pg_attribute AS a ON a.attrelid = i.indrelid AND a.attnum = k.number
        ORDER BY k.place
    )::text[]
    FROM pg_index AS i INNER JOIN pg_class AS c ON c.oid = i.indexrelid
    WHERE i.indisunique AND c.relnamespace = 'public'::regnamespace
"""
FOREIGN = """
    SELECT k.conrelid::regclass::text, k.confrelid::regclass::text,
        ARRAY(SELECT a.attname FROM unnest(k.conkey) WITH ORDINALITY AS n (number, place)
            INNER JOIN pg_attribute AS a ON a.attrelid = k.conrelid AND a.attnum = n.number
            ORDER BY n.place)::text[],
        ARRAY(SELECT a.attname FROM unnest(k.confkey) WITH ORDINALITY AS n (number, place)
            INNER JOIN pg_attribute AS a ON a.attrelid = k.confrelid AND a.attnum = n.number
            ORDER BY n.place)::text[],
        k.confdeltype = 'a' AND k.confupdtype = 'a'
    FROM pg_constraint AS k WHERE k.contype = 'f'
"""
STAND_INS = """
    CREATE TABLE told (name TEXT PRIMARY KEY, spread BOOLEAN NOT NULL);
    CREATE FUNCTION refuse_unspread(wanted REGCLASS, wanted_column TEXT) RETURNS VOID
    LANGUAGE plpgsql AS $$
    BEGIN
        IF current_setting('citus.enable_unsafe_triggers', true) IS DISTINCT FROM 'on' AND EXISTS (
            SELECT 1 FROM pg_trigger WHERE tgrelid = wanted AND NOT tgisinternal
        ) THEN RAISE EXCEPTION 'cannot distribute relation % because it has triggers', wanted;
        END IF;
        IF EXISTS (
            SELECT 1 FROM pg_constraint AS k WHERE k.contype = 'f' AND k.conrelid = wanted
            AND k.confrelid <> wanted
            AND NOT EXISTS (SELECT 1 FROM told WHERE name = k.confrelid::regclass::text)
        ) THEN RAISE EXCEPTION
            'Referenced table must be a distributed table or a reference table: %', wanted;
        END IF;
        IF wanted_column IS NOT NULL AND EXISTS (
            SELECT 1 FROM pg_index AS i WHERE i.indrelid = wanted AND i.indisunique
            AND NOT EXISTS (
                SELECT 1 FROM pg_attribute AS a WHERE a.attrelid = wanted
                AND a.attname = wanted_column AND a.attnum = ANY(i.indkey)
            )
        ) THEN RAISE EXCEPTION 'a unique key of % has no %', wanted, wanted_column; END IF;
    END $$;
    CREATE FUNCTION create_distributed_table(wanted REGCLASS, by TEXT, colocate_with TEXT)
    RETURNS VOID LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM refuse_unspread(wanted, by);
        IF colocate_with <> 'none'
        AND NOT EXISTS (SELECT 1 FROM told WHERE name = colocate_with AND spread)
        THEN RAISE EXCEPTION 'relation % is not distributed', colocate_with; END IF;
        INSERT INTO told VALUES (wanted::text, true);
    END $$;
    CREATE FUNCTION create_reference_table(wanted REGCLASS) RETURNS VOID LANGUAGE plpgsql AS $$
    BEGIN
        PERFORM refuse_unspread(wanted, NULL);
        INSERT INTO told VALUES (wanted::text, false);
    END $$;
    CREATE FUNCTION run_command_on_workers(told TEXT) RETURNS TEXT LANGUAGE sql AS 'SELECT told';
"""
FOR_ALL = {
    "relational/store.py:_follow": "the journal as a file, which a database has not",
    "relational/store.py:mirrored": "the journal as a file, which a database has not",
    "relational/history.py:broken_line": "tenant by tenant over a database",
    "relational/store.py:grant_of": "grant_of",
    "relational/store.py:tenants": "tenants",
    "postgres/checks.py:examine": "asks the catalogue, of no tenant's table",
}
"""Who reads without a tenant, and the statement or the reason."""


@pytest.fixture
def raw(server: Server) -> Iterator[psycopg.Connection[Any]]:
    """A store without partitions, in a database of its own."""
    name = f"spread_{next(NUMBERS)}"
    server.execute(f"CREATE DATABASE {name}")
    PostgresStore(server.place(name), partitions=0).close()
    with psycopg.connect(server.place(name), autocommit=True) as connection:
        yield connection


def _plan(raw: psycopg.Connection[Any]) -> dict[str, Any]:
    return spreading.plan("citus", f"postgresql://u@h/{raw.info.dbname}")


def test_the_schema_is_read_as_the_server_has_it(raw: psycopg.Connection[Any]) -> None:
    """Tables, columns, unique keys and foreign keys that are read from the steps are those of the
    catalogue of a real PostgreSQL."""
    mine = {one.name: one for one in shapes()}
    columns = dict(raw.execute(COLUMNS).fetchall())
    assert {name: {*one.columns} for name, one in mine.items()} == {
        name: {*told} for name, told in columns.items()
    }
    keys = {(name, primary, tuple(told)) for name, primary, told in raw.execute(KEYS).fetchall()}
    assert keys == {
        *((one.name, True, one.primary) for one in mine.values() if one.primary),
        *((one.name, False, key) for one in mine.values() for key in one.unique),
    }
    found = raw.execute(FOREIGN).fetchall()
    assert {(*told[:2], tuple(told[2]), tuple(told[3])) for told in found} == {
        (one.name, key.table, key.columns, key.referred)
        for one in mine.values()
        for key in one.foreign
    }
    assert all(still for *_, still in found)


def test_the_statements_run_in_their_order(raw: psycopg.Connection[Any]) -> None:
    """Each statement of the plan is taken where it stands, and in the end every table is spread or
    on every node: those with a tenant are spread, but for what is asked by an id alone."""
    raw.execute(STAND_INS.encode())
    made = _plan(raw)
    for text in made["statements"]:
        raw.execute(text.encode())
    told = dict(raw.execute("SELECT name, spread FROM told").fetchall())
    assert told == {one.name: one.tenanted and one.name != "grants" for one in shapes()}
    assert made["spread"] == [name for name in made["spread"] if told[name]]
    role = "SELECT rolcanlogin FROM pg_roles WHERE rolname = %s"
    assert raw.execute(role, (made["role"],)).fetchone() == (True,)
    kept = "SELECT setconfig FROM pg_db_role_setting AS s INNER JOIN pg_database AS d"
    kept += " ON d.oid = s.setdatabase WHERE d.datname = current_database()"
    assert "citus.propagate_set_commands=local" in raw.execute(kept).fetchone()[0]  # type: ignore[index]


@pytest.mark.long
def test_tables_are_made_without_partitions(server: Server) -> None:
    """`engraphy cluster init` makes them in an empty database, and leaves what it made as it is; a
    store that has partitions is refused."""
    server.execute("CREATE DATABASE to_spread")
    words = ["cluster", "init", server.url("to_spread")]
    for _ in range(2):
        done = CliRunner().invoke(main, words, catch_exceptions=False)
        assert done.exit_code == 0, done.output
    with psycopg.connect(server.place("to_spread")) as raw:
        parts = "SELECT count(*) FROM pg_class WHERE relispartition OR relkind = 'p'"
        assert raw.execute(parts).fetchone() == (0,)
    refused = CliRunner().invoke(main, ["cluster", "init", server.fresh_url()])
    assert refused.exit_code == 2
    assert "partitions" in refused.stderr


def test_another_order_is_refused(raw: psycopg.Connection[Any]) -> None:
    """A table before the one it points to is refused, and so are triggers without the setting."""
    raw.execute(STAND_INS.encode())
    spread = [one for one in _plan(raw)["statements"] if "create_distributed" in one]
    raw.execute(spread[0].encode())
    with pytest.raises(psycopg.Error, match="because it has triggers"):
        raw.execute(next(one for one in spread if "'memories'" in one).encode())
    raw.execute("SET citus.enable_unsafe_triggers = on")
    with pytest.raises(psycopg.Error, match="Referenced table must be"):
        raw.execute(next(one for one in spread if "'vectors'" in one).encode())


def test_every_rule_holds_for_the_schema() -> None:
    """No key, foreign key or table breaks a rule of a cluster."""
    assert [
        told for told in spreading.broken(shapes(), spreading.on_every_node()).values() if told
    ] == []
    assert spreading.on_every_node() == {"meta", "migrations", "grants"}


HOME = Shape("home", ("tenant", "id"), ("tenant", "id"))
TURNED = Foreign(("a", "tenant"), "home", ("tenant", "id"))
MOVING = Foreign(("tenant",), "home", ("tenant",), "CASCADE")


@pytest.mark.parametrize(
    ("number", "bad"),
    [
        (0, Shape("bad", ("tenant", "id"), ("id",))),
        (0, Shape("bad", ("tenant", "id"), ("tenant", "id"), unique=(("id", ""),))),
        (1, Shape("bad", ("tenant", "a"), foreign=(Foreign(("a",), "home", ("id",)),))),
        (1, Shape("bad", ("tenant", "a"), foreign=(TURNED,))),
        (2, Shape("bad", ("tenant",), foreign=(Foreign(("tenant",), "gone", ("tenant",)),))),
        (3, Shape("everywhere", ("id",), foreign=(Foreign(("id",), "home", ("id",)),))),
        (4, Shape("bad", ("tenant",), foreign=(MOVING,))),
    ],
)  # fmt: skip
def test_what_breaks_a_rule_is_found(number: int, bad: Shape) -> None:
    """Each rule finds the table that breaks it, and says which."""
    found = [*spreading.broken([HOME, bad], frozenset({"everywhere"})).values()]
    assert [place for place, told in enumerate(found) if told] == [number]
    assert bad.name in found[number][0]


def _asking_for_all() -> Iterator[str]:
    """Every function of the stores that begins a transaction of no tenant."""
    for file in [*FOLDER.glob("relational/*.py"), *FOLDER.glob("postgres/*.py")]:
        for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef):
                for call in ast.walk(function):
                    if (
                        isinstance(call, ast.Call)
                        and isinstance(call.func, ast.Attribute)
                        and call.func.attr in ("reading", "writing")
                        and [ast.unparse(one) for one in call.args[:1]] == ["None"]
                    ):
                        yield f"{file.parent.name}/{file.name}:{function.name}"


@pytest.mark.long
def test_who_asks_without_a_tenant_is_known() -> None:
    """Only those named above read without a tenant, nobody writes so, and the statements among them
    are those that the plan knows as such."""
    assert {*_asking_for_all()} == {*FOR_ALL}
    named = {told for told in FOR_ALL.values() if " " not in told}
    assert named == spreading.BY_ID | spreading.OF_ALL
