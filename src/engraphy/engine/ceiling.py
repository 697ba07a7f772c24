"""What a token may write, held at the store: nothing that is done on its behalf gets past (D-71).

Verbs lower what they write to the token's origin by themselves; this is the line behind them. It
looks at changes, of which there are few kinds, and not at verbs, of which there are many.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, cast

from msgspec import structs

from engraphy.engine.parts import Engine
from engraphy.errors import ForbiddenError
from engraphy.model import (
    Change,
    CoActivate,
    DeleteFact,
    Fact,
    Forget,
    ForgetUser,
    Insert,
    Mark,
    Memory,
    ORIGIN_TRUST,
    Origin,
    PutDream,
    PutEpisode,
    PutFact,
    PutProcedure,
    PutRelation,
    PutSessionState,
    PutVersion,
    RelationType,
    Remove,
    Restore,
    SENSITIVITY_RANK,
    Scope,
    Sensitivity,
    Settle,
    Spread,
    State,
    Strengthen,
    Tenant,
    Touch,
    Update,
)
from engraphy.model.federating import EndPublication, PutPublication
from engraphy.model.granting import Grant, PutGrant, RevokeGrant, TokenRole
from engraphy.ports import Store
from engraphy.record import Record
from engraphy.write.ceiling import exceeds
from engraphy.write.given import Given

_COUNTED = (Touch, CoActivate, Strengthen, Spread, PutSessionState)
"""What asking leaves behind."""
_TENANTS = (
    EndPublication,
    ForgetUser,
    Mark,
    PutDream,
    PutGrant,
    PutPublication,
    Restore,
    RevokeGrant,
    Settle,
)
"""What concerns a whole tenant."""
BOUND = ("user", "agent", "project")
"""The walls that a token may be bound to."""
_BY_ITSELF = frozenset({"reminded", "a new segment of its session", "its quarantine is over"})
"""Reasons of changes that engraphy makes of itself while it answers or counts."""
_BESIDE = (PutEpisode, PutProcedure, PutVersion)
_OVER = frozenset({RelationType.SUPERSEDES, RelationType.CONTRADICTS})
_IMPORTS = "import "


class Bounded(Record, frozen=True):
    """A store that refuses what a grant does not allow; everything else of it is the store's."""

    store: Store
    held: Grant

    def __getattr__(self, name: str) -> Any:
        return getattr(self.store, name)

    def apply(
        self, tenant: Tenant, changes: Sequence[Change], *, actor: str, **told: Any
    ) -> tuple[int, ...]:
        """Write the changes, or raise ForbiddenError and write none."""
        undoes = told.get("op") == "undo"
        if not self._looks_after(actor, undoes=undoes):
            self._check(tenant, changes, undoes=undoes)
        return self.store.apply(tenant, changes, actor=actor, **told)

    def restore(self, source: str) -> None:
        """Replace everything by a backup, or raise ForbiddenError."""
        _demand_admin(self.held)
        self.store.restore(source)

    def _looks_after(self, actor: str, *, undoes: bool) -> bool:
        """Whether it is maintenance, or an undo, on behalf of somebody who may order that."""
        own = actor.startswith(("token:", _IMPORTS)) and not undoes
        return self.held.role is TokenRole.ADMIN and not own

    def _check(self, tenant: Tenant, changes: Sequence[Change], *, undoes: bool) -> None:
        role = self.held.role
        if role is TokenRole.READ and not all(map(_is_counting, changes)):
            raise ForbiddenError(problem="it needs the role write, this one has read")
        whole = undoes or any(isinstance(one, _TENANTS) for one in changes)
        if whole and role is not TokenRole.ADMIN:
            raise ForbiddenError(problem=f"it needs the role admin, this one has {role.value}")
        if any(getattr(self.held, wall) is not None for wall in BOUND):
            self._check_walls(tenant, changes)
        if self.held.origin is not Origin.USER:
            self._check_origins(tenant, changes)

    def _check_walls(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        """What is not behind the walls that it is bound to it may see, and change nothing of it."""
        came = {one.memory.id for one in changes if isinstance(one, Insert)}
        touched = (id_ for one in changes for id_ in _touched(one, admin=False))
        ids = [one for one in touched if one not in came]
        facts = [one.id for one in changes if isinstance(one, DeleteFact)]
        rows, told = self._held(tenant, ids, facts)
        scopes = [*(row.scope for row in rows), *(fact.scope for fact in told)]
        edits = (one for one in changes if isinstance(one, Update) and not _is_counting(one))
        for scope in (*scopes, *(one.expected.scope for one in edits)):
            if (wall := _foreign(self.held, scope)) is not None:
                problem = f"it is bound to one {wall}, and what it was to change is for others too"
                raise ForbiddenError(problem=problem)

    def _check_origins(self, tenant: Tenant, changes: Sequence[Change]) -> None:
        came = {one.memory.id: one.memory for one in changes if isinstance(one, Insert)}
        for memory in came.values():
            self._own(memory, "it was to be written")
        admin = self.held.role is TokenRole.ADMIN
        touched = (id_ for one in changes for id_ in _touched(one, admin=admin))
        ids = [one for one in touched if one not in came]
        for memory in self._held(tenant, ids, ())[0]:
            self._own(memory, "it was to be changed")
        for change in changes:
            if isinstance(change, Update) and change.reason not in _BY_ITSELF:
                self._updated(change)
            elif isinstance(change, PutFact | DeleteFact):
                self._fact(change, came)

    def _held(
        self, tenant: Tenant, ids: Sequence[str], facts: Sequence[str]
    ) -> tuple[list[Memory], list[Fact]]:
        """Memories, those that were removed and can be brought back as well, and facts."""
        if not ids and not facts:
            return [], []
        found = self.store.standing(tenant, ids, facts)
        removed = self.store.removed_of(tenant, sorted(found.away)) if found.away else []
        return [*found.memories.values(), *removed], [*found.facts.values()]

    def _updated(self, change: Update) -> None:
        self._own(change.expected, "it was to be changed")
        before, after = change.expected, change.memory
        kept = (before.pinned, before.immutable) == (after.pinned, after.immutable)
        if not kept and change.reason != "document":
            raise ForbiddenError(
                problem=f"it protects nothing, as it counts as the {self._most}'s word"
            )
        waits = before.state is State.QUARANTINED and after.state is not State.QUARANTINED
        if waits and self.held.role is not TokenRole.ADMIN:
            raise ForbiddenError(problem="what is held back is let in by a person, or an admin")

    def _fact(self, change: PutFact | DeleteFact, came: dict[str, Memory]) -> None:
        read = isinstance(change, PutFact) and change.fact.source_id in came
        if not read:
            raise ForbiddenError(
                problem=f"a fact counts as the user's word, and its own as the {self._most}'s"
            )

    def _own(self, memory: Memory, what: str) -> None:
        if exceeds(memory.origin, self.held.origin):
            problem = f"memory {memory.id} counts as the {memory.origin.value}'s word, and {what}"
            raise ForbiddenError(problem=f"{problem} by one that counts as the {self._most}'s")

    @property
    def _most(self) -> str:
        return self.held.origin.value


def bounded(store: Store, held: Grant) -> Store:
    """The store as a grant may write to it."""
    free = held.role is TokenRole.ADMIN and held.origin is Origin.USER
    return store if free else cast("Store", Bounded(store, held))


def looks_after(engine: Engine) -> None:
    """Refuse what concerns the whole tenant, whoever's memories are in it, to a token that is no
    admin's. Raises ForbiddenError."""
    if engine.grant is not None:
        _demand_admin(engine.grant)


def holds_the_file(engine: Engine) -> None:
    """Refuse what copies or replaces the whole file to a token that may not see all of it. Raises
    ForbiddenError."""
    if engine.grant is None:
        return
    cleared(engine, tuple(Sensitivity))
    if {*engine.store.tenants()} - {engine.tenant}:
        raise ForbiddenError(problem="the file holds other tenants too, and a token is of one")


def _demand_admin(held: Grant) -> None:
    if held.role is not TokenRole.ADMIN:
        raise ForbiddenError(problem=f"it needs the role admin, this one has {held.role.value}")


def vouching(engine: Engine) -> None:
    """Refuse to take a file for what it says where the caller's own word counts for less. Raises
    ForbiddenError."""
    if engine.most is not Origin.USER:
        problem = f"it vouches for nothing as the user's word: its own is the {engine.most.value}'s"
        raise ForbiddenError(problem=problem)


def permitted(engine: Engine, wanted: Given) -> Given:
    """The fields of a caller as it may give them: an origin and a trust of no more than its own.
    Raises ForbiddenError where it protects something, which is for who speaks for the user."""
    most = engine.most
    if most is Origin.USER:
        return wanted
    if wanted.pinned is True or wanted.immutable is True:
        raise ForbiddenError(
            problem=f"it protects nothing, as it counts as the {most.value}'s word"
        )
    if isinstance(wanted.origin, Origin) and exceeds(wanted.origin, most):
        wanted = structs.replace(wanted, origin=most)
    if isinstance(wanted.trust, float | int):
        wanted = structs.replace(wanted, trust=min(wanted.trust, ORIGIN_TRUST[most]))
    return wanted


def behind(engine: Engine, named: Mapping[str, object]) -> dict[str, object]:
    """The scope keys of a call, with the walls that a token is bound to. Raises ForbiddenError
    where another is named."""
    made = dict(named)
    if (held := engine.grant) is None:
        return made
    for wall in BOUND:
        own = getattr(held, wall)
        if own is None:
            continue
        if made.get(wall) not in (None, own):
            raise ForbiddenError(problem=f"it is bound to one {wall}, and another was named")
        made[wall] = own
    return made


def changeable(engine: Engine, memory: Memory) -> bool:
    """Whether it stands behind the walls that a token is bound to, and is not for others too."""
    return engine.grant is None or _foreign(engine.grant, memory.scope) is None


def _foreign(held: Grant, scope: Scope) -> str | None:
    """The first wall that a grant is bound to and a place does not stand behind."""
    outside = (one for one in BOUND if getattr(held, one) not in (None, getattr(scope, one)))
    return next(outside, None)


def cleared(engine: Engine, wanted: Iterable[Sensitivity]) -> None:
    """Refuse what a token may not see. Raises ForbiddenError."""
    if (held := engine.grant) is None:
        return
    for level in wanted:
        if SENSITIVITY_RANK[level] > SENSITIVITY_RANK[held.clearance]:
            problem = f"{level.value} is more than its clearance, {held.clearance.value}"
            raise ForbiddenError(problem=problem)


def _is_counting(change: Change) -> bool:
    own = isinstance(change, Update) and change.reason in _BY_ITSELF
    return own or isinstance(change, _COUNTED)


def _touched(change: Change, *, admin: bool) -> Sequence[str]:
    """The ids of memories that a change takes out, adds something to, or puts behind another."""
    if isinstance(change, Forget | Remove):
        return () if admin else (change.id,)
    if isinstance(change, PutRelation):
        return (change.relation.target_id,) if change.relation.type in _OVER else ()
    if isinstance(change, _BESIDE):
        return (_part(change),)
    return ()


def _part(change: PutEpisode | PutProcedure | PutVersion) -> str:
    if isinstance(change, PutEpisode):
        return change.episode.memory_id
    if isinstance(change, PutProcedure):
        return change.procedure.memory_id
    return change.version.memory_id
