"""A storage backend for CrewAI's memory.

    from crewai import Crew
    from crewai.memory.unified_memory import Memory
    from engraphy.adapters.crewai import EngraphyStorage

    crew = Crew(agents=[...], tasks=[...], memory=Memory(storage=EngraphyStorage("memory.db")))

or for the whole process, at its start:

    set_memory_storage_factory(lambda spec: EngraphyStorage("memory.db"))

CrewAI embeds and searches by its own vectors, which are kept beside each record and compared one by
one: fit for some thousand records. Each record is a memory too, in the project "crewai", so that
`memory.recall(..., project="crewai")` finds it; the words of private records are for CrewAI only.
"""

import asyncio
import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from operator import mul
from pathlib import Path
from typing import Any

from engraphy.adapters.walls import Walls, opened
from engraphy.errors import MissingExtraError
from engraphy.memory import Memory
from engraphy.model.documents import Document

try:
    from crewai.memory.storage.backend import EmbeddingDimensionMismatchError
    from crewai.memory.types import MemoryRecord, ScopeInfo
except ImportError as error:
    raise MissingExtraError(extra="crewai") from error

SHELF = "crewai"


class EngraphyStorage:
    """CrewAI's `StorageBackend`; `user`, `agent` and `project` are its walls."""

    def __init__(
        self,
        memory: Memory | str | Path | None = None,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str = "crewai",
    ) -> None:
        self.memory = opened(memory)
        self._walls = Walls(user=user, agent=agent, project=project)

    def save(self, records: Sequence[Any]) -> None:
        """Keep records, each under its id. Raises EmbeddingDimensionMismatchError where their
        vectors are of another length than those that are held."""
        known = next((x.embedding for x in self._records() if x.embedding), None)
        for one in records:
            _check_length(known, one.embedding)
            known = known or one.embedding
        self._put([_document(one) for one in records])

    def search(  # noqa: PLR0917 - the backend's signature
        self,
        query_embedding: list[float],
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        metadata_filter: dict[str, Any] | None = None,
        limit: int = 10,
        min_score: float = 0.0,
    ) -> list[tuple[Any, float]]:
        """The records nearest to a vector, best first, each with 1 / (1 + squared distance)."""
        found = []
        for one in self._chosen(scope_prefix, categories, metadata_filter):
            _check_length(one.embedding, query_embedding)
            score = _nearness(one.embedding or [], query_embedding)
            if score >= min_score:
                found.append((one, score))
        return sorted(found, key=lambda pair: -pair[1])[:limit]

    def delete(
        self,
        scope_prefix: str | None = None,
        categories: list[str] | None = None,
        record_ids: list[str] | None = None,
        older_than: datetime | None = None,
        metadata_filter: dict[str, Any] | None = None,
    ) -> int:
        """Erase the records that meet all that is given; how many they were."""
        chosen = self._chosen(scope_prefix, categories, metadata_filter)
        going = [
            one.id
            for one in chosen
            if (record_ids is None or one.id in record_ids)
            and (older_than is None or _plain(one.created_at) < _plain(older_than))
        ]
        self._put([Document(key=key, removed=True) for key in going])
        return len(going)

    def update(self, record: Any) -> None:
        """Replace the record with the same id."""
        self.save([record])

    def get_record(self, record_id: str) -> Any:
        """The record with this id, None where there is none."""
        return next(iter(self._records([record_id])), None)

    def list_records(
        self, scope_prefix: str | None = None, limit: int = 200, offset: int = 0
    ) -> list[Any]:
        """The records of a scope, newest first."""
        chosen = self._chosen(scope_prefix)
        newest = sorted(chosen, key=lambda one: _plain(one.created_at), reverse=True)
        return newest[offset : offset + limit]

    def get_scope_info(self, scope: str) -> Any:
        """Counts, categories, dates and child scopes of a scope."""
        chosen = self._chosen(scope)
        moments = [_plain(one.created_at) for one in chosen]
        return ScopeInfo(
            path=_path(scope) or "/",
            record_count=len(chosen),
            categories=sorted({name for one in chosen for name in one.categories}),
            oldest_record=min(moments, default=None),
            newest_record=max(moments, default=None),
            child_scopes=_children(scope, chosen),
        )

    def list_scopes(self, parent: str = "/") -> list[str]:
        """The scopes directly below one."""
        return _children(parent, self._chosen(parent))

    def list_categories(self, scope_prefix: str | None = None) -> dict[str, int]:
        """How many records each category has."""
        return dict(Counter(x for one in self._chosen(scope_prefix) for x in one.categories))

    def count(self, scope_prefix: str | None = None) -> int:
        """How many records a scope holds, with those below it."""
        return len(self._chosen(scope_prefix))

    def reset(self, scope_prefix: str | None = None) -> None:
        """Erase a scope, or everything of CrewAI's in these walls."""
        self.delete(scope_prefix)

    async def asave(self, records: Sequence[Any]) -> None:
        """As `save`, in a thread."""
        await asyncio.to_thread(self.save, records)

    async def asearch(self, query_embedding: list[float], **given: Any) -> list[tuple[Any, float]]:
        """As `search`, in a thread."""
        return await asyncio.to_thread(lambda: self.search(query_embedding, **given))

    async def adelete(self, **given: Any) -> int:
        """As `delete`, in a thread."""
        return await asyncio.to_thread(lambda: self.delete(**given))

    def _put(self, documents: Iterable[Document]) -> None:
        self.memory.put_documents(SHELF, documents, **self._walls.named())

    def _records(self, keys: Sequence[str] | None = None) -> list[Any]:
        held = self.memory.documents(SHELF, keys, **self._walls.named())
        return [_record(one.data) for one in held if isinstance(one.data, Mapping)]

    def _chosen(
        self,
        scope: str | None = None,
        categories: list[str] | None = None,
        metadata: Mapping[str, Any] | None = None,
    ) -> list[Any]:
        """The records of a scope and below, in any of the categories, with all the metadata."""
        wanted = set(categories or ())
        return [
            one
            for one in self._records()
            if f"{_path(one.scope)}/".startswith(f"{_path(scope)}/")
            and (not wanted or wanted.intersection(one.categories))
            and all(one.metadata.get(key) == value for key, value in (metadata or {}).items())
        ]


def _document(record: Any) -> Document:
    data = {**record.model_dump(mode="json"), "embedding": record.embedding}
    return Document(key=record.id, text="" if record.private else record.content, data=data)


def _record(data: Mapping[str, Any]) -> Any:
    return MemoryRecord.model_validate(data)


def _path(scope: str | None) -> str:
    """A scope without a slash at its end; empty for the root."""
    inner = (scope or "").strip("/")
    return f"/{inner}" if inner else ""


def _children(parent: str, records: Iterable[Any]) -> list[str]:
    start = f"{_path(parent)}/"
    scopes = {_path(one.scope) for one in records}
    below = {scope.removeprefix(start) for scope in scopes if f"{scope}/" != start}
    return sorted({f"{start}{rest.partition('/')[0]}" for rest in below if rest})


def _plain(moment: datetime) -> datetime:
    """CrewAI's moments are UTC, with or without saying so."""
    return moment.replace(tzinfo=None)


def _check_length(held: Sequence[float] | None, new: Sequence[float] | None) -> None:
    if held and new and len(held) != len(new):
        raise EmbeddingDimensionMismatchError(len(held), len(new))


def _nearness(one: Sequence[float], two: Sequence[float]) -> float:
    """1 / (1 + squared distance) of two vectors of length one."""
    size = math.hypot(*one) * math.hypot(*two) if one and two else 0.0
    cosine = sum(map(mul, one, two)) / size if size else -1.0
    return 1.0 / (3.0 - 2.0 * cosine)
