"""A session of the OpenAI Agents SDK that also remembers.

    from agents import Agent, RunConfig, Runner
    from engraphy.adapters.openai_agents import EngraphySession

    session = EngraphySession("chat-1", "memory.db", user="ann")
    config = RunConfig(session_input_callback=session.remembering)
    await Runner.run(agent, "What do I drink?", session=session, run_config=config)

The session gives its own items back, in their order. What is said in it is observed as well, in the
walls `user`, `agent` and `project`, so that `session.remembering` brings what was learnt in any
session of these walls into the next turn. The block that it brings is not kept with the items, and
never learnt from. Secrets in items are redacted.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engraphy.adapters.turns import Companion, Transcript, message, words
from engraphy.adapters.walls import Walls, opened
from engraphy.errors import MissingExtraError
from engraphy.memory import Memory
from engraphy.text.fence import strip_injected

try:
    from agents.memory.session_settings import (
        SessionSettings,
        coerce_session_settings,
        resolve_session_limit,
    )
except ImportError as error:
    raise MissingExtraError(extra="openai-agents") from error

SHELF = "openai-agents"
_GAP = "\n\n"
"""What stands between a message and its block."""


class EngraphySession:
    """The SDK's `Session` protocol; `observe=False` keeps the items and learns nothing."""

    def __init__(
        self,
        session_id: str,
        memory: Memory | str | Path | None = None,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        session_settings: Any = None,
        observe: bool = True,
    ) -> None:
        self.session_id = session_id
        settings = SessionSettings() if session_settings is None else session_settings
        self.session_settings = coerce_session_settings(settings)
        self.memory, self._own = opened(memory), not isinstance(memory, Memory)
        walls = Walls(user=user, agent=agent, project=project)
        self._companion = Companion(self.memory, walls)
        inside = walls.apart(project or SHELF, session_id)
        self._items = Transcript(self.memory, inside, SHELF)
        self._observe = observe
        self._closed = False

    async def get_items(self, limit: int | None = None) -> list[Any]:
        """The latest `limit` items, oldest first; all of them where none is set."""
        items = await asyncio.to_thread(self._items.read)
        most = resolve_session_limit(limit, self.session_settings)
        if most is None or most < 0:
            return items
        return items[-most:] if most else []

    async def add_items(self, items: Sequence[Any]) -> None:
        """Add items; what was said in them is observed in the background."""
        if self._closed:
            raise RuntimeError("Session is closed")
        if items:
            await asyncio.to_thread(self._add, list(items))

    async def pop_item(self) -> Any:
        """Take the latest item out and return it; None where there is none."""
        return await asyncio.to_thread(self._items.pop)

    async def clear_session(self) -> None:
        """Take all items out; what was learnt from them stays."""
        await asyncio.to_thread(self._items.clear)

    async def remembering(self, history: list[Any], new: list[Any]) -> list[Any]:
        """For `RunConfig(session_input_callback=...)`: the history, and the new input with what is
        remembered about it."""
        place = next((x for x in reversed(range(len(new))) if new[x].get("role") == "user"), None)
        if place is None:
            return [*history, *new]
        prompt = words(new[place].get("content"))
        block = await asyncio.to_thread(self._companion.block, prompt, self.session_id)
        if not block:
            return [*history, *new]
        asked = {**new[place], "content": _beside(new[place].get("content"), block)}
        return [*history, *new[:place], asked, *new[place + 1 :]]

    def close(self) -> None:
        """Close the session, and the memory where the session opened it, after what is still to be
        learnt; a memory that others may use as well stays open."""
        self._closed = True
        if self._own:
            self.memory.close()

    def _add(self, items: list[Any]) -> None:
        items = [_bare(one) for one in items]
        self._items.add([(one, _told(one)) for one in items])
        said = [message(one.get("role"), one.get("content")) for one in items]
        if self._observe:
            self._companion.learn(said, self.session_id)


def _beside(content: object, block: str) -> object:
    if isinstance(content, str):
        return f"{content}{_GAP}{block}"
    return [*content, {"type": "input_text", "text": block}] if isinstance(content, list) else block


def _bare(item: dict[str, Any]) -> dict[str, Any]:
    """An item without the block that `_beside` put there."""
    content = item.get("content")
    if isinstance(content, list):
        kept = [one for one in content if not _is_block(words(one))]
        return item if len(kept) == len(content) else {**item, "content": kept}
    if not isinstance(content, str) or (own := strip_injected(content)) == content:
        return item
    return {**item, "content": own.removesuffix(_GAP)}


def _is_block(text: str) -> bool:
    return bool(text) and not strip_injected(text).strip()


def _told(item: dict[str, Any]) -> str:
    """An item in words: what was said, or which tool was called with what."""
    told = words(item.get("content"))
    return told or " ".join(str(item[x]) for x in ("name", "arguments", "output") if item.get(x))
