"""Who connects need not be a superuser: an owner of the database is enough."""

import psycopg
import pytest
from tests.postgres.making import ONE, OTHER, ROLE, view, write
from tests.postgres.server import Server

from engraphy.errors import StoreError
from engraphy.stores.postgres import PostgresStore

BEFORE = {
    "makes the role": (
        "CREATE ROLE first LOGIN CREATEROLE",
        "CREATE DATABASE of_first OWNER first",
    ),
    "was given the role": (
        "CREATE ROLE second LOGIN",
        "CREATE DATABASE of_second OWNER second",
        "CREATE ROLE engraphy_app_of_second NOLOGIN NOINHERIT",
        "GRANT engraphy_app_of_second TO second",
    ),
}


@pytest.mark.long
@pytest.mark.parametrize("name", BEFORE)
def test_owner_without_other_rights_has_a_store(server: Server, name: str) -> None:
    """Opened by an owner with CREATEROLE, or with the role given to it, a store works: two tenants,
    each with its rows, and whoever runs it sees who they are."""
    server.execute(*BEFORE[name])
    user = BEFORE[name][0].split()[2]
    store = PostgresStore(server.place(f"of_{user}", user=user), partitions=2)
    for tenant in (ONE, OTHER):
        write(store, tenant, f"{tenant}-1")
    assert [one.id for one in store.dump(view(ONE))] == [f"{ONE}-1"]
    assert {*store.tenants()} == {ONE, OTHER}
    assert all(one.ok for one in store.check(deep=True))
    store.close()


def test_rights_that_lack_are_named_and_nothing_is_begun(server: Server) -> None:
    """Without the right to make the role, or the tables, the error says what is needed; once it is
    granted the store is made."""
    server.execute("CREATE ROLE fifth LOGIN", "CREATE DATABASE of_fifth OWNER fifth")
    for place in ("postgres", "of_fifth"):
        with pytest.raises(StoreError, match=r"permission denied .* CREATEROLE"):
            PostgresStore(server.place(place, user="fifth"), partitions=2)
    server.execute("CREATE ROLE engraphy_app_of_fifth", "GRANT engraphy_app_of_fifth TO fifth")
    store = PostgresStore(server.place("of_fifth", user="fifth"), partitions=2)
    write(store, ONE, "a-1")
    store.close()


def test_owners_own_tables_are_nobodys_business(server: Server) -> None:
    """The store stands in the schema that is called like its owner, beside other tables: its role
    has no right to those, and no database's role has one to another's."""
    server.execute("CREATE ROLE third LOGIN CREATEROLE", "CREATE DATABASE of_third OWNER third")
    before = ("CREATE SCHEMA third AUTHORIZATION third", "CREATE TABLE third.customers (name TEXT)")
    server.execute(*before, "ALTER TABLE third.customers OWNER TO third", database="of_third")
    store = PostgresStore(server.place("of_third", user="third"), partitions=2)
    write(store, ONE, "a-1")
    store.close()
    with psycopg.connect(server.place("of_third", user="third")) as raw:
        may = (
            "SELECT has_table_privilege(value, 'customers', 'SELECT') FROM meta WHERE key = 'role'"
        )
        assert raw.execute(may).fetchone() == (False,)
        role = raw.execute("SELECT value FROM meta WHERE key = 'role'").fetchone()
    assert role == ("engraphy_app_of_third",)


def test_function_of_the_owner_looks_into_no_table_of_its_caller(server: Server) -> None:
    """A temporary table of the same name comes after ours for what runs with the owner's rights."""
    place = server.fresh()
    with psycopg.connect(place, autocommit=True) as raw:
        paths = raw.execute(
            "SELECT proconfig[1] FROM pg_proc WHERE prosecdef AND proname LIKE 'engraphy_%'"
        ).fetchall()
    assert len(paths) == 6
    assert {path.split(", ")[-1] for (path,) in paths} == {"pg_temp"}


def test_login_that_cannot_run_a_store_is_told_so(server: Server) -> None:
    """Neither the owner nor a member of that role: an error, in place of tenants that are not
    seen. Who owns the tables by now has the walls put up again in their own name."""
    place = server.fresh()
    server.execute("CREATE ROLE fourth LOGIN", f"GRANT {ROLE} TO fourth")
    with pytest.raises(StoreError, match="neither the owner"):
        PostgresStore(f"{place} user=fourth")
    name = place.rpartition("dbname=")[2]
    server.execute(
        "ALTER ROLE fourth CREATEROLE",
        f"GRANT {ROLE} TO fourth WITH ADMIN OPTION",
        *(f"ALTER DATABASE {name} OWNER TO fourth",),
    )
    with psycopg.connect(place, autocommit=True) as raw:
        write(PostgresStore(place), ONE, "a-1")
        for kind, wanted in (("TABLE", "'r', 'p'"), ("SEQUENCE", "'S'")):
            found = raw.execute(
                f"SELECT relname FROM pg_class WHERE relkind IN ({wanted})"
                " AND relnamespace = 'public'::regnamespace"
            ).fetchall()
            for (one,) in found:
                raw.execute(f'ALTER {kind} "{one}" OWNER TO fourth')
        functions = raw.execute(
            "SELECT oid::regprocedure::text FROM pg_proc"
            " WHERE pronamespace = 'public'::regnamespace AND proname ~ '^(engraphy|memor)'"
        ).fetchall()
        for (one,) in functions:
            raw.execute(f"ALTER FUNCTION {one} OWNER TO fourth")
    store = PostgresStore(f"{place} user=fourth")
    assert store.tenants() == [ONE]
    store.close()
