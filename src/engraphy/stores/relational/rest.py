"""The resting half of the store: what maintenance asks."""

import importlib
from collections.abc import Sequence

from engraphy.model.dreaming import Census, DreamRun, NearPair
from engraphy.model.kinds import State
from engraphy.model.memory import Memory
from engraphy.model.query import View
from engraphy.model.records import CoActivation, Procedure, Relation
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.relational import embedding, resting
from engraphy.stores.relational.reads import Reads

DREAM_SUFFIX = ".dream"


class Rest(Reads):
    """One set of walls at a time, in the order its rows were written."""

    def walk(
        self,
        scope: Scope,
        states: Sequence[State],
        *,
        after: int,
        limit: int,
        fields: frozenset[str] = frozenset(),
    ) -> list[tuple[int, Memory]]:
        """The next rows of exactly these walls, with their numbers."""
        with self._access.reading(scope.tenant) as connection:
            return resting.walk(connection, scope, states, (after, limit), fields)

    def among(self, scope: Scope, ids: Sequence[str], fields: frozenset[str]) -> list[Memory]:
        """Those of these memories that stand behind exactly these walls, in part."""
        with self._access.reading(scope.tenant) as connection:
            return resting.among(connection, scope, ids, fields)

    def census(self, scope: Scope) -> Census:
        """Counts over the active memories of exactly these walls."""
        with self._access.reading(scope.tenant) as connection:
            return resting.census(connection, scope)

    def contradictions(self, scope: Scope, ids: Sequence[str]) -> list[Relation]:
        """The `contradicts` relations of these memories inside these walls."""
        with self._access.reading(scope.tenant) as connection:
            return resting.contradictions(connection, scope, ids)

    def coactivated(
        self, tenant: Tenant, ids: Sequence[str], *, since: int, least: int
    ) -> list[CoActivation]:
        """Pairs delivered together since a moment."""
        with self._access.reading(tenant) as connection:
            return resting.coactivated(connection, ids, since, least)

    def procedures(self, tenant: Tenant, ids: Sequence[str]) -> dict[str, Procedure]:
        """The procedure parts of these memories, by id."""
        with self._access.reading(tenant) as connection:
            return resting.procedures(connection, ids)

    def nearest(self, view: View, ids: Sequence[str], model_id: str, limit: int) -> list[NearPair]:
        """Pairs of near memories of exactly the view's walls, each once."""
        with self._access.reading(view.scope.tenant) as connection:
            if embedding.find_model(connection, model_id) is None:
                return []
            room = importlib.import_module("engraphy.stores.relational.nearest")
            pairs: list[NearPair] = room.pairs(
                connection, self._vector_search, view, ids, (model_id, limit)
            )
            return pairs

    def dream_runs(self, tenant: Tenant, limit: int) -> list[DreamRun]:
        """The newest cycles of a tenant, the newest first."""
        with self._access.reading(tenant) as connection:
            return resting.dream_runs(connection, tenant, limit)

    def close(self) -> None:
        """Close every connection."""
        self._access.close()
