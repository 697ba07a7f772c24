"""The verbs that keep a store small: what is over goes, what is old is put together."""

from collections.abc import Iterable
from typing import Unpack

from engraphy.engine import keeping, leaving, manage, scoping
from engraphy.engine.capacity import imagined, pruned
from engraphy.engine.clearing import purge
from engraphy.engine.condense import condense
from engraphy.engine.scoping import INCLUDABLE
from engraphy.errors import InvalidInputError
from engraphy.model import Condensed, Forgotten, ForgottenUser
from engraphy.verbs.base import Reading, Verbs

_MOST_DAYS = 36_500.0
_MOST_OLD = 10_000
_PREVIEW = 80


class Clearing(Verbs):
    """What removes or condenses many memories at once, and what removes exactly one."""

    def delete(self, id: str, **scope: Unpack[Reading]) -> Forgotten:
        """Erase exactly the memory with this id, as `forget` does; nothing is taken for a query.

        Raises NotFoundError for an id that nobody holds in this scope, ProtectedError.
        """
        view = self._view(scope)
        return manage.forget_one(self._engine, self._id(id, view), view)

    def forget_all(self, *, include: Iterable[str] = INCLUDABLE, **filters: object) -> Forgotten:
        """Erase every memory that `list` would show with these filters, in every state unless
        `include` says which, as `forget` does each; what is immutable stays. Batch by batch, so
        that nobody waits long for the store: what was interrupted is gone on with by the next
        call."""
        scope, wanted = keeping.split_filters(filters)
        view = self._view(scope, include=include)
        return manage.forget_all(self._engine, view, keeping.listing(wanted, 1, "newest"))

    def forget_user(self, user: str, *, confirm: str | bool | None = None) -> ForgottenUser:
        """Erase everything of a user in the tenant, for good: memories in every state, protected
        ones and those that could be brought back, facts, sessions, receipts, access tokens that are
        bound to the user and what waits to be extracted, of every agent and project. The journal
        keeps ids and hashes, and not the name.

        Without `confirm` only counts, and gives out the token to confirm with; True confirms
        whatever stands there. Backups, exports and the copy of an upgraded file are not touched.
        Raises ConfirmationRequiredError where something came or went since the count.
        """
        named = scoping.name("user", user)
        if named is None:
            raise InvalidInputError(field="user", got="nothing", allowed="the name of a user")
        return leaving.forget_user(self._engine, named, confirm)

    def purge_expired(self) -> Forgotten:
        """Take out every memory of the tenant whose time to live is over, journaled; what is pinned
        or immutable stays. No read shows them before either. For `dream.undo_days` it can be undone
        (`undo(last="purge")`), then maintenance erases the texts; `forget` does at once."""
        views = keeping.all_scopes(self._engine, self._view({}))
        return purge(self._engine, views)

    def prune(self, *, dry_run: bool = False) -> Forgotten:
        """Take out what is older than the profile keeps (`dream.max_age_days`), what consolidation
        evicts, and what is more than `write.max_memories`, in the whole tenant; what is pinned or
        immutable stays. It can be undone as a purge can. `dry_run` only says what would go by age
        and importance: `ids` and previews."""
        views = keeping.all_scopes(self._engine, self._view({}))
        if scoping.flag("dry_run", dry_run):
            found = imagined(self._engine, views)
            previews = tuple(one.content[:_PREVIEW] for one in found)
            return Forgotten(ids=tuple(one.id for one in found), erased=0, previews=previews)
        return pruned(self._engine, views)

    def summarize_old(
        self,
        *,
        category: str | None = None,
        older_than_days: float | None = None,
        above: int | None = None,
        **scope: Unpack[Reading],
    ) -> Condensed:
        """Condense old memories by category: one summary in their own words takes the place of
        each group, which stays readable as superseded.

        `category`: only this one; `older_than_days` since they last changed; `above`: only of
        categories with more old memories than this (the profile's `condense` where not given).
        A summary is as sensitive, and as little trusted, as its sources, and names them. To undo
        it, forget the summary: its sources come back. Raises InvalidInputError.
        """
        days = older_than_days
        return condense(
            self._engine,
            self._view(scope),
            category=None if category is None else scoping.text("category", category),
            older_than_days=(
                None if days is None else scoping.number("older_than_days", days, _MOST_DAYS)
            ),
            above=None if above is None else scoping.positive("above", above, _MOST_OLD),
        )
