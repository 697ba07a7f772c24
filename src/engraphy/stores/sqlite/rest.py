"""The resting half of the store: what maintenance asks."""

import importlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from engraphy.errors import AlreadyDreamingError, StoreBusyError
from engraphy.model.dreaming import Census, DreamRun, NearPair
from engraphy.model.kinds import State
from engraphy.model.memory import Memory
from engraphy.model.query import View
from engraphy.model.records import CoActivation, Procedure, Relation
from engraphy.model.scope import Scope, Tenant
from engraphy.stores.sqlite import embedding, keeping, resting
from engraphy.stores.sqlite.connection import Target
from engraphy.stores.sqlite.locks import SideLock
from engraphy.stores.sqlite.reads import Reads

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
        with self._access.reading() as connection:
            return resting.walk(connection, scope, states, (after, limit), fields)

    def among(self, scope: Scope, ids: Sequence[str], fields: frozenset[str]) -> list[Memory]:
        """Those of these memories that stand behind exactly these walls, in part."""
        with self._access.reading() as connection:
            return resting.among(connection, scope, ids, fields)

    def census(self, scope: Scope) -> Census:
        """Counts over the active memories of exactly these walls."""
        with self._access.reading() as connection:
            return resting.census(connection, scope)

    def contradictions(self, scope: Scope, ids: Sequence[str]) -> list[Relation]:
        """The `contradicts` relations of these memories inside these walls."""
        with self._access.reading() as connection:
            return resting.contradictions(connection, scope, ids)

    def coactivated(self, ids: Sequence[str], *, since: int, least: int) -> list[CoActivation]:
        """Pairs delivered together since a moment."""
        with self._access.reading() as connection:
            return resting.coactivated(connection, ids, since, least)

    def procedures(self, ids: Sequence[str]) -> dict[str, Procedure]:
        """The procedure parts of these memories, by id."""
        with self._access.reading() as connection:
            return resting.procedures(connection, ids)

    def nearest(self, view: View, ids: Sequence[str], model_id: str, limit: int) -> list[NearPair]:
        """Pairs of near memories of exactly the view's walls, each once."""
        with self._access.reading() as connection:
            if embedding.find_model(connection, model_id) is None:
                return []
            room = importlib.import_module("engraphy.stores.sqlite.nearest")
            pairs: list[NearPair] = room.pairs(
                connection, self._vector_search, view, ids, (model_id, limit)
            )
            return pairs

    def dream_runs(self, tenant: Tenant, limit: int) -> list[DreamRun]:
        """The newest cycles of a tenant, the newest first."""
        with self._access.reading() as connection:
            return resting.dream_runs(connection, tenant, limit)

    @contextmanager
    def alone(self, tenant: Tenant) -> Iterator[None]:  # noqa: ARG002 - one lock for the file
        """Nobody else dreams inside; AlreadyDreamingError where somebody does."""
        path = self._access.target.path
        lock = SideLock(path + DREAM_SUFFIX, path)
        try:
            with lock.held(0.0):
                yield
        except AlreadyDreamingError:
            raise
        except StoreBusyError as busy:
            if busy.details.get("seconds") == 0.0:
                raise AlreadyDreamingError(path=path, seconds=0.0) from busy
            raise

    @contextmanager
    def scratch(self) -> Iterator[Self]:
        """A whole copy to try things on, beside the store, and gone afterwards."""
        target = self._access.target
        folder = Path(target.path).absolute().parent
        with TemporaryDirectory(
            prefix=".engraphy-", dir=folder, ignore_cleanup_errors=True
        ) as name:
            copy = str(Path(name) / "copy.db")
            with self._access.plain() as connection:
                keeping.backup(connection, Target(path=copy, vfs=target.vfs, key=target.key))
            store = type(self)(copy, vfs=target.vfs, key=target.key)  # type: ignore[call-arg,arg-type]
            try:
                yield store
            finally:
                store.close()

    def tidy(self, go_on: Callable[[], bool]) -> bool:
        """Merge indexes and give free pages back, a little at a time."""
        if go_on():
            with self._access.alone() as connection:
                keeping.gather(connection)
        for step in (keeping.merge_step, keeping.free_step):
            done = False
            while not done:
                if not go_on():
                    return False
                with self._access.alone() as connection:
                    done = step(connection)
        with self._access.alone() as connection:
            keeping.truncate_log(connection)
        return True

    def close(self) -> None:
        """Close every connection."""
        self._access.close()
