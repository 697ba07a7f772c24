"""A capability for Pydantic AI: an agent that remembers.

    from pydantic_ai import Agent
    from engraphy.adapters.pydantic_ai import EngraphyMemory

    agent = Agent("openai:gpt-5", capabilities=[EngraphyMemory("memory.db", user="ann")])

What is remembered about the prompt goes with each request of a run, beside the prompt and not into
the history; what was asked and answered is observed after the run.

Its native `MemoryTool` wants files instead: give it `engraphy.adapters.anthropic`'s tool.

    tool = EngraphyMemoryTool("memory.db", user="ann")

    @agent.tool_plain
    def memory(**command: Any) -> Any:
        return tool.call(command)
"""

import asyncio
from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from pathlib import Path
from typing import Any

from engraphy.adapters.turns import Companion, message, words
from engraphy.adapters.walls import Walls, opened
from engraphy.errors import MissingExtraError
from engraphy.memory import Memory

try:
    from pydantic_ai.capabilities import AbstractCapability
    from pydantic_ai.messages import ModelRequest, UserPromptPart
except ImportError as error:
    raise MissingExtraError(extra="pydantic-ai") from error


class EngraphyMemory(AbstractCapability[Any]):
    """`user`, `agent` and `project` are its walls; `observe=False` learns nothing."""

    def __init__(
        self,
        memory: Memory | str | Path | None = None,
        *,
        user: str | None = None,
        agent: str | None = None,
        project: str | None = None,
        observe: bool = True,
        id: str | None = "engraphy",
    ) -> None:
        self.id = id
        walls = Walls(user=user, agent=agent, project=project)
        self.companion = Companion(opened(memory), walls)
        self.observe = observe
        self.block: str | None = None

    async def for_run(self, ctx: Any) -> "EngraphyMemory":  # noqa: ARG002 - the framework's signature
        """One for each run: runs may go side by side."""
        return copy(self)

    async def before_model_request(self, ctx: Any, request_context: Any) -> Any:
        """The request with the block at its end."""
        if self.block is None:
            prompt, session = words(ctx.prompt), ctx.conversation_id
            self.block = await asyncio.to_thread(self.companion.block, prompt, session)
        if self.block:
            request_context.messages = _beside(request_context.messages, self.block)
        return request_context

    async def after_run(self, ctx: Any, *, result: Any) -> Any:
        """The result as it is; what was said is observed in the background."""
        if self.observe:
            said = [message("user", ctx.prompt), message("assistant", result.output)]
            await asyncio.to_thread(self.companion.learn, said, ctx.conversation_id)
        return result


def _beside(messages: Sequence[Any], block: str) -> list[Any]:
    last = messages[-1]
    if not isinstance(last, ModelRequest):
        return list(messages)
    return [*messages[:-1], replace(last, parts=[*last.parts, UserPromptPart(content=block)])]
