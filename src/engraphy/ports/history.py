"""What a store tells of what was: its journal as values, what was removed, what it held then."""

from collections.abc import Iterator, Sequence
from typing import Protocol

from engraphy.model.leaving import Holdings
from engraphy.model.memory import Memory
from engraphy.model.past import LineFilter, Past, Replayed
from engraphy.model.query import View
from engraphy.model.scope import Scope, Tenant
from engraphy.model.undoing import Mirrored


class History(Protocol):
    """The part of the contract that undoing, comparing and auditing use."""

    def past(self, tenant: Tenant, wanted: LineFilter) -> list[Past]:
        """Lines of the journal of one tenant as values, in the order the filter asks for."""

    def replayed(self, tenant: Tenant, moments: Sequence[int]) -> Iterator[Replayed]:
        """What the journal says the tenant held once each of these lines was written, moments in
        rising order; each value is good until the next one is asked for."""

    def mirrored(self, *, rebuild: bool = False) -> Mirrored | None:
        """How far the file that holds the journal once more tells it, after it was written anew
        where `rebuild` asks for that; None where there is no such file to be. Raises
        UnreadableFileError."""

    def broken_line(self) -> int | None:
        """The number of the first line of the journal that was changed, removed or cut off; None
        where it is whole."""

    def removed(self, view: View, ids: Sequence[str]) -> list[Memory]:
        """Those of `ids` that are removed and can be brought back, as they were, where the view's
        walls, session and sensitivities reach them; in no order."""

    def removed_of(self, tenant: Tenant, ids: Sequence[str]) -> list[Memory]:
        """The same of a whole tenant, whoever may see them: for its operator."""

    def standing(self, tenant: Tenant, ids: Sequence[str], facts: Sequence[str]) -> Replayed:
        """What the tenant holds now of these memories and facts, whoever may see it: rows, the
        relations that touch them, their parts; `away`: those of `ids` that are removed."""

    def removed_since(self, tenant: Tenant, before: int, limit: int) -> list[tuple[str, bool]]:
        """At most `limit` (id, whether it is a memory, else a fact) of what was removed before a
        moment, the first removed first."""

    def holdings(self, tenant: Tenant, user: str) -> Holdings:
        """What stands behind the walls of exactly this user in a tenant, every session, state and
        sensitivity: for who forgets them."""

    def crowd(self, scope: Scope) -> int:
        """How many memories one place holds: exactly this user, agent and project, every
        conversation and every state of it."""

    def least_used(self, scope: Scope, limit: int) -> list[Memory]:
        """Of each conversation of a place at most `limit` memories, neither pinned nor immutable:
        those delivered least, then updated first, then least important."""

    def written_first(self, scope: Scope, limit: int) -> list[Memory]:
        """Of exactly these walls the `limit` memories, neither pinned nor immutable, that were
        written first, in that order."""

    def arrivals(self, view: View, since: int, step: int) -> list[tuple[int, int]]:
        """How many of the visible memories were recorded in each span of `step` microseconds from
        `since` on: (number of the span, count), spans without any left out, in order."""
