"""The store: the port `engraphy.ports.Store` over one SQLite file."""

import importlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from typing import Any

from engraphy.errors import StoreError
from engraphy.model.change import Change, Forget, Insert, Update
from engraphy.model.memory import Memory, Version
from engraphy.model.query import (
    Candidate,
    Check,
    FactFilter,
    Listing,
    StoreStats,
    Term,
    TextResult,
    VectorMatch,
    View,
)
from engraphy.model.records import (
    CoActivation,
    Episode,
    Fact,
    JournalEntry,
    Procedure,
    Relation,
    SessionState,
)
from engraphy.model.scope import Tenant
from engraphy.stores.sqlite import (
    apply,
    around,
    candidates,
    checks,
    embedding,
    journal,
    keeping,
    opening,
    read,
)
from engraphy.stores.sqlite.batch import Batch
from engraphy.stores.sqlite.connection import Target
from engraphy.stores.sqlite.text import TextSearch

BUSY_SECONDS = 10.0
"""How long a call waits for other processes before it raises StoreBusyError."""


class SqliteStore:
    """A store in one SQLite file, for any number of threads and processes at once.

    `read_only`: nothing is written, not even an index. `vfs`: the name of a registered SQLite VFS.
    Errors of opening: ForeignFileError, NewerSchemaError, NetworkFilesystemError,
    StoreReadOnlyError, UnreadableFileError, StoreCorruptError, StoreBusyError.
    """

    def __init__(
        self,
        path: str,
        *,
        read_only: bool = False,
        vfs: str | None = None,
        busy_seconds: float = BUSY_SECONDS,
    ) -> None:
        target = Target(path=path, vfs=vfs, read_only=read_only, busy_seconds=busy_seconds)
        self._text = TextSearch()
        self._access = opening.open_file(target, self._text.prepare)
        self._log_is_due = False

    @property
    def path(self) -> str:
        """The database file."""
        return self._access.target.path

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written."""
        return self._access.target.read_only

    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, now: int, actor: str
    ) -> tuple[int, ...]:
        """Write all changes and their journal entries in one transaction, or none of them."""
        if not changes:
            return ()
        if any(isinstance(change, Insert | Update) and change.vector for change in changes):
            # Loading numpy takes longer than a write: not while others wait for the lock.
            _ = self._vectors
        with self._access.writing() as connection:
            batch = Batch(
                connection=connection,
                tenant=tenant,
                now=now,
                journal=journal.Journal(connection, tenant, now=now, actor=actor),
                quantise=self._quantise,
                path=self.path,
            )
            numbers = apply.apply(batch, changes)
        if self._log_is_due or any(isinstance(change, Forget) for change in changes):
            self._empty_log()
        return numbers

    def get(self, view: View, ids: Sequence[str]) -> list[Memory]:
        """The visible memories among `ids`, in that order."""
        with self._access.reading() as connection:
            return read.get(connection, view, ids)

    def find_hash(self, view: View, content_hash: str) -> Memory | None:
        """The memory of exactly this scope and sensitivity with this hash, in any state."""
        with self._access.reading() as connection:
            return read.find_hash(connection, view, content_hash)

    def page(self, view: View, listing: Listing) -> list[Memory]:
        """One page of visible memories; NotFoundError where `after` is unknown."""
        with self._access.reading() as connection:
            return read.page(connection, view, listing)

    def count(self, view: View, listing: Listing) -> int:
        """How many visible memories the listing matches."""
        with self._access.reading() as connection:
            return read.count(connection, view, listing)

    def versions(self, view: View, id: str) -> list[Version]:
        """Earlier texts of a visible memory, oldest first."""
        with self._access.reading() as connection:
            return read.versions(connection, view, id)

    def search_text(self, view: View, terms: Sequence[Term], limit: int) -> TextResult:
        """Full-text candidates that match at least one term, best first."""
        with self._access.reading() as connection:
            return self._text.search(connection, view, terms, limit)

    def search_vector(
        self, view: View, model_id: str, vector: Sequence[float], limit: int
    ) -> list[VectorMatch]:
        """Vector candidates by cosine, best first."""
        with self._access.reading() as connection:
            if embedding.find_model(connection, model_id) is None:
                return []
            found: list[VectorMatch] = self._vector_search.search(
                connection, view, model_id, vector, limit
            )
            return found

    def candidates(
        self,
        view: View,
        ids: Sequence[str],
        *,
        model_id: str | None = None,
        vector: Sequence[float] | None = None,
        neighbours: int = 0,
    ) -> list[Candidate]:
        """Light rows of the visible memories among `ids`, in no order that matters."""
        with self._access.reading() as connection:
            light = candidates.read(connection, view, ids, model_id=model_id, neighbours=neighbours)
            cosines: dict[int, float] = {}
            if model_id is not None and vector is not None and light.rows:
                cosines = self._vectors.cosines(connection, light.seqs(), model_id, vector)
        return candidates.finish(light, cosines)

    def stored_models(self, tenant: Tenant) -> dict[str, int]:
        """How many memories carry vectors of each model."""
        with self._access.reading() as connection:
            return embedding.stored_models(connection, tenant)

    def missing_vectors(self, tenant: Tenant, model_id: str, limit: int) -> list[tuple[str, str]]:
        """(id, content) of memories without a vector of this model, oldest first."""
        with self._access.reading() as connection:
            return embedding.missing(connection, tenant, model_id, limit)

    def put_vectors(self, tenant: Tenant, rows: Sequence[tuple[str, object]]) -> int:
        """Replace the vectors of memories; ids that are gone are left out."""
        with self._access.writing() as connection:
            return embedding.put(connection, tenant, rows, self._quantise)

    def relations(
        self, view: View, ids: Sequence[str], *, hops: int = 1, types: frozenset[str] = frozenset()
    ) -> list[Relation]:
        """Relations within `hops` of `ids`, both ends visible, nearest first."""
        with self._access.reading() as connection:
            return around.relations(connection, view, ids, hops=hops, types=types)

    def coactivations(self, view: View, ids: Sequence[str], minimum: int) -> list[CoActivation]:
        """Pairs with one end in `ids` that were delivered together at least `minimum` times."""
        with self._access.reading() as connection:
            return around.coactivations(connection, view, ids, minimum)

    def facts(self, view: View, wanted: FactFilter) -> list[Fact]:
        """Visible facts, newest first."""
        with self._access.reading() as connection:
            return around.facts(connection, view, wanted)

    def episode(self, view: View, id: str) -> Episode | None:
        """The episode part of a visible memory."""
        with self._access.reading() as connection:
            return around.episode(connection, view, id)

    def procedure(self, view: View, id: str) -> Procedure | None:
        """The procedure part of a visible memory."""
        with self._access.reading() as connection:
            return around.procedure(connection, view, id)

    def session_state(self, view: View, name: str) -> SessionState | None:
        """A piece of state of exactly the view's walls and session."""
        with self._access.reading() as connection:
            return around.session_state(connection, view, name)

    def entity_names(self, view: View, limit: int) -> list[tuple[str, int]]:
        """Names of entities and speakers of visible memories with their counts, most first."""
        with self._access.reading() as connection:
            return around.entity_names(connection, view, limit)

    def journal(self, tenant: Tenant, *, after: int = 0, limit: int = 100) -> list[JournalEntry]:
        """Journal entries of one tenant in order."""
        with self._access.reading() as connection:
            return journal.entries(connection, tenant, after, limit)

    def stats(self, view: View) -> StoreStats:
        """Counts of what the view's scope may see, in every state."""
        with self._access.reading() as connection:
            return keeping.stats(connection, view, self.path)

    def dump(self, view: View) -> Iterator[Memory]:
        """Every visible memory, oldest first, a few hundred at a time."""
        after = 0
        while True:
            with self._access.reading() as connection:
                rows = list(read.dump_page(connection, view, after))
            yield from (memory for _, memory in rows)
            if len(rows) < read.DUMPED:
                return
            after = rows[-1][0]

    def check(self, *, deep: bool = False) -> list[Check]:
        """Integrity, settings, agreement of the indexes; `deep` reads everything, the chain of
        the journal included."""
        with self._access.reading() as connection:
            return checks.examine(connection, deep=deep)

    def backup(self, target: str) -> int:
        """Write a verified copy to a new file while others read and write; returns its bytes."""
        with self._access.plain() as connection:
            return keeping.backup(connection, Target(path=target, vfs=self._access.target.vfs))

    def optimise(self) -> None:
        """Merge indexes, empty the log, give free pages back."""
        with self._access.alone() as connection:
            keeping.optimise(connection)

    def close(self) -> None:
        """Close every connection; further calls raise StoreClosedError."""
        self._access.close()

    def _empty_log(self) -> None:
        """Without this, what was forgotten would still stand in the log; a reader that needs the
        log, or a failing disk, puts it off until the next write: the changes are committed."""
        self._log_is_due = True
        with suppress(StoreError), self._access.alone() as connection:
            self._log_is_due = not keeping.truncate_log(connection)

    def _quantise(self, parts: tuple[tuple[float, ...], ...]) -> list[embedding.Codes]:
        coded: list[embedding.Codes] = self._vectors.quantise(parts)
        return coded

    @cached_property
    def _vectors(self) -> Any:
        # By name, so that a store without vectors never loads numpy.
        return importlib.import_module("engraphy.stores.sqlite.vectors")

    @cached_property
    def _vector_search(self) -> Any:
        return self._vectors.VectorSearch()


def open_store(
    path: str,
    *,
    read_only: bool = False,
    vfs: str | None = None,
    busy_seconds: float = BUSY_SECONDS,
) -> SqliteStore:
    """The store at `path`, made if there is none."""
    return SqliteStore(path, read_only=read_only, vfs=vfs, busy_seconds=busy_seconds)
