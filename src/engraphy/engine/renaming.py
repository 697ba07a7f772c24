"""Ids for rows of a file that come in elsewhere: an id that stands in other walls is given anew.

The new id follows from the old one and from the walls, so that the same file, brought in twice,
comes in once.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from engraphy.engine.manage import whole
from engraphy.engine.parts import Engine
from engraphy.engine.standing import same_walls
from engraphy.model import Fact, FactFilter, Memory, Scope, Sensitivity, View, WALLS
from engraphy.write.imported import Arrived

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_TIME, _CHANCE = 10, 16
"""Characters of an id (a ULID): those that say when, and those that are chance."""
_BATCH = 200


def renamed(engine: Engine, rows: Arrived, view: View) -> Arrived:
    """The rows, none of which has an id that stands in other walls than its own: in those of
    another user, or of another tenant. What refers to a row goes with it."""
    taken = _taken(engine, [one.id for one in _named(rows)])
    if not taken:
        return rows
    stays = _standing(engine, (one for one in _named(rows) if one.id in taken), view)
    moving = taken - stays
    names = {one.id: _name(one.id, one.scope) for one in _named(rows) if one.id in moving}
    return _under(rows, names) if names else rows


def _named(rows: Arrived) -> Iterator[Memory | Fact]:
    return chain(rows.memories, rows.facts)


def _taken(engine: Engine, ids: Sequence[str]) -> frozenset[str]:
    found = (
        engine.store.held_ids(engine.tenant, ids[start : start + _BATCH])
        for start in range(0, len(ids), _BATCH)
    )
    return frozenset().union(*found)


def _standing(engine: Engine, named: Iterable[Memory | Fact], view: View) -> set[str]:
    """The ids of those that stand in exactly their walls already."""
    found: set[str] = set()
    for one in named:
        wide = replace(
            whole(view),
            scope=replace(one.scope, session=None),
            sensitivities=frozenset(Sensitivity),
        )
        held: Sequence[Memory | Fact]
        if isinstance(one, Memory):
            held = engine.store.get(wide, [one.id])
        else:
            held = engine.store.facts(wide, FactFilter(id=one.id, current=False, limit=1))
        found |= {row.id for row in held if same_walls(row.scope, one.scope)}
    return found


def _name(id: str, scope: Scope) -> str:
    """An id as long as ours that sorts where the old one did."""
    walls = [id, scope.tenant, *(getattr(scope, wall) for wall in WALLS)]
    told = int.from_bytes(hashlib.sha256(repr(walls).encode()).digest())
    chance = "".join(_ALPHABET[told >> 5 * place & 31] for place in range(_TIME + _CHANCE))
    ours = len(id) == _TIME + _CHANCE and set(id) <= set(_ALPHABET)
    return id[:_TIME] + chance[_TIME:] if ours else f"0{chance[1:]}"


def _under(rows: Arrived, names: Mapping[str, str]) -> Arrived:
    def known(id: str) -> str:
        return names.get(id, id)

    def now(id: str | None) -> str | None:
        return None if id is None else known(id)

    return Arrived(
        memories=rows.memories.changed(
            lambda one: replace(
                one,
                id=known(one.id),
                supersedes=now(one.supersedes),
                superseded_by=now(one.superseded_by),
                source_ids=tuple(map(known, one.source_ids)),
            )
        ),
        versions=rows.versions.changed(lambda one: replace(one, memory_id=known(one.memory_id))),
        relations=rows.relations.changed(
            lambda one: replace(one, source_id=known(one.source_id), target_id=known(one.target_id))
        ),
        facts=rows.facts.changed(
            lambda one: replace(one, id=known(one.id), source_id=now(one.source_id))
        ),
        episodes=rows.episodes.changed(lambda one: replace(one, memory_id=known(one.memory_id))),
        procedures=rows.procedures.changed(
            lambda one: replace(one, memory_id=known(one.memory_id))
        ),
    )
