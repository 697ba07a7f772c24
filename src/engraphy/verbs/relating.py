"""The verbs about how memories hang together (D-13)."""

from collections.abc import Iterable
from typing import Unpack

from engraphy.engine import manage, relating, scoping
from engraphy.model import EntityHub, Relation
from engraphy.verbs.base import Reading, Verbs

_MOST_HOPS = 10
_MOST_ROWS = 1_000


class Relating(Verbs):
    """Links between memories, and what is known about one thing."""

    def link(
        self,
        source: str,
        target: str,
        type: str = "related_to",
        *,
        confidence: float = 1.0,
        **scope: Unpack[Reading],
    ) -> Relation:
        """Relate two memories: supersedes, contradicts, causes, elaborates, same_entity or
        related_to."""
        view = self._view(scope)
        ends = self._id(source, view, "source"), self._id(target, view, "target")
        return relating.link(self._engine, *ends, type, view, confidence=confidence)

    def links(
        self,
        id: str,
        *,
        hops: int = 1,
        types: Iterable[str] = (),
        **scope: Unpack[Reading],
    ) -> list[Relation]:
        """The relations within `hops` of a memory, nearest first, both ends visible; `types` walks
        along these types of relations only. Raises NotFoundError."""
        count = scoping.positive("hops", hops, _MOST_HOPS)
        wanted = relating.relation_types(types)
        view = self._view(scope)
        start = manage.get(self._engine, self._id(id, view), view, touch=False)
        return relating.links(self._engine, start.id, view, count, wanted)

    def entity(
        self,
        name: str,
        *,
        limit: int = 50,
        include: Iterable[str] = (),
        **scope: Unpack[Reading],
    ) -> EntityHub:
        """Everything that names an entity, newest first, and how that is related; `name` as people
        write it, or its address `entity://kind/slug`. Looking is not access."""
        count = scoping.positive("limit", limit, _MOST_ROWS)
        view = self._view(scope, include=include)
        return relating.entity(self._engine, scoping.text("name", name), view, count)
