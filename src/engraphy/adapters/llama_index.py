"""A memory block for LlamaIndex's `Memory`.

    from llama_index.core.memory import Memory
    from engraphy.adapters.llama_index import EngraphyMemoryBlock

    memory = Memory.from_defaults(
        session_id="chat-1", memory_blocks=[EngraphyMemoryBlock(memory="memory.db", user="ann")])

What is remembered about the user's last message comes into the prompt; what leaves the short-term
memory is observed. The block that was brought is never learnt from.
"""

import asyncio
from typing import Any

from engraphy.adapters.turns import Companion, last_asked, message
from engraphy.adapters.walls import Walls, opened
from engraphy.errors import MissingExtraError

try:
    from llama_index.core.memory.memory import BaseMemoryBlock
    from pydantic import ConfigDict, PrivateAttr
except ImportError as error:
    raise MissingExtraError(extra="llama-index") from error


class EngraphyMemoryBlock(BaseMemoryBlock[str]):
    """`user`, `agent` and `project` are its walls; `memory` an opened `Memory`, a path, or None."""

    model_config = ConfigDict(extra="forbid")

    name: str = "engraphy"
    memory: Any = None
    user: str | None = None
    agent: str | None = None
    project: str | None = None
    _companion: Companion = PrivateAttr()

    def model_post_init(self, context: Any) -> None:
        """Open the memory once."""
        super().model_post_init(context)
        walls = Walls(user=self.user, agent=self.agent, project=self.project)
        self._companion = Companion(opened(self.memory), walls)

    async def _aget(self, messages: list[Any] | None = None, **given: Any) -> str:
        prompt = last_asked(_said(messages or []))
        session = given.get("session_id")
        return await asyncio.to_thread(self._companion.block, prompt, session)

    async def _aput(self, messages: list[Any]) -> None:
        for one in messages:
            session = one.additional_kwargs.get("session_id")
            await asyncio.to_thread(self._companion.learn, _said([one]), session)


def _said(messages: list[Any]) -> list[dict[str, str] | None]:
    return [message(one.role.value, one.content) for one in messages]
