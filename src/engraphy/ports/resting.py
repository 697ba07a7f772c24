"""What maintenance asks of a store, beside what every verb asks."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, Self

from engraphy.model.dreaming import Census, DreamRun, NearPair
from engraphy.model.kinds import State
from engraphy.model.memory import Memory
from engraphy.model.query import View
from engraphy.model.records import CoActivation, Procedure, Relation
from engraphy.model.scope import Scope, Tenant


class Resting(Protocol):
    """The part of the contract that maintenance uses: it addresses exactly one set of walls, every
    sensitivity, and goes through its rows in the order they were written."""

    def walk(
        self,
        scope: Scope,
        states: Sequence[State],
        *,
        after: int,
        limit: int,
        fields: frozenset[str] = frozenset(),
    ) -> list[tuple[int, Memory]]:
        """At most `limit` memories of exactly these walls behind row number `after`, in these
        states, in the order they were written, each with its row number. `fields`: what is read of
        them beside id, state, version and updated_at (empty = everything); all else may be at its
        default."""

    def among(self, scope: Scope, ids: Sequence[str], fields: frozenset[str]) -> list[Memory]:
        """Those of `ids` that are memories of exactly these walls, in whatever state, with these
        `fields` as `walk` reads them."""

    def census(self, scope: Scope) -> Census:
        """Counts over the active memories of exactly these walls."""

    def contradictions(self, scope: Scope, ids: Sequence[str]) -> list[Relation]:
        """The `contradicts` relations of these memories whose two ends stand behind exactly these
        walls."""

    def coactivated(
        self, tenant: Tenant, ids: Sequence[str], *, since: int, least: int
    ) -> list[CoActivation]:
        """Pairs with an end among `ids`, delivered together at least `least` times, the last time
        at or after `since`; each once."""

    def procedures(self, tenant: Tenant, ids: Sequence[str]) -> dict[str, Procedure]:
        """The procedure parts of these memories, by id."""

    def nearest(self, view: View, ids: Sequence[str], model_id: str, limit: int) -> list[NearPair]:
        """Pairs of memories of exactly the view's walls, which the view may see: the first among
        `ids`, the second one of its nearest `limit` by this model; each pair once."""

    def dream_runs(self, tenant: Tenant, limit: int) -> list[DreamRun]:
        """The newest cycles of a tenant, the newest first."""

    def alone(self, tenant: Tenant) -> AbstractContextManager[None]:
        """Nobody else dreams inside, in any process. Raises AlreadyDreamingError at once where
        somebody does; ends with the process that holds it, however that ends."""

    def scratch(self) -> AbstractContextManager[Self]:
        """A whole copy of the store to try things on, gone when the block ends."""

    def tidy(self, go_on: Callable[[], bool]) -> bool:
        """Merge indexes and give free pages back, a little at a time, so that nobody waits long,
        as long as `go_on`; whether everything was done."""
