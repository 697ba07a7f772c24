"""Rows of two tenants, written and seen without the engine."""

from tests.postgres.server import PARTITIONS

from engraphy.model.change import Insert, PutFact, VectorRow
from engraphy.model.kinds import Sensitivity, State
from engraphy.model.memory import Memory
from engraphy.model.query import View
from engraphy.model.records import Fact
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.postgres import PostgresStore

T0 = 1_767_225_600_000_000
ONE, OTHER = Tenant("a"), Tenant("A%")
TENANTS = (ONE, OTHER)
ROLE = f"engraphy_app_template_{PARTITIONS}"
"""Of the database that all of a run are copies of."""


def view(tenant: Tenant) -> View:
    """Everything of a tenant."""
    states, levels = frozenset(State), frozenset(Sensitivity)
    return View(scope=Scope(tenant=tenant), now=T0, states=states, sensitivities=levels)


def memory(tenant: Tenant, id: str, text: str = "words of one tenant") -> Memory:
    """A memory that is shared in a tenant."""
    scope = Scope(tenant=tenant)
    return Memory(id=id, scope=scope, content=text, recorded_at=T0, updated_at=T0)


def write(store: PostgresStore, tenant: Tenant, id: str) -> None:
    """A memory with its words, a vector and a fact."""
    vector = VectorRow(model_id="m", parts=((0.6, 0.8),))
    fact = Fact(
        id=f"f-{id}", scope=Scope(tenant=tenant), subject="words", predicate="of",
        object=id, source_id=id, valid_from=T0, recorded_at=T0, updated_at=T0,
    )  # fmt: skip
    changes = [Insert(memory=memory(tenant, id, f"words {id}"), vector=vector), PutFact(fact=fact)]
    store.apply(tenant, changes, now=T0, actor="test")
