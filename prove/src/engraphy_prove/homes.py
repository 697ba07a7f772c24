"""Two tenants and three users, whose names are a bit apart: where the memories of a damaged store
stand."""

from dataclasses import replace

from engraphy.model.scope import Scope, Tenant
from engraphy_prove.workload import EVERYTHING, TENANT

OTHER = Tenant(TENANT[:-1] + chr(ord(TENANT[-1]) ^ 1))
"""Its name is a bit from that of the tenant."""
HOMES = (
    Scope(tenant=TENANT),
    Scope(tenant=TENANT, user="ada"),
    Scope(tenant=TENANT, user="ade"),
    Scope(tenant=OTHER, user="ada"),
)
VIEWS = tuple(replace(EVERYTHING, scope=home, shared=False) for home in HOMES)
