"""What is there, for people who look: sessions, cycles of maintenance, what is related to what."""

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from engraphy.engine import session_rows, sessions
from engraphy.engine.parts import Engine
from engraphy.model import (
    DreamReport,
    DreamRun,
    Listing,
    MICROSECONDS_PER_DAY,
    Memory,
    Relation,
    SessionStatus,
    State,
    View,
)
from engraphy.model.overview import Edge, Graph, Node, Owner, SessionLine
from engraphy.model.scope import WALLS

_ADDRESS = "entity://"
_UNTOLD = frozenset({"date", "url", "version"})
"""Kinds of entities that tie nothing together but the words."""
_COUNTED = 1_000
_PER_ENTITY = 40
"""Memories of one entity that are looked at: the newest."""
_WEIGHTY = 200
"""Memories that are looked at for their relations, beside those that name an entity."""
_SHOWN = frozenset({State.ACTIVE, State.SUPERSEDED, State.DORMANT, State.ARCHIVED})
_LABEL = 80


def session_lines(engine: Engine, view: View, limit: int, before: int | None) -> list[SessionLine]:
    """The sessions of a view, the last active first; `before`: only those silent since then."""
    lines = engine.store.sessions(view, limit, before)
    return [replace(one, status=_status(engine, view, one.session)) for one in lines]


def owners(engine: Engine) -> list[Owner]:
    """Whose memories the tenant has, those with the most first."""
    found = [
        Owner(memories=count, **{wall: getattr(scope, wall) for wall in WALLS})
        for scope, count in engine.store.scopes(engine.tenant)
    ]
    return sorted(found, key=_by_count)


def _by_count(one: Owner) -> tuple[int, tuple[str, ...]]:
    return -one.memories, tuple(getattr(one, wall) or "" for wall in WALLS)


def _status(engine: Engine, view: View, session: str) -> SessionStatus | None:
    scope = replace(view.scope, session=session)
    if session_rows.held(engine, scope, view.now).progress is None:
        return None
    return sessions.status(engine, scope)


def cycles(engine: Engine, limit: int) -> list[DreamReport]:
    """The newest cycles of the tenant, the newest first."""
    every = round(engine.profile.dream.every_days * MICROSECONDS_PER_DAY)
    return [_told(run, every) for run in engine.store.dream_runs(engine.tenant, limit)]


def _told(run: DreamRun, every: int) -> DreamReport:
    return DreamReport(
        dry_run=False,
        steps=run.steps,
        changed=sum(step.changed for step in run.steps),
        run=run.id,
        started_at=run.started_at,
        finished_at=run.finished_at,
        next_due_at=run.started_at + every,
    )


def graph(engine: Engine, view: View, limit: int) -> Graph:
    """At most `limit` nodes: half of them the most named entities, then the memories that have the
    most lines to them and to each other. What has no line is left out."""
    wide = replace(view, states=_SHOWN)
    counted = [one for one in engine.store.entity_names(wide, _COUNTED) if _ties(one[0])]
    often = dict(counted[: limit // 2])
    named = engine.store.labelled(wide, list(often), _PER_ENTITY) if often else []
    weighty = engine.store.page(wide, Listing(order="importance", limit=_WEIGHTY))
    known = dict.fromkeys([*(row.id for row in weighty), *(row for _, row in named)])
    relations = engine.store.relations(wide, list(known)) if known else []
    chosen = _chosen(named, relations, limit - len(often))
    rows = engine.store.get(wide, chosen)
    edges = _edges(named, relations, {row.id for row in rows})
    tied = {end for edge in edges for end in (edge.source, edge.target)}
    nodes = [_entity(name, count) for name, count in often.items()] + [_memory(one) for one in rows]
    more = len(counted) - len(often) + len(_ends(named, relations)) - len(chosen)
    return Graph(nodes=tuple(one for one in nodes if one.id in tied), edges=edges, more=more)


def _ends(named: Sequence[tuple[str, str]], relations: Sequence[Relation]) -> Counter[str]:
    """How many lines each memory has; one to another memory counts twice."""
    lines = Counter(row for _, row in named)
    for one in relations:
        lines.update({one.source_id: 2, one.target_id: 2})
    return lines


def _chosen(
    named: Sequence[tuple[str, str]], relations: Sequence[Relation], room: int
) -> list[str]:
    lines = _ends(named, relations)
    return [one for one, _ in sorted(lines.items(), key=lambda two: (-two[1], two[0]))[:room]]


def _edges(
    named: Sequence[tuple[str, str]], relations: Sequence[Relation], shown: set[str]
) -> tuple[Edge, ...]:
    names = [Edge(row, name, "names") for name, row in named if row in shown]
    related = [
        Edge(one.source_id, one.target_id, one.type.value, one.confidence)
        for one in relations
        if one.source_id in shown and one.target_id in shown
    ]
    return (*dict.fromkeys(names), *related)


def _ties(name: str) -> bool:
    return name.startswith(_ADDRESS) and _parts(name)[0] not in _UNTOLD


def _parts(name: str) -> tuple[str, str]:
    kind, _, slug = name.removeprefix(_ADDRESS).partition("/")
    return kind, slug


def _entity(name: str, often: int) -> Node:
    kind, slug = _parts(name)
    return Node(name, slug.replace("-", " ")[:_LABEL] or name[:_LABEL], "entity", kind, often)


def _memory(row: Memory) -> Node:
    label = " ".join((row.title or row.content)[: 4 * _LABEL].split())[:_LABEL]
    return Node(row.id, label, "memory", row.kind.value, 1, row.state is State.ACTIVE)
