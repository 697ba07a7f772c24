"""The sound build, and builds that are broken on purpose: each proof must catch its own.

A broken build is the real store behind a wrapper that breaks one promise, or the real store on
connections that quietly drop one of its settings.
"""

import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, cast

import apsw

import engraphy.stores.relational.vectors
import engraphy.stores.sqlite
from engraphy.errors import StoreError
from engraphy.model.change import Change, Forget, Insert, PutDream, Update
from engraphy.model.kinds import State
from engraphy.model.query import Term, TextResult, View
from engraphy.model.scope import Tenant
from engraphy.ports import Store
from engraphy.stores import summing
from engraphy.stores.relational import checksums
from engraphy.stores.sqlite import open_store
from engraphy.stores.sqlite.connection import Connection
from engraphy_prove.proof import Build
from engraphy_prove.workload import EVERYTHING

_PAUSE = 0.05
"""Seconds."""
RAW_SEARCH = "SELECT rowid FROM memories_fts WHERE memories_fts MATCH ? LIMIT ?"
_deaf: dict[str, tuple[str, str]] = {}
"""Path of a database -> (pragma it does not listen to, value it keeps)."""


def _sound(path: str, vfs: str | None = None) -> Store:
    return open_store(path, vfs=vfs)


def _summed(path: str, vfs: str | None = None) -> Store:
    return open_store(path, vfs=vfs, sums=True)


class Wrapped:
    """A store that does everything as the one inside, but for what a subclass breaks."""

    def __init__(self, inner: Store) -> None:
        self.inner = inner

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)


class _WriteBehind(Wrapped):
    """Acknowledges a write before it is committed: the commit comes with the next call."""

    def __init__(self, inner: Store) -> None:
        super().__init__(inner)
        self.waiting: tuple[Tenant, Sequence[Change], dict[str, Any]] | None = None

    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, now: int, actor: str, **told: Any
    ) -> tuple[int, ...]:
        self.flush()
        self.waiting = (tenant, changes, {"now": now, "actor": actor, **told})
        return ()

    def flush(self) -> None:
        if self.waiting is not None:
            tenant, changes, told = self.waiting
            self.waiting = None
            self.inner.apply(tenant, changes, **told)

    def close(self) -> None:
        self.flush()
        self.inner.close()


class _Silent(Wrapped):
    """Swallows what goes wrong and acknowledges all the same."""

    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, now: int, actor: str, **told: Any
    ) -> tuple[int, ...]:
        try:
            return self.inner.apply(tenant, changes, now=now, actor=actor, **told)
        except StoreError:
            return ()


class _Hasty(Wrapped):
    """Notes how far maintenance has come before what it did is written."""

    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, now: int, actor: str, **told: Any
    ) -> tuple[int, ...]:
        marks = [one for one in changes if isinstance(one, PutDream)]
        rest = [one for one in changes if not isinstance(one, PutDream)]
        if marks and rest:
            self.inner.apply(tenant, marks, now=now, actor=actor, **told)
            # Long enough for a kill to fall between the two, on a fast machine too.
            time.sleep(_PAUSE)
            changes = rest
        return self.inner.apply(tenant, changes, now=now, actor=actor, **told)


class _Trusting(Wrapped):
    """Hands the words of a query to the search engine as they are."""

    def search_text(self, view: View, terms: Sequence[Term], limit: int) -> TextResult:
        words = " OR ".join(term.surface for term in terms)
        connection = apsw.Connection(self.inner.path, flags=apsw.SQLITE_OPEN_READONLY)
        try:
            connection.execute(RAW_SEARCH, (words, limit)).fetchall()
        except apsw.Error as error:
            raise StoreError(path=self.inner.path, problem=str(error)) from error
        finally:
            connection.close()
        return self.inner.search_text(view, terms, limit)


class _Hiding(Wrapped):
    """Archives what it was told to forget."""

    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, now: int, actor: str, **told: Any
    ) -> tuple[int, ...]:
        kept = [self._hidden(c.id) if isinstance(c, Forget) else c for c in changes]
        return self.inner.apply(tenant, kept, now=now, actor=actor, **told)

    def _hidden(self, id: str) -> Change:
        for row in self.inner.get(EVERYTHING, [id]):
            return Update(memory=_with(row, {"state": State.ARCHIVED}), expected=row)
        return Forget(id=id)


class _Lossy(Wrapped):
    """Now and then it changes a row without a word in the journal."""

    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, now: int, actor: str, **told: Any
    ) -> tuple[int, ...]:
        numbers = self.inner.apply(tenant, changes, now=now, actor=actor, **told)
        rows = [one.memory for one in changes if isinstance(one, Insert)]
        if rows and now % 3 == 0:
            with closing(apsw.Connection(self.inner.path, vfs=summing.layer())) as connection:
                statement = "UPDATE memories SET importance = 0.99 WHERE id = ?"
                connection.execute(statement, (rows[0].id,))
                connection.execute("UPDATE memories SET checksum = 0 WHERE id = ?", (rows[0].id,))
                checksums.fill(connection)
        return numbers


class _Unchained(Wrapped):
    """Looks at no line of its journal."""

    def broken_line(self) -> None:
        return None


def _with(row: Any, fields: dict[str, Any]) -> Any:
    return type(row)(**({name: getattr(row, name) for name in row.__dataclass_fields__} | fields))


def wrapping(wrapper: type[Wrapped]) -> Any:
    """Opens the real store inside a wrapper."""

    def opened(path: str, vfs: str | None = None) -> Store:
        return cast(Store, wrapper(open_store(path, vfs=vfs)))

    return opened


def _deaf_to(pragma: str, value: str) -> Any:
    def opened(path: str, vfs: str | None = None) -> Store:
        _deaf[str(Path(path).resolve())] = (pragma, value)
        if _quieten not in apsw.connection_hooks:
            apsw.connection_hooks.append(_quieten)
        return open_store(path, vfs=vfs)

    return opened


def _deferred(path: str, vfs: str | None = None) -> Store:
    """Begins to write as a reader, and without queueing for its turn."""
    store = open_store(path, vfs=vfs)
    access = store._file  # noqa: SLF001 - what is broken here is inside

    @contextmanager
    def writing(
        tenant: Tenant,  # noqa: ARG001
        seconds: float | None = None,  # noqa: ARG001
        ahead: object = None,  # noqa: ARG001
    ) -> Iterator[Connection]:
        with access.plain() as connection:
            connection.execute("BEGIN")
            try:
                connection.execute("SELECT count(*) FROM memories").fetchall()
                yield connection
                connection.execute("COMMIT")
            finally:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")

    access.writing = writing  # type: ignore[method-assign]
    return store


def _quieten(connection: apsw.Connection) -> None:
    if (setting := _deaf.get(connection.filename)) is None:
        return
    pragma, value = setting
    connection.pragma(pragma, value)

    def authorise(code: int, first: str | None, second: str | None, *_: str | None) -> int:
        set_again = code == apsw.SQLITE_PRAGMA and first == pragma and second is not None
        return apsw.SQLITE_IGNORE if set_again else apsw.SQLITE_OK

    connection.authorizer = authorise


@contextmanager
def opening(build: Build) -> Iterator[None]:
    """Let `engraphy.Memory` open its stores through a build; what is only read, as it is."""
    real = engraphy.stores.sqlite.open_store

    def opened(
        path: str,
        *,
        read_only: bool = False,
        mirror: str | None = None,  # noqa: ARG001 - no proof looks at the mirror
        key: object = None,  # noqa: ARG001 - what is broken there is broken in the clear
        sums: bool = False,  # noqa: ARG001 - what is proved with them opens its own
    ) -> Store:
        return real(path, read_only=True) if read_only else build.open(path)

    engraphy.stores.sqlite.open_store = opened  # type: ignore[assignment]
    try:
        yield
    finally:
        engraphy.stores.sqlite.open_store = real


SOUND = Build(name="sound", open=_sound)
SUMMED = Build(name="sound, with checksums of pages", open=_summed)
UNSYNCED = Build(name="synchronous=NORMAL", open=_deaf_to("synchronous", "NORMAL"))
CARELESS = Build(name="secure_delete=OFF", open=_deaf_to("secure_delete", "OFF"))
DEFERRED = Build(name="reads, then writes", open=_deferred)
WRITE_BEHIND = Build(name="acknowledges before commit", open=wrapping(_WriteBehind))
SILENT = Build(name="swallows errors", open=wrapping(_Silent))
HIDING = Build(name="archives instead of forgetting", open=wrapping(_Hiding))
LOSSY = Build(name="changes rows past the journal", open=wrapping(_Lossy))
UNCHAINED = Build(name="never looks at the chain", open=wrapping(_Unchained))
HASTY = Build(name="progress before its changes", open=wrapping(_Hasty))
TRUSTING = Build(name="trusts query words", open=wrapping(_Trusting))
