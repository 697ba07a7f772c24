"""The verbs that look after the whole store: facts, counts, copies, maintenance."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Unpack

from msgspec.structs import replace

from engraphy.engine import (
    compacting,
    diagnosing,
    granting,
    keeping,
    pending,
    reembedding,
    scoping,
    transfer,
    triples,
    watching,
)
from engraphy.engine import dream as dreams
from engraphy.engine.ceiling import cleared, holds_the_file, looks_after
from engraphy.engine.parts import Engine
from engraphy.errors import EmbedderMismatchError, InvalidInputError, UnreadableFileError
from engraphy.model import (
    Check,
    DreamReport,
    Fact,
    Scope,
    Sensitivity,
    StoreStats,
    Transfer,
    View,
)
from engraphy.model.compacting import Compacted
from engraphy.model.vectors import Reembedded
from engraphy.providing import open_embedder, recognised, runs_here
from engraphy.settings import settings
from engraphy.verbs.base import Reading, Verbs
from engraphy.write.distrust import Terms

_MOST_ROWS = 100_000


def _check_meant(engine: Engine) -> None:
    """An embedder that nobody named is not put in the place of one that is asked elsewhere, which
    the store could not be opened with unasked. Raises EmbedderMismatchError."""
    served, own = engine.store.served_model(engine.tenant), engine.embedder
    if own is None or served is None or not served.spec or runs_here(served.spec):
        return
    environment = settings()
    is_usual = engine.embedder_spec == environment.embedder and not environment.embedder_is_told
    if served.model != own.model_id and is_usual:
        raise EmbedderMismatchError(stored=served.model, model=own.model_id)


class Upkeep(Verbs):
    """Everything that is not about one text or one question."""

    def fact(
        self,
        subject: str,
        predicate: str,
        object: str,
        *,
        confidence: float = 1.0,
        source_id: str | None = None,
        at: object = None,
        **scope: Unpack[Reading],
    ) -> Fact:
        """Keep a triple; the same triple in the same scope updates its confidence and source."""
        view = self._view(scope)
        if isinstance(source_id, str):
            source_id = self._id(source_id, view, "source_id")
        triple = {"subject": subject, "predicate": predicate, "object": object}
        given = {**triple, "confidence": confidence, "source_id": source_id, "at": at}
        return triples.put_fact(
            self._engine, view, keeping.fact(self._engine, view.scope, view.now, given)
        )

    def facts(
        self,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        *,
        source_id: str | None = None,
        current: bool = True,
        limit: int = 100,
        **scope: Unpack[Reading],
    ) -> list[Fact]:
        """Triples by filter, newest first; `source_id`: only those read out of this memory;
        `current=False` also those that no longer hold."""
        count = scoping.positive("limit", limit, _MOST_ROWS)
        given = {"subject": subject, "predicate": predicate, "object": object}
        only = scoping.flag("current", current)
        view = self._view(scope)
        source = None if source_id is None else self._id(source_id, view, "source_id")
        wanted = keeping.fact_filter(given, current=only, limit=count)
        return self._engine.store.facts(view, replace(wanted, source_id=source))

    def delete_fact(self, id: str, **scope: Unpack[Reading]) -> None:
        """Delete a triple by its id. Raises NotFoundError."""
        triples.delete_fact(self._engine, scoping.text("id", id), self._view(scope))

    def stats(self, **scope: Unpack[Reading]) -> StoreStats:
        """Counts of what this scope sees, and the size of the store."""
        view = self._view(scope)
        failed = [job.failed for job in pending.listed(self._engine, view)]
        held = self._engine.store.stats(view)
        return replace(held, jobs_waiting=failed.count(False), jobs_failed=failed.count(True))

    def export(
        self, path: str | Path, *, everything: bool = False, **scope: Unpack[Reading]
    ) -> Transfer:
        """Write the memories of exactly this scope to a JSON Lines file, or with `everything` all
        of the tenant, and where a user, agent or project is named all of that one, whatever else
        they are bound to (for the operator, or an admin's token that may see all of it). Raises
        UnreadableFileError, ForbiddenError."""
        views, whole = self._exported(scope, everything)
        return keeping.export(self._engine, scoping.path(path), views, whole=whole)

    def export_lines(self, *, everything: bool = False, **scope: Unpack[Reading]) -> Iterator[str]:
        """The lines of what `export` would write, one by one as they are asked for: for who sends
        them on, and wants no file of them."""
        views, whole = self._exported(scope, everything)
        return transfer.lines(self._engine, views, whole=whole)

    def _exported(self, scope: Reading, everything: bool) -> tuple[list[View], bool]:
        view = self._view(scope)
        whole = scoping.flag("everything", everything)
        if not whole:
            return [view], whole
        looks_after(self._engine)
        cleared(self._engine, tuple(Sensitivity))
        if view.session is not None:
            allowed = "none where everything is asked for"
            raise InvalidInputError(field="session", got=repr(view.session), allowed=allowed)
        every = keeping.all_scopes(self._engine, view)
        return [one for one in every if one.scope.sees(view.scope)], whole

    def import_(
        self,
        path: str | Path,
        *,
        trusted: bool = False,
        progress: Callable[[int], None] | None = None,
        **scope: Unpack[Reading],
    ) -> Transfer:
        """Bring an export in: ids, times and history as they were, into this tenant; what stands
        already is skipped. An id that stands in another scope is given anew, the same each time.

        `trusted` is for a backup of your own: every row comes back as it was. Of any other file
        nothing counts as the user's: memories come in with the origin `import`, neither pinned nor
        immutable, those that instruct are held back (see `review`), and facts stay out. A `user`,
        `agent`, `project` or `session` that is named takes the place of the file's. Raises
        ImportFormatError before anything is written.
        """
        scoping.told("progress", progress)
        view = self._view(scope)
        terms = self._terms(view, scoping.flag("trusted", trusted))
        return keeping.import_file(self._engine, scoping.path(path), view, terms, progress)

    def import_lines(
        self, lines: Iterable[str], *, trusted: bool = False, **scope: Unpack[Reading]
    ) -> Transfer:
        """What `import_` brings in, from the lines themselves, for who has no file of them. Raises
        ImportFormatError before anything is written."""
        view = self._view(scope)
        terms = self._terms(view, scoping.flag("trusted", trusted))
        return keeping.import_lines(self._engine, lines, view, terms)

    def _terms(self, view: View, trusted: bool) -> Terms:
        names = tuple((key, name) for key in scoping.KEYS if (name := getattr(view.scope, key)))
        if view.scope.session is not None:
            names = (*names, ("conversation", view.scope.conversation))
        return Terms(tenant=self.tenant, most=self._engine.most, trusted=trusted, names=names)

    def backup(self, path: str | Path) -> int:
        """Copy the whole store to a new file while it is in use; returns the bytes written. Raises
        UnreadableFileError where its folder is not there."""
        target = scoping.path(path)
        folder = Path(target).parent
        if not folder.is_dir():
            problem = f"there is no folder {folder}"
            raise UnreadableFileError(path=target, problem=problem)
        holds_the_file(self._engine)
        return self._engine.store.backup(target)

    def restore(self, path: str | Path) -> None:
        """Replace the whole store by a backup, once it has been verified; all or nothing.

        A token that was revoked since that backup stays revoked. Raises LostRevocationsError where
        all is done but this: the file that was replaced is too damaged to tell which they are.
        """
        holds_the_file(self._engine)
        granting.restore(self._engine, scoping.path(path))

    def doctor(self, *, deep: bool = False) -> list[Check]:
        """Integrity, agreement of the indexes, sizes, settings, the log of operations; pairs that
        say the same and files that are named without a link (A-24); with advice where it helps."""
        thorough = scoping.flag("deep", deep)
        checks = self._engine.store.check(deep=thorough)
        view = self._view({})
        kept = [*keeping.sizes(self._engine, view), pending.checked(self._engine)]
        found = diagnosing.diagnoses(self._engine, view, deep=thorough)
        return [*checks, *kept, watching.checked(self._engine), *found]

    def reembed(
        self, *, model: object = None, progress: Callable[[int], None] | None = None
    ) -> int:
        """Make the vectors that are missing for this embedder, or for `model`, what `embedder` is
        of `Memory`: batch by batch beside the old ones, which answer until all are there; then it
        answers, for whoever opens the store. Returns how many memories got vectors.

        May be broken off and called again. A memory that was opened with `reembed=True` on vectors
        of another model makes those of its own.
        """
        scoping.told("progress", progress)
        engine = self._engine
        if model is None:
            _check_meant(engine)
        else:
            chosen = open_embedder(model, settings(), engine.clock)
            if chosen is None:
                allowed = "a model that makes vectors: static, minilm, multilingual, provider/model"
                raise InvalidInputError(field="model", got=repr(model), allowed=allowed)
            spec = model if isinstance(model, str) else ""
            reembedding.named(engine)
            engine = replace(engine, embedder=chosen, embedder_spec=spec)
            engine = recognised(engine, model, settings())
        made = reembedding.reembed(engine, progress)
        self._engine = engine
        return made

    def reembed_back(self) -> Reembedded:
        """Have the model answer again that did before the last `reembed`, at once: its vectors
        still stand. What was written since may have none of it: `reembed` makes them. A model that
        was given as code, or is asked elsewhere, is given again when the store is next opened.
        Raises InvalidInputError where there is none."""
        told = reembedding.back(self._engine)
        environment = settings()
        if runs_here(told.spec) or told.spec == environment.embedder:
            chosen = open_embedder(told.spec, environment, self._engine.clock)
            self._engine = replace(self._engine, embedder=chosen, embedder_spec=told.spec)
        return reembedding.standing(self._engine)

    def drop_old_vectors(self) -> Reembedded:
        """Take out the vectors of every model but the one that answers, batch by batch; after that
        there is no way back but to make them anew. Whatever still has the store open with an old
        model finds nothing by similarity from then on."""
        return reembedding.standing(self._engine, dropped=reembedding.drop_old(self._engine))

    def vectors(self) -> Reembedded:
        """Which embedding model answers, and for how many memories each model has vectors."""
        return reembedding.standing(self._engine)

    def compact(self, *, dry_run: bool = False, **scope: Unpack[Reading]) -> Compacted:
        """Make one memory of what says the same (the profile's `dream.to_compact`), then merge the
        indexes, count anew what plans are made by, and give free pages back: what was merged, and
        the bytes of the file before and after.

        In the walls that are named, or, where none is, over every scope of the tenant, as `dream`
        does. What it merged is undone with `undo(last="compact")`. `dry_run`: the same on a copy,
        and nothing is changed. Raises AlreadyDreamingError while maintenance is under way.
        """
        view = self._view(scope)
        own = replace(view.scope, session=None)
        dry = scoping.flag("dry_run", dry_run)
        every = [one.scope for one in keeping.all_scopes(self._engine, view)]
        walls = every if own == Scope(tenant=self.tenant) else [own]
        return compacting.compact(self._engine, view, walls, dry_run=dry)

    def dream(self, *, dry_run: bool = False, due: bool = False) -> DreamReport:
        """Run the profile's maintenance over every scope of the tenant, in batches; what was
        interrupted is gone on with.

        `dry_run`: the same on a copy of the store, so that the report is the same and nothing is
        changed. `due`: only where a cycle is due (`dream.every_days` after the last one began).
        Raises AlreadyDreamingError where another process is at it.
        """
        only_shown, only_due = scoping.flag("dry_run", dry_run), scoping.flag("due", due)
        return dreams.dream(self._engine, dry_run=only_shown, due=only_due)
