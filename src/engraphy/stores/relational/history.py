"""The telling half of the store: its journal as values, what was removed, what it held then."""

from collections.abc import Iterator, Sequence

from engraphy.model.leaving import Holdings
from engraphy.model.memory import Memory
from engraphy.model.past import LineFilter, Past, Replayed
from engraphy.model.query import View
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.relational import journal, past, read, removing, standing, users
from engraphy.stores.relational.replay import follow
from engraphy.stores.relational.sharing import Sharing
from engraphy.stores.relational.sql import Connection

_PAGE = 2_000
"""Lines that are read at once."""


class History(Sharing):
    """What was: nothing here changes anything."""

    def past(self, tenant: Tenant, wanted: LineFilter) -> list[Past]:
        """Lines of the journal as values."""
        with self._access.reading(tenant) as connection:
            found = journal.lines(connection, tenant, wanted)
        return [past.past(entry) for entry in found]

    def replayed(self, tenant: Tenant, moments: Sequence[int]) -> Iterator[Replayed]:
        """What the journal says the tenant held at each of these lines."""
        held = Replayed()
        with self._access.reading(tenant) as connection:
            for moment in moments:
                _follow(held, connection, tenant, moment)
                yield held

    def broken_line(self) -> int | None:
        """The first line of the journal that does not fit."""
        with self._access.reading(None) as connection:
            return journal.broken_line(connection)

    def removed(self, view: View, ids: Sequence[str]) -> list[Memory]:
        """The removed memories among `ids` that the view reaches."""
        with self._access.reading(view.scope.tenant) as connection:
            return removing.visible(connection, view, ids)

    def removed_of(self, tenant: Tenant, ids: Sequence[str]) -> list[Memory]:
        """The removed memories among `ids`, whoever may see them."""
        with self._access.reading(tenant) as connection:
            return removing.of_tenant(connection, tenant, ids)

    def standing(self, tenant: Tenant, ids: Sequence[str], facts: Sequence[str]) -> Replayed:
        """What the tenant holds now of some memories and facts."""
        with self._access.reading(tenant) as connection:
            return standing.standing(connection, tenant, ids, facts)

    def removed_since(self, tenant: Tenant, before: int, limit: int) -> list[tuple[str, bool]]:
        """What was removed before a moment."""
        with self._access.reading(tenant) as connection:
            return removing.since(connection, tenant, before, limit)

    def holdings(self, tenant: Tenant, user: str) -> Holdings:
        """What stands behind a user's walls."""
        with self._access.reading(tenant) as connection:
            return users.holdings(connection, tenant, user)

    def crowd(self, scope: Scope) -> int:
        """How many memories one place holds."""
        with self._access.reading(scope.tenant) as connection:
            return removing.crowd(connection, scope)

    def least_used(self, scope: Scope, limit: int) -> list[Memory]:
        """The least used memories of each conversation of a place."""
        with self._access.reading(scope.tenant) as connection:
            return removing.least_used(connection, scope, limit)

    def written_first(self, scope: Scope, limit: int) -> list[Memory]:
        """The memories of exactly these walls that were written first."""
        with self._access.reading(scope.tenant) as connection:
            return removing.written_first(connection, scope, limit)

    def arrivals(self, view: View, since: int, step: int) -> list[tuple[int, int]]:
        """How many visible memories were recorded in each span of time."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.arrivals(connection, view, since, step)


def _follow(held: Replayed, connection: Connection, tenant: Tenant, moment: int) -> None:
    while True:
        page = journal.entries(connection, tenant, held.seq, _PAGE)
        fitting = [entry for entry in page if entry.seq <= moment]
        follow(held, fitting)
        if len(fitting) < _PAGE:
            return
