"""The verbs about what was: undo it, see who did it, name a moment and compare it."""

from typing import Unpack, get_args

from engraphy.engine import auditing, choosing, scoping
from engraphy.engine.undoing import undo
from engraphy.errors import InvalidInputError
from engraphy.model import Audit, Deed, Difference, JournalOp, LineFilter, Mirrored, Point, Undone
from engraphy.text.moments import microseconds
from engraphy.verbs.base import Reading, Verbs

_MOST_LINES = 100_000
_LAST_LINE = 2**62
_ONE = "one of change, last, run and session"


class LookingBack(Verbs):
    """Nothing is destroyed: what was done is seen, compared and undone."""

    def undo(
        self,
        change: int | None = None,
        *,
        last: str | None = None,
        run: str | None = None,
        dry_run: bool = False,
        **scope: Unpack[Reading],
    ) -> Undone:
        """Undo one change of the journal by the number of its line; or what was done `last`: by a
        "dream" or a "compact", in a "session", by a "purge" (a pruning and a cap are purges too),
        by an "import", or by an "undo"; or one cycle of maintenance, one compacting or one import,
        by its `run`; or a `session` by its name. Without any of these, the last dream.

        What came in is taken out as a purge does, with what was read out of it, and what it
        superseded is current again; what was taken out comes back whole; fields get their earlier
        values. What anybody changed again since is left, and named in `left`; so is what was
        forgotten, which is gone for good, and what only tells that memories were delivered. What a
        session merely stated again, or merged into an older memory, stays. All of it is one
        transaction, and can be undone. `dry_run` only says what it would do. Raises
        InvalidInputError, UnknownSessionError.
        """
        dry = scoping.flag("dry_run", dry_run)
        session = scope.get("session")
        given = [one for one in (change, last, run, session) if one is not None]
        if len(given) > 1 and not (last == "session" and session is None):
            raise InvalidInputError(field="undo", got=f"{len(given)} of them", allowed=_ONE)
        engine, view = self._engine, self._view({**scope, "session": None})
        if change is not None:
            number = scoping.positive("change", change, _LAST_LINE)
            return undo(engine, choosing.by_number(engine, number), dry_run=dry)
        if run is not None:
            chosen = choosing.by_run(engine, scoping.text("run", run))
        elif session is not None:
            chosen = choosing.of_session(engine, session, self._view(scope))
        else:
            kind = scoping.one_of("last", "dream" if last is None else last, choosing.LAST)
            chosen = choosing.last(engine, kind, view)
        return undo(engine, chosen, dry_run=dry)

    def deeds(self, id: str, **scope: Unpack[Reading]) -> list[Deed]:
        """Everything that happened to one memory, oldest first: who did it, when and why, and what
        each change was from and to. Raises NotFoundError."""
        view = self._view(scope)
        return auditing.life(self._engine, self._id(id, view), view)

    def audit(
        self,
        *,
        actor: str | None = None,
        op: str | None = None,
        since: object = None,
        until: object = None,
        target: str | None = None,
        before: int | None = None,
        limit: int = 50,
        rows: bool = False,
        head: str | None = None,
    ) -> Audit:
        """Who changed what in this tenant, when and why, the newest first, without any text: which
        fields, not their values. It also says whether the journal stands as it was written (each
        line holds the hash of the one before). `before`: only lines with a lesser number, for the
        next page. For the tenant's operator.

        `rows`: replay the journal and name in `differing` what does not stand as it says, changed
        or put in or taken out past it. `head`: what an earlier audit told as its head, kept where
        nobody who can write the store can write; a journal without that line is not whole, so that
        an older copy of the store in its place is found. Raises InvalidInputError, and
        StoreCorruptError where a row cannot even be read.
        """
        ops = get_args(JournalOp)
        wanted = LineFilter(
            actor=None if actor is None else scoping.text("actor", actor),
            op=None if op is None else scoping.one_of("op", op, ops),  # type: ignore[arg-type]
            since=None if since is None else microseconds(since, field="since"),
            until=None if until is None else microseconds(until, field="until"),
            target=None if target is None else scoping.text("target", target),
            upto=None if before is None else scoping.positive("before", before, _LAST_LINE) - 1,
            limit=scoping.positive("limit", limit, _MOST_LINES),
        )
        compared = self._view({}) if scoping.flag("rows", rows) else None
        seen = None if head is None else scoping.text("head", head)
        return auditing.audit(self._engine, wanted, compared, seen)

    def mirror(self, *, rebuild: bool = False) -> Mirrored:
        """The file that holds the journal once more, as lines of JSON without texts, where the
        profile wants one (`files.journal`): whether it tells all of it. `rebuild` writes it anew.
        A missing file is written by the next write, a torn last line is cut off by it. Raises
        InvalidInputError where the profile wants none."""
        found = self._engine.store.mirrored(rebuild=scoping.flag("rebuild", rebuild))
        if found is None:
            allowed = "a profile with files.journal, such as letsgo"
            raise InvalidInputError(
                field="the journal's copy", got="not kept by this profile", allowed=allowed
            )
        return found

    def snapshot(self, name: str) -> Point:
        """Name this moment of the journal, to compare with later. It costs one line: what a moment
        held is rebuilt from the journal. Raises InvalidInputError for a name that is taken."""
        return auditing.snapshot(self._engine, name)

    def snapshots(self) -> list[Point]:
        """The named moments, newest first."""
        return auditing.points(self._engine)

    def diff(
        self, first: str | int, second: str | int = auditing.NOW, **scope: Unpack[Reading]
    ) -> Difference:
        """What came, what went and what changed (from what to what) between two points: names of
        snapshots, numbers of lines of the journal, or "now". Rebuilt from the journal alone, so
        that what was forgotten since is in neither. Raises InvalidInputError."""
        return auditing.difference(self._engine, first, second, self._view(scope))
