"""The table of the proofs that need a real PostgreSQL."""

from engraphy_prove.databases import (
    CLINGING,
    ON_ONE_CONNECTION,
    ON_SERVER,
    UNHEEDING,
    UNLEASED,
    UNLOGGED,
)
from engraphy_prove.postgres import postgres
from engraphy_prove.proof import Proof
from engraphy_prove.servers import servers
from engraphy_prove.tenants import tenants

CLUSTERED = (
    Proof(
        name="tenants",
        promise="P-26",
        about="two tenants on one pooled connection never see each other's rows (P-08)",
        experiment=tenants,
        short=20,
        full=1_000,
        check_rounds=2,
        sound=ON_ONE_CONNECTION,
        broken=(CLINGING,),
    ),
    Proof(
        name="postgres",
        promise="P-26",
        about="an acknowledged write survives kill -9 of the database server, the store goes on",
        experiment=postgres,
        short=20,
        full=50,
        check_rounds=6,
        sound=ON_SERVER,
        broken=(UNLOGGED,),
    ),
    Proof(
        name="servers",
        promise="P-26",
        about="three servers on one database, one killed every 5 s: nothing lost, nothing doubled",
        experiment=servers,
        short=12,
        full=24,
        check_rounds=2,
        sound=ON_SERVER,
        broken=(UNHEEDING, UNLEASED),
    ),
)
