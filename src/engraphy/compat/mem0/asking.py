"""What a client of mem0 may see, and what it finds there.

Each filter is asked of the walls first: only behind those that may fit is anything read, of each
exactly what stands there. A token that is bound to walls never looks behind others.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from heapq import merge
from itertools import islice
from typing import Any

from engraphy.compat.mem0.filters import (
    All,
    Clause,
    Node,
    beyond_entities,
    demanded,
    moment,
    names_entity,
    parsed,
    truth,
)
from engraphy.compat.mem0.names import ENTITIES, RUN, WALLS, meant, named
from engraphy.compat.mem0.showing import record
from engraphy.errors import InvalidInputError, NotFoundError
from engraphy.model import Hit, Memory, State
from engraphy.model.scope import Scope
from engraphy.serving.caller import Caller

Place = dict[str, Any]
"""Where a verb looks: walls, a session, what may be seen, and nothing that is shared."""
MOST = 1_000
_MOST_PLACES = 200
_PAGE = 500
_REACH = 200
"""So many answers at least are looked through where a filter asks for more than entities."""
_USUAL = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What a request wants to see: a filter, and states beside what is current."""

    tree: Node = field(default_factory=All)
    include: tuple[str, ...] = ()

    @property
    def exact(self) -> bool:
        """Whether what stands behind the right walls is what is wanted."""
        return not self.include and not beyond_entities(self.tree)

    def fits(self, memory: Memory) -> bool:
        """Whether a memory is wanted. One that was ended by another is only where all versions
        are."""
        over = memory.superseded_by is not None and memory.state is not State.ACTIVE
        hidden = over and "superseded" not in self.include
        return not hidden and truth(self.tree, record(memory)) is True


def wanted(given: Mapping[str, Any]) -> Wanted:
    """What a request wants, from its filters, entities, dates, categories and flags. Raises
    InvalidInputError."""
    parts = [parsed(given.get("filters"))]
    parts += [Clause(name, "eq", value) for name, value in named(given).items()]
    if (categories := given.get("categories")) is not None:
        parts.append(parsed({"categories": {"in": categories}}))
    if isinstance(metadata := given.get("metadata"), Mapping) and metadata:
        parts.append(parsed({"metadata": metadata}))
    for name, operator in (("start_date", "gte"), ("end_date", "lte")):
        if (day := given.get(name)) is not None:
            parts.append(Clause("created_at", operator, moment(name, day)))
    include = ["superseded"] if given.get("latest_only") is False else []
    include += ["expired"] if given.get("show_expired") is True else []
    return Wanted(tree=All(tuple(parts)), include=tuple(include))


def places(caller: Caller, tree: Node) -> list[Place]:
    """Where something may stand that fits. Raises InvalidInputError where a caller who is bound to
    nothing names no entity, or the filter reaches too far."""
    if not caller.walls and not names_entity(tree):
        allowed = f"at least one of {', '.join(ENTITIES)}"
        raise InvalidInputError(field="filters", got="no entity", allowed=allowed)
    runs = demanded(tree, RUN)
    found = [
        place(caller, scope, session)
        for scope in _candidates(caller, tree)
        if truth(tree, {name: getattr(scope, wall) for name, wall in WALLS.items()}) is not False
        for session in _sessions(scope, runs)
    ]
    if len(found) > _MOST_PLACES:
        allowed = f"entities that stand behind at most {_MOST_PLACES}; name a user"
        raise InvalidInputError(field="filters", got=f"{len(found):,} walls", allowed=allowed)
    return found


def _candidates(caller: Caller, tree: Node) -> Iterator[Scope]:
    """The walls that are asked: those of the caller, and of the first entity that the filter tells
    by name only its own, so that among many users one is found at once."""
    bound = caller.walls
    for name, wall in WALLS.items():
        names = demanded(tree, name)
        if names is None or len(names) > _MOST_PLACES:
            continue
        for one in sorted(names if wall not in bound else names & {bound[wall]}):
            yield from caller.memory.walls(**{**bound, wall: one})
        return
    yield from caller.memory.walls(**bound)


def _sessions(scope: Scope, runs: frozenset[str] | None) -> list[str | None]:
    if scope.conversation is not None:
        return [scope.conversation] if runs is None or scope.conversation in runs else []
    return [None] if runs is None else [*sorted(runs)]


def place(caller: Caller, scope: Scope, session: str | None = None) -> Place:
    """Exactly the walls of a scope, as arguments of a verb."""
    return {
        "user": scope.user,
        "agent": scope.agent,
        "project": scope.project,
        "session": scope.conversation if session is None else session,
        "shared": False,
        **caller.leave(),
    }


def single(caller: Caller, told: str, *, touch: bool = False) -> tuple[Memory, Place]:
    """A memory by its id alone, and where it stands. Raises NotFoundError, also where it stands
    behind walls that are not the caller's."""
    for known in meant(told):
        try:
            scope = caller.memory.where(known, **caller.walls)
        except NotFoundError:
            continue
        here = place(caller, scope)
        return caller.memory.get(known, touch=touch, **here), here
    raise NotFoundError(f"No memory {told[:60]} is known.", id=told)


def found(caller: Caller, query: str, given: Mapping[str, Any]) -> list[Hit]:
    """What answers a query, best first."""
    want = wanted(given)
    most = count(given, "top_k", count(given, "limit", _USUAL))
    least = _share(given, "threshold")
    where = places(caller, want.tree)
    reach = most if want.exact else min(MOST, max(_REACH, 5 * most))
    hits = [
        one
        for here in where
        for one in caller.memory.recall(
            query,
            limit=reach,
            include=want.include,
            min_score=least,
            touch=want.exact and len(where) == 1,
            **here,
        )
        if want.fits(one.memory)
    ]
    return sorted(hits, key=lambda one: -one.score)[:most]


def listed(caller: Caller, want: Wanted, first: int, most: int) -> tuple[int, list[Memory]]:
    """How many memories are wanted in all, and of them those from `first` on, newest first."""
    where = places(caller, want.tree)
    if want.exact:
        total = sum(caller.memory.count(**here) for here in where)
        return total, list(islice(_rows(caller, want, where), first, first + most))
    rows = list(_rows(caller, want, where))
    return len(rows), rows[first : first + most]


def _rows(caller: Caller, want: Wanted, where: list[Place]) -> Iterator[Memory]:
    pages = [_pages(caller, want, here) for here in where]
    return (one for one in merge(*pages, key=lambda one: -one.recorded_at) if want.fits(one))


def _pages(caller: Caller, want: Wanted, here: Place) -> Iterator[Memory]:
    after = None
    while True:
        rows = caller.memory.list(limit=_PAGE, after=after, include=want.include, **here)
        yield from rows
        if len(rows) < _PAGE:
            return
        after = rows[-1].id


def _share(given: Mapping[str, Any], name: str) -> float | None:
    value = given.get(name)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if value is not None and not (number and 0 <= value <= 1):
        raise InvalidInputError(field=name, got=repr(value)[:60], allowed="a number from 0 to 1")
    return value


def count(given: Mapping[str, Any], name: str, usual: int, most: int = MOST) -> int:
    """A count that a request tells, as a number or in words of its query string. Raises
    InvalidInputError."""
    value = given.get(name)
    if value is None:
        return usual
    told = int(value) if isinstance(value, str) and value.isdecimal() and len(value) < 9 else value
    if isinstance(told, bool) or not isinstance(told, int) or not 1 <= told <= most:
        allowed = f"a whole number from 1 to {most:,}"
        raise InvalidInputError(field=name, got=repr(value)[:60], allowed=allowed)
    return told
