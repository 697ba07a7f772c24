"""The reading half of the store; every call is one snapshot and gated by its view."""

import importlib
import json
from collections.abc import Sequence
from functools import cached_property
from typing import Any, Protocol

from engraphy.model.kinds import RelationType
from engraphy.model.memory import Memory, Version
from engraphy.model.overview import SessionLine
from engraphy.model.query import (
    Candidate,
    FactFilter,
    Listing,
    Term,
    TextResult,
    VectorMatch,
    View,
)
from engraphy.model.records import CoActivation, Episode, Fact, Procedure, Relation, SessionState
from engraphy.model.scope import Tenant
from engraphy.stores.relational import around, candidates, embedding, read
from engraphy.stores.relational.sql import Access, every, query


class TextFinder(Protocol):
    """The full-text search of an engine."""

    def search(self, connection: Any, view: View, terms: Sequence[Term], limit: int) -> TextResult:
        """Visible rows that match, best first by BM25 over what the view may see."""


class Reads:
    """Memories, search, and what stands beside memories."""

    def __init__(self, access: Access, text: TextFinder) -> None:
        self._access = access
        self._text = text

    def get(self, view: View, ids: Sequence[str]) -> list[Memory]:
        """The visible memories among `ids`, in that order."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.get(connection, view, ids)

    def ids_from(self, view: View, start: str, length: int, limit: int) -> list[str]:
        """The ids of so many characters, of visible memories, that begin with `start`, in order."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.ids_from(connection, view, start, length, limit)

    def held_ids(self, tenant: Tenant, ids: Sequence[str]) -> frozenset[str]:
        """Those of `ids` that a memory or a fact has, or had until it was removed."""
        with self._access.reading(tenant) as connection:
            return read.held_ids(connection, ids)

    def find_hash(self, view: View, content_hash: str) -> Memory | None:
        """The memory of exactly this scope and sensitivity with this hash, in any state."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.find_hash(connection, view, content_hash)

    def find_over(self, view: View, content_hash: str, told_of: int) -> Memory | None:
        """The superseded memory of exactly this scope, hash and moment, which held for a while."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.find_over(connection, view, content_hash, told_of)

    def any_asleep(self, view: View) -> bool:
        """Whether anything behind the view's walls is dormant or archived."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.any_asleep(connection, view)

    def page(self, view: View, listing: Listing) -> list[Memory]:
        """One page of visible memories; NotFoundError where `after` is unknown."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.page(connection, view, listing)

    def count(self, view: View, listing: Listing) -> int:
        """How many visible memories the listing matches."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.count(connection, view, listing)

    def versions(self, view: View, id: str) -> list[Version]:
        """Earlier texts of a visible memory, oldest first."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.versions(connection, view, id)

    def retold_since(self, view: View, ids: Sequence[str] | None, limit: int) -> list[Version]:
        """Of visible memories the texts that stood at `view.known_at` and stand no longer."""
        with self._access.reading(view.scope.tenant) as connection:
            return read.retold_since(connection, view, ids, limit)

    def search_text(self, view: View, terms: Sequence[Term], limit: int) -> TextResult:
        """Full-text candidates that match at least one term, best first."""
        with self._access.reading(view.scope.tenant) as connection:
            return self._text.search(connection, view, terms, limit)

    def search_vector(
        self, view: View, model_id: str, vector: Sequence[float], limit: int
    ) -> list[VectorMatch]:
        """Vector candidates by cosine, best first."""
        with self._access.reading(view.scope.tenant) as connection:
            if embedding.find_model(connection, model_id) is None:
                return []
            found: list[VectorMatch] = self._vector_search.search(
                connection, view, model_id, vector, limit
            )
            return found

    def candidates(
        self,
        view: View,
        ids: Sequence[str],
        *,
        model_id: str | None = None,
        vector: Sequence[float] | None = None,
        neighbours: int = 0,
    ) -> list[Candidate]:
        """Light rows of the visible memories among `ids`, in no order that matters."""
        with self._access.reading(view.scope.tenant) as connection:
            light = candidates.read(connection, view, ids, model_id=model_id, neighbours=neighbours)
            cosines: dict[int, float] = {}
            if model_id is not None and vector is not None and light.rows:
                cosines = self._vector_search.cosines(
                    connection, view, light.seqs(), model_id, vector
                )
            return candidates.finish(light, cosines)

    def relations(
        self, view: View, ids: Sequence[str], *, hops: int = 1, types: frozenset[str] = frozenset()
    ) -> list[Relation]:
        """Relations within `hops` of `ids`, both ends visible, nearest first."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.relations(connection, view, ids, hops=hops, types=types)

    def labelled(self, view: View, names: Sequence[str], limit: int) -> list[tuple[str, str]]:
        """(name, id) of visible memories by entity or speaker, the newest of each first."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.labelled(connection, view, names, limit)

    def count_relations(self, view: View, most: int) -> int:
        """How many relations start in exactly the view's walls, counted up to `most`."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.count_relations(connection, view, most)

    def weakest_relations(
        self, view: View, types: Sequence[RelationType], limit: int
    ) -> list[Relation]:
        """Relations of exactly the view's walls, type by type, each weakest first."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.weakest_relations(connection, view, types, limit)

    def coactivations(self, view: View, ids: Sequence[str], minimum: int) -> list[CoActivation]:
        """Pairs with one end in `ids` that were delivered together at least `minimum` times."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.coactivations(connection, view, ids, minimum)

    def facts(self, view: View, wanted: FactFilter) -> list[Fact]:
        """Visible facts, newest first."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.facts(connection, view, wanted)

    def episode(self, view: View, id: str) -> Episode | None:
        """The episode part of a visible memory."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.episode(connection, view, id)

    def procedure(self, view: View, id: str) -> Procedure | None:
        """The procedure part of a visible memory."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.procedure(connection, view, id)

    def successions(
        self, tenant: Tenant, ids: Sequence[str], among: Sequence[str] | None = None
    ) -> list[tuple[str, str]]:
        """Which of `ids` one of `among`, or any where that is None, took the place of, at least in
        part: (the older, the newer)."""
        bound = {"ids": json.dumps(list(ids))}
        named = {} if among is None else {"among": json.dumps(list(among))}
        asked = query("successions_among" if named else "successions_of")
        with self._access.reading(tenant) as connection:
            found = every(connection, asked, {**bound, **named})
            return [(older, newer) for older, newer in found]

    def session_state(self, view: View, name: str) -> SessionState | None:
        """A piece of state of exactly the view's walls and session."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.session_state(connection, view, name)

    def session_values(self, view: View, names: Sequence[str]) -> dict[str, str]:
        """The values of pieces of state of exactly the view's walls and session, by name."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.session_values(connection, view, names)

    def session_states(
        self, tenant: Tenant, prefix: str, *, now: int, limit: int
    ) -> list[SessionState]:
        """State by the beginning of its name, of every scope of one tenant, oldest first."""
        with self._access.reading(tenant) as connection:
            bound = {"tenant": tenant, "prefix": prefix, "now": now, "limit": limit}
            return around.session_states(connection, bound)

    def entity_names(self, view: View, limit: int) -> list[tuple[str, int]]:
        """Names of entities and speakers of visible memories with their counts, most first."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.entity_names(connection, view, limit)

    def sessions(self, view: View, limit: int, before: int | None) -> list[SessionLine]:
        """The sessions that visible memories come from, the one with the newest memory first."""
        with self._access.reading(view.scope.tenant) as connection:
            return around.sessions(connection, view, limit, before)

    @cached_property
    def _vectors(self) -> Any:
        # By name, so that a store without vectors never loads numpy.
        return importlib.import_module("engraphy.stores.relational.vectors")

    @cached_property
    def _vector_search(self) -> Any:
        return self._vectors.VectorSearch()
