"""The graph between memories (D-13): relate two, walk from one, look at all about one entity."""

from collections.abc import Iterable

from engraphy.engine.following import with_room
from engraphy.engine.manage import everything
from engraphy.engine.parts import Engine
from engraphy.engine.scoping import share
from engraphy.engine.standing import own_view
from engraphy.errors import InvalidInputError, NotFoundError
from engraphy.model import (
    EntityHub,
    Listing,
    Memory,
    PutRelation,
    Relation,
    RelationType,
    View,
)
from engraphy.text.entities import slug
from engraphy.text.gazetteer import lookup

_ADDRESS = "entity://"
_KINDS = ("tech", "org", "person", "place", "file", "url", "version", "date")
_MOST_ENDS = 500


def link(
    engine: Engine, source: str, target: str, type: object, view: View, *, confidence: object
) -> Relation:
    """Relate two memories that this caller sees."""
    (kind,) = relation_types([type])
    start, _ = _visible(engine, source, view), _visible(engine, target, view)
    if source == target:
        raise InvalidInputError(field="target", got="the source itself", allowed="another memory")
    relation = Relation(
        source_id=source,
        target_id=target,
        type=kind,
        confidence=share("confidence", confidence),
        created_at=view.now,
    )
    change = PutRelation(relation=relation, reason="link")
    changes = with_room(engine, own_view(start, view.now), [change])
    engine.store.apply(view.scope.tenant, changes, now=view.now, actor=engine.actor)
    return relation


def links(
    engine: Engine, id: str, view: View, hops: int, types: frozenset[RelationType]
) -> list[Relation]:
    """The relations within `hops` of a memory, breadth first, both ends visible."""
    kinds = frozenset(kind.value for kind in types)
    return engine.store.relations(everything(view), [id], hops=hops, types=kinds)


def entity(engine: Engine, name: str, view: View, limit: int) -> EntityHub:
    """Everything that names an entity, newest first, and how that is related.

    `name`: as people write it, an alias too, or its address `entity://kind/slug`.
    """
    found: dict[str, Memory] = {}
    named: list[str] = []
    for address in addresses(name):
        rows = engine.store.page(view, Listing(entity=address, limit=limit))
        found |= {row.id: row for row in rows}
        named += [address] if rows else []
    memories = sorted(found.values(), key=lambda row: row.id, reverse=True)[:limit]
    ends = [row.id for row in memories[:_MOST_ENDS]]
    relations = engine.store.relations(view, ends) if ends else []
    return EntityHub(
        name=name, entities=tuple(named), memories=tuple(memories), relations=tuple(relations)
    )


def relation_types(types: object) -> frozenset[RelationType]:
    """Types of relations by name. Raises InvalidInputError."""
    wanted = [types] if isinstance(types, str) else types
    allowed = ", ".join(RelationType)
    if not isinstance(wanted, Iterable):
        raise InvalidInputError(field="types", got=repr(types)[:60], allowed=allowed)
    found = set()
    for one in wanted:
        if not isinstance(one, str) or one not in set(RelationType):
            raise InvalidInputError(field="type", got=repr(one)[:60], allowed=allowed)
        found.add(RelationType(one))
    return frozenset(found)


def addresses(name: str) -> list[str]:
    """The addresses under which an entity of this name may be labelled."""
    bare = name.strip()
    if bare.startswith(_ADDRESS):
        return [bare]
    known = lookup(bare)
    spellings = [slug(bare)] if known is None else [slug(known.name), slug(bare)]
    return [f"{_ADDRESS}{kind}/{one}" for kind in _KINDS for one in dict.fromkeys(spellings)]


def _visible(engine: Engine, id: object, view: View) -> Memory:
    if not isinstance(id, str):
        raise InvalidInputError(field="id", got=type(id).__name__, allowed="a memory's id")
    found = engine.store.get(everything(view), [id])
    if not found:
        raise NotFoundError(id=id)
    return found[0]
