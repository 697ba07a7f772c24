"""The Microsoft Agent Framework: a real agent over a client that answers from a list."""

from typing import Any

import pytest
from agent_framework import Agent, BaseChatClient, ChatResponse, Message

from engraphy.adapters.agent_framework import EngraphyContextProvider


class Scripted(BaseChatClient):
    """Answers always the same, and keeps what it was asked."""

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def _inner_get_response(
        self, *, messages: Any, stream: bool = False, options: Any, **given: Any
    ) -> Any:
        async def answer() -> ChatResponse:
            self.asked.append("\n".join(one.text for one in messages))
            return ChatResponse(messages=[Message("assistant", ["All right."])])

        return answer()


@pytest.mark.asyncio
async def test_what_is_remembered_goes_with_the_input_and_what_is_said_is_learnt(told):
    """The client reads the block of these walls; what was said is known afterwards."""
    client = Scripted()
    provider = EngraphyContextProvider(told, user="ann", project="shop")
    agent = Agent(client, context_providers=[provider])
    await agent.run("What does Ann drink, zebrafish?")
    assert "green tea" in client.asked[0]
    assert "canary word" not in client.asked[0]
    await agent.run("My sister Zoe plays the cello.")
    assert told.flush()
    held = told.list(user="ann", project="shop")
    assert any("cello" in one.content for one in held)
    assert not any("memory-context" in one.content for one in held)
