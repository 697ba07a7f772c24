"""A context provider for the Microsoft Agent Framework.

    from agent_framework import Agent
    from engraphy.adapters.agent_framework import EngraphyContextProvider

    agent = Agent(client, context_providers=[EngraphyContextProvider("memory.db", user="ann")])

Before a run it adds what is remembered about the input, after it it observes what was said. The
block that it adds is never learnt from.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engraphy.adapters.turns import Companion, last_asked, message
from engraphy.adapters.walls import Walls, opened
from engraphy.errors import MissingExtraError
from engraphy.memory import Memory

try:
    from agent_framework import ContextProvider, Message
except ImportError as error:
    raise MissingExtraError(extra="agent-framework") from error


class EngraphyContextProvider(ContextProvider):
    """`user`, `agent` and `project` are its walls; `observe=False` learns nothing."""

    def __init__(
        self,
        memory: Memory | str | Path | None = None,
        *,
        source_id: str = "engraphy",
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        observe: bool = True,
    ) -> None:
        super().__init__(source_id)
        walls = Walls(user=user, agent=agent, project=project)
        self._companion = Companion(opened(memory), walls)
        self._observe = observe

    async def before_run(self, *, agent: Any, session: Any, context: Any, state: Any) -> None:  # noqa: ARG002 - the framework's signature
        """Add what is remembered about the input, as a message of its own."""
        prompt = last_asked(_said(context.input_messages))
        block = await asyncio.to_thread(self._companion.block, prompt, context.session_id)
        if block:
            context.extend_messages(self, [Message("user", [block])])

    async def after_run(self, *, agent: Any, session: Any, context: Any, state: Any) -> None:  # noqa: ARG002 - the framework's signature
        """Observe the input and the answer, in the background."""
        if self._observe:
            answer = context.response.messages if context.response else []
            said = _said([*context.input_messages, *answer])
            await asyncio.to_thread(self._companion.learn, said, context.session_id)


def _said(messages: Sequence[Any]) -> list[dict[str, str] | None]:
    return [message(one.role, one.text) for one in messages]
