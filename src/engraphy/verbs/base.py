"""What every verb stands on: an opened engine, and who asks."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial, wraps
from types import FunctionType, TracebackType
from typing import Any, Self, TypedDict

from msgspec.structs import replace

from engraphy.engine import scoping
from engraphy.engine.ceiling import behind, cleared, looks_after
from engraphy.engine.parts import Engine
from engraphy.engine.releasing import looked
from engraphy.engine.shortened import whole_id
from engraphy.engine.watching import operated, watched
from engraphy.model import Scope, Tenant, View
from engraphy.profile import Profile


class Reading(TypedDict, total=False):
    """The scope keys of a reading verb (three walls and a session), and leave to see more.
    `shared=False` leaves out what is shared inside the tenant."""

    user: str | None
    agent: str | None
    project: str | None
    session: str | None
    allow_private: bool
    allow_secret: bool
    shared: bool


class Bound(TypedDict, total=False):
    """Walls that hold for a caller; one that is not named, or None, is open."""

    user: str | None
    agent: str | None
    project: str | None


_LEAVE = ("allow_private", "allow_secret", "shared")
_UNTOLD = ("_", "close", "identify", "acting")
"""Closing is no operation: after it there is nothing to tell with. Nor is letting somebody in: it
would stand before each of theirs, and a token must never come near a log (P-21)."""
ASKING = frozenset(
    {
        "arrivals",
        "context",
        "count",
        "documents",
        "entity",
        "explain",
        "explain_context",
        "facts",
        "get",
        "graph",
        "history",
        "inject",
        "links",
        "list",
        "nearest_documents",
        "outcome",
        "page",
        "pages",
        "recall",
        "receipts",
        "reminders",
        "scoped",
        "sessions",
        "steps",
        "timeline",
        "timeline_of",
        "why_not",
    }
)
"""Verbs that a replica may answer: what they change is that they were asked. Not among them is what
tells who may do what, what was done and how the store fares."""
TENANTS = frozenset(
    {
        "audit",
        "backup",
        "compact",
        "costs",
        "doctor",
        "dream",
        "dreams",
        "drop_old_vectors",
        "forget_user",
        "mirror",
        "owners",
        "prune",
        "purge_expired",
        "reembed",
        "reembed_back",
        "restore",
        "snapshot",
        "survey",
        "undo",
    }
)
"""Verbs that concern the whole tenant, or the file: an admin's, where a token asks (D-71)."""


def _told(name: str, verb: Callable[..., Any]) -> Callable[..., Any]:
    """A verb that tells operators what it was given and what came of it (D-53), where anybody
    listens; else it is called as it is. One that only asks may be answered by a replica."""
    code = verb.__code__
    names = code.co_varnames[1 : code.co_argcount]

    @wraps(verb)
    def run(self: "Verbs", *args: Any, **given: Any) -> Any:
        engine = self._engine
        if name in TENANTS:
            looks_after(engine)
        call = partial(verb, self, *args, **given)
        if name in ASKING:
            call = partial(engine.store.on_replica, call)
        if not watched(engine):
            return call()
        known = {**dict(zip(names, args, strict=False)), **given}
        return operated(engine, name, known, call)

    return run


class Verbs:
    """An opened memory: the class that the groups of verbs inherit from."""

    def __init_subclass__(cls, **more: Any) -> None:
        """Every verb of every group is told of here, once for all of them."""
        super().__init_subclass__(**more)
        for name, member in list(vars(cls).items()):
            if isinstance(member, FunctionType) and not name.startswith(_UNTOLD):
                setattr(cls, name, _told(name, member))

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

    @property
    def profile(self) -> Profile:
        """The knobs it runs by, overrides and what the machine cannot do taken into account."""
        return self._engine.profile

    @property
    def sessions_apart(self) -> bool:
        """Whether sessions are walls in this profile: what is written in one is seen in no
        other."""
        return self._engine.profile.sessions.wall

    def close(self) -> None:
        """Close the store; safe to call twice."""
        self._engine.store.close()
        if self._engine.ops is not None:
            self._engine.ops.close()
        if self._engine.closed is not None:
            self._engine.closed()

    def __repr__(self) -> str:
        return f"Memory({self.path!r}, tenant={self.tenant!r}, profile={self.profile.name!r})"

    def __copy__(self) -> Self:
        """Itself: see `__deepcopy__`."""
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Self:
        """Itself: a configuration that is copied goes on with the open store."""
        return self

    def __reduce__(self) -> str:
        raise TypeError(
            "An opened Memory cannot be pickled: give the other process its path to open, or keep "
            "it in a thread (what the verbs give back can be pickled)."
        )

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
        named = behind(self._engine, keys)
        return scoping.scope(self.tenant, named, self._engine.profile.sessions)

    def _bound(self, given: Mapping[str, object]) -> dict[str, object]:
        """The walls that hold for a caller, those of the token among them."""
        return behind(self._engine, given)

    def _id(self, told: object, view: View, field: str = "id") -> str:
        """The id of a memory, told whole or by its beginning. Raises InvalidInputError."""
        return whole_id(self._engine, scoping.text(field, told), view)

    def _lost(self, told: object, view: View) -> str:
        """The id of a memory that did not come. Raises InvalidInputError, also where none is
        told."""
        return whole_id(self._engine, scoping.known_as("missing", told), view)

    def _view(
        self,
        given: Mapping[str, object],
        *,
        include: Iterable[str] = (),
        as_of: object = None,
        known_at: object = None,
    ) -> View:
        keys = {k: v for k, v in given.items() if k not in _LEAVE}
        sessions = self._engine.profile.sessions
        who = scoping.scope(self.tenant, behind(self._engine, keys), sessions)
        view = scoping.view(
            who,
            self._engine.clock(),
            sessions,
            include=include,
            as_of=as_of,
            known_at=known_at,
            allow_private=scoping.flag("allow_private", given.get("allow_private", False)),
            allow_secret=scoping.flag("allow_secret", given.get("allow_secret", False)),
        )
        cleared(self._engine, view.sensitivities)
        looked(self._engine, view.now)
        return replace(view, shared=scoping.flag("shared", given.get("shared", True)))
