"""Who connects need not be a superuser: an owner of the database is enough."""

import pytest
from tests.postgres.server import Server
from tests.postgres.test_walls import ONE, OTHER, _view, _write

from engraphy.stores.postgres import PostgresStore

BEFORE = {
    "makes the role": (
        "CREATE ROLE first LOGIN CREATEROLE",
        "CREATE DATABASE of_first OWNER first",
    ),
    "was given the role": (
        "CREATE ROLE second LOGIN",
        "CREATE DATABASE of_second OWNER second",
        "GRANT engraphy_app TO second",
    ),
}


@pytest.mark.parametrize("name", BEFORE)
def test_owner_without_other_rights_has_a_store(server: Server, name: str) -> None:
    """Opened by an owner with CREATEROLE, or with the role given to it, a store works: two tenants,
    each with its rows, and whoever runs it sees who they are."""
    server.fresh()
    if name == "makes the role":
        server.execute("ALTER ROLE engraphy_app RENAME TO engraphy_app_of_others")
    server.execute(*BEFORE[name])
    user = BEFORE[name][0].split()[2]
    try:
        store = PostgresStore(server.place(f"of_{user}", user=user), partitions=2)
        for tenant in (ONE, OTHER):
            _write(store, tenant, f"{tenant}-1")
        assert [one.id for one in store.dump(_view(ONE))] == [f"{ONE}-1"]
        assert {*store.tenants()} == {ONE, OTHER}
        assert all(one.ok for one in store.check(deep=True))
        store.close()
    finally:
        if name == "makes the role":
            server.execute("ALTER ROLE engraphy_app RENAME TO engraphy_app_of_first")
            server.execute("ALTER ROLE engraphy_app_of_others RENAME TO engraphy_app")
