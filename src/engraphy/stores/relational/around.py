"""What stands beside memories, as it is read."""

import json
from collections.abc import Sequence
from typing import Any

from engraphy.model.kinds import EpisodeOutcome, RelationType, State
from engraphy.model.overview import SessionLine
from engraphy.model.query import FactFilter, View
from engraphy.model.records import (
    CoActivation,
    Episode,
    Fact,
    Procedure,
    Relation,
    SessionState,
)
from engraphy.model.scope import Scope, Tenant, WALLS
from engraphy.stores.relational import filters, scopes
from engraphy.stores.relational.damage import decoding
from engraphy.stores.relational.sql import Connection, every, first, query

_FACT = tuple(name for name in Fact.__struct_fields__ if name != "scope")
_WANTED = {
    "id": "f.id = :id",
    "subject": "f.subject = :subject",
    "predicate": "f.predicate = :predicate",
    "object": "f.object = :object",
    "source_id": "f.source_id = :source_id",
}
_CURRENT = (
    "f.valid_from <= max(:now, f.recorded_at) AND (f.valid_until IS NULL OR f.valid_until > :now)"
)
_THEN = "f.valid_from <= :as_of AND (f.valid_until IS NULL OR f.valid_until > :as_of)"
_KNOWN = "f.recorded_at <= :known_at"
_SESSION = "f.session = :session"
_CLOSED = "(f.session IS NULL OR f.session = :own_session)"
_SOURCE_LIVES = (
    "NOT EXISTS (SELECT 1 FROM memories AS m WHERE m.id = f.source_id AND m.expires_at <= :now)"
)
"""What was read out of a memory is seen no longer than the memory (R-05)."""


def relations(
    connection: Connection,
    view: View,
    ids: Sequence[str],
    *,
    hops: int,
    types: frozenset[str],
) -> list[Relation]:
    """Relations within `hops` of `ids`, both ends visible, nearest first."""
    text = query("relations_around", gate=filters.gate(view), other_gate=filters.gate(view, "n"))
    bound = _bound(connection, view)
    found: dict[tuple[str, str, str], Relation] = {}
    reached, edge = set(ids), list(ids)
    for _ in range(hops):
        if not edge:
            break
        rows = every(connection, text, bound | {"ids": json.dumps(edge)})
        step = [row for row in rows if not types or row[2] in types]
        for row in step:
            found.setdefault(row[:3], relation(row))
        edge = sorted({end for row in step for end in row[:2]} - reached)
        reached.update(edge)
    return list(found.values())


def labelled(
    connection: Connection, view: View, names: Sequence[str], limit: int
) -> list[tuple[str, str]]:
    """(name, id) of visible memories by entity or speaker: of each name the newest `limit`."""
    text = query("labelled", gate=filters.gate(view))
    seen = scopes.visible(connection, view)
    bound = filters.bindings(view, seen) | {"limit": limit}
    found: list[tuple[str, str]] = []
    for name in names:
        # Each scope and label is an index of its own, read backwards: nothing is sorted.
        rows: set[tuple[int, str]] = set()
        for scope in seen:
            for label in ("entity", "speaker"):
                one = {"scope": scope, "label": label, "name": name}
                rows.update(every(connection, text, bound | one))
        newest = sorted(rows, reverse=True)[:limit]
        found += [(name, memory_id) for _, memory_id in newest]
    return found


def count_relations(connection: Connection, view: View, most: int) -> int:
    """How many relations start in exactly the view's walls, counted up to `most`."""
    bound = {"scope": scopes.find(connection, view.scope), "most": most}
    return int(first(connection, query("relations_of_scope"), bound)[0])


def weakest_relations(
    connection: Connection, view: View, types: Sequence[RelationType], limit: int
) -> list[Relation]:
    """Relations that start in exactly the view's walls, type by type, each weakest first."""
    scope_id = scopes.find(connection, view.scope)
    found: list[Relation] = []
    for kind in types:
        bound = {"scope": scope_id, "type": str(kind), "limit": limit - len(found)}
        found += map(relation, connection.execute(query("weakest_relations"), bound))
    return found


def coactivations(
    connection: Connection, view: View, ids: Sequence[str], minimum: int
) -> list[CoActivation]:
    """Pairs with one end in `ids`, both ends visible, most frequent first."""
    text = query("coactivations", gate=filters.gate(view), other_gate=filters.gate(view, "n"))
    bound = _bound(connection, view) | {"ids": json.dumps(list(ids)), "minimum": minimum}
    return [
        CoActivation(first_id=first, second_id=second, count=count, last_at=last_at)
        for first, second, count, last_at in connection.execute(text, bound)
    ]


def facts(connection: Connection, view: View, wanted: FactFilter) -> list[Fact]:
    """Visible facts, newest first."""
    bound = _bound(connection, view) | {"limit": wanted.limit}
    bound |= {name: getattr(wanted, name) for name in _WANTED}
    chosen = [text for name, text in _WANTED.items() if bound[name] is not None]
    chosen += _fact_gate(view, wanted)
    columns = ", ".join(f"f.{name}" for name in _FACT)
    text = query("facts", columns=columns, wanted=" AND ".join(["TRUE", *chosen]))
    return [_fact(row) for row in connection.execute(text, bound)]


def episode(connection: Connection, view: View, id: str) -> Episode | None:
    """The episode part of a visible memory."""
    text = query("episode", gate=filters.gate(view))
    found = first(connection, text, _bound(connection, view) | {"id": id})
    if found is None:
        return None
    memory_id, outcome, started_at, ended_at, lesson = found
    with decoding("an episode"):
        return Episode(
            memory_id=memory_id,
            outcome=EpisodeOutcome(outcome),
            started_at=started_at,
            ended_at=ended_at,
            lesson=lesson,
        )


def procedure(connection: Connection, view: View, id: str) -> Procedure | None:
    """The procedure part of a visible memory."""
    text = query("procedure", gate=filters.gate(view))
    found = first(connection, text, _bound(connection, view) | {"id": id})
    if found is None:
        return None
    memory_id, name, steps, trigger = found
    with decoding("a procedure"):
        listed = tuple(json.loads(steps))
    return Procedure(memory_id=memory_id, name=name, steps=listed, trigger=trigger)


def session_state(connection: Connection, view: View, name: str) -> SessionState | None:
    """A piece of state of exactly the view's walls and session that has not ended."""
    scope_id = scopes.find(connection, view.scope)
    bound = filters.bindings(view, []) | {"scope": scope_id, "name": name}
    found = first(connection, query("session_state"), bound)
    if found is None:
        return None
    value, updated_at, expires_at = found
    return SessionState(
        scope=view.scope, name=name, value=value, updated_at=updated_at, expires_at=expires_at
    )


def session_values(connection: Connection, view: View, names: Sequence[str]) -> dict[str, str]:
    """The values of pieces of state of exactly the view's walls and session, by name."""
    scope_id = scopes.find(connection, view.scope)
    if scope_id is None:
        return {}
    told = {"scope": scope_id, "names": json.dumps(list(names))}
    bound = filters.bindings(view, []) | told
    return dict(every(connection, query("session_values"), bound))


def session_states(connection: Connection, bound: dict[str, Any]) -> list[SessionState]:
    """State by the beginning of its name, of every scope of one tenant, oldest first."""
    rows = every(connection, query("session_states"), bound)
    return [
        SessionState(
            scope=Scope(
                tenant=bound["tenant"], session=session, **dict(zip(WALLS, walls, strict=True))
            ),
            name=name,
            value=value,
            updated_at=updated_at,
            expires_at=expires_at,
        )
        for *walls, session, name, value, updated_at, expires_at in rows
    ]


def entity_names(connection: Connection, view: View, limit: int) -> list[tuple[str, int]]:
    """Names of entities and speakers of visible memories with their counts, most first."""
    text = query("entity_names", gate=filters.gate(view))
    return every(connection, text, _bound(connection, view) | {"limit": limit})


def sessions(
    connection: Connection, view: View, limit: int, before: int | None
) -> list[SessionLine]:
    """The sessions of visible memories, the one with the newest memory first; each scope tells its
    part of a session, of its own index."""
    visible = scopes.visible(connection, view)
    text, bound = query("sessions", gate=filters.gate(view)), filters.bindings(view, visible)
    held: dict[str, tuple[int, int, int]] = {}
    for number in visible:
        for name, count, begun, ended in connection.execute(text, bound | {"scope": number}):
            known, start, end = held.get(name, (0, begun, ended))
            held[name] = (known + count, min(start, begun), max(end, ended))
    found = [
        SessionLine(session=name, memories=count, first_at=begun, last_at=ended)
        for name, (count, begun, ended) in held.items()
        if before is None or ended < before
    ]
    return sorted(found, key=lambda one: (-one.last_at, one.session))[:limit]


def relation(row: Sequence[Any]) -> Relation:
    """The relation of a result line."""
    source, target, kind, confidence, created_at = row
    with decoding("a relation"):
        return Relation(
            source_id=source,
            target_id=target,
            type=RelationType(kind),
            confidence=confidence,
            created_at=created_at,
        )


def _bound(connection: Connection, view: View) -> filters.Bindings:
    return filters.bindings(view, scopes.visible(connection, view))


def _fact_gate(view: View, wanted: FactFilter) -> list[str]:
    gates = [
        (_THEN, view.as_of is not None),
        (_CURRENT, view.as_of is None and wanted.current),
        (_KNOWN, view.known_at is not None),
        (_SESSION, view.session is not None),
        (_CLOSED, view.closed_session),
        (_SOURCE_LIVES, State.EXPIRED not in view.states),
    ]
    return [text for text, needed in gates if needed]


def _fact(row: Sequence[Any]) -> Fact:
    own, (session, tenant, *names) = row[: len(_FACT)], row[len(_FACT) :]
    walls = dict(zip(WALLS, names, strict=True))
    scope = Scope(tenant=Tenant(tenant), session=session, **walls)
    return Fact(scope=scope, **dict(zip(_FACT, own, strict=True)))
