"""What every verb stands on: an opened engine, and who asks."""

from collections.abc import Iterable, Mapping
from types import TracebackType
from typing import Self, TypedDict

from engraphy.engine import scoping
from engraphy.engine.parts import Engine
from engraphy.model import Scope, Tenant, View


class Reading(TypedDict, total=False):
    """The scope keys of a reading verb (three walls and a session), and leave to see more."""

    user: str | None
    agent: str | None
    project: str | None
    session: str | None
    allow_private: bool
    allow_secret: bool


class Verbs:
    """An opened memory: the class that the groups of verbs inherit from."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    @property
    def path(self) -> str:
        """The store's file."""
        return self._engine.store.path

    @property
    def tenant(self) -> Tenant:
        """The tenant this memory was opened for."""
        return self._engine.tenant

    @property
    def embedder_id(self) -> str:
        """The embedder's model id, or "none"."""
        embedder = self._engine.embedder
        return "none" if embedder is None else embedder.model_id

    def close(self) -> None:
        """Close the store; safe to call twice."""
        self._engine.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _scope(
        self, user: str | None, agent: str | None, project: str | None, session: str | None
    ) -> Scope:
        """Where something is written, checked. Raises InvalidInputError."""
        keys = {"user": user, "agent": agent, "project": project, "session": session}
        return scoping.scope(self.tenant, keys, self._engine.profile.sessions)

    def _view(
        self,
        given: Mapping[str, object],
        *,
        include: Iterable[str] = (),
        as_of: object = None,
        known_at: object = None,
    ) -> View:
        keys = {k: v for k, v in given.items() if k not in ("allow_private", "allow_secret")}
        sessions = self._engine.profile.sessions
        who = scoping.scope(self.tenant, keys, sessions)
        return scoping.view(
            who,
            self._engine.clock(),
            sessions,
            include=include,
            as_of=as_of,
            known_at=known_at,
            allow_private=scoping.flag("allow_private", given.get("allow_private", False)),
            allow_secret=scoping.flag("allow_secret", given.get("allow_secret", False)),
        )
