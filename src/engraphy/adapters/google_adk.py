"""A memory service for Google's Agent Development Kit.

    from google.adk.runners import Runner
    from engraphy.adapters.google_adk import EngraphyMemoryService

    runner = Runner(app_name="shop", agent=agent, session_service=sessions,
                    memory_service=EngraphyMemoryService("memory.db"))

The user's id is the wall `user`, the app's name the wall `project`: nothing crosses either. A
session may be added as often as one likes; each of its events is observed once.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from engraphy.adapters.walls import Walls, opened
from engraphy.errors import MissingExtraError
from engraphy.memory import Memory
from engraphy.model import Hit
from engraphy.model.documents import Document
from engraphy.text.moments import iso

try:
    from google.adk.memory.base_memory_service import BaseMemoryService, SearchMemoryResponse
    from google.adk.memory.memory_entry import MemoryEntry
    from google.genai import types
except ImportError as error:
    raise MissingExtraError(extra="google-adk") from error

SHELF = "google-adk"
_MICROSECONDS = 1_000_000


class EngraphyMemoryService(BaseMemoryService):
    """The kit's memory; `agent` is a further wall around all of it, `limit` the most entries that
    a search gives (the profile's own number where it is None)."""

    def __init__(
        self,
        memory: Memory | str | Path | None = None,
        *,
        agent: str | None = None,
        limit: int | None = None,
    ) -> None:
        self.memory = opened(memory)
        self._agent = agent
        self._limit = limit

    async def add_session_to_memory(self, session: Any) -> None:
        """Observe those events of a session that were not observed yet."""
        walls = self._walls(session.app_name, session.user_id)
        await asyncio.to_thread(self._add, session.events, walls, session.id)

    async def add_events_to_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        events: Sequence[Any],
        session_id: str | None = None,
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002 - the kit's signature
    ) -> None:
        """Observe events, each once."""
        await asyncio.to_thread(self._add, events, self._walls(app_name, user_id), session_id)

    async def add_memory(
        self,
        *,
        app_name: str,
        user_id: str,
        memories: Sequence[Any],
        custom_metadata: Mapping[str, object] | None = None,  # noqa: ARG002 - the kit's signature
    ) -> None:
        """Keep what is given, as it is; only what has the author "user" counts as the user's."""
        walls = self._walls(app_name, user_id)
        for one in memories:
            if text := _text(one.content):
                origin = "user" if one.author == "user" else "agent"
                await asyncio.to_thread(self._keep, text, origin, walls)

    async def search_memory(self, *, app_name: str, user_id: str, query: str) -> Any:
        """What answers a query, best first."""
        walls = self._walls(app_name, user_id)
        hits = await asyncio.to_thread(self._recalled, query, walls)
        return SearchMemoryResponse(memories=[_entry(hit) for hit in hits])

    async def delete_memory(
        self, *, app_name: str, user_id: str, memory_id: str | None = None
    ) -> None:
        """Erase one memory. Raises NotFoundError for one that is not this user's."""
        walls = self._walls(app_name, user_id)
        if memory_id is not None:
            await asyncio.to_thread(lambda: self.memory.delete(memory_id, **walls.named()))

    def _walls(self, app: str, user: str) -> Walls:
        return Walls(user=user, agent=self._agent, project=app)

    def _keep(self, text: str, origin: str, walls: Walls) -> None:
        self.memory.remember(text, origin=origin, **walls.named())

    def _recalled(self, query: str, walls: Walls) -> list[Hit]:
        return self.memory.recall(query, limit=self._limit, **walls.named())

    def _add(self, events: Iterable[Any], walls: Walls, session: str | None) -> None:
        seen = walls.within(f"{walls.project}:{SHELF}").named()
        key = session or "events"
        held = self.memory.documents(SHELF, [key], **seen)
        known = set(held[0].data) if held and isinstance(held[0].data, list) else set()
        new = [one for one in events if one.id not in known]
        said = [turn for one in new if (turn := _message(one))]
        if said:
            self.memory.observe(said, session=session, **walls.named())
        if new:
            ids = [*known, *(one.id for one in new)]
            mark = Document(key=key, data=ids, embed=False)
            self.memory.put_documents(SHELF, [mark], **seen)


def _message(event: Any) -> dict[str, Any] | None:
    text = _text(event.content)
    role = "user" if event.author == "user" else "assistant"
    at = round(event.timestamp * _MICROSECONDS)
    return {"role": role, "content": text, "at": at} if text else None


def _text(content: Any) -> str:
    parts = [] if content is None else content.parts or []
    return "\n".join(one.text for one in parts if one.text and not one.thought)


def _entry(hit: Hit) -> Any:
    held = hit.memory
    content = types.Content(role="user", parts=[types.Part(text=held.content)])
    return MemoryEntry(
        id=held.id,
        content=content,
        author=held.speaker or held.origin.value,
        timestamp=iso(held.valid_from),
        custom_metadata={"score": hit.score, "kind": held.kind.value},
    )
